"""The last review can be taken back for ten minutes, while nothing rests on it, and no work goes."""

import json
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from uuid import uuid4

import pytest
from django.db import connection

from generation.core.items import Severity
from generation.core.records import Success
from generation.models import AuditEvent, CandidateState, Revision
from review.models import Adjudication, Project, ReleaseItem, Review, Role
from review.services.agreement import raw_rows
from review.services.disputes import Ruling, adjudicate
from review.services.drafts import record_look
from review.services.item_access import may_open_item
from review.services.leases import lease_end
from review.services.places import taken_places
from review.services.queue import claim_next
from review.services.release_plan import FreezeOrder
from review.services.releases import FreezeRefused, freeze
from review.services.reviews import submit_review
from review.services.turns import ReviewRefused
from review.services.undo import UndoRefused, last_reviews, may_undo, undo_review
from review.services.votes import pseudonym, read_votes
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
    reviews_seen,
    submit,
)
from tests.review.orders import labels_of

pytestmark = pytest.mark.django_db


def undo(review, *, reviewer=None, now=NOW):
    return undo_review(review=review, reviewer=reviewer or review.assignment.reviewer, now=now)


def why_not(review, *, reviewer=None, now=NOW):
    return may_undo(review=review, reviewer=reviewer or review.assignment.reviewer, now=now)


def state_of(revision):
    revision.candidate.refresh_from_db()
    return revision.candidate.state


def adjudicate_as(outcome, revision, **fields):
    ruling = Ruling(outcome=outcome, note="I read both.", **fields)
    seen = reviews_seen(revision)
    return adjudicate(revision=revision, lead=make_user(Role.LEAD), ruling=ruling, seen=seen)


def order(subtasks=()):
    return FreezeOrder(name="kilns", version="1.0", at=NOW, shots=0, subtasks=subtasks)


def test_undone_review_stays_stored_and_its_turn_is_open_with_a_fresh_lease():
    review = review_by(make_user(), make_revision())
    turn = undo(review, now=later(9))
    review.refresh_from_db()
    assert review.undone_at == later(9)
    turn.refresh_from_db()
    assert (turn.submitted_at, turn.leased_until) == (None, lease_end(later(9)))
    event = AuditEvent.objects.get(action="review.undone")
    assert (event.subject_id, event.actor, event.detail) == (
        review.pk,
        turn.reviewer,
        "counted",
    )


def test_blind_answer_stays_as_it_was():
    review = review_by(make_user(), make_revision(), right=False)
    turn = undo(review)
    blind(turn, right=True)
    assert not turn.blind_answer.matches_gold


def test_turn_that_was_undone_is_the_persons_next_one():
    ann = make_user()
    review = review_by(ann, make_revision())
    make_revision()
    turn = undo(review)
    assert claim_next(reviewer=ann, now=later(1)) == turn


@pytest.mark.parametrize(("minutes", "allowed"), [(9.99, True), (10, False)])
def test_ten_minutes_count_from_when_it_was_sent(minutes, allowed):
    review = review_by(make_user(), make_revision())
    assert (why_not(review, now=later(minutes)) == "") is allowed


def test_too_late_says_that_the_minutes_are_over_and_changes_nothing():
    review = review_by(make_user(), make_revision())
    with pytest.raises(UndoRefused, match="for 10 minutes; they are over"):
        undo(review, now=later(10))
    review.refresh_from_db()
    assert review.undone_at is None
    assert not AuditEvent.objects.filter(action="review.undone").exists()


def test_nobody_undoes_anothers_review():
    review = review_by(make_user(), make_revision())
    with pytest.raises(UndoRefused, match="Only the person who wrote"):
        undo(review, reviewer=make_user(Role.ADMIN))


def test_only_the_last_that_stands_can_be_undone():
    ann = make_user()
    first, second = review_by(ann, make_revision()), review_by(ann, make_revision())
    review_by(make_user(), make_revision())
    with pytest.raises(UndoRefused, match="Only your last"):
        undo(first)
    undo(second)
    undo(first)
    assert Review.objects.filter(assignment__reviewer=ann, undone_at=None).count() == 0


def test_second_undo_is_refused():
    review = review_by(make_user(), make_revision())
    undo(review)
    with pytest.raises(UndoRefused, match="taken back already"):
        undo(review)


