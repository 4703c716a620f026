"""Tokens in the browser: the secret can be read once, and the page is fit for everyone."""

import re

import pytest
from playwright.sync_api import expect

from review.models import ApiToken
from tests.browser.pages import violations
from tests.make import make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_token_is_made_read_once_and_revoked(open_page, log_in, theme):
    page = open_page(width=390, height=844, theme=theme)
    log_in(page, make_user())
    page.goto("/tokens/")
    assert violations(page) == []
    page.fill("#name", "<img src=x onerror=alert(1)>")
    page.check("input[value=review]")
    page.click("text=Make the token")
    expect(page.locator(".made .link")).to_have_text(re.compile(r"^apt_[\w-]{43}$"))
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.goto("/tokens/")
    assert page.locator(".made").count() == 0
    page.click("button:has-text('Revoke')")
    expect(page.locator(".messages")).to_contain_text("revoked")
    assert ApiToken.objects.get().revoked_at
