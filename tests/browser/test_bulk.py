"""Leads tick rows, act on them and undo it, with the keyboard alone, and with Shift and a click."""

import pytest

from generation.models import Candidate
from review.models import Role
from tests.browser.pages import arrived, violations
from tests.make import make_revision, make_source, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def desk(open_page, log_in):
    source = make_source(steps=2)
    for cut in range(2, 8):
        make_revision(source=source, cut=cut)

    def open_desk(**window):
        page = open_page(**window)
        log_in(page, make_user(Role.LEAD))
        page.goto("/items/")
        arrived(page, "form[data-ticks]")
        return page

    return open_desk


def ticked(page):
    return [box.is_checked() for box in page.locator("tbody .tick input").all()]


def states():
    return list(Candidate.objects.order_by("pk").values_list("state", flat=True))


def test_rows_are_ticked_withdrawn_and_put_back_by_keys_alone(desk):
    page = desk()
    for key in ("j", "j", "x", "j", "j", "Shift+X"):
        page.keyboard.press(key)
    assert ticked(page) == [False, True, True, True, False, False]
    assert "3" in page.locator("output.ticked").inner_text()
    page.keyboard.press("b")
    page.keyboard.type("withdraw")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    arrived(page, "#foreseen")
    page.locator("#bulk-note").focus()
    page.keyboard.type("Not free.")
    assert violations(page) == []
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    arrived(page, "#state form button")
    assert states() == ["in_review", *["checked"] * 3, *["in_review"] * 2]
    assert violations(page) == []
    page.keyboard.press("Enter")  # the undo has the focus
    page.wait_for_selector("#state form", state="detached")
    arrived(page, "#state")
    assert states() == ["in_review"] * 6


def test_a_click_with_shift_ticks_a_range_and_the_head_ticks_the_page(desk):
    page = desk(theme="dark")
    boxes = page.locator("tbody .tick input")
    boxes.nth(1).click()
    boxes.nth(4).click(modifiers=["Shift"])
    assert ticked(page) == [False, True, True, True, True, False]
    page.locator("[data-tick-all]").click()
    assert all(ticked(page))
    assert violations(page) == []
    page.keyboard.press("x")
    page.locator("input[name=q]").focus()
    page.keyboard.type("xjb")
    assert page.locator("input[name=q]").input_value() == "xjb"
    page.locator("thead a", has_text="state").click()
    arrived(page, "th[aria-sort=ascending]")
    assert not any(ticked(page))


def test_pages_of_actions_fit_a_phone(desk):
    page = desk(width=390, height=844)
    for address in ("/items/", "/items/actions/new?do=reject&all=1", "/items/actions/"):
        page.goto(address)
        arrived(page, "#main")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