@pytest.mark.parametrize(
    ("second", "state"),
    [
        (approving, CandidateState.APPROVED),
        (rejecting, CandidateState.DISPUTED),
    ],
)
def test_settlement_is_taken_back_with_the_review(second, state):
    revision = make_revision()
    first = review_by(make_user(), revision)
    review = review_by(make_user(), revision, answers=second(revision))
    assert state_of(revision) == state
    undo(review)
    assert state_of(revision) == CandidateState.IN_REVIEW
    assert Review.objects.get(undone_at=None) == first
    reopened = AuditEvent.objects.get(action="candidate.reopened")
    assert reopened.actor == review.assignment.reviewer


def test_rejection_is_taken_back_with_the_review():
    revision = make_revision()
    for _ in range(2):
        review = review_by(make_user(), revision, answers=rejecting(revision))
    undo(review)
    assert state_of(revision) == CandidateState.IN_REVIEW


def test_earlier_of_two_reviews_takes_the_settlement_back_too():
    revision = make_revision()
    first = review_by(make_user(), revision)
    review_by(make_user(), revision)
    undo(first)
    assert state_of(revision) == CandidateState.IN_REVIEW


def test_new_review_after_an_undo_settles_again():
    revision = make_revision()
    review_by(make_user(), revision)
    turn = undo(review_by(make_user(), revision, answers=rejecting(revision)))
    submit(turn, now=later(1))
    assert state_of(revision) == CandidateState.APPROVED
    assert list(turn.reviews.order_by("pk").values_list("decision", flat=True)) == [
        "reject",
        "approve",
    ]


def test_place_of_an_undone_review_stays_its_reviewers():
    revision = make_revision()
    review_by(make_user(), revision)
    undo(review_by(make_user(), revision))
    assert len(taken_places(revision.pk, now=later(1))) == 2
    assert claim_next(reviewer=make_user(), now=later(1)) is None


def test_old_form_of_an_undone_review_is_refused():
    turn, key = make_assignment(), uuid4()
    blind(turn)
    answers = approving(turn.revision)
    review = submit_review(assignment=turn, form_key=key, answers=answers, now=NOW)
    undo(review)
    with pytest.raises(ReviewRefused, match="taken back"):
        submit_review(assignment=turn, form_key=key, answers=answers, now=NOW)


def test_decision_of_a_lead_forbids_undo():
    revision = make_revision()
    review_by(make_user(), revision)
    review = review_by(make_user(), revision, answers=rejecting(revision))
    adjudicate_as("approve", revision)
    assert why_not(review) == "A lead has decided on this item since."
    assert state_of(revision) == CandidateState.APPROVED


def test_return_to_the_queue_forbids_undo_of_the_round_before_only():
    revision = make_revision()
    review_by(make_user(), revision)
    before = review_by(make_user(), revision, answers=rejecting(revision))
    adjudicate_as("return", revision)
    after = review_by(make_user(), revision)
    assert why_not(before) == "A lead has decided on this item since."
    assert why_not(after) == ""


def test_newer_text_of_the_question_forbids_undo():
    revision = make_revision()
    review = review_by(make_user(), revision)
    Revision.objects.filter(pk=revision.pk).update(superseded_at=NOW)
    assert why_not(review).startswith("The question has been edited since")


def test_candidate_that_went_back_to_its_checks_forbids_undo():
    revision = make_revision()
    review = review_by(make_user(), revision)
    revision.candidate.state = CandidateState.CHECKED
    revision.candidate.save()
    assert why_not(review).startswith("The item has gone back")


def test_release_forbids_undo():
    revision = make_revision()
    review_by(make_user(), revision)
    review = review_by(make_user(), revision)
    freeze(order())
    assert ReleaseItem.objects.get().revision == revision
    assert why_not(review) == "The item has been frozen in a release since."


def test_lead_undoes_no_dispute_that_they_can_read():
    revision, lead = make_revision(), make_user(Role.LEAD)
    review_by(make_user(), revision)
    review = review_by(lead, revision, answers=rejecting(revision))
    assert why_not(review).startswith("As a lead you may have read")


def test_lead_undoes_no_review_whose_dispute_another_undid():
    revision, lead = make_revision(), make_user(Role.LEAD)
    other = review_by(make_user(), revision)
    review = review_by(lead, revision, answers=rejecting(revision))
    undo(other)
    assert why_not(review).startswith("As a lead you may have read")


