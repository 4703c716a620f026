"""What the browser tests do with pages: give an item to a person, ask axe for faults."""

from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone

from tests.make import make_assignment, make_revision


def give(user, **fields):
    revision = fields.pop("revision", None) or make_revision(**fields)
    return make_assignment(revision=revision, reviewer=user, now=timezone.now())


def violations(page):
    return [rule["id"] for rule in Axe().run(page).response["violations"]]


def wait_until(page, holds):
    """Let the browser go on until something holds, for ten seconds at most."""
    for _ in range(200):
        if holds():
            return
        page.wait_for_timeout(50)
    msg = "it did not come to hold within ten seconds"
    raise AssertionError(msg)


def arrived(page, selector):
    """Wait for a part of the next page and for its scripts: a key pressed before them is lost."""
    page.wait_for_selector(selector)
    page.wait_for_load_state("load")
