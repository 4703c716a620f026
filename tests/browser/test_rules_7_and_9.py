"""Rules 7 and 9: what all say settles an item; control items look like any other; the first round."""

import re

import pytest

from generation.models import Candidate, CandidateState
from review.models import Assignment, ControlUse, Project, Purpose, Role
from tests.browser.pages import arrived, violations
from tests.make import make_revision, make_user, rejecting, review_by
from tests.review.services.test_controls import control_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def review_next(page, *, decision="a", option="1"):
    """Review the next item: all options valid, no problem."""
    page.click(".next button")
    arrived(page, "#question")
    for key in (option, "Shift+Digit4", "Escape", "Enter"):
        page.keyboard.press(key)
    arrived(page, "#gold")
    for row in range(1, 5):
        page.keyboard.press(str(row))
        page.keyboard.press("v")
    page.keyboard.type(f"q0w0{decision}")
    page.keyboard.press("Enter")


def test_item_is_approved_only_once_all_who_are_wanted_approve(open_page, log_in):
    revision = make_revision(options=("Fix the kiln.", "Sell the kiln."))
    states = []
    for _ in range(2):
        page = open_page()
        log_in(page, make_user())
        page.goto("/queue/")
        page.click(".next button")
        arrived(page, "#question")
        page.locator("label", has_text="Fix the kiln.").first.click()
        for key in ("Shift+Digit4", "Escape", "Enter"):
            page.keyboard.press(key)
        arrived(page, "#gold")
        for row in range(1, 3):
            page.keyboard.press(str(row))
            page.keyboard.press("v")
        page.keyboard.type("q0w0a")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=stored.")
        states.append(Candidate.objects.get().state)
    assert states == [CandidateState.IN_REVIEW, CandidateState.APPROVED]
    assert revision.candidate_id == Candidate.objects.get().pk


def test_people_who_differ_make_a_dispute_that_a_lead_finds(open_page, log_in):
    revision = make_revision()
    review_by(make_user(), revision)
    review_by(make_user(), revision, answers=rejecting(revision))
    page = open_page()
    log_in(page, make_user(Role.LEAD))
    page.goto("/disputes/")
    assert "decisions differ" in page.locator("tbody").inner_text()


def test_control_item_shows_nothing_that_another_item_does_not(open_page, log_in):
    Project.objects.create(pk=1, control_percent=10)
    ordinary = make_revision()
    control = control_of(make_revision(state=CandidateState.CHECKED)).candidate.revisions.get()
    ann = make_user()
    shown = {}
    page = open_page()
    log_in(page, ann)
    for purpose, revision in ((Purpose.WORK, ordinary), (Purpose.CONTROL, control)):
        turn = Assignment.objects.create(
            revision=revision,
            reviewer=ann,
            purpose=purpose,
            leased_until="2100-01-01T00:00:00Z",
        )
        page.goto(f"/review/{turn.pk}/")
        text = page.locator("body").inner_text()
        markup = page.content()
        assert "control" not in text.lower().replace("control-", "")
        shown[purpose] = sorted(set(re.findall(r'(?:class|id|name)="([^"0-9]+)"', markup)))
    assert shown[Purpose.WORK] == shown[Purpose.CONTROL]


def test_first_round_tells_after_each_item_what_was_known_and_opens_the_queue(open_page, log_in):
    for _ in range(2):
        control_of(make_revision(state=CandidateState.CHECKED), use=ControlUse.QUALIFICATION)
    Project.objects.create(pk=1, qualification_items=2, qualification_bar=0)
    make_revision()
    ann = make_user()
    page = open_page()
    log_in(page, ann)
    for number in (1, 2):
        page.goto("/queue/")
        review_next(page)
        page.wait_for_url("**/feedback")
        assert f"{number} of 2 answered" in page.locator("main").inner_text()
        assert "Gold follows from step 2." in page.locator("main").inner_text()
        assert violations(page) == []
    page.goto("/queue/")
    page.click(".next button")
    arrived(page, "#question")
    purposes = list(Assignment.objects.order_by("pk").values_list("purpose", flat=True))
    assert purposes == [Purpose.QUALIFICATION, Purpose.QUALIFICATION, Purpose.WORK]