def test_lead_is_not_given_what_they_could_read_before_an_undo():
    revision, lead = make_revision(), make_user(Role.LEAD)
    review_by(make_user(), revision)
    undo(review_by(make_user(), revision, answers=rejecting(revision)))
    assert claim_next(reviewer=lead, now=later(60)) is None
    turn = claim_next(reviewer=make_user(), now=later(60))
    assert turn is not None
    assert turn.revision == revision


@pytest.mark.parametrize("is_first", [True, False])
def test_lead_undoes_no_review_of_an_item_whose_other_reviews_they_can_read(is_first):
    Project.objects.create(pk=1, reviews_wanted=3)
    revision, lead = make_revision(), make_user(Role.LEAD)
    people = [lead, make_user()] if is_first else [make_user(), lead]
    reviews = {person: review_by(person, revision) for person in people}
    assert may_open_item(lead=lead, candidate=revision.candidate)
    assert why_not(reviews[lead]).startswith("As a lead you may have read")


def test_lead_undoes_their_own_review_that_nobody_disputes():
    review = review_by(make_user(Role.LEAD), make_revision())
    undo(review)
    review.refresh_from_db()
    assert review.undone_at == NOW


def extra_review(revision):
    turn = make_assignment(revision=revision)
    blind(turn)
    review = submit(turn, now=later(40))
    assert not review.is_counted
    return review


def test_extra_review_is_undone_without_touching_what_others_settled():
    revision = make_revision()
    for _ in range(2):
        review_by(make_user(), revision)
    turn = undo(extra_review(revision), now=later(41))
    assert state_of(revision) == CandidateState.APPROVED
    assert turn.leased_until <= later(41)


def test_extra_review_gets_a_lease_where_a_place_is_free_by_now():
    revision = make_revision()
    review_by(make_user(), revision)
    other = make_assignment(revision=revision, now=later(35))
    review = extra_review(revision)
    other.leased_until = later(41)
    other.save()
    assert undo(review, now=later(42)).leased_until == lease_end(later(42))


def unconfirmed(**fields):
    return make_revision(success=Success.UNCONFIRMED, **fields)


def success_of(revision):
    revision.candidate.source.refresh_from_db()
    return revision.candidate.source.success


def test_source_that_the_approval_confirmed_is_unconfirmed_again():
    revision = unconfirmed()
    review_by(make_user(), revision)
    review = review_by(make_user(), revision)
    assert success_of(revision) == Success.CONFIRMED
    undo(review)
    assert success_of(revision) == Success.UNCONFIRMED
    assert AuditEvent.objects.filter(action="source.unconfirmed").count() == 1


def test_source_stays_confirmed_while_another_candidate_of_it_is_approved():
    revision = unconfirmed()
    other = make_revision(source=revision.candidate.source, cut=2)
    review_by(make_user(), revision)
    review = review_by(make_user(), revision)
    for _ in range(2):
        review_by(make_user(), other)
    undo(review)
    assert success_of(revision) == Success.CONFIRMED


def test_source_that_was_confirmed_before_stays_so():
    revision = make_revision()
    for _ in range(2):
        review = review_by(make_user(), revision)
    undo(review)
    assert success_of(revision) == Success.CONFIRMED


def test_source_confirmed_by_another_candidate_before_stays_so():
    first = unconfirmed()
    for _ in range(2):
        review_by(make_user(), first)
    second = make_revision(source=first.candidate.source, cut=2)
    for _ in range(2):
        review = review_by(make_user(), second)
    first.candidate.state = CandidateState.CHECKED
    first.candidate.save()
    undo(review)
    assert success_of(second) == Success.CONFIRMED


def test_draft_holds_all_that_was_typed_by_the_labels_that_the_reviewer_saw():
    revision = unconfirmed(findings=[Severity.NEEDS_PERSON])
    finding = revision.findings.get()
    turn = make_assignment(revision=revision)
    blind(turn)
    record_look(assignment=turn)
    answers = approving(
        revision,
        decision="reject",
        reject_reason="other",
        comment="see step 2",
        well_specified=2,
        well_specified_why="two readings are possible here",
        gold_quality=1,
        gold_quality_why="nearly",
        option_verdicts={1: "valid", 2: "too_easy", 3: "also_correct"},
        finding_verdicts={finding.pk: ("confirmed", "I see it too")},
        source_is_success=False,
    )
    turn = undo(submit(turn, answers=answers))
    labels = labels_of(turn)
    assert turn.draft == {
        "phase": "open",
        "saw_what_follows": True,
        "fields": {
            "well_specified": ["2"],
            "well_specified_why": ["two readings are possible here"],
            "gold_quality": ["1"],
            "gold_quality_why": ["nearly"],
            "source_is_success": ["no"],
            "decision": ["reject"],
            "reject_reason": ["other"],
            "comment": ["see step 2"],
            "active_seconds": ["12.5"],
            f"option_{labels.label_at(1)}": ["valid"],
            f"option_{labels.label_at(2)}": ["too_easy"],
            f"option_{labels.label_at(3)}": ["also_correct"],
            f"finding_{finding.pk}": ["confirmed"],
            f"finding_{finding.pk}_word": ["I see it too"],
        },
    }
    assert turn.draft_saved_at == NOW


