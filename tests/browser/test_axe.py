"""Accessibility of the states of the review page, in both themes, wide and narrow.

``test_every_page.py`` looks at every page as it is opened; here are those that come by acting.
"""

import pytest
from django.utils import timezone

from generation.core.items import Severity
from tests.browser.pages import faults_everywhere, give
from tests.make import blind, make_completion, make_user, submit

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_axe_finds_nothing_in_any_state_of_a_review(open_page, log_in):
    ann = make_user(username="ann")
    page = open_page()
    log_in(page, ann)
    turn = give(
        ann,
        options=("def kiln():\n" + "    fire()\n" * 60, "b", "c", "d"),
        findings=[Severity.BLOCKS_RELEASE, Severity.NEEDS_PERSON, Severity.NOTE],
    )
    page.goto(f"/review/{turn.pk}/")
    assert faults_everywhere(page) == []
    blind(turn, right=False, now=timezone.now())
    page.reload()
    assert faults_everywhere(page) == []
    page.click("button:has-text('Submit')")
    page.wait_for_selector("div.error")
    page.click("text=What the verdicts mean")
    assert faults_everywhere(page) == []
    written = give(ann, revision=make_completion())
    page.goto(f"/review/{written.pk}/")
    assert faults_everywhere(page) == []
    blind(written, right=False, now=timezone.now())
    page.reload()
    assert faults_everywhere(page) == []
    submit(written, now=timezone.now())
    page.reload()
    assert faults_everywhere(page) == []
