"""Which items a lead may read whole: those of which they can't write a review any more."""

import pytest
from django.utils import timezone

from generation.models import CandidateState, Revision
from review.models import Assignment, Role
from review.services.item_access import may_open_item, openable
from tests.make import make_assignment, make_revision, make_user

pytestmark = pytest.mark.django_db
SETTLED = {CandidateState.APPROVED, CandidateState.REJECTED, CandidateState.DISPUTED}
OVER = {"submitted_at": timezone.now()}, {"skipped_at": timezone.now(), "skip_reason": "x"}


@pytest.fixture
def lead():
    return make_user(Role.LEAD)


def may_open(revision, lead):
    found = openable(lead).filter(pk=revision.candidate_id).exists()
    assert may_open_item(lead=lead, candidate=revision.candidate) is found
    return found


@pytest.mark.parametrize("state", CandidateState)
def test_without_a_turn_only_what_is_given_to_nobody_any_more(lead, state):
    make_assignment(revision=make_revision())  # others' turns do not count
    assert may_open(make_revision(state=state), lead) is (state in SETTLED)


@pytest.mark.parametrize("state", CandidateState)
def test_with_an_open_turn_nothing_lapsed_or_not(lead, state):
    revision = make_revision(state=state)
    make_assignment(revision=revision, reviewer=lead)
    assert not may_open(revision, lead)


@pytest.mark.parametrize("state", CandidateState)
@pytest.mark.parametrize("over", OVER)
def test_after_their_turn_everything(lead, state, over):
    revision = make_revision(state=state)
    turn = make_assignment(revision=revision, reviewer=lead)
    Assignment.objects.filter(pk=turn.pk).update(**over)
    assert may_open(revision, lead)


@pytest.mark.parametrize("state", CandidateState)
def test_turn_at_an_older_text_changes_nothing(lead, state):
    revision = make_revision(state=state)
    turn = make_assignment(revision=revision, reviewer=lead)
    Assignment.objects.filter(pk=turn.pk).update(**OVER[0])
    Revision.objects.filter(pk=revision.pk).update(superseded_at=timezone.now())
    Revision.objects.create(candidate=revision.candidate, number=2, gold=["A"])
    assert may_open(revision, lead) is (state in SETTLED)
