"""Control items look like work, settle nothing, and measure people."""

from datetime import timedelta
from typing import Any

import pytest

from generation.models import AuditEvent, Candidate, CandidateState
from review.core.scorer.intervals import wilson_interval
from review.models import Assignment, Control, ControlUse, Project, Purpose, Review, Role
from review.services.controls import (
    ControlRefused,
    control_results,
    make_control,
    retire_control,
)
from review.services.dispute_list import open_disputes
from review.services.leases import skip
from review.services.mixing import left_for
from review.services.places import taken_places
from review.services.queue import claim_next
from review.services.release_contents import approved_revisions
from review.services.undo import last_reviews, undo_review
from review.services.votes import independent_reviews
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

pytestmark = pytest.mark.django_db


def control_of(revision=None, *, lead=None, **fields: Any) -> Control:
    revision = revision or make_revision(state=CandidateState.CHECKED)
    defaults: dict[str, Any] = {
        "use": ControlUse.QUEUE,
        "decision": "approve",
        "why": "Gold follows from step 2.",
        "now": NOW,
    }
    return make_control(
        lead=lead or make_user(Role.LEAD), candidate=revision.candidate, **defaults | fields
    )


def every_tenth():
    Project.objects.update_or_create(pk=1, defaults={"control_percent": 10})


def work_through(reviewer, items, now=NOW):
    """Take and review as many items as there are, up to ``items``; return the turns."""
    turns: list[Assignment] = []
    while len(turns) < items and (turn := claim_next(reviewer=reviewer, now=now)):
        blind(turn, now=now)
        submit(turn, now=now)
        turns.append(turn)
    return turns


def test_control_item_is_set_on_the_candidate_too_and_written_down():
    control = control_of()
    candidate = Candidate.objects.get()
    assert (candidate.is_control, candidate.state) == (True, CandidateState.IN_REVIEW)
    assert AuditEvent.objects.filter(action="control.made", subject_id=control.pk).exists()


@pytest.mark.parametrize(
    ("field", "fields"),
    [
        ("use", {"use": "elsewhere"}),
        ("decision", {"decision": "edit"}),
        ("reject_reason", {"decision": "reject"}),
        ("reject_reason", {"decision": "approve", "reject_reason": "leak"}),
        ("why", {"why": "  "}),
    ],
)
def test_wrong_field_is_refused_by_its_name(field, fields):
    with pytest.raises(ControlRefused) as refused:
        control_of(**fields)
    assert list(refused.value.problems) == [field]
    assert not Candidate.objects.filter(is_control=True).exists()


@pytest.mark.parametrize("state", [CandidateState.DRAFT, CandidateState.DISPUTED])
def test_item_in_no_state_to_be_known_is_refused(state):
    with pytest.raises(ControlRefused, match="checked, in review or settled"):
        control_of(make_revision(state=state))


def test_item_that_somebody_is_at_is_refused():
    turn = make_assignment()
    with pytest.raises(ControlRefused, match="right now"):
        control_of(turn.revision)


def test_item_is_made_a_control_once():
    control = control_of()
    with pytest.raises(ControlRefused, match="already"):
        control_of(control.candidate.revisions.get())


def test_one_in_ten_items_of_a_queue_is_a_control_item():
    every_tenth()
    for _ in range(4):
        control_of()
    for _ in range(36):
        make_revision()
    turns = work_through(make_user(), 40)
    assert [turn.purpose for turn in turns].count(Purpose.CONTROL) == 4
    assert len({turn.revision_id for turn in turns}) == 40


def test_person_gets_one_control_item_once():
    every_tenth()
    control_of()
    for _ in range(25):
        make_revision()
    turns = work_through(make_user(), 30)
    assert [turn.purpose for turn in turns].count(Purpose.CONTROL) == 1
    assert len(turns) == 26


def test_share_of_none_gives_none():
    control_of()
    make_revision()
    assert [turn.purpose for turn in work_through(make_user(), 5)] == [Purpose.WORK]


def test_who_made_it_does_not_get_it():
    every_tenth()
    lead = make_user(Role.LEAD)
    control_of(lead=lead)
    for _ in range(20):
        make_revision()
    assert {turn.purpose for turn in work_through(lead, 30)} == {Purpose.WORK}


def test_who_reviewed_it_as_work_does_not_get_it():
    every_tenth()
    reviewer, revision = make_user(), make_revision()
    review_by(reviewer, revision)
    control_of(revision)
    for _ in range(20):
        make_revision()
    assert {turn.purpose for turn in work_through(reviewer, 30)} == {Purpose.WORK}


