"""kill -9 between any two statements of an answer or a review loses nothing and doubles nothing."""

import json
import subprocess
import sys

import pytest

from generation.models import AuditEvent, CandidateState
from review.models import Review
from tests.commands import PROJECT
from tests.live import environment
from tests.make import make_assignment, make_revision, make_user, review_by

pytestmark = pytest.mark.django_db(transaction=True)

DRAFT = {"phase": "open", "fields": {"comment": ["half a sentence"]}}
OPTIONS = 3


@pytest.fixture
def told():
    """What the database held after each death: the item's other review is in already."""
    revision = make_revision()
    review_by(make_user(), revision)
    turn = make_assignment(revision=revision)
    turn.draft = DRAFT
    turn.save()
    done = subprocess.run(
        [sys.executable, "-m", "tests.review.killed", str(turn.pk)],
        cwd=PROJECT,
        env=environment() | {"DJANGO_SETTINGS_MODULE": "apt_annotate.settings"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_death_between_any_two_statements_stores_all_or_nothing(told):
    answers = [line for line in told if line["storing"] == "answer"]
    reviews = [line for line in told if line["storing"] == "review"]
    assert len(answers) > 4
    assert len(reviews) > 10
    for line in answers:
        assert line["answers"] == line["through"]
        assert line["draft"] == ({} if line["through"] else DRAFT)
    for line in reviews:
        assert line["reviews"] == line["submitted"] == line["through"]
        assert line["verdicts"] == OPTIONS * line["through"]
        settled = CandidateState.APPROVED if line["through"] else CandidateState.IN_REVIEW
        assert line["state"] == settled

    last = {name: held for name, held in reviews[-1].items() if name != "statements"}
    assert told[-1] == last | {"storing": "again"}  # a request that is sent again changes nothing
    assert Review.objects.count() == 2
    assert AuditEvent.objects.filter(action="review.submitted").count() == 2
    assert AuditEvent.objects.filter(action="candidate.settled").count() == 1
