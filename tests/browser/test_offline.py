"""Without a connection nothing is lost, and nothing is sent twice."""

import json
import random
from typing import Any

import pytest
from django.utils import timezone

from review.models import Assignment, BlindAnswer, Review
from tests.browser.pages import arrived, give, violations, wait_until
from tests.make import approving, blind, make_completion, make_user, submit

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def opened(open_page, windows, log_in):
    """Return a function that opens an item; what the browser says of a lost connection is forgiven."""

    def opened(*, is_open=False, **fields):
        ann = make_user()
        turn = give(ann, **fields)
        if is_open:
            blind(turn, now=timezone.now())
        page = open_page()
        log_in(page, ann)
        page.goto(f"/review/{turn.pk}/")
        return page, turn

    yield opened
    forgiven = ("ERR_", "htmx:")
    windows.complaints[:] = [
        text for text in windows.complaints if not any(word in text for word in forgiven)
    ]


def judge(page):
    """Fill the open form so that it can be sent."""
    for row in range(1, 5):
        page.keyboard.press(str(row))
        page.keyboard.press("v")
    page.keyboard.type("q0w0")
    page.keyboard.press("a")


def test_text_typed_offline_is_kept_at_once_and_sent_when_there_is_a_connection(opened):
    page, turn = opened(revision=make_completion())
    page.context.set_offline(True)
    page.fill("#answer-text", "typed in a tunnel")
    page.wait_for_selector("#connection:has-text('No connection')")
    # It lies over the page, in full.
    assert page.evaluate(
        "() => { const line = document.getElementById('connection'), box = line.getBoundingClientRect();"
        " return document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2) === line; }"
    )
    assert violations(page) == []
    kept = page.evaluate(
        "Object.entries(localStorage).find(([key]) => key.startsWith('apt-draft:'))"
    )
    assert "typed in a tunnel" in json.loads(kept[1])["pairs"][2]
    page.context.set_offline(False)
    page.wait_for_selector("#saved:has-text('saved')")
    page.wait_for_selector("#connection", state="hidden")
    assert Assignment.objects.get(pk=turn.pk).draft["fields"]["text"] == ["typed in a tunnel"]


def test_answer_sent_offline_waits_and_is_stored_once(opened):
    page, _turn = opened()
    page.context.set_offline(True)
    page.keyboard.press("2")
    page.keyboard.press("Shift+Digit4")
    page.keyboard.press("Enter")
    page.wait_for_selector("#connection:has-text('Sent as soon as')")
    page.keyboard.press("Shift+Digit5")
    assert not BlindAnswer.objects.exists()
    page.context.set_offline(False)
    arrived(page, "#gold")
    assert BlindAnswer.objects.get().confidence == 5
    assert not page.locator("#connection").is_visible()
    assert not page.evaluate(
        "Object.keys(localStorage).some((key) => key.startsWith('apt-outbox:'))"
    )


def test_review_whose_answer_is_lost_is_stored_once(opened):
    page, turn = opened(is_open=True)
    judge(page)
    lost: list[str] = []

    def lose(route):
        if route.request.method == "POST" and not lost:
            route.fetch(max_redirects=0)  # the server has it, the browser never hears of it
            lost.append(route.request.post_data)
            route.abort("connectionreset")
        else:
            route.continue_()

    page.route(f"**/review/{turn.pk}/", lose)
    page.keyboard.press("Enter")
    page.wait_for_selector("text=You have reviewed this item")
    assert len(lost) == 1
    assert Review.objects.count() == 1


def test_review_left_waiting_is_sent_by_the_next_visit_with_the_same_key(opened):
    page, turn = opened(is_open=True)
    judge(page)
    page.context.set_offline(True)
    key = page.input_value("[name=form_key]")
    page.keyboard.press("Enter")
    page.wait_for_selector("#connection:has-text('Sent as soon as')")
    page.goto("about:blank")
    page.context.set_offline(False)
    page.goto(f"/review/{turn.pk}/")
    wait_until(page, Review.objects.exists)
    assert str(Review.objects.get().form_key) == key


