"""Guidelines, people, settings and kept text in a real browser."""

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone

from review.models import BlindAnswer, Note, Role
from review.services.guidelines import save_version
from review.services.invitations import invite
from tests.browser.conftest import PASSWORD
from tests.browser.pages import arrived, give, violations
from tests.make import make_completion, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def end_session(page):
    Session.objects.all().delete()
    page.context.clear_cookies(name="sessionid")


def log_in_again(page, user):
    page.fill("#id_username", user.username)
    page.fill("#id_password", PASSWORD)
    page.click("main button")


@pytest.mark.parametrize(("width", "theme"), [(1440, "light"), (390, "dark")])
def test_axe_finds_nothing_and_no_page_is_wider_than_the_window(open_page, log_in, width, theme):
    boss = make_user(Role.ADMIN, username="boss")
    for body in ("Take the first step.", "Take the last step.\n\n| a | b |\n|---|--:|\n| 1 | 2 |"):
        number = 0 if body.startswith("Take the first") else 1
        save_version(language="en", body=body, note="n", based_on=number, actor=boss)
    invite(actor=boss, role=Role.LEAD, languages=["zh"], note="Wanda", now=timezone.now())
    _invitation, secret = invite(actor=boss, role=Role.ANNOTATOR, now=timezone.now())
    page = open_page(width=width, theme=theme)
    for address in (f"/invitation/{secret}/", "/login/"):
        page.goto(address)
        assert (address[:8], violations(page)) == (address[:8], [])
    log_in(page, boss)
    page.click(".menu summary")
    assert violations(page) == []
    for address in (
        "/guidelines/",
        "/guidelines/?language=zh-hans",
        "/guidelines/edit",
        "/guidelines/versions?language=en",
        "/people/",
        f"/people/{boss.profile.pk}/",
        "/people/invitations/",
        "/account/",
        "/project/",
        "/project/controls/",
        "/kept-text/",
    ):
        page.goto(address)
        assert (address, violations(page)) == (address, [])
        is_wider = page.evaluate("document.documentElement.scrollWidth > innerWidth")
        assert (address, is_wider) == (address, False)


def test_menu_closes_with_escape_and_leads_on(open_page, log_in):
    page = open_page()
    log_in(page, make_user())
    page.click(".menu summary")
    assert page.locator(".menu a:visible").all_inner_texts()[:3] == [
        "Queue",
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
