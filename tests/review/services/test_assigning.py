"""A lead gives an item to a person: a place held for days, first in their queue."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from threading import Barrier

import pytest
from django.db import connection

from generation.models import AuditEvent, CandidateState
from review.models import Assignment, Profile, Project, Role
from review.services.assigning import NoFreePlace, NotForThem, NotInReview, assign
from review.services.drafts import save_draft
from review.services.leases import end_leases, renew_lease, skip
from review.services.queue import claim_next
from review.services.remarks import ask_lead
from tests.make import (
    NOW,
    blind,
    later,
    make_assignment,
    make_revision,
    make_user,
    rejecting,
    review_by,
    submit,
)
from tests.review.services.test_project import change

pytestmark = pytest.mark.django_db


@pytest.fixture
def lead(db):
    return make_user(Role.LEAD)


def give(lead, revision, reviewer, now=NOW):
    return assign(lead=lead, revision=revision, reviewer=reviewer, now=now)


def test_item_comes_first_in_the_persons_queue(lead):
    first, given = make_revision(), make_revision()
    reviewer = make_user()
    begun = claim_next(reviewer=reviewer, now=NOW)
    assert begun is not None
    assert begun.revision == first
    turn = give(lead, given, reviewer)
    assert claim_next(reviewer=reviewer, now=NOW) == turn
    assert turn.assigned_by == lead


def test_place_is_held_for_seven_days_and_no_longer(lead):
    revision, reviewer = make_revision(), make_user()
    turn = give(lead, revision, reviewer)
    review_by(make_user(), revision)
    assert turn.leased_until == NOW + timedelta(days=7)
    assert claim_next(reviewer=make_user(), now=NOW + timedelta(days=6)) is None
    assert claim_next(reviewer=make_user(), now=NOW + timedelta(days=8)) is not None


def test_sign_of_life_never_shortens_the_lease(lead):
    turn = give(lead, make_revision(), make_user())
    week = NOW + timedelta(days=7)
    assert renew_lease(assignment=turn, now=later(5)) == week
    assert save_draft(assignment=turn, draft={"comment": "x"}, now=later(6)) == week
    blind(turn, now=later(7))
    turn.refresh_from_db()
    assert turn.leased_until == week


def test_own_running_turn_is_kept_for_as_long(lead):
    turn = make_assignment()
    assert give(lead, turn.revision, turn.reviewer) == turn
    turn.refresh_from_db()
    assert turn.leased_until == NOW + timedelta(days=7)


def test_full_item_is_refused(lead):
    revision = make_revision()
    review_by(make_user(), revision)
    make_assignment(revision=revision)
    with pytest.raises(NoFreePlace):
        give(lead, revision, make_user())


@pytest.mark.parametrize("state", [s for s in CandidateState if s != CandidateState.IN_REVIEW])
def test_item_that_waits_for_no_review_is_refused(lead, state):
    with pytest.raises(NotInReview):
        give(lead, make_revision(state=state), make_user())


def test_control_item_is_given_to_nobody_by_hand(lead):
    with pytest.raises(NotInReview):
        give(lead, make_revision(is_control=True), make_user())


def test_superseded_revision_is_refused(lead):
    revision = make_revision()
    revision.superseded_at = NOW
    revision.save()
    with pytest.raises(NotInReview):
        give(lead, revision, make_user())


def test_never_to_one_who_wrote_it(lead):
    author = make_user()
    with pytest.raises(NotForThem, match="wrote"):
        give(lead, make_revision(author=author), author)


def test_never_to_one_who_reviewed_it(lead):
    revision, reviewer = make_revision(), make_user()
    review_by(reviewer, revision)
    with pytest.raises(NotForThem, match="reviewed"):
        give(lead, revision, reviewer)


def test_never_to_one_who_skipped_it(lead):
    turn = make_assignment()
    skip(assignment=turn, reason="not my field", now=NOW)
    with pytest.raises(NotForThem, match="skipped"):
        give(lead, turn.revision, turn.reviewer)


def test_never_to_one_who_can_not_judge_it(lead):
    reviewer = make_user()
    Profile.objects.filter(user=reviewer).update(languages=["zh"])
    with pytest.raises(NotForThem, match="languages"):
        give(lead, make_revision(), type(reviewer).objects.get(pk=reviewer.pk))


def test_never_to_one_without_a_role(lead, django_user_model):
    with pytest.raises(NotForThem, match="role"):
        give(lead, make_revision(), django_user_model.objects.create(username="x"))


def test_never_to_a_lead_who_could_read_what_others_said(lead):
    revision, other = make_revision(), make_user(Role.LEAD)
    turn = make_assignment(revision=revision)
    blind(turn)
    review = submit(turn, answers=rejecting(revision))
    review_by(make_user(), revision)
    review.undone_at = NOW
    review.save()
    revision.candidate.state = CandidateState.IN_REVIEW
    revision.candidate.save()
    with pytest.raises(NotForThem, match="read"):
        give(lead, revision, other)


def test_never_to_one_who_has_still_to_qualify(lead):
    reviewer = make_user()
    change(lead)
    Project.objects.update(qualification_items=2)
    with pytest.raises(NotForThem, match="qualify"):
        give(lead, make_revision(), reviewer)


def test_who_gave_it_to_whom_is_written_down(lead):
    reviewer = make_user()
    turn = give(lead, make_revision(), reviewer)
    event = AuditEvent.objects.get(action="assignment.given_by_lead")
    assert (event.actor, event.subject_id, event.detail) == (lead, turn.pk, reviewer.username)


def test_ended_long_lease_is_written_down_too(lead):
    give(lead, make_revision(), make_user())
    assert end_leases(now=NOW + timedelta(days=6)) == 0
    assert end_leases(now=NOW + timedelta(days=8)) == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("attempt", range(4))
def test_what_the_person_does_at_the_same_moment_is_not_written_over(attempt):
    lead = make_user(Role.LEAD)
    kept = {"phase": "blind", "fields": {"text": ["Half a thought"]}}
    does = {
        "draft": lambda turn: save_draft(assignment=turn, draft=kept, now=NOW),
        "skipped_at": lambda turn: skip(assignment=turn, reason="Not my field.", now=NOW),
        "parked_at": lambda turn: ask_lead(assignment=turn, text="Does it count?", now=NOW),
    }
    for field, act in does.items():
        turn = make_assignment()
        start = Barrier(2)

        def run(call, start=start):
            start.wait()
            try:
                call()
            except NotForThem:
                pass
            finally:
                connection.close()

        calls = [
            partial(give, lead, turn.revision, turn.reviewer),
            partial(act, turn),
        ]
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(run, calls))
        assert getattr(Assignment.objects.get(pk=turn.pk), field)