def test_item_left_waiting_is_sent_from_the_page_of_another(opened):
    page, turn = opened(is_open=True)
    other = give(turn.reviewer)
    judge(page)
    page.context.set_offline(True)
    page.keyboard.press("Enter")
    page.wait_for_selector("#connection:has-text('Sent as soon as')")
    page.goto("about:blank")
    page.context.set_offline(False)
    with page.expect_response(f"**/review/{turn.pk}/"):
        page.goto(f"/review/{other.pk}/")
    page.wait_for_function(
        "() => !Object.keys(localStorage).some((key) => key.startsWith('apt-outbox:'))"
    )
    assert Review.objects.get().assignment_id == turn.pk


def test_item_left_waiting_is_sent_from_the_queue(opened):
    page, turn = opened(is_open=True)
    judge(page)
    page.context.set_offline(True)
    page.keyboard.press("Enter")
    page.wait_for_selector("#connection:has-text('Sent as soon as')")
    page.goto("about:blank")
    page.context.set_offline(False)
    page.goto("/queue/")
    wait_until(page, Review.objects.exists)
    assert Review.objects.get().assignment_id == turn.pk


def test_one_answer_in_ten_lost_loses_and_doubles_nothing(opened):
    page, turn = opened(is_open=True)
    dice = random.Random(7)

    def lose(route):
        if route.request.method == "POST" and dice.random() < 0.3:
            if dice.random() < 0.5:
                route.fetch(max_redirects=0)
            route.abort("connectionreset")
        else:
            route.continue_()

    page.route(f"**/review/{turn.pk}/**", lose)
    judge(page)
    for word in ("first", "second", "third"):
        page.fill("#field-comment", word)
        page.wait_for_timeout(2_100)
    page.locator("#field-comment").blur()
    page.keyboard.press("Enter")
    page.wait_for_function("() => !document.getElementById('answer-form')", timeout=30_000)
    review = Review.objects.get()
    assert (review.comment, review.option_verdicts.count()) == ("third", 3)


def test_clock_of_the_reader_that_goes_behind_loses_no_word(opened):
    page, _turn = opened(revision=make_completion())
    page.fill("#answer-text", "saved")
    page.wait_for_selector("#saved:has-text('saved')")
    page.context.set_offline(True)
    page.evaluate("() => { const now = Date.now; Date.now = () => now() - 3600e3; }")
    page.fill("#answer-text", "saved and more")
    page.wait_for_function(
        "() => Object.values(localStorage).some((kept) => kept.includes('saved and more'))"
    )
    page.context.set_offline(False)
    page.evaluate("() => { window.fetch = () => Promise.reject(new Error('offline')); }")
    page.reload()
    assert page.input_value("#answer-text") == "saved and more"


def test_save_that_is_answered_while_the_page_is_left_loses_no_word(opened):
    """The next page is made before the text is stored, and comes after the old one hears of it."""
    page, turn = opened(revision=make_completion())
    held: list[Any] = []
    page.route(f"**/review/{turn.pk}/draft", lambda route: held.append(route))
    page.fill("#answer-text", "the last word")
    wait_until(page, lambda: held)

    def answer_after_the_draft(route):
        made_before = route.fetch()
        draft = held.pop(0)
        page.unroute(f"**/review/{turn.pk}/draft")
        draft.fulfill(response=draft.fetch())
        route.fulfill(response=made_before)

    page.route(f"**/review/{turn.pk}/", answer_after_the_draft)
    page.reload()
    assert page.input_value("#answer-text") == "the last word"


def test_item_in_two_tabs_is_stored_once_and_the_second_is_told(opened):
    page, turn = opened(is_open=True)
    second = page.context.new_page()
    second.goto(f"/review/{turn.pk}/")
    second.bring_to_front()
    judge(second)
    submit(turn, answers=approving(turn.revision), now=timezone.now())
    second.keyboard.press("Enter")
    second.wait_for_selector("text=You have reviewed this item")
    assert Review.objects.count() == 1


def test_back_gives_a_whole_page_after_a_part_was_swapped(opened):
    page, turn = opened()
    page.keyboard.press("Shift+Digit3")
    page.keyboard.press("Enter")
    page.wait_for_selector("div.error")
    page.goto("/queue/")
    page.go_back()
    arrived(page, "#answer-form")
    assert page.locator("header.bar").count() == 1
    assert page.locator("article.source").count() == 1
    assert page.url.endswith(f"/review/{turn.pk}/")
