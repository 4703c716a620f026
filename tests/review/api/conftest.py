"""Programs that call the API: a reviewer's, another reviewer's, a lead's."""

import pytest
from django.core.cache import cache

from review.models import Role
from tests.make import make_user
from tests.review.api.calls import Caller


@pytest.fixture(autouse=True)
def _no_failures_counted():
    """Unknown tokens are counted by address: each test begins anew."""
    cache.clear()


@pytest.fixture(autouse=True)
def uploads_dir(settings, tmp_path):
    """Uploads of tests lie with the test."""
    settings.UPLOADS_DIR = tmp_path / "uploads"
    return settings.UPLOADS_DIR


@pytest.fixture
def ann(db):
    return make_user(username="ann")


@pytest.fixture
def bea(db):
    return make_user(username="bea")


@pytest.fixture
def lea(db):
    return make_user(Role.LEAD, username="lea")


@pytest.fixture
def api(ann):
    return Caller(ann)


@pytest.fixture
def lead_api(lea):
    return Caller(lea)
