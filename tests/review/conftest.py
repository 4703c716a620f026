"""What the page tests share: a logged-in reviewer with a turn, and its review page."""

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.make import make_assignment, make_revision, make_user


@pytest.fixture
def reviewer(db):
    return make_user(username="ann")


@pytest.fixture
def member(client, reviewer):
    """A client logged in as the reviewer."""
    client.force_login(reviewer, backend="review.authentication.MemberBackend")
    return client


@pytest.fixture
def turn(reviewer):
    return make_assignment(revision=make_revision(), reviewer=reviewer, now=timezone.now())


@pytest.fixture
def url(turn):
    return reverse("review", args=[turn.pk])
