"""Sets in the database as the audit takes them."""

import pytest

from generation.core.attacks.gate import Verdict
from generation.core.registry import SUBTASKS
from generation.models import CandidateState, Option, Revision
from generation.services.audits import Origin, audit_sets
from tests.make import make_completion, make_revision, make_source

pytestmark = pytest.mark.django_db
PLAN = [SUBTASKS["issue_fix_plan"]]
ACTION = [SUBTASKS["issue_fix_action"]]
WORDS = ("kiln", "glaze", "shard", "clay", "wheel", "flame", "ash")


def some(count, **fields):
    return [
        make_revision(options=[f"{word} {n}" for word in WORDS[n % 4 :][:4]], **fields)
        for n in range(count)
    ]


def audit_of(**arguments):
    return audit_sets(subtasks=PLAN, **arguments)[Origin.BUILT].get("issue_fix_plan")


def test_nothing_complete_gives_no_audit():
    make_revision(options=("gold alone",), state=CandidateState.DRAFT)
    assert audit_sets() == {Origin.BUILT: {}, Origin.IMPORTED: {}}


def test_drafts_count_and_rejected_and_superseded_ones_do_not():
    some(3, state=CandidateState.DRAFT)
    some(2, state=CandidateState.REJECTED)
    (old,) = some(1)
    Revision.objects.filter(pk=old.pk).update(superseded_at="2026-01-01T00:00:00Z")
    assert audit_of().n == 3


def test_built_options_have_no_order_before_a_release_and_gold_s_given_place_tells_nothing():
    for _ in range(24):
        make_revision(options=("same", "same", "same", "same"))
    audit = audit_of()
    assert audit.positions is None
    given = {
        revision.pk: (0, 1, 2, 3)
        for revision in Revision.objects.filter(candidate__subtask="issue_fix_plan")
    }
    ordered = audit_of(orders=given, revisions=given)
    assert ordered.positions.counts == (24, 0, 0, 0)
    assert ordered.positions.p < 1e-9


def test_the_released_order_decides_where_gold_stands():
    (revision,) = some(1)
    audit = audit_of(orders={revision.pk: (3, 2, 1, 0)}, revisions=[revision.pk])
    assert audit.positions.counts == (0, 0, 0, 1)


def test_only_the_named_revisions_are_audited():
    first, *_ = some(4)
    assert audit_of(revisions=[first.pk]).n == 1


def test_a_label_without_an_option_is_counted_and_left_out():
    make_revision(gold=("F",))
    make_revision()
    audit = audit_of()
    assert (audit.n, audit.unanswerable) == (1, 1)


def test_a_model_s_options_narrow_what_the_gate_allows():
    made = some(2)
    assert audit_of().rules_only is True
    Option.objects.filter(revision=made[0], position=1).update(model="a-model")
    assert audit_of().rules_only is False


def test_the_last_shown_action_of_a_run_is_the_one_before_the_cut():
    make_completion(gold="cat part2.py", cut=3)
    make_completion(gold="cat part1.py", cut=1)
    audit = audit_sets(subtasks=ACTION)[Origin.BUILT]["issue_fix_action"]
    found = {result.name: result.accuracy for result in audit.completions}
    assert found["repeat_last"] == 0.5
    assert audit.gate.verdict is Verdict.NO_LIMIT


def test_queries_do_not_grow_with_the_number_of_questions(django_assert_num_queries):
    some(2)
    with django_assert_num_queries(2):
        audit_of()
    source = make_source()
    for cut in range(1, 5):
        make_revision(source=source, cut=cut)
    with django_assert_num_queries(2):
        audit_of()
