"""The example in docs/api.md is run as it stands there, against a server."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.utils import timezone

from generation.core.items import Severity
from review.models import BlindAnswer, Review
from review.services.tokens import make_token
from tests.make import blind, make_assignment, make_completion, make_revision, make_user

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "api.md"


@pytest.fixture
def example(tmp_path):
    (code,) = re.findall(r"^```python\n(.*?)^```", DOCUMENT.read_text(), re.DOTALL | re.MULTILINE)
    path = tmp_path / "example.py"
    path.write_text(code)
    return path


@pytest.mark.django_db(transaction=True)
def test_example_reviews_all_that_there_is(live_server, example):
    made = [
        make_revision(findings=[Severity.NEEDS_PERSON, Severity.NOTE]),
        make_completion(),
        make_revision(),
    ]
    user = make_user()
    # One was answered on the page before: it comes in its open phase.
    now = timezone.now()
    blind(make_assignment(revision=made[0], reviewer=user, now=now), now=now)
    _token, secret = make_token(
        user=user, name="example", scopes=["review"], days=1, now=timezone.now()
    )
    environment = os.environ | {"APT_ADDRESS": f"{live_server.url}/api/v1", "APT_TOKEN": secret}
    done = subprocess.run(
        [sys.executable, example], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert done.returncode == 0
    assert Review.objects.count() == BlindAnswer.objects.count() == len(made)
    assert [line.split()[0] for line in done.stdout.splitlines()] == [
        revision.candidate.subtask for revision in made
    ]
