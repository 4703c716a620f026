"""Guidelines, people, settings and kept text in a real browser."""

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone

from review.models import BlindAnswer, Note, Role
from review.services.guidelines import save_version
from review.services.invitations import invite
from tests.browser.conftest import PASSWORD
from tests.browser.pages import arrived, faults_everywhere, give
from tests.make import make_completion, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def end_session(page):
    Session.objects.all().delete()
    page.context.clear_cookies(name="sessionid")


def log_in_again(page, user):
    page.fill("#id_username", user.username)
    page.fill("#id_password", PASSWORD)
    page.click("main button")


def test_axe_finds_nothing_in_guidelines_and_the_open_menu(open_page, log_in):
    """What a walk over every page doesn't hold: the text that comes along, tables in it, the menu."""
    boss = make_user(Role.ADMIN, username="boss")
    page = open_page()
    log_in(page, boss)
    page.click(".menu summary")
    assert faults_everywhere(page) == []
    for address in ("/guidelines/", "/guidelines/?language=zh-hans"):
        page.goto(address)
        assert (address, faults_everywhere(page)) == (address, [])
    body = "Take the last step.\n\n| a | b |\n|---|--:|\n| 1 | 2 |"
    save_version(language="en", body=body, note="n", based_on=0, actor=boss)
    page.goto("/guidelines/")
    assert page.locator("table").count() > 0
    assert faults_everywhere(page) == []


def test_menu_closes_with_escape_and_leads_on(open_page, log_in):
    page = open_page()
    log_in(page, make_user())
    page.click(".menu summary")
    assert page.locator(".menu a:visible").all_inner_texts()[:4] == [
        "Queue",
        "My numbers",
        "Guidelines",
        "Account",
    ]
    page.keyboard.press("Escape")
    assert page.locator(".menu a:visible").count() == 0
    page.click(".menu summary")
    page.click(".menu >> text=Guidelines")
    page.wait_for_url("**/guidelines/")


def test_invited_person_joins_and_reads_the_guidelines(open_page):
    boss = make_user(Role.ADMIN)
    _invitation, secret = invite(actor=boss, role=Role.ANNOTATOR, now=timezone.now())
    page = open_page()
    page.goto(f"/invitation/{secret}/")
    page.fill("#id_username", "wanda")
    page.fill("#id_password", PASSWORD)
    page.fill("#id_repeated", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/guidelines/")
    page.click(".toc >> text=Reasons to reject")
    assert page.locator("#reasons").bounding_box()["y"] < 300


def test_without_javascript_typed_text_comes_back_after_the_login(chromium, live_server):
    ann = make_user(username="ann")
    ann.set_password(PASSWORD)
    ann.save()
    turn = give(ann, revision=make_completion())
    context = chromium.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"/login/?next=/review/{turn.pk}/")
    log_in_again(page, ann)
    page.fill("#answer-text", "typed before the session ended")
    page.check("[name=confidence][value='3']")
    end_session(page)
    page.click("button:has-text('Answer')")
    page.wait_for_selector("text=What you had typed is kept.")
    log_in_again(page, ann)
    page.wait_for_url("**/kept-text/")
    assert page.input_value("textarea") == "typed before the session ended"
    page.click("button:has-text('Send it now')")
    arrived(page, "#gold")
    answer = BlindAnswer.objects.get()
    assert (answer.text, answer.confidence) == ("typed before the session ended", 3)
    context.close()


def test_note_typed_in_a_session_that_ended_comes_back_after_the_login(open_page, log_in):
    ann = make_user(username="ann")
    turn = give(ann, revision=make_completion())
    page = open_page()
    complaints = []
    page.on("response", lambda response: complaints.append(response.status))
    log_in(page, ann)
    page.goto(f"/review/{turn.pk}/")
    page.evaluate("document.getElementById('note').open = true")
    page.fill("#note [name=note]", "A note that took a while to write.")
    end_session(page)
    with page.expect_response("**/note") as told:
        page.click("#note button[type=submit]")
    assert told.value.status == 401
    page.wait_for_selector("#id_password")
    log_in_again(page, ann)
    page.wait_for_url("**/kept-text/")
    page.click("button:has-text('Send it now')")
    page.wait_for_url(f"**/review/{turn.pk}/")
    assert Note.objects.get().text == "A note that took a while to write."