def test_draft_of_an_answer_in_words_keeps_that_it_means_the_same():
    revision = make_completion(subtask="closed_answer_en", gold="1871")
    answers = approving(revision, same_meaning=True)
    turn = undo(review_by(make_user(), revision, answers=answers, right=False))
    assert turn.draft["fields"]["same_meaning"] == ["on"]


def test_agreement_ignores_what_was_undone():
    revision = make_revision()
    review_by(make_user(), revision)
    review = review_by(make_user(), revision)
    both = {row["reviewer"] for row in raw_rows(read_votes())}
    undo(review)
    assert {row["reviewer"] for row in raw_rows(read_votes())} == both - {
        pseudonym(review.assignment.reviewer_id)
    }
    assert len(both) == 2


def test_release_ignores_what_was_undone():
    revision = make_revision()
    review_by(make_user(), revision)
    review = review_by(make_user(), revision)
    undo(review)
    with pytest.raises(FreezeRefused, match="no approved revision enters"):
        freeze(order())
    submit(review.assignment, now=later(1))
    freeze(order())
    line = ReleaseItem.objects.get().review
    assert json.loads(line)["reviews"] == 2


def test_list_of_own_reviews_is_one_query_newest_first(django_assert_num_queries):
    ann = make_user()
    reviews = [review_by(ann, make_revision()) for _ in range(12)]
    review_by(make_user(), make_revision())
    with django_assert_num_queries(1):
        rows = last_reviews(reviewer=ann, now=NOW)
        names = [row.review.assignment.revision.candidate.subtask for row in rows]
    assert [row.review for row in rows] == reviews[:1:-1]
    assert len(names) == 10
    assert [row.why_not == "" for row in rows] == [True] + [False] * 9
    assert rows[0].until == later(10)


def at_once(*calls):
    """Run the calls in threads that start together; return what each returned or raised."""
    start = Barrier(len(calls))

    def run(call):
        start.wait()
        try:
            return call()
        except (UndoRefused, FreezeRefused) as refused:
            return refused
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


@pytest.mark.django_db(transaction=True)
def test_ten_undos_at_once_take_the_review_back_once():
    revision = make_revision()
    review_by(make_user(), revision)
    review = review_by(make_user(), revision)
    results = at_once(*[lambda: undo(review)] * 10)
    assert sum(not isinstance(result, UndoRefused) for result in results) == 1
    assert AuditEvent.objects.filter(action="review.undone").count() == 1
    assert state_of(revision) == CandidateState.IN_REVIEW


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("attempt", range(5))
def test_undo_while_another_sends_the_last_wanted_review_leaves_one_of_two(attempt):
    revision = make_revision()
    review = review_by(make_user(), revision)
    turn = make_assignment(revision=revision)
    blind(turn)
    results = at_once(lambda: undo(review), lambda: submit(turn))
    assert not any(isinstance(result, UndoRefused) for result in results)
    assert state_of(revision) == CandidateState.IN_REVIEW
    standing = Review.objects.get(undone_at=None)
    assert (standing.assignment_id, standing.is_counted) == (turn.pk, True)
    assert len(taken_places(revision.pk, now=later(1))) == 2


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("attempt", range(5))
def test_of_undo_and_freeze_at_once_one_is_refused(attempt):
    revision = make_revision()
    review_by(make_user(), revision)
    review = review_by(make_user(), revision)
    undone, frozen = at_once(lambda: undo(review), lambda: freeze(order()))
    assert isinstance(undone, UndoRefused) is not isinstance(frozen, FreezeRefused)
    is_frozen = ReleaseItem.objects.filter(revision=revision).exists()
    assert is_frozen is (state_of(revision) == CandidateState.APPROVED)
    assert Adjudication.objects.count() == 0
