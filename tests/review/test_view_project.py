"""The project's settings and control items on their pages."""

import pytest

from generation.models import AuditEvent, CandidateState
from review.models import Assignment, Control, Project, Purpose, Role
from tests.make import NOW, approving, blind, make_assignment, make_revision, make_user, submit

BACKEND = "review.authentication.MemberBackend"
SETTINGS = {
    "reviews_wanted": "3",
    "control_percent": "5",
    "qualification_items": "0",
    "qualification_bar": "75",
    "overlap_issue_fix_plan": "4",
}


@pytest.fixture
def desk(client, db):
    client.force_login(make_user(Role.LEAD, username="lead"), backend=BACKEND)
    return client


def text(response):
    return response.content.decode()


def test_settings_are_stored_shown_and_told_in_the_trail(desk):
    answer = desk.post("/project/", SETTINGS, follow=True)
    assert answer.redirect_chain == [("/project/", 303)]
    page = text(answer)
    assert "The settings are stored." in page
    assert 'name="reviews_wanted" type="number" min="1" max="9" value="3"' in page
    assert "lead: reviews_wanted, overlap, control_percent, qualification_bar" in page
    stored = Project.objects.get()
    assert (stored.reviews_wanted, stored.overlap) == (3, {"issue_fix_plan": 4})
    desk.post("/project/", SETTINGS | {"reviews_wanted": "", "overlap_issue_fix_plan": ""})
    stored.refresh_from_db()
    assert (stored.reviews_wanted, stored.overlap) == (None, {})
    assert AuditEvent.objects.filter(action="project.changed").count() == 2


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"reviews_wanted": "0"}, "Give a whole number from 1 to 9."),
        ({"control_percent": "11"}, "Give a whole number from 0 to 10."),
        ({"control_percent": ""}, "Give a whole number from 0 to 10."),
        ({"qualification_bar": "101"}, "Give a whole number from 0 to 100."),
        ({"overlap_issue_fix_plan": "10"}, "Give a whole number from 1 to 9."),
        ({"qualification_items": "2"}, "The round needs 2 qualification items; there are 0."),
        ({"reviews_wanted": "x" * 500}, "Give a whole number from 1 to 9."),
    ],
)
def test_settings_that_can_not_hold_are_refused_at_their_place(desk, change, word):
    answer = desk.post("/project/", SETTINGS | change)
    assert answer.status_code == 422
    assert word in text(answer)
    assert "qualification_bar" in change or 'value="75"' in text(answer)
    assert not Project.objects.exists()


def test_settled_item_becomes_a_control_item_and_is_retired(desk):
    candidate = make_revision(state=CandidateState.APPROVED).candidate
    page = text(desk.get(f"/project/controls/?candidate={candidate.pk}"))
    assert f'value="{candidate.pk}"' in page
    sent = {
        "candidate": candidate.pk,
        "use": "qualification",
        "decision": "approve",
        "reject_reason": "leak",
        "why": "Gold is the only step that is possible here.",
    }
    page = text(desk.post("/project/controls/", sent, follow=True))
    assert "Gold is the only step that is possible here." in page
    assert "in the qualification round" in page
    control = Control.objects.get()
    assert control.reject_reason == ""
    page = text(desk.post(f"/project/controls/{control.pk}/retire", follow=True))
    assert "retired" in page


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"candidate": "999999"}, "There is no item of this number."),
        ({"candidate": "x"}, "Give the item&#x27;s number"),
        ({"candidate": "9" * 40}, "Give the item&#x27;s number"),
        ({"why": " "}, "Say why, in the guidelines&#x27; words"),
        ({"decision": "reject"}, "Choose the reason."),
    ],
)
def test_control_item_that_can_not_be_is_refused_and_what_was_typed_is_kept(desk, change, word):
    candidate = make_revision(state=CandidateState.APPROVED).candidate
    sent = {"candidate": candidate.pk, "use": "queue", "decision": "approve", "why": "Plain."}
    answer = desk.post("/project/controls/", sent | change)
    assert answer.status_code == 422
    assert word in text(answer)
    assert not Control.objects.exists()


def test_results_come_with_n_and_interval(desk):
    ann = make_user(username="ann")
    for right in (True, True, False):
        revision = make_revision(is_control=True)
        Control.objects.create(
            candidate=revision.candidate,
            use="queue",
            decision="approve" if right else "reject",
            reject_reason="" if right else "leak",
            why="Plain.",
            made_by=make_user(Role.LEAD),
        )
        turn = make_assignment(revision=revision, reviewer=ann)
        Assignment.objects.filter(pk=turn.pk).update(purpose=Purpose.CONTROL)
        turn.refresh_from_db()
        blind(turn, now=NOW)
        submit(turn, answers=approving(revision))
    page = text(desk.get("/project/controls/"))
    row = page[page.index('scope="row">ann') :]
    # Wilson's interval of two in three: 21 to 94 percent, worked by hand.
    assert "67 %" in row
    assert "21–94 %" in row
