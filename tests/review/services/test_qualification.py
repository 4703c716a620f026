"""New reviewers answer items with known answers first; leads set the bar."""

import pytest

from generation.models import AuditEvent, CandidateState
from review.models import Control, ControlUse, Profile, Project, Purpose, Role
from review.services.empty_queue import why_empty
from review.services.feedback import feedback_on
from review.services.leases import skip
from review.services.mixing import left_for
from review.services.project import project
from review.services.qualification import (
    QualificationRefused,
    RoundState,
    let_try_further,
    must_qualify,
    round_of,
)
from review.services.queue import claim_next
from review.services.undo import last_reviews
from tests.make import (
    NOW,
    blind,
    later,
    make_revision,
    make_user,
    rejecting,
    review_by,
    submit,
)
from tests.review.services.test_controls import control_of, every_tenth, first_control
from tests.review.services.test_editing import edited

pytestmark = pytest.mark.django_db


@pytest.fixture
def items(db) -> list[Control]:
    """Four items of the round, all known to be good; the round has two, both must be right."""
    made = [control_of(use=ControlUse.QUALIFICATION) for _ in range(4)]
    Project.objects.create(pk=1, qualification_items=2, qualification_bar=100)
    make_revision()
    return made


def answer(reviewer, *, right=True, now=NOW):
    turn = claim_next(reviewer=reviewer, now=now)
    assert turn is not None
    assert turn.purpose == Purpose.QUALIFICATION
    blind(turn, now=now)
    submit(turn, answers=None if right else rejecting(turn.revision), now=now)
    return turn


def stands(reviewer):
    return round_of(reviewer, project())


def test_round_comes_first_in_the_same_order_for_all(items):
    for reviewer in (make_user(), make_user()):
        given = [answer(reviewer).revision.candidate_id for _ in range(2)]
        assert given == [items[0].candidate_id, items[1].candidate_id]


def test_who_passes_goes_on_to_real_items(items):
    reviewer = make_user()
    answer(reviewer)
    assert Profile.objects.get(user=reviewer).qualified_at is None
    answer(reviewer)
    assert Profile.objects.get(user=reviewer).qualified_at == NOW
    assert AuditEvent.objects.filter(action="reviewer.qualified").count() == 1
    turn = claim_next(reviewer=reviewer, now=NOW)
    assert turn is not None
    assert turn.purpose == Purpose.WORK


def test_who_fails_gets_no_more_and_is_told_why(items):
    reviewer = make_user()
    answer(reviewer)
    answer(reviewer, right=False)
    assert stands(reviewer).state is RoundState.FAILED
    assert (stands(reviewer).right, stands(reviewer).counted) == (1, 2)
    assert claim_next(reviewer=reviewer, now=NOW) is None
    assert why_empty(reviewer=reviewer, now=NOW).reason == "not_qualified"
    for _ in range(3):
        claim_next(reviewer=reviewer, now=NOW)
    assert AuditEvent.objects.filter(action="reviewer.not_qualified").count() == 1


def test_edit_as_the_last_answer_ends_the_round_too(items):
    reviewer = make_user()
    answer(reviewer)
    turn = claim_next(reviewer=reviewer, now=NOW)
    assert turn is not None
    blind(turn)
    edited(turn)
    assert AuditEvent.objects.filter(action="reviewer.not_qualified").count() == 1


def test_lower_bar_lets_pass_who_had_failed(items):
    reviewer = make_user()
    answer(reviewer)
    answer(reviewer, right=False)
    Project.objects.update(qualification_bar=50)
    turn = claim_next(reviewer=reviewer, now=NOW)
    assert turn is not None
    assert turn.purpose == Purpose.WORK


def test_vouched_for_person_goes_on_to_real_items(items):
    reviewer = make_user()
    Profile.objects.filter(user=reviewer).update(qualified_at=NOW)
    turn = claim_next(reviewer=reviewer, now=NOW)
    assert turn is not None
    assert turn.purpose == Purpose.WORK


@pytest.mark.parametrize("role", [Role.LEAD, Role.ADMIN])
def test_leads_have_no_round(items, role):
    assert not must_qualify(make_user(role).profile, project())


def test_who_has_reviewed_real_items_has_no_round(items):
    reviewer = make_user()
    review_by(reviewer, make_revision())
    assert not must_qualify(reviewer.profile, project())


