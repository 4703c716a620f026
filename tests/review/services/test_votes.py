"""Which reviews agreement is measured on, and what they are read as."""

from datetime import UTC, datetime, timedelta

import pytest

from generation.core.items import Severity
from generation.models import Candidate, Option, Revision
from generation.models.candidate import CandidateState
from review.core.agreement.table import Rating
from review.models import Adjudication, Decision, Review, Role
from review.services.agreement import (
    By,
    agreements,
    calibrations,
    raw_rows,
    split,
    table_of,
    worst_of,
)
from review.services.votes import (
    Measure,
    independent_reviews,
    option_id,
    pseudonym,
    read_votes,
    week_of,
)
from tests.make import (
    NOW,
    approving,
    blind,
    make_assignment,
    make_completion,
    make_revision,
    make_user,
    rejecting,
    review_by,
    submit,
)

pytestmark = pytest.mark.django_db


def reviewed(**fields):
    """Return a revision with two approving reviews."""
    revision = make_revision(**fields)
    for _ in range(2):
        review_by(make_user(), revision)
    return revision


def test_counted_reviews_are_read():
    reviewed()
    assert independent_reviews().count() == 2


def test_extra_review_is_left_out():
    revision = make_revision()
    turns = [make_assignment(revision=revision) for _ in range(3)]
    for turn in turns:
        blind(turn)
        submit(turn, now=NOW + timedelta(days=1))  # after the end of every lease
    assert Review.objects.count() == 3
    assert independent_reviews().count() == 2


def test_review_taken_back_is_left_out():
    reviewed()
    Review.objects.filter(pk=Review.objects.earliest("pk").pk).update(undone_at=NOW)
    assert independent_reviews().count() == 1


def test_review_of_a_superseded_revision_is_left_out():
    revision = reviewed()
    Revision.objects.filter(pk=revision.pk).update(superseded_at=NOW)
    assert not independent_reviews().exists()


def test_control_item_is_left_out():
    reviewed(is_control=True)
    assert not independent_reviews().exists()
    assert read_votes().questions == {}


def test_adjudication_is_no_label():
    revision, lead = make_revision(), make_user(Role.LEAD)
    review_by(make_user(), revision)
    review_by(make_user(), revision, answers=rejecting(revision))
    before = list(raw_rows(read_votes()))
    Adjudication.objects.create(revision=revision, lead=lead, outcome="reject", note="a leak")
    assert list(raw_rows(read_votes())) == before


def returned_by(lead, revision, *, hours):
    Adjudication.objects.create(
        revision=revision,
        lead=lead,
        outcome="return",
        note="look again",
        created_at=datetime.now(UTC) + timedelta(hours=hours),
    )


def test_lead_who_decided_a_dispute_before_is_not_independent():
    revision, lead = make_revision(), make_user(Role.LEAD)
    returned_by(lead, revision, hours=-1)
    review_by(lead, revision)
    review_by(make_user(), revision)
    assert [review.assignment.reviewer == lead for review in independent_reviews()] == [False]


def test_lead_who_reviewed_first_and_decided_later_was_independent():
    revision, lead = make_revision(), make_user(Role.LEAD)
    review_by(lead, revision)
    returned_by(lead, revision, hours=1)
    assert independent_reviews().count() == 1


def test_author_is_not_independent():
    author = make_user()
    revision = make_revision(author=author)
    review_by(author, revision)
    review_by(make_user(), revision)
    assert independent_reviews().get().assignment.reviewer != author


