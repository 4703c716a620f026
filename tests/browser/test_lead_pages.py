"""The lead's pages in the browser: from a low number to its reason and the fix, in five clicks."""

import pytest

from generation.models import CandidateState
from review.models import Role
from tests.browser.pages import violations
from tests.make import make_completion, make_revision, make_user, rejecting, review_by

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def reviewed():
    """Twelve plans on which two people differ four times, and six commands on which they agree."""
    ines, tomas, mei = (make_user(username=name) for name in ("ines", "tomas", "mei"))
    for number in range(12):
        revision = make_revision()
        review_by(ines, revision, right=number % 3 != 1)
        answers = rejecting(revision) if number % 3 == 0 else None
        review_by(tomas, revision, answers=answers)
    for _ in range(6):
        revision = make_completion()
        review_by(mei, revision)
        review_by(tomas, revision)


@pytest.fixture
def desk(open_page, log_in):
    def open_desk(**window):
        page = open_page(**window)
        log_in(page, make_user(Role.LEAD))
        return page

    return open_desk


def test_head_of_a_long_table_stays_in_view(desk):
    for _ in range(50):
        make_revision()
    page = desk(height=600)
    page.goto("/items/")
    box = page.locator(".table-box")
    box.evaluate("box => { box.scrollIntoView(); box.scrollTop = box.scrollHeight; }")
    head, last = page.locator("thead th").first, page.locator("tbody tr").last
    assert last.is_visible()
    assert box.bounding_box()["y"] <= head.bounding_box()["y"] < last.bounding_box()["y"]
    assert head.bounding_box()["y"] < 600


def test_from_low_agreement_to_the_reason_and_the_fix_in_five_clicks(desk, reviewed):
    page = desk()
    page.goto("/agreement/")
    page.get_by_role("button", name="Compute").click()
    page.get_by_role("link", name="issue_fix_plan", exact=True).click()  # 1: the low subtask
    page.get_by_role("link", name="decision", exact=True).click()  # 2: the measure
    worst = page.locator("section", has=page.locator("#worst-title"))
    worst.locator("tbody a").first.click()  # 3: the item that lowers it most
    page.wait_for_selector("#history")
    assert page.locator(".side-by-side .differs").count() > 0  # the reason, side by side
    page.get_by_role("link", name="Decide the dispute").click()  # 4: where it is decided
    page.wait_for_selector("form [name=outcome]")
    page.locator("label:has([name=outcome][value=reject])").click()  # 5: the fix begins
    assert page.locator("[name=outcome][value=reject]").is_checked()


def test_item_page_holds_no_fault_and_shows_the_difference(desk, reviewed):
    page = desk()
    page.goto("/items/?state=disputed")
    assert page.locator("tbody tr").count() > 0
    page.locator("tbody a").first.click()
    page.wait_for_selector("#trail")
    assert violations(page) == []
    assert CandidateState.DISPUTED in page.locator("h1").inner_text()
