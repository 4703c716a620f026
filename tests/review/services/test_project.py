"""Project settings: defaults without a row, refusals by field, and items that they settle."""

from typing import Any

import pytest

from generation.models import AuditEvent, CandidateState
from review.models import Project, Role
from review.services.project import ProjectRefused, change_project, project, reviews_wanted
from review.services.queue import claim_next
from tests.make import (
    NOW,
    make_completion,
    make_revision,
    make_user,
    rejecting,
    review_by,
)

pytestmark = pytest.mark.django_db


def change(actor=None, **fields: Any) -> Project:
    defaults: dict[str, Any] = {
        "reviews_wanted": None,
        "overlap": {},
        "control_percent": 0,
        "qualification_items": 0,
        "qualification_bar": 80,
    }
    return change_project(actor=actor or make_user(Role.LEAD), **defaults | fields)


def test_no_row_means_the_defaults(settings):
    settings.REVIEWS_WANTED = 2
    assert project().control_percent == 0
    assert reviews_wanted("issue_fix_plan") == 2


def test_subtask_may_ask_for_another_number_of_reviews():
    change(reviews_wanted=1, overlap={"issue_fix_plan": 3})
    assert reviews_wanted("issue_fix_plan") == 3
    assert reviews_wanted("issue_fix_action") == 1


def test_exactly_as_many_turns_are_given_as_the_subtask_asks_for():
    change(overlap={"issue_fix_plan": 3, "issue_fix_action": 1})
    plan, action = make_revision(), make_completion()
    turns = [claim_next(reviewer=make_user(), now=NOW) for _ in range(6)]
    given = [turn.revision for turn in turns if turn]
    assert given == [plan, plan, plan, action]


def test_change_is_written_down_once_and_says_what_changed():
    lead = make_user(Role.LEAD)
    change(lead, control_percent=5)
    change(lead, control_percent=5)
    event = AuditEvent.objects.get(action="project.changed")
    assert (event.actor, event.detail) == (lead, "control_percent")
    assert event.before != event.after


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("reviews_wanted", 0),
        ("reviews_wanted", 10),
        ("overlap", {"no_such_subtask": 2}),
        ("overlap", {"issue_fix_plan": 0}),
        ("control_percent", 11),
        ("control_percent", -1),
        ("qualification_items", -1),
        ("qualification_items", 51),
        ("qualification_bar", 101),
    ],
)
def test_number_out_of_range_is_refused_by_its_field(field, value):
    with pytest.raises(ProjectRefused) as refused:
        change(**{field: value})
    assert list(refused.value.problems) == [field]
    assert not Project.objects.exists()


def test_round_longer_than_its_items_is_refused():
    with pytest.raises(ProjectRefused, match="there are 0"):
        change(qualification_items=2)


def test_fewer_wanted_reviews_settle_what_has_enough():
    change(reviews_wanted=3)
    approved, rejected, disputed, waiting = (make_revision() for _ in range(4))
    for _ in range(2):
        review_by(make_user(), approved)
        review_by(make_user(), rejected, answers=rejecting(rejected))
    review_by(make_user(), disputed)
    review_by(make_user(), disputed, answers=rejecting(disputed))
    review_by(make_user(), waiting)
    change(reviews_wanted=2)
    states = []
    for revision in (approved, rejected, disputed, waiting):
        revision.candidate.refresh_from_db()
        states.append(revision.candidate.state)
    assert states == [
        CandidateState.APPROVED,
        CandidateState.REJECTED,
        CandidateState.DISPUTED,
        CandidateState.IN_REVIEW,
    ]


def test_more_reviews_than_are_wanted_now_all_decide():
    change(reviews_wanted=3)
    revision = make_revision()
    review_by(make_user(), revision)
    review_by(make_user(), revision, answers=rejecting(revision))
    change(reviews_wanted=1)
    revision.candidate.refresh_from_db()
    assert revision.candidate.state == CandidateState.DISPUTED