def test_review_is_read_as_its_labels():
    ann = make_user(username="ann")
    revision = make_revision(findings=[Severity.NEEDS_PERSON])
    finding = revision.findings.get().pk
    answers = rejecting(
        revision,
        well_specified=1,
        option_verdicts={1: "valid", 2: "too_easy", 3: "duplicate"},
    )
    review_by(ann, revision, answers=answers, right=False)
    votes = read_votes(named=True)
    pk = revision.pk
    ids = [option_id(pk, position, choices=4) for position in range(4)]
    assert votes.ratings[Measure.BLIND_ANSWER] == [Rating((pk, ""), "ann", ids[1], pk)]
    assert votes.ratings[Measure.MATCHES_GOLD] == [Rating((pk, ""), "ann", "no", pk)]
    assert votes.ratings[Measure.DECISION] == [Rating((pk, ""), "ann", "reject", pk)]
    assert votes.ratings[Measure.WELL_SPECIFIED] == [Rating((pk, ""), "ann", 1, pk)]
    assert votes.ratings[Measure.GOLD_QUALITY] == [Rating((pk, ""), "ann", 0, pk)]
    assert votes.ratings[Measure.DISTRACTOR_VERDICT] == [
        Rating((pk, ids[1]), "ann", "valid", pk),
        Rating((pk, ids[2]), "ann", "too_easy", pk),
        Rating((pk, ids[3]), "ann", "duplicate", pk),
    ]
    assert votes.ratings[Measure.FINDING_VERDICT] == [
        Rating((pk, str(finding)), "ann", "dismissed", pk)
    ]
    assert votes.ratings[Measure.CITATION_ANSWER] == []


def test_set_answers_are_read_as_sets():
    statements = [f"Statement {n}." for n in range(6)]
    revision = reviewed(subtask="open_citation_en", options=statements)
    votes = read_votes()
    expected = frozenset({option_id(revision.pk, 0, choices=6)})
    assert [rating.label for rating in votes.ratings[Measure.CITATION_ANSWER]] == [expected] * 2
    assert votes.ratings[Measure.BLIND_ANSWER] == []


def test_completion_has_no_option_but_matches_gold_or_not():
    revision = make_completion()
    review_by(make_user(), revision)
    review_by(make_user(), revision, right=False)
    votes = read_votes()
    labels = [rating.label for rating in votes.ratings[Measure.MATCHES_GOLD]]
    assert labels == ["yes", "no"]
    assert votes.ratings[Measure.BLIND_ANSWER] == votes.ratings[Measure.DISTRACTOR_VERDICT] == []


def test_option_ids_are_a_turn_of_all_positions():
    starts = set()
    for revision in range(200):
        ids = [option_id(revision, position, choices=4) for position in range(4)]
        assert sorted(ids) == ["0", "1", "2", "3"]
        starts.add(ids[0])
    assert starts == {"0", "1", "2", "3"}
    assert option_id(7, 5, choices=4) == "5"


def test_imported_question_with_more_options_than_declared_is_measured_all_the_same():
    options = [f"Option {n}." for n in range(6)]
    revision = reviewed(options=options, gold=("F",))
    assert Option.objects.filter(revision=revision).count() == 6
    found = table_of(read_votes(), Measure.BLIND_ANSWER)
    assert found.labels == ("0", "1", "2", "3", "4", "5")


def test_labels_are_the_declared_ones_used_or_not():
    reviewed()
    votes = read_votes()
    labels = {measure: table_of(votes, measure).labels for measure in Measure}
    assert labels[Measure.DECISION] == tuple(Decision.values) == ("approve", "reject", "edit")
    assert labels[Measure.WELL_SPECIFIED] == (0, 1, 2, 3)
    assert labels[Measure.MATCHES_GOLD] == ("yes", "no")
    assert labels[Measure.BLIND_ANSWER] == ("0", "1", "2", "3")
    assert len(labels[Measure.DISTRACTOR_VERDICT]) == 5
    reviewed(subtask="env_setup_error", options=[f"Option {n}." for n in range(5)])
    assert len(table_of(read_votes(), Measure.BLIND_ANSWER).labels) == 7


def test_only_wanted_measures_are_read(django_assert_num_queries):
    reviewed()
    with django_assert_num_queries(1):
        votes = read_votes(measures={Measure.DECISION})
    assert [m for m, ratings in votes.ratings.items() if ratings] == [Measure.DECISION]


def test_everything_takes_three_queries_whatever_the_number(django_assert_num_queries):
    for _ in range(3):
        reviewed(findings=[Severity.NEEDS_PERSON])
    with django_assert_num_queries(3):
        read_votes()


