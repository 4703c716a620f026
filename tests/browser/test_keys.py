"""The keyboard, in a real browser."""

import pytest
from django.utils import timezone

from generation.core.items import Severity
from review.models import BlindAnswer
from tests.browser.pages import give
from tests.make import blind, make_completion, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_keys_do_nothing_while_one_types_or_composes(open_page, log_in):
    ann = make_user()
    turn = give(ann, revision=make_completion())
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.click("#answer-text")
    page.keyboard.type("sed -n 1,9p a?jk")
    assert page.input_value("#answer-text") == "sed -n 1,9p a?jk"
    assert page.locator("#skip").get_attribute("open") is None
    page.locator("#answer-text").blur()
    page.evaluate(
        "document.body.dispatchEvent(new KeyboardEvent('keydown',"
        " {key: 's', isComposing: true, bubbles: true}))"
    )
    page.keyboard.press("Control+s")
    assert page.locator("#skip").get_attribute("open") is None
    page.keyboard.press("s")
    assert page.locator("#skip").get_attribute("open") is not None


def test_text_box_is_left_by_escape_and_sent_from_by_ctrl_enter(open_page, log_in):
    ann = make_user()
    turn = give(ann, revision=make_completion())
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.check("[name=confidence][value='3']")
    page.click("#answer-text")
    page.keyboard.type("cat")
    page.keyboard.press("Enter")
    page.keyboard.type("part3.py")
    assert page.input_value("#answer-text") == "cat\npart3.py"
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement === document.body")
    page.click("#answer-text")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("#gold")
    assert BlindAnswer.objects.get().text == "cat\npart3.py"


def test_enter_in_a_word_on_a_finding_sends_nothing(open_page, log_in):
    ann = make_user()
    turn = give(ann, findings=[Severity.NEEDS_PERSON])
    blind(turn, now=timezone.now())
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.fill(".finding input[type=text]", "harmless")
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)
    assert page.locator("div.error").count() == 0
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("div.error")


@pytest.mark.parametrize("keys", ["j", "jjk", "g2"])
def test_enter_sends_after_a_walk_through_the_steps(open_page, log_in, keys):
    ann = make_user()
    turn = give(ann, steps=12, cut=12)
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.keyboard.press("1")
    page.keyboard.press("Shift+Digit3")
    page.keyboard.type(keys)
    assert page.evaluate("document.activeElement.matches('.step')")
    page.wait_for_timeout(1_100)  # a number is ended by a pause
    page.keyboard.press("Enter")
    page.wait_for_selector("#gold")
    assert page.locator(".source .step:not([open])").count() == 0


def test_number_of_a_step_ends_with_a_pause_or_enter_and_sends_nothing(open_page, log_in):
    ann = make_user()
    turn = give(ann, steps=12, cut=12)
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.keyboard.press("2")
    page.keyboard.press("Shift+Digit3")
    page.keyboard.type("g11")
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)
    assert page.evaluate("document.activeElement.id") == "step-11"
    assert not BlindAnswer.objects.exists()
    page.keyboard.type("g1")
    page.wait_for_timeout(1_100)
    page.keyboard.press("1")
    assert page.evaluate("document.activeElement.id") != "step-11"
    assert page.locator("[name=choice]:checked").input_value() == "A"


def test_list_of_keys_opens_and_closes(open_page, log_in):
    ann = make_user()
    turn = give(ann)
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.keyboard.press("?")
    assert page.locator("dialog[open]").is_visible()
    page.keyboard.press("1")
    assert page.locator("[name=choice]:checked").count() == 0
    page.keyboard.press("Escape")
    assert not page.locator("dialog#keys").is_visible()
