"""What the page says after an action, in a real browser: it goes, and nothing moves."""

import pytest
from django.utils import timezone

from generation.core.items import Severity
from tests.browser.pages import give, violations
from tests.make import blind, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_message_goes_as_soon_as_its_field_is_changed_and_nothing_moves(open_page, log_in):
    ann = make_user()
    turn = give(ann, findings=[Severity.NEEDS_PERSON])
    blind(turn, now=timezone.now())
    page = open_page(height=700)
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.click("button:has-text('Submit')")
    page.wait_for_selector("div.error")
    told = page.locator("#question [data-of]:visible").count()
    field = page.locator("[name=gold_quality][value='0']")
    field.scroll_into_view_if_needed()
    before = field.bounding_box()["y"]
    field.check()
    assert page.locator("[data-of~=gold_quality]:visible").count() == 0
    assert page.locator("#question [data-of]:visible").count() == told - 2
    assert field.bounding_box()["y"] == pytest.approx(before, abs=1)
    page.keyboard.press("a")
    for number in range(1, 5):
        page.keyboard.press(str(number))
        page.keyboard.press("v")
    page.get_by_label("dismiss").check()
    page.check("[name=well_specified][value='0']")
    assert page.locator("#question .error:visible").count() == 0


def test_refused_form_whose_text_box_was_made_larger_breaks_no_rule_of_the_page(open_page, log_in):
    ann = make_user()
    turn = give(ann)
    blind(turn, now=timezone.now())
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    comment = page.locator("#field-comment")
    comment.scroll_into_view_if_needed()
    page.evaluate("document.getElementById('field-comment').scrollIntoView({block: 'center'})")
    box = comment.bounding_box()
    corner = box["x"] + box["width"] - 4, box["y"] + box["height"] - 4
    page.mouse.move(*corner)
    page.mouse.down()
    page.mouse.move(corner[0], corner[1] + 60)
    page.mouse.up()
    assert "height" in comment.get_attribute("style")
    page.click("button:has-text('Submit')")
    page.wait_for_selector("div.error")
    page.wait_for_timeout(200)  # what the browser complains of fails the test


def test_message_of_the_last_action_moves_nothing_and_goes(open_page, log_in):
    ann = make_user()
    turn = give(ann)
    blind(turn, now=timezone.now())
    give(ann)
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    for number in range(1, 5):
        page.keyboard.press(str(number))
        page.keyboard.press("v")
    page.check("[name=well_specified][value='0']")
    page.check("[name=gold_quality][value='0']")
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=stored.")
    before = page.locator(".workspace").bounding_box()["y"]
    assert violations(page) == []
    page.wait_for_selector(".messages", state="detached", timeout=12_000)
    assert page.locator(".workspace").bounding_box()["y"] == before == 44
