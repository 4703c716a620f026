"""Debian's chromium, driven by Playwright; skipped loudly where absent, a failure where CI=true."""

import os
import shutil
from typing import Any

import pytest
from django.urls import get_resolver

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

    # Else the first page of the session would wait for every view to be imported.
    get_resolver().url_patterns  # noqa: B018
    # Playwright's loop lives in this thread, where Django would refuse the database otherwise.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


class Windows:
    """The windows of one test: what they complain of, and the requests that are under way."""

    def __init__(self) -> None:
        self.complaints: list[str] = []
        self.contexts: list[Any] = []
        self.pending: set[Any] = set()
        self.is_over = False

    def watch(self, page) -> None:
        """Follow what a page complains of and asks the server for."""
        page.on("pageerror", lambda error: self.complain(str(error)))
        page.on("console", self.read)
        page.on("request", lambda request: self.pending.add(request))
        for event in ("requestfinished", "requestfailed"):
            page.on(event, lambda request: self.pending.discard(request))

    def read(self, message) -> None:
        """Keep errors and warnings, but not that a form was refused or a session has ended."""
        is_refusal = any(f"status of {status}" in message.text for status in (401, 409, 422))
        if message.type in ("error", "warning") and not is_refusal:
            self.complain(message.text)

    def complain(self, text: str) -> None:
        """Keep a complaint, while the test runs."""
        if not self.is_over:
            self.complaints.append(text)

    def close(self) -> None:
        """Close all windows once the server has answered all of them: the database goes next."""
        self.is_over = True
        for context in self.contexts:
            if context.pages:
                context.route("**/*", lambda route: route.abort())
        for page in [page for context in self.contexts for page in context.pages]:
            for _ in range(100):
                if not self.pending:
                    break
                page.wait_for_timeout(20)
        for context in self.contexts:
            context.close()


@pytest.fixture
def windows():
    """The windows that the test opens; what the browser complains of in them fails it."""
    windows = Windows()
    yield windows
    windows.close()
    assert windows.complaints == []


@pytest.fixture
def open_page(chromium, live_server, windows):
    """Return a function that opens a window."""

    def open_window(*, width: int = 1440, height: int = 900, theme: str = "light", **more):
        context = chromium.new_context(
            viewport={"width": width, "height": height},
            color_scheme=theme,
            base_url=live_server.url,
            **more,
        )
        # Every page of the context, the second tab as well: none may be under way at the end.
        context.on("page", windows.watch)
        context.set_default_timeout(60_000)
        windows.contexts.append(context)
        return context.new_page()

    return open_window


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
