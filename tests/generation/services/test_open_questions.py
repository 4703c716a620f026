"""Questions made of research outlines and reports: built, given options, checked."""

import json

import pytest

from generation.core.registry import SUBTASKS
from generation.core.subtask import AnswerFormat
from generation.models import AuditEvent, Candidate, CandidateState, Finding, Option, Revision
from generation.services.audits import Origin, audit_sets
from generation.services.candidates import build_from, sources_for
from generation.services.checks import run_checks
from generation.services.options import drafts_without_options, make_rule_options
from tests.commands import PROJECT, run_json

pytestmark = pytest.mark.django_db
FIXTURES = PROJECT / "fixtures"
BENCH = FIXTURES / "deepresearch_bench"
NAMES = [name for name in SUBTASKS if name.startswith("open_")]


def import_samples():
    run_json("import_sources", "deepresearch_bench", BENCH, "--pages", BENCH / "pages.jsonl")
    run_json("import_sources", "researchy_questions", FIXTURES / "researchy_questions")


def build(name):
    subtask = SUBTASKS[name]
    return sum(
        build_from(source, subtask).candidates[name] for source in sources_for(subtask, seed=0)
    )


@pytest.fixture
def samples():
    import_samples()


def test_every_question_on_open_research_gets_options_and_goes_to_review(samples):
    assert len(NAMES) == 5
    for name in NAMES:
        built = build(name)
        assert built >= 10
        options = make_rule_options(SUBTASKS[name], seed=0)
        made = options.candidates[name]
        assert made + options.rejections.total() == built
        assert made >= 0.75 * built
        assert build(name) == 0
        assert make_rule_options(SUBTASKS[name], seed=0).candidates[name] == 0
    queued = run_checks().queued
    assert queued == Candidate.objects.filter(state=CandidateState.IN_REVIEW).count()
    assert Candidate.objects.filter(state=CandidateState.DRAFT).count() == (
        sum(len(drafts_without_options(SUBTASKS[name])) for name in NAMES)
    )
    assert not Finding.objects.exists()


def test_right_statements_are_the_first_labels_and_wrong_ones_follow(samples):
    build("open_citation_en")
    make_rule_options(SUBTASKS["open_citation_en"], seed=0)
    counts = set()
    for revision in Revision.objects.filter(candidate__subtask="open_citation_en"):
        options = list(revision.options.order_by("position"))
        golds = len(revision.gold)
        counts.add(golds)
        assert revision.gold == ["A", "B", "C"][:golds]
        assert [option.position for option in options] == list(range(6))
        assert [option.operator == "gold" for option in options] == [True] * golds + [False] * (
            6 - golds
        )
        assert all(option.reason for option in options[golds:])
    assert counts >= {1, 2}
    assert audit_sets()[Origin.BUILT]["open_citation_en"].n == len(
        Revision.objects.filter(candidate__subtask="open_citation_en")
    )


def test_a_draft_with_two_right_options_and_no_wrong_one_is_not_complete(samples):
    assert SUBTASKS["open_citation_en"].answer_format is AnswerFormat.CHOICES
    build("open_citation_en")
    assert Option.objects.count() > Revision.objects.count()
    assert run_checks().queued == 0
    assert audit_sets()[Origin.BUILT].get("open_citation_en") is None
    assert not AuditEvent.objects.filter(action="candidate.options_made").exists()


def test_a_statement_whose_number_the_page_has_otherwise_is_for_a_person(tmp_path):
    rows = [json.loads(line) for line in (BENCH / "pages.jsonl").read_text("utf-8").splitlines()]
    for row in rows:
        row["text"] = row["text"].replace("1", "7")
    pages = tmp_path / "pages.jsonl"
    pages.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    run_json("import_sources", "deepresearch_bench", BENCH, "--pages", pages)
    build("open_citation_en")
    make_rule_options(SUBTASKS["open_citation_en"], seed=0)
    run_checks()
    found = {
        (finding.revision_id, finding.field)
        for finding in Finding.objects.filter(kind="unclear_support")
    }
    with_a_one = {
        (option.revision_id, f"option:{option.position}")
        for option in Option.objects.filter(operator="gold", text__contains="1")
    }
    assert found == with_a_one != set()
