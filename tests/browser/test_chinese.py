"""The whole way of a review in Chinese: scripts' words, times and keys, too; nothing for axe."""

import pytest

from generation.core.items import Severity
from review.models import Review, Role
from tests.browser.conftest import PASSWORD
from tests.browser.pages import arrived, violations
from tests.make import make_revision, make_user, rejecting, review_by
from tests.translation.latin import english_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FINDINGS = [Severity.BLOCKS_RELEASE, Severity.NEEDS_PERSON]


def in_chinese(page, user):
    """Choose the language before the log-in, by the switch, and log in."""
    user.set_password(PASSWORD)
    user.save()
    page.goto("/login/?next=/queue/")
    page.click("button[name=language][value=zh-hans]")
    page.wait_for_selector("html[lang=zh-hans]")
    assert page.url.endswith("/login/?next=/queue/")
    page.fill("#id_username", user.username)
    page.fill("#id_password", PASSWORD)
    page.click("main button")
    page.wait_for_url("**/queue/")


def look(page):
    """Nothing of the interface is English, nothing is for axe to find."""
    assert english_in(page.content()) == []
    assert violations(page) == []


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_an_item_is_reviewed_in_chinese_from_the_queue_to_the_undo(open_page, width, height):
    make_revision(findings=FINDINGS)
    page = open_page(width=width, height=height)
    in_chinese(page, make_user(username="安然"))
    look(page)
    page.click("main form .primary")
    arrived(page, "#answer-form")
    look(page)
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open]")
    look(page)
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    page.keyboard.press("Shift+4")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-phase=open]")
    look(page)
    page.click("[data-phase=open] .primary")
    page.wait_for_selector(".error")
    look(page)
    for choice in (
        ".option-row [value=valid]",
        ".finding [value=dismissed]",
        "[name=well_specified][value='0']",
        "[name=gold_quality][value='0']",
        "[name=decision][value=approve]",
    ):
        for box in page.locator(choice).all():
            box.evaluate("box => box.click()")  # the bar with the button may lie over it
    page.click("[data-phase=open] .primary")
    page.wait_for_url("**/queue/")
    page.wait_for_selector(".messages")
    look(page)
    assert Review.objects.get().decision == "approve"
    assert "刚刚" in page.inner_text("main")  # a time that the script wrote


def test_a_lead_decides_a_dispute_in_chinese(open_page):
    revision = make_revision(findings=FINDINGS)
    review_by(make_user(username="贝宁"), revision)
    review_by(make_user(username="艾芙"), revision, answers=rejecting(revision))
    page = open_page()
    in_chinese(page, make_user(Role.LEAD, username="李负责"))
    for address in ("/disputes/", f"/disputes/{revision.pk}/", "/items/", "/guidelines/"):
        page.goto(address)
        look(page)


def test_who_comes_from_english_stays_where_they_are_and_loses_nothing(open_page, log_in):
    ann = make_user(username="安然")
    page = open_page()
    log_in(page, ann)
    page.goto("/guidelines/#verdicts")
    page.click("button[name=language][value=zh-hans]")
    page.wait_for_selector("html[lang=zh-hans]")
    assert page.url.split("#")[0].endswith("/guidelines/")
    page.click("button[name=language][value=en]")
    page.wait_for_selector("html[lang=en]")
