"""What the browser tests do with pages: give an item to a person, ask axe for faults."""

from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone

from tests.make import make_assignment, make_revision


def give(user, **fields):
    revision = fields.pop("revision", None) or make_revision(**fields)
    return make_assignment(revision=revision, reviewer=user, now=timezone.now())


def violations(page):
    return [rule["id"] for rule in Axe().run(page).response["violations"]]