def test_groups_hold_their_own_questions():
    reviewed()
    reviewed(subtask="env_setup_error")
    reviewed(subtask="open_citation_zh", options=list("abcdef"), language="zh")
    votes = read_votes()

    def sizes(by: By) -> dict[str, int]:
        return {name: len(v.ratings[Measure.DECISION]) for name, v in split(votes, by).items()}

    assert sizes(By.SUBTASK) == {"env_setup_error": 2, "issue_fix_plan": 2, "open_citation_zh": 2}
    assert sizes(By.SCENARIO) == {"env_setup": 2, "issue_fix": 2, "open_qa": 2}
    assert sizes(By.ABILITY) == {"atomic": 4, "plan": 2}
    assert sizes(By.LANGUAGE) == {"en": 4, "zh": 2}
    assert sizes(By.WEEK) == {week_of(datetime.now(UTC)): 6}


def test_group_of_a_reviewer_is_what_all_say_of_their_items():
    ann, bea, cid = (make_user() for _ in range(3))
    for people in ((ann, bea), (ann, cid)):
        revision = make_revision()
        for person in people:
            review_by(person, revision)
    found = split(read_votes(), By.REVIEWER)
    sizes = {name: len(votes.ratings[Measure.DECISION]) for name, votes in found.items()}
    assert sizes == {pseudonym(ann.pk): 4, pseudonym(bea.pk): 2, pseudonym(cid.pk): 2}


def test_item_belongs_to_the_week_of_its_last_review():
    revision = make_revision()
    for moment in (datetime(2026, 2, 27, tzinfo=UTC), datetime(2026, 3, 4, tzinfo=UTC)):
        review = review_by(make_user(), revision)
        Review.objects.filter(pk=review.pk).update(created_at=moment)
    assert list(split(read_votes(), By.WEEK)) == ["2026-W10"]
    assert week_of(datetime(2027, 1, 1, tzinfo=UTC)) == "2026-W53"


def test_numbers_follow_what_is_taken_back():
    revision = make_revision()
    review_by(make_user(), revision)
    review = review_by(make_user(), revision, answers=rejecting(revision))
    decision = agreements(read_votes(), seed=1, resamples=20)[Measure.DECISION]
    assert (decision.raw.number, decision.n_pairable) == (0, 1)
    Review.objects.filter(pk=review.pk).update(undone_at=NOW)
    Candidate.objects.update(state=CandidateState.IN_REVIEW)
    assert agreements(read_votes(), seed=1)[Measure.DECISION].n_pairable == 0
    review_by(make_user(), revision)
    assert agreements(read_votes(), seed=1, resamples=20)[Measure.DECISION].raw.number == 1


def test_worst_revisions_are_named():
    reviewed()
    disputed = make_revision()
    review_by(make_user(), disputed)
    review_by(make_user(), disputed, answers=rejecting(disputed))
    assert [row.item for row in worst_of(read_votes(), Measure.DECISION)] == [disputed.pk]


def test_calibration_is_over_the_same_reviews():
    ann = make_user(username="ann")
    review_by(ann, make_revision())
    review_by(ann, make_revision(), right=False)
    review_by(ann, make_revision(is_control=True))
    (row,) = calibrations(named=True)["ann"]
    assert (row.confidence, row.answers, row.right) == (4, 2, 1)
    assert list(calibrations()) == [pseudonym(ann.pk)]


def test_raw_table_names_parts_and_groups():
    revision = make_revision()
    ann = make_user()
    review_by(ann, revision, answers=approving(revision))
    rows = list(raw_rows(read_votes()))
    decision = next(row for row in rows if row["field"] == "decision")
    assert decision == {
        "item": revision.candidate_id,
        "revision": 1,
        "reviewer": pseudonym(ann.pk),
        "field": "decision",
        "value": "approve",
        "subtask": "issue_fix_plan",
        "scenario": "issue_fix",
        "ability": "plan",
        "language": "en",
        "week": week_of(datetime.now(UTC)),
    }
    fields = [row["field"] for row in rows]
    ids = sorted(option_id(revision.pk, position, choices=4) for position in (1, 2, 3))
    assert sorted(f for f in fields if f.startswith("distractor")) == [
        f"distractor_verdict.{part}" for part in ids
    ]
    assert len(fields) == len(set(fields)) == 8