def test_further_items_of_a_lead_are_counted_alone(items):
    lead, reviewer = make_user(Role.LEAD), make_user()
    answer(reviewer, right=False)
    answer(reviewer, right=False)
    assert let_try_further(lead=lead, reviewer=reviewer, now=NOW) == 2
    further = stands(reviewer)
    assert (further.state, further.done, further.wanted) == (RoundState.GOING, 0, 2)
    assert answer(reviewer).revision.candidate_id == items[2].candidate_id
    assert answer(reviewer).revision.candidate_id == items[3].candidate_id
    assert Profile.objects.get(user=reviewer).qualified_at is not None


def test_further_items_are_for_who_failed_only(items):
    lead, reviewer = make_user(Role.LEAD), make_user()
    answer(reviewer)
    with pytest.raises(QualificationRefused, match="did not pass"):
        let_try_further(lead=lead, reviewer=reviewer, now=NOW)


def test_no_further_items_left_is_said(items):
    lead, reviewer = make_user(Role.LEAD), make_user()
    answer(reviewer, right=False)
    answer(reviewer, right=False)
    for control in items[2:]:
        control.retired_at = NOW
        control.save()
    with pytest.raises(QualificationRefused, match="No qualification item is left"):
        let_try_further(lead=lead, reviewer=reviewer, now=NOW)


def test_round_without_an_item_for_the_person_is_said(items):
    reviewer = make_user()
    Profile.objects.filter(user=reviewer).update(languages=["zh"])
    reviewer = type(reviewer).objects.get(pk=reviewer.pk)
    assert claim_next(reviewer=reviewer, now=NOW) is None
    assert why_empty(reviewer=reviewer, now=NOW).reason == "no_qualification_items"


def test_skipped_item_of_the_round_is_made_up_for(items):
    reviewer = make_user()
    turn = claim_next(reviewer=reviewer, now=NOW)
    assert turn is not None
    skip(assignment=turn, reason="can't read it", now=NOW)
    assert answer(reviewer).revision.candidate_id == items[1].candidate_id
    assert answer(reviewer).revision.candidate_id == items[2].candidate_id
    assert stands(reviewer).state is RoundState.PASSED


def test_nobody_passes_by_skipping_what_is_hard(items):
    reviewer = make_user()
    for _ in range(3):
        turn = claim_next(reviewer=reviewer, now=NOW)
        assert turn is not None
        skip(assignment=turn, reason="too hard", now=NOW)
    answer(reviewer)
    end = stands(reviewer)
    assert (end.state, end.right, end.counted) == (RoundState.FAILED, 1, 2)
    assert Profile.objects.get(user=reviewer).qualified_at is None
    assert claim_next(reviewer=reviewer, now=NOW) is None


def test_ended_turn_of_the_round_goes_on(items):
    reviewer = make_user()
    turn = claim_next(reviewer=reviewer, now=NOW)
    assert claim_next(reviewer=reviewer, now=later(45)) == turn


def test_number_left_is_that_of_the_round(items):
    reviewer = make_user()
    seen = [left_for(reviewer, most=100, now=NOW).items]
    for _ in range(2):
        answer(reviewer)
        seen.append(left_for(reviewer, most=100, now=NOW).items)
    assert seen == [2, 1, 1]  # the last one is the real item


def test_item_is_known_only_after_its_review(items):
    reviewer = make_user()
    turn = claim_next(reviewer=reviewer, now=NOW)
    assert turn is not None
    assert feedback_on(turn) is None
    blind(turn)
    assert feedback_on(turn) is None
    submit(turn, answers=rejecting(turn.revision))
    learnt = feedback_on(turn)
    assert learnt is not None
    assert (learnt.is_right, learnt.control) == (False, items[0])


def test_review_whose_answer_is_known_can_not_be_undone(items):
    reviewer = make_user()
    answer(reviewer)
    (own,) = last_reviews(reviewer=reviewer, now=later(1))
    assert own.why_not == "The known decision has been shown to you since."


def test_control_items_of_the_queue_tell_nothing():
    every_tenth()
    control_of()
    for _ in range(12):
        make_revision(state=CandidateState.IN_REVIEW)
    turn = first_control(make_user())
    blind(turn)
    submit(turn)
    assert feedback_on(turn) is None
