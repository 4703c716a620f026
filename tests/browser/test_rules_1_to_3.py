"""Rules 1 to 3: exactly N reviews, leases that end, and nobody sees or repeats another's work."""

from datetime import timedelta

import pytest
from django.utils import timezone

from review.models import Assignment, Review
from tests.browser.pages import arrived, give, wait_until
from tests.make import blind, make_completion, make_revision, make_user, submit

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def end_lease(turn):
    Assignment.objects.filter(pk=turn.pk).update(leased_until=timezone.now() - timedelta(seconds=1))


def judge_and_send(page):
    for row in range(1, 5):
        page.keyboard.press(str(row))
        page.keyboard.press("v")
    page.keyboard.type("q0w0a")
    page.keyboard.press("Enter")


def test_third_person_gets_no_item_that_two_review(open_page, log_in):
    make_revision()
    for _ in range(2):
        page = open_page()
        log_in(page, make_user())
        page.click("button:has-text('Next item')")
        arrived(page, ".options")
    page = open_page()
    log_in(page, make_user())
    assert page.locator("button:has-text('Next item')").count() == 0
    assert Assignment.objects.count() == 2


def test_lease_that_ends_while_one_types_is_told_and_all_is_kept(open_page, log_in):
    ann = make_user()
    turn = give(ann, revision=make_completion())
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    end_lease(turn)
    page.reload()
    assert page.locator("#saved:has-text('Your time for this item has ended')").is_visible()
    page.fill("#answer-text", "typed after the end")
    page.wait_for_selector("#saved:has-text('saved')")
    assert Assignment.objects.get(pk=turn.pk).draft["fields"]["text"] == ["typed after the end"]


def test_late_review_is_kept_where_its_place_is_taken_and_the_person_is_told(open_page, log_in):
    ann = make_user()
    turn = give(ann)
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    for key in ("1", "Shift+Digit3", "Escape", "Enter"):
        page.keyboard.press(key)
    arrived(page, "#gold")
    end_lease(turn)
    for _ in range(2):
        other = give(make_user(), revision=turn.revision)
        blind(other, now=timezone.now())
        submit(other, now=timezone.now())
    judge_and_send(page)
    page.wait_for_selector("text=is kept as an extra one")
    assert not Review.objects.get(assignment=turn).is_counted


def test_item_reviewed_once_does_not_come_again(open_page, log_in):
    ann = make_user()
    turn = give(ann)
    page = open_page()
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    for key in ("1", "Shift+Digit3", "Escape", "Enter"):
        page.keyboard.press(key)
    arrived(page, "#gold")
    judge_and_send(page)
    page.wait_for_url("**/queue/")
    wait_until(page, Review.objects.exists)
    assert page.locator("button:has-text('Next item')").count() == 0
    page.goto(f"/review/{turn.pk}/")
    assert page.locator("#answer-form").count() == 0
