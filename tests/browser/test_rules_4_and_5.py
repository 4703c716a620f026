"""Rules 4 and 5: two phases that can't be turned round, and a rubric that asks for reasons."""

import pytest
from django.utils import timezone

from generation.core.items import Severity
from review.models import BlindAnswer, Review
from tests.browser.pages import arrived, give
from tests.make import blind, make_revision, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def order(page):
    return [text.split("\n")[-1] for text in page.locator(".option-text").all_inner_texts()]


def test_each_reader_has_an_order_of_their_own_that_stays(open_page, log_in):
    revision = make_revision(options=[f"Option number {n}." for n in range(7)])
    orders = []
    for _ in range(4):
        ann = make_user()
        turn = give(ann, revision=revision)
        page = open_page()
        log_in(page, ann)
        page.goto(f"/review/{turn.pk}/")
        orders.append(order(page))
        page.reload()
        assert order(page) == orders[-1]
    assert all(sorted(each) == sorted(orders[0]) for each in orders)
    assert len({tuple(each) for each in orders}) > 1


def test_blind_answer_can_t_be_changed_from_another_tab_or_by_going_back(open_page, log_in):
    ann = make_user()
    turn = give(ann)
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    second = page.context.new_page()
    second.goto(f"/review/{turn.pk}/")
    for key in ("1", "Shift+Digit3", "Escape", "Enter"):
        page.keyboard.press(key)
    arrived(page, "#gold")
    first = BlindAnswer.objects.get()
    for key in ("2", "Shift+Digit5", "Escape", "Enter"):
        second.keyboard.press(key)
    arrived(second, "#gold")
    page.goto("/queue/")
    page.go_back()
    arrived(page, "#gold")
    again = BlindAnswer.objects.get()
    assert (again.positions, again.confidence) == (first.positions, 3)


def test_look_past_the_cut_is_offered_in_the_open_phase_only_and_recorded(open_page, log_in):
    ann = make_user()
    turn = give(ann, steps=5, cut=3)
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    assert page.locator("#cut").is_visible()
    assert page.locator("text=Show what follows").count() == 0
    assert page.locator("#step-3, #step-4").count() == 0
    blind(turn, now=timezone.now())
    page.reload()
    page.click("text=Show what follows")
    page.wait_for_selector("#step-3")
    for row in range(1, 5):
        page.keyboard.press(str(row))
        page.keyboard.press("v")
    page.keyboard.type("q0w0a")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=stored.")
    assert Review.objects.get().saw_what_follows


def test_bad_rating_needs_twenty_characters_and_a_rejection_a_reason(open_page, log_in):
    ann = make_user()
    turn = give(ann, findings=[Severity.BLOCKS_RELEASE])
    blind(turn, now=timezone.now())
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    for row in range(1, 5):
        page.keyboard.press(str(row))
        page.keyboard.press("v")
    page.keyboard.press("x")
    page.keyboard.press("y")
    page.keyboard.type("w0q2")
    page.keyboard.type("too short")
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    page.wait_for_selector("div.error")
    problems = page.locator("div.error li").all_inner_texts()
    assert len(problems) == 2
    assert any("20 characters" in text for text in problems)
    assert any("severity-3" in text for text in problems)
    assert page.input_value("[name=well_specified_why]") == "too short"
    page.keyboard.press("r")
    page.keyboard.press("Enter")
    page.wait_for_selector("div.error li:has-text('reason')")
    page.fill("[name=well_specified_why]", "the question names no kiln of the two")
    page.locator("[name=well_specified_why]").blur()
    page.keyboard.type("r9")
    page.keyboard.press("Enter")
    page.wait_for_selector("div.error li:has-text('other reason')")
    page.keyboard.press("t")
    page.keyboard.type("the run is about bread")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("text=stored.")
    review = Review.objects.get()
    assert (review.reject_reason, review.comment) == ("other", "the run is about bread")
