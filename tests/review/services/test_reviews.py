"""What reviewers send is stored once, whole, and never dropped."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction

from generation.core.items import Severity
from generation.core.records import Outcome, Success
from generation.models import AuditEvent, CandidateState
from review.models import Assignment, BlindAnswer, FindingVerdict, OptionVerdict, Review, Role
from review.services.blind_answers import answer_blind
from review.services.drafts import record_look, save_draft
from review.services.gold import gold_positions
from review.services.item_access import may_open_item
from review.services.leases import skip
from review.services.reviews import AlreadySubmitted, submit_review
from review.services.turns import ReviewRefused
from tests.make import (
    NOW,
    approving,
    blind,
    later,
    make_assignment,
    make_completion,
    make_revision,
    make_user,
    rejecting,
    review_by,
    submit,
)

pytestmark = pytest.mark.django_db


def test_blind_answer_is_compared_with_gold_by_option():
    right, wrong = make_assignment(), make_assignment()
    blind(right)
    blind(wrong, right=False)
    assert right.blind_answer.matches_gold
    assert not wrong.blind_answer.matches_gold


@pytest.mark.parametrize(("text", "matches"), [("cat  'part3.py'", True), ("cat part4.py", False)])
def test_blind_completion_is_compared_by_em_norm(text, matches):
    turn = make_assignment(revision=make_completion())
    answer = answer_blind(assignment=turn, text=text, confidence=3, active_seconds=1, now=NOW)
    assert answer.matches_gold is matches


def test_not_determined_never_matches():
    turn = make_assignment(revision=make_completion())
    answer = answer_blind(
        assignment=turn, not_determined=True, confidence=3, active_seconds=1, now=NOW
    )
    assert not answer.matches_gold


def test_blind_answer_does_not_change_once_given():
    turn = make_assignment()
    blind(turn)
    blind(turn, right=False)
    assert BlindAnswer.objects.get().matches_gold


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"positions": [], "confidence": 3}, "answer"),
        ({"positions": [4], "confidence": 3}, "answer"),
        ({"positions": [0], "confidence": 0}, "confidence"),
        ({"positions": [0], "confidence": 6}, "confidence"),
    ],
)
def test_impossible_blind_answers_are_refused(fields, field):
    with pytest.raises(ReviewRefused) as refused:
        answer_blind(assignment=make_assignment(), active_seconds=1, now=NOW, **fields)
    assert list(refused.value.problems) == [field]


def test_review_needs_a_blind_answer_first():
    with pytest.raises(ReviewRefused, match="Answer first"):
        submit(make_assignment())


def test_two_approvals_settle_the_candidate():
    revision = make_revision()
    review_by(make_user(), revision)
    revision.candidate.refresh_from_db()
    assert revision.candidate.state == CandidateState.IN_REVIEW
    review_by(make_user(), revision)
    revision.candidate.refresh_from_db()
    assert revision.candidate.state == CandidateState.APPROVED


def test_two_rejections_settle_the_candidate():
    revision = make_revision()
    for _ in range(2):
        review_by(make_user(), revision, answers=rejecting(revision))
    revision.candidate.refresh_from_db()
    assert revision.candidate.state == CandidateState.REJECTED


def test_different_decisions_make_a_dispute_with_its_cause():
    revision = make_revision()
    review_by(make_user(), revision)
    review_by(make_user(), revision, answers=rejecting(revision))
    revision.candidate.refresh_from_db()
    assert revision.candidate.state == CandidateState.DISPUTED
    settled = AuditEvent.objects.get(action="candidate.settled")
    assert settled.detail == "decisions differ: 1 approve, 1 reject"


def test_same_meaning_counts_as_knowing_gold():
    revision = make_completion(subtask="closed_answer_en", gold="1871")
    for _ in range(2):
        answers = approving(revision, same_meaning=True)
        review_by(make_user(), revision, answers=answers, right=False)
    revision.candidate.refresh_from_db()
    assert revision.candidate.state == CandidateState.APPROVED


@pytest.mark.parametrize(
    ("subtask", "answer"),
    [
        ("issue_fix_plan", {"positions": [1]}),
        ("issue_fix_action", {"text": "ls"}),
        ("issue_fix_action", {"not_determined": True}),
        ("closed_answer_en", {"not_determined": True}),
    ],
    ids=["choice", "command", "command not determined", "answer not determined"],
)
def test_only_an_answer_in_words_can_mean_the_same(subtask, answer):
    is_choice = subtask == "issue_fix_plan"
    revision = make_revision() if is_choice else make_completion(subtask=subtask)
    turn = make_assignment(revision=revision)
    answer_blind(assignment=turn, confidence=3, active_seconds=1, now=NOW, **answer)
    with pytest.raises(ReviewRefused) as refused:
        submit(turn, answers=approving(revision, same_meaning=True))
    assert list(refused.value.problems) == ["same_meaning"]
    assert not Review.objects.exists()


def test_gold_that_names_no_option_is_no_answer_and_breaks_nothing():
    revision = make_revision(gold=("A", "F", "?"))
    assert gold_positions(revision) == (0,)
    turn = make_assignment(revision=revision)
    blind(turn)
    assert not turn.blind_answer.matches_gold
    assert submit(turn).option_verdicts.count() == 3


def test_verdicts_are_stored_for_distractors_and_findings():
    revision = make_revision(findings=[Severity.BLOCKS_RELEASE])
    review_by(make_user(), revision)
    assert OptionVerdict.objects.count() == 3
    assert FindingVerdict.objects.get().verdict == "dismissed"


def test_confirmed_blocking_finding_can_not_be_approved():
    revision = make_revision(findings=[Severity.BLOCKS_RELEASE])
    finding = revision.findings.get()
    answers = approving(revision, finding_verdicts={finding.pk: ("confirmed", "it leaks")})
    with pytest.raises(ReviewRefused) as refused:
        review_by(make_user(), revision, answers=answers)
    assert list(refused.value.problems) == [f"finding_{finding.pk}"]
    assert not Review.objects.exists()


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"decision": "maybe"}, "decision"),
        ({"well_specified": 2, "well_specified_why": "too short"}, "well_specified_why"),
        ({"gold_quality": 4}, "gold_quality"),
        ({"option_verdicts": {}}, "option_1"),
        ({"decision": "reject", "reject_reason": "because"}, "reject_reason"),
        ({"decision": "reject", "reject_reason": "other", "comment": " "}, "comment"),
    ],
)
def test_reviews_that_break_a_rule_are_refused_by_field(changes, field):
    revision = make_revision()
    with pytest.raises(ReviewRefused) as refused:
        review_by(make_user(), revision, answers=approving(revision, **changes))
    assert field in refused.value.problems


def test_unconfirmed_run_is_confirmed_by_those_who_approve():
    revision = make_revision(success=Success.UNCONFIRMED, outcome=Outcome(final_answer="42"))
    for _ in range(2):
        review_by(make_user(), revision)
    revision.candidate.source.refresh_from_db()
    assert revision.candidate.source.success == Success.CONFIRMED


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (None, "Say whether the run solves its task."),
        (False, "Approve only a run that you see solve its task."),
    ],
)
def test_unconfirmed_run_can_not_be_approved_without_a_yes_to_it(said, told):
    revision = make_revision(success=Success.UNCONFIRMED)
    with pytest.raises(ReviewRefused) as refused:
        review_by(make_user(), revision, answers=approving(revision, source_is_success=said))
    assert refused.value.problems == {"source_is_success": told}


def test_one_form_stores_one_review():
    turn = make_assignment()
    blind(turn)
    key = uuid4()
    reviews = [
        submit_review(assignment=turn, form_key=key, answers=approving(turn.revision), now=NOW)
        for _ in range(2)
    ]
    assert reviews[0] == reviews[1]
    assert Review.objects.count() == 1


def test_form_key_of_another_turn_means_nothing():
    revision, key = make_revision(), uuid4()
    reviews = []
    for turn in (make_assignment(revision=revision), make_assignment(revision=revision)):
        blind(turn)
        reviews.append(
            submit_review(assignment=turn, form_key=key, answers=approving(revision), now=NOW)
        )
    assert [review.is_counted for review in reviews] == [True, True]


def test_form_of_a_review_that_was_taken_back_is_refused_by_name():
    turn, key = make_assignment(), uuid4()
    blind(turn)
    submit_review(assignment=turn, form_key=key, answers=approving(turn.revision), now=NOW)
    Review.objects.update(undone_at=NOW)
    with pytest.raises(ReviewRefused) as refused:
        submit_review(assignment=turn, form_key=key, answers=approving(turn.revision), now=NOW)
    assert list(refused.value.problems) == ["form_key"]
    assert submit(turn).undone_at is None


def test_another_form_of_a_submitted_turn_is_told_so():
    turn = make_assignment()
    blind(turn)
    first = submit(turn)
    with pytest.raises(AlreadySubmitted) as told:
        submit(turn)
    assert told.value.review == first


def test_late_review_counts_while_its_place_is_free():
    turn = make_assignment()
    blind(turn)
    assert submit(turn, now=later(45)).is_counted


@pytest.mark.parametrize(("role", "counts"), [(Role.ANNOTATOR, True), (Role.LEAD, False)])
def test_review_of_a_skipped_item_counts_unless_the_skip_let_a_lead_read_it(role, counts):
    revision = make_revision()
    turn = make_assignment(revision=revision, reviewer=make_user(role))
    blind(turn)
    skip(assignment=turn, reason="Not my field.", now=NOW)
    assert may_open_item(lead=turn.reviewer, candidate=revision.candidate)
    assert submit(turn, now=later(1)).is_counted is counts


def test_late_review_is_kept_as_extra_when_its_place_is_taken():
    """CB09: leases end, others come, late work arrives."""
    revision = make_revision()
    note = "n" * 900
    first, second = make_assignment(revision=revision), make_assignment(revision=revision)
    blind(first)
    blind(second)
    third = make_assignment(revision=revision, now=later(31))
    blind(third, now=later(31))
    late = submit(first, answers=approving(revision, comment=note), now=later(32))
    assert late.is_counted
    assert late.comment == note
    assert submit(third, now=later(33)).is_counted
    assert not submit(second, now=later(34)).is_counted
    assert Review.objects.count() == 3
    revision.candidate.refresh_from_db()
    assert revision.candidate.state == CandidateState.APPROVED


def test_draft_is_kept_and_renews_the_lease():
    turn = make_assignment()
    assert save_draft(assignment=turn, draft={"a": "b"}, now=later(10)) == later(40)
    turn.refresh_from_db()
    assert turn.draft == {"a": "b"}


def test_draft_that_comes_after_the_review_changes_nothing():
    turn = make_assignment()
    blind(turn)
    submit(turn)
    save_draft(assignment=turn, draft={"comment": "late"}, now=NOW)
    turn.refresh_from_db()
    assert turn.draft == {}


def test_draft_saved_from_a_stale_row_does_not_forget_the_look_past_the_cut():
    stale = make_assignment()
    blind(stale)
    stale.refresh_from_db()
    record_look(assignment=Assignment.objects.get(pk=stale.pk))
    assert stale.draft == {}
    save_draft(assignment=stale, draft={"fields": {}, "saw_what_follows": False}, now=NOW)
    assert submit(stale).saw_what_follows


def test_draft_does_not_set_the_look_past_the_cut():
    turn = make_assignment()
    blind(turn)
    save_draft(assignment=turn, draft={"saw_what_follows": True}, now=NOW)
    assert not submit(turn).saw_what_follows


def test_look_past_the_cut_needs_a_blind_answer():
    turn = make_assignment()
    with pytest.raises(ReviewRefused, match="Answer first"):
        record_look(assignment=turn)
    turn.refresh_from_db()
    assert turn.draft == {}


def test_every_change_leaves_its_event():
    revision = make_revision()
    review_by(make_user(), revision)
    review_by(make_user(), revision)
    actions = set(AuditEvent.objects.values_list("action", flat=True))
    assert {"blind_answer.given", "review.submitted", "candidate.settled"} <= actions


def test_database_refuses_an_unexplained_bad_rating():
    turn = make_assignment()
    with pytest.raises(IntegrityError, match="review_bad_rating_explained"), transaction.atomic():
        Review.objects.create(
            assignment=turn,
            form_key=uuid4(),
            decision="approve",
            well_specified=3,
            gold_quality=0,
            is_counted=True,
            active_seconds=1,
        )


@pytest.mark.django_db(transaction=True)
def test_ten_submits_at_once_on_two_places_count_two_and_keep_ten():
    revision = make_revision()
    turns = [make_assignment(revision=revision) for _ in range(10)]
    for turn in turns:
        blind(turn)
    start = Barrier(10)

    def send(turn):
        start.wait()
        try:
            return submit(turn, now=later(60)).is_counted
        finally:
            connection.close()

    with ThreadPoolExecutor(10) as pool:
        counted = list(pool.map(send, turns))
    assert sorted(counted) == [False] * 8 + [True] * 2
    assert Review.objects.count() == 10


@pytest.mark.django_db(transaction=True)
def test_one_form_sent_ten_times_at_once_stores_one_review():
    turn = make_assignment()
    blind(turn)
    key, start = uuid4(), Barrier(10)

    def send(_attempt):
        start.wait()
        try:
            answers = approving(turn.revision)
            return submit_review(assignment=turn, form_key=key, answers=answers, now=NOW).pk
        finally:
            connection.close()

    with ThreadPoolExecutor(10) as pool:
        assert len(set(pool.map(send, range(10)))) == 1
    assert Review.objects.count() == 1
