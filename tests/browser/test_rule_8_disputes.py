"""A lead decides disputes in the browser, also without JavaScript; axe finds nothing."""

import pytest

from generation.core.items import Severity
from generation.core.records import Success
from review.models import Adjudication, Role
from tests.browser.conftest import PASSWORD
from tests.browser.pages import faults_everywhere
from tests.make import make_completion, make_revision, make_user, rejecting, review_by

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def dispute(revision=None, **fields):
    revision = revision or make_revision(**fields)
    review_by(make_user(), revision)
    review_by(make_user(), revision, answers=rejecting(revision))
    return revision


def test_axe_finds_nothing_on_the_pages_of_disputes(open_page, log_in):
    page = open_page()
    log_in(page, make_user(Role.LEAD, username="lea"))
    page.goto("/disputes/")
    assert faults_everywhere(page) == []
    revision = dispute(
        options=("def kiln():\n" + "    fire()\n" * 60, "b", "c", "d"),
        findings=[Severity.BLOCKS_RELEASE, Severity.NEEDS_PERSON, Severity.NOTE],
        success=Success.UNCONFIRMED,
    )
    written = dispute(make_completion())
    page.goto("/disputes/")
    assert faults_everywhere(page) == []
    page.goto("/disputes/?kind=run")
    assert faults_everywhere(page) == []
    page.goto(f"/disputes/{written.pk}/?follows=1")
    assert faults_everywhere(page) == []
    page.goto(f"/disputes/{revision.pk}/")
    assert faults_everywhere(page) == []
    page.click("button:has-text('Decide')")
    page.wait_for_selector("div.error")
    assert faults_everywhere(page) == []
    page.check("input[value=approve]", force=True)
    page.check("[name=sees_success]")
    page.fill("#field-note", "The first review is right.")
    page.click("button:has-text('Decide')")
    page.wait_for_selector("text=Next dispute")
    assert faults_everywhere(page) == []
    page.goto("/disputes/")
    assert page.locator("table").count() == 2
    assert faults_everywhere(page) == []


def test_lead_works_through_disputes_from_the_queue_without_javascript(chromium, live_server):
    first, second = dispute(), dispute()
    lead = make_user(Role.LEAD, username="lea")
    lead.set_password(PASSWORD)
    lead.save()
    context = chromium.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    page.set_default_timeout(10_000)
    page.goto("/login/")
    page.fill("#id_username", "lea")
    page.fill("#id_password", PASSWORD)
    page.click("main button")
    page.click("main a[href='/disputes/']")
    page.click(f"a[href='/disputes/{first.pk}/']")
    page.check("input[value=reject]", force=True)
    page.click("button:has-text('Decide')")
    page.click("div.error a:has-text('Choose the reason')")
    page.select_option("#field-reject_reason", "leak")
    page.fill("#field-note", "Step 2 names the fix.")
    page.click("button:has-text('Decide')")
    page.click("a:has-text('Next dispute')")
    page.check("input[value=return]", force=True)
    page.fill("#field-note", "Look again.")
    page.click("button:has-text('Decide')")
    page.wait_for_selector("text=No other dispute waits here")
    context.close()
    decided = Adjudication.objects.order_by("pk").values_list("revision", "outcome")
    assert list(decided) == [(first.pk, "reject"), (second.pk, "return")]
