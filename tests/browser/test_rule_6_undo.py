"""Undo of the last review in a real browser: from the message, the home page, without scripts."""

import pytest
from django.utils import timezone

from review.models import Review
from tests.browser.pages import give, violations
from tests.make import approving, blind, make_user, submit

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def review_of(user, **fields):
    turn = give(user, **fields)
    blind(turn, now=timezone.now())
    answers = approving(turn.revision, comment="two readings")
    return submit(turn, answers=answers, now=timezone.now())


def test_undo_in_the_message_brings_back_all_that_was_entered(open_page, log_in):
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
    page.check("[name=gold_quality][value='1']")
    page.fill("[name=comment]", "two readings")
    page.locator("h2", has_text="Options").click()
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=stored.")
    assert violations(page) == []
    page.click(".messages button:has-text('Undo')")
    page.wait_for_selector("text=is taken back")
    assert page.url.endswith(f"/review/{turn.pk}/")
    assert page.input_value("[name=comment]") == "two readings"
    assert page.is_checked("[name=gold_quality][value='1']")
    assert page.is_checked("[name=decision][value='approve']")
    assert page.locator(".option-row input[value='valid']:checked").count() == 3
    page.click("#question button:has-text('Submit')")
    page.wait_for_selector("text=stored.")
    assert Review.objects.filter(assignment=turn, undone_at=None).get().comment == "two readings"
    assert Review.objects.filter(assignment=turn).count() == 2


@pytest.mark.parametrize(("width", "theme"), [(1440, "light"), (390, "dark")])
def test_own_list_and_the_page_of_a_review_break_no_rule(open_page, log_in, width, theme):
    ann = make_user()
    first, last = review_of(ann), review_of(ann)
    page = open_page(width=width, height=800, theme=theme)
    log_in(page, ann)
    assert page.locator("#own-reviews li").count() == 2
    assert page.locator("#own-reviews button").count() == 1
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.goto(f"/review/{first.assignment_id}/")
    assert page.locator("text=Only your last review can be undone.").is_visible()
    page.goto(f"/review/{last.assignment_id}/")
    assert page.locator("text=10 minutes left to undo").is_visible()
    assert violations(page) == []
    page.keyboard.press("Tab")
    page.locator("#closed .undo button").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("text=is taken back")
    assert page.input_value("[name=comment]") == "two readings"


def test_undo_works_without_scripts(chromium, live_server, client):
    ann = make_user()
    review = review_of(ann)
    client.force_login(ann, backend="review.authentication.MemberBackend")
    context = chromium.new_context(base_url=live_server.url, java_script_enabled=False)
    try:
        session = client.cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
        page = context.new_page()
        page.goto("/queue/")
        page.click("#own-reviews button")
        page.wait_for_selector("text=is taken back")
        assert page.input_value("[name=comment]") == "two readings"
        page.click("#question button:has-text('Submit')")
        page.click(".messages button:has-text('Undo')")
        page.wait_for_selector("text=is taken back")
    finally:
        context.close()
    assert Review.objects.filter(assignment=review.assignment, undone_at=None).count() == 0
    assert Review.objects.filter(assignment=review.assignment).count() == 2
