"""Debian's chromium, driven by Playwright; skipped loudly where absent, a failure where CI=true."""

import os
import shutil

import pytest

from tests.servers import Missing, skip_or_fail

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PASSWORD = "a good password"


@pytest.fixture(scope="session")
def chromium():
    """A running browser for the whole session."""
    program = shutil.which("chromium")
    if program is None:
        msg = "chromium is not installed: run `make install-system`"
        skip_or_fail(Missing(msg))
    from playwright.sync_api import sync_playwright

    # Playwright's loop lives in this thread, where Django would refuse the database otherwise.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def open_page(chromium, live_server):
    """Return a function that opens a window; what the browser complains of fails the test."""
    complaints: list[str] = []
    contexts = []

    def open_window(*, width: int = 1440, height: int = 900, theme: str = "light"):
        context = chromium.new_context(
            viewport={"width": width, "height": height},
            color_scheme=theme,
            base_url=live_server.url,
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: _note(message, complaints))
        return page

    yield open_window
    for context in contexts:
        context.close()
    assert complaints == []


def _note(message, complaints: list[str]) -> None:
    """Keep errors and warnings, but not that a refused form came back with status 422."""
    if message.type in ("error", "warning") and "status of 422" not in message.text:
        complaints.append(message.text)


@pytest.fixture
def log_in():
    """Return a function that logs a user in by the form and ends on the queue."""

    def log_in(page, user):
        user.set_password(PASSWORD)
        user.save()
        page.goto("/login/")
        page.fill("#id_username", user.username)
        page.fill("#id_password", PASSWORD)
        page.click("main button")
        page.wait_for_url("**/queue/")

    return log_in
