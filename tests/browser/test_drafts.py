"""What is typed, and where the reader is, outlive everything."""

import pytest

from review.models import Assignment, BlindAnswer
from tests.browser.conftest import PASSWORD
from tests.browser.pages import arrived, give
from tests.make import make_completion, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_what_is_typed_comes_back_from_the_server_and_from_the_browser(open_page, log_in):
    ann = make_user()
    turn = give(ann, revision=make_completion())
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.fill("#answer-text", "kept on the server")
    page.wait_for_selector("#saved:has-text('saved')")
    assert Assignment.objects.get(pk=turn.pk).draft["fields"]["text"] == ["kept on the server"]

    page.evaluate("() => { window.fetch = () => Promise.reject(new Error('offline')); }")
    page.fill("#answer-text", "kept in the browser")
    page.wait_for_selector("text=Not saved on the server")
    page.reload()
    assert page.input_value("#answer-text") == "kept in the browser"


def test_answer_brings_the_open_phase_in_place_and_its_words_are_kept(open_page, log_in):
    ann = make_user()
    turn = give(ann, steps=40, cut=40)
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.click(".outline a[href='#step-30']")
    page.wait_for_selector(".outline a[href='#step-30'][aria-current]")
    page.evaluate("window.isStillHere = true")
    before = page.locator("#step-30").bounding_box()["y"]
    page.keyboard.press("1")
    page.keyboard.press("Shift+Digit4")
    page.keyboard.press("Enter")
    arrived(page, "#gold:focus")
    assert page.evaluate("window.isStillHere")
    assert page.locator("#step-30").bounding_box()["y"] == pytest.approx(before, abs=2)
    assert page.locator(".follow-switch").is_visible()
    page.keyboard.press("?")
    assert page.locator("#keys [data-action=decide]").first.is_visible()
    page.keyboard.press("Escape")
    page.fill("#field-comment", "kept in the open phase")
    page.wait_for_selector("#saved:has-text('saved')")
    assert Assignment.objects.get(pk=turn.pk).draft["fields"]["comment"] == [
        "kept in the open phase"
    ]
    page.reload()
    assert page.input_value("#field-comment") == "kept in the open phase"


def test_what_is_typed_after_a_refusal_is_kept_on_the_server(open_page, log_in):
    ann = make_user()
    turn = give(ann, revision=make_completion())
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.keyboard.press("Enter")
    page.wait_for_selector("#question div.error")
    page.fill("#answer-text", "typed after the refusal")
    page.wait_for_selector("#saved:has-text('saved')")
    assert Assignment.objects.get(pk=turn.pk).draft["fields"]["text"] == ["typed after the refusal"]


def test_session_that_ends_in_mid_work_costs_no_word(open_page, log_in):
    ann = make_user()
    turn = give(ann, revision=make_completion())
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.fill("#answer-text", "typed before the session ended")
    page.check("[name=confidence][value='3']")
    page.context.clear_cookies(name="sessionid")
    page.click("button:has-text('Answer')")
    page.wait_for_url("**/login/**")
    page.fill("#id_username", ann.username)
    page.fill("#id_password", PASSWORD)
    page.click("main button")
    page.wait_for_url(f"**/review/{turn.pk}/")
    assert page.input_value("#answer-text") == "typed before the session ended"
    page.click("button:has-text('Answer')")
    arrived(page, "#gold")
    assert BlindAnswer.objects.get().text == "typed before the session ended"


def test_page_that_comes_again_is_where_it_was(open_page, log_in):
    ann = make_user()
    turn = give(ann, steps=40, cut=40)
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.click(".outline a[href='#step-30']")
    page.wait_for_selector(".outline a[href='#step-30'][aria-current]")
    before = page.locator("#step-30").bounding_box()["y"]
    page.keyboard.press("1")
    page.keyboard.press("Shift+Digit3")
    page.keyboard.press("Enter")
    arrived(page, "#gold")
    page.wait_for_timeout(200)
    assert page.locator("#step-30").bounding_box()["y"] == pytest.approx(before, abs=3)
