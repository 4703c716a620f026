"""Accessibility of every page."""

import pytest
from django.utils import timezone

from generation.core.items import Severity
from review.models import Release, Role
from tests.browser.pages import give, violations
from tests.make import blind, make_completion, make_revision, make_user, submit

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_axe_finds_nothing_on_any_page(open_page, log_in, theme, width, height):
    ann = make_user(username="ann")
    page = open_page(width=width, height=height, theme=theme)
    page.goto("/login/")
    assert violations(page) == []
    log_in(page, ann)
    assert violations(page) == []
    turn = give(
        ann,
        options=("def kiln():\n" + "    fire()\n" * 60, "b", "c", "d"),
        findings=[Severity.BLOCKS_RELEASE, Severity.NEEDS_PERSON, Severity.NOTE],
    )
    page.goto(f"/review/{turn.pk}/")
    assert violations(page) == []
    blind(turn, right=False, now=timezone.now())
    page.reload()
    assert violations(page) == []
    page.click("button:has-text('Submit')")
    page.wait_for_selector("div.error")
    page.click("text=What the verdicts mean")
    assert violations(page) == []
    written = give(ann, revision=make_completion())
    page.goto(f"/review/{written.pk}/")
    assert violations(page) == []
    blind(written, right=False, now=timezone.now())
    page.reload()
    assert violations(page) == []
    submit(written, now=timezone.now())
    page.reload()
    assert violations(page) == []


def test_axe_finds_nothing_on_the_queue_of_a_lead(open_page, log_in):
    make_revision()
    Release.objects.create(
        name="apt",
        version="1.0",
        frozen_at=timezone.now(),
        validation="reviewed",
        shots=3,
        code_version="0.1",
        digest="0" * 64,
        canary="canary",
    )
    page = open_page()
    log_in(page, make_user(Role.LEAD))
    assert page.locator("table").count() == 2
    assert violations(page) == []
