"""The queue gives out exactly as many turns as are wanted, each for a limited time."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from generation.models import AuditEvent, CandidateState
from review.models import Assignment
from review.services import leases
from review.services.empty_queue import why_empty
from review.services.queue import claim_next
from review.services.reviews import save_draft
from tests.make import (
    NOW,
    blind,
    later,
    make_assignment,
    make_revision,
    make_user,
    review_by,
    submit,
)

pytestmark = pytest.mark.django_db


def test_second_claim_gives_the_running_turn_again():
    make_revision()
    make_revision()
    reviewer = make_user()
    first = claim_next(reviewer=reviewer, now=NOW)
    assert first is not None
    assert claim_next(reviewer=reviewer, now=NOW) == first


def test_third_person_gets_the_next_item_when_two_are_at_the_first():
    first, second = make_revision(), make_revision()
    turns = [claim_next(reviewer=make_user(), now=NOW) for _ in range(3)]
    assert [turn.revision for turn in turns if turn] == [first, first, second]


def test_nobody_reviews_one_revision_twice():
    revision = make_revision()
    reviewer = make_user()
    review_by(reviewer, revision)
    assert claim_next(reviewer=reviewer, now=NOW) is None


def test_nobody_reviews_what_they_wrote():
    author = make_user()
    make_revision(author=author)
    assert claim_next(reviewer=author, now=NOW) is None


@pytest.mark.parametrize("state", [s for s in CandidateState if s != CandidateState.IN_REVIEW])
def test_only_candidates_in_review_are_given_out(state):
    make_revision(state=state)
    assert claim_next(reviewer=make_user(), now=NOW) is None


def test_superseded_revision_is_not_given_out():
    revision = make_revision()
    revision.superseded_at = NOW
    revision.save()
    assert claim_next(reviewer=make_user(), now=NOW) is None


def test_user_without_a_profile_gets_nothing(django_user_model):
    make_revision()
    assert claim_next(reviewer=django_user_model.objects.create(username="x"), now=NOW) is None


def test_ended_lease_returns_the_place_without_anyone_opening_it():
    revision = make_revision()
    make_assignment(revision=revision)
    make_assignment(revision=revision)
    newcomer = make_user()
    assert claim_next(reviewer=newcomer, now=later(29)) is None
    turn = claim_next(reviewer=newcomer, now=later(31))
    assert turn is not None
    assert turn.revision == revision


def test_own_ended_turn_comes_again_with_its_draft():
    revision = make_revision()
    turn = make_assignment(revision=revision)
    save_draft(assignment=turn, draft={"comment": "half a"}, now=NOW)
    again = claim_next(reviewer=turn.reviewer, now=later(45))
    assert again == turn
    assert again.draft == {"comment": "half a"}
    assert again.leased_until == later(75)


def test_heartbeat_renews_a_running_lease_and_not_an_ended_one():
    turn = make_assignment()
    assert leases.renew_lease(assignment=turn, now=later(20)) == later(50)
    assert leases.renew_lease(assignment=turn, now=later(51)) == later(50)


def test_heartbeat_of_a_submitted_turn_is_refused():
    turn = make_assignment()
    blind(turn)
    submit(turn)
    with pytest.raises(leases.NotYours):
        leases.renew_lease(assignment=turn, now=NOW)


def test_skipped_item_goes_to_others_and_not_back():
    revision = make_revision()
    reviewer = make_user()
    turn = claim_next(reviewer=reviewer, now=NOW)
    assert turn is not None
    leases.skip(assignment=turn, reason="not my language", now=NOW)
    assert claim_next(reviewer=reviewer, now=NOW) is None
    others = [claim_next(reviewer=make_user(), now=NOW) for _ in range(3)]
    assert [t.revision if t else None for t in others] == [revision, revision, None]


def test_skip_needs_a_reason():
    with pytest.raises(ValueError, match="say why"):
        leases.skip(assignment=make_assignment(), reason="  ", now=NOW)


def test_submitted_turn_can_not_be_skipped():
    turn = make_assignment()
    blind(turn)
    submit(turn)
    with pytest.raises(leases.NotYours):
        leases.skip(assignment=turn, reason="too late", now=NOW)


def test_ended_leases_are_written_down_once():
    turn = make_assignment()
    make_assignment(now=later(20))
    assert leases.end_leases(now=later(31)) == 1
    assert leases.end_leases(now=later(31)) == 0
    turn.refresh_from_db()
    assert turn.expired_at == later(30)
    assert AuditEvent.objects.filter(action="assignment.expired").count() == 1


def test_empty_queue_says_that_nothing_is_built():
    assert why_empty(reviewer=make_user(), now=NOW).reason == "nothing_built"


def test_empty_queue_says_that_all_is_done():
    make_revision(state=CandidateState.APPROVED)
    assert why_empty(reviewer=make_user(), now=NOW).reason == "all_done"


def test_empty_queue_says_until_when_others_hold_the_rest():
    revision = make_revision()
    make_assignment(revision=revision, now=later(5))
    make_assignment(revision=revision)
    empty = why_empty(reviewer=make_user(), now=NOW)
    assert (empty.reason, empty.until) == ("all_leased", later(30))


def test_empty_queue_says_that_the_rest_waits_for_others():
    reviewer = make_user()
    review_by(reviewer, make_revision())
    assert why_empty(reviewer=reviewer, now=NOW).reason == "all_mine"


def test_claim_costs_a_fixed_number_of_queries(django_assert_max_num_queries):
    reviewer = make_user()
    for _ in range(5):
        review_by(reviewer, make_revision())
    make_revision()
    with django_assert_max_num_queries(14):
        claim_next(reviewer=reviewer, now=NOW)


@pytest.mark.django_db(transaction=True)
def test_people_who_claim_at_once_never_exceed_the_wanted_number():
    crowd = [make_user() for _ in range(8)]
    rounds = 60 if connection.vendor == "postgresql" else 10
    start = Barrier(len(crowd))

    def claim(user):
        start.wait()
        try:
            return [claim_next(reviewer=user, now=NOW) for _ in range(2)]
        finally:
            connection.close()

    for _ in range(rounds):  # a single round misses the race more often than not
        revision = make_revision()
        with ThreadPoolExecutor(len(crowd)) as pool:
            turns = [turn for pair in pool.map(claim, crowd) for turn in pair]
        assert revision.assignments.count() == 2
        assert len({turn.pk for turn in turns if turn}) == 2
        revision.candidate.state = CandidateState.REJECTED
        revision.candidate.save()


@pytest.mark.django_db(transaction=True)
def test_two_tabs_of_one_person_get_one_turn():
    make_revision()
    make_revision()
    reviewer = make_user()
    start = Barrier(4)

    def claim(_tab):
        start.wait()
        try:
            return claim_next(reviewer=reviewer, now=NOW)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        turns = list(pool.map(claim, range(4)))
    assert len({turn.pk for turn in turns if turn}) == 1
    assert Assignment.objects.count() == 1