def test_retired_control_is_given_to_nobody_and_its_turn_may_finish():
    every_tenth()
    lead = make_user(Role.LEAD)
    control = control_of()
    for _ in range(20):
        make_revision()
    reviewer = make_user()
    turn = first_control(reviewer)
    retire_control(lead=lead, control=control, now=NOW)
    retire_control(lead=lead, control=control, now=later(1))
    blind(turn)
    assert submit(turn).is_counted
    assert {t.purpose for t in work_through(make_user(), 30)} == {Purpose.WORK}
    assert AuditEvent.objects.filter(action="control.retired").count() == 1


def first_control(reviewer):
    """Return the reviewer's first turn at a control item, having skipped what came before."""
    while turn := claim_next(reviewer=reviewer, now=NOW):
        if turn.purpose == Purpose.CONTROL:
            return turn
        skip(assignment=turn, reason="not this one", now=NOW)
    pytest.fail("no control item came")


def test_ended_turn_at_a_control_item_goes_on_first_with_its_draft():
    every_tenth()
    control_of()
    for _ in range(20):
        make_revision()
    reviewer = make_user()
    turn = first_control(reviewer)
    turn.draft = {"comment": "half a"}
    turn.save()
    again = claim_next(reviewer=reviewer, now=later(45))
    assert again == turn
    assert again
    assert (again.draft, again.leased_until) == ({"comment": "half a"}, later(75))


def test_queue_ends_with_the_work_not_with_control_items():
    every_tenth()
    for _ in range(10):
        control_of()
    assert claim_next(reviewer=make_user(), now=NOW) is None


def test_number_left_tells_no_control_item():
    every_tenth()
    for _ in range(5):
        control_of()
    for _ in range(22):
        make_revision()
    reviewer = make_user()
    left = [left_for(reviewer, most=100, now=NOW).items]
    while turn := claim_next(reviewer=reviewer, now=NOW):
        assert left_for(reviewer, most=100, now=NOW).items == left[-1]
        blind(turn)
        submit(turn)
        left.append(left_for(reviewer, most=100, now=NOW).items)
    assert left == list(range(left[0], -1, -1))
    assert left[0] == Assignment.objects.count() > 22


def test_reviews_of_a_control_item_settle_nothing_and_count_nowhere():
    every_tenth()
    control = control_of()
    for _ in range(12):
        make_revision()
    revision = control.candidate.revisions.get()
    for _ in range(3):
        turn = first_control(make_user())
        blind(turn)
        assert submit(turn, answers=rejecting(revision)).is_counted
    control.candidate.refresh_from_db()
    assert control.candidate.state == CandidateState.IN_REVIEW
    assert taken_places(revision.pk, now=NOW) == []
    assert not independent_reviews().exists()
    assert revision not in approved_revisions([])
    assert open_disputes() == []


def test_late_review_of_a_control_item_counts_like_one_in_time():
    every_tenth()
    control_of()
    for _ in range(12):
        make_revision()
    turn = first_control(make_user())
    blind(turn)
    assert submit(turn, now=NOW + timedelta(hours=5)).is_counted


def test_review_of_a_control_item_is_listed_and_undone_like_any_other():
    every_tenth()
    control_of()
    for _ in range(12):
        make_revision()
    reviewer = make_user()
    turn = first_control(reviewer)
    blind(turn)
    review = submit(turn)
    (own,) = last_reviews(reviewer=reviewer, now=later(1))
    assert (own.review, own.why_not) == (review, "")
    again = undo_review(review=review, reviewer=reviewer, now=later(1))
    assert (again.submitted_at, again.leased_until) == (None, later(31))


def test_late_work_on_what_became_a_control_item_is_kept_as_extra():
    turn = make_assignment(now=NOW - timedelta(hours=2))
    control_of(turn.revision)
    blind(turn)
    assert not submit(turn).is_counted


def test_results_are_counted_by_person_with_wilsons_interval():
    """By hand: 2 of 3 right is 0.667 with the interval 0.208 to 0.939."""
    every_tenth()
    controls = [control_of() for _ in range(2)]
    controls.append(control_of(decision="reject", reject_reason="leak"))
    for _ in range(40):
        make_revision()
    reviewer = make_user(username="ann")
    work_through(reviewer, 43)
    (result,) = control_results()
    assert (result.reviewer, result.purpose) == ("ann", Purpose.CONTROL)
    assert (result.items, result.right, result.knew) == (3, 2, 3)
    assert result.interval == wilson_interval(2 / 3, 3)
    assert result.interval == pytest.approx((0.2077, 0.9385), abs=5e-4)


def test_review_taken_back_is_no_result():
    every_tenth()
    control_of()
    for _ in range(12):
        make_revision()
    turn = first_control(make_user())
    blind(turn)
    submit(turn)
    Review.objects.update(undone_at=NOW)
    assert control_results() == []
