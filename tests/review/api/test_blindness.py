"""What B is served holds no trace of what A said, nor of gold, until B has answered."""

import json
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from generation.core.items import Severity
from review.models import Assignment, Review
from tests.make import make_assignment, make_revision, make_user, rejecting, review_by
from tests.review.api.calls import Caller, blind_body, label_at, review_body

pytestmark = pytest.mark.django_db

WORDS = "the kiln of A's comment"


@pytest.fixture
def shared(bea):
    """An item that B has a turn at, long before A reviews it."""
    revision = make_revision(findings=[Severity.NEEDS_PERSON])
    return make_assignment(revision=revision, reviewer=bea, now=timezone.now())


@pytest.fixture
def b_api(bea, shared):
    caller = Caller(bea)
    caller.get("me")
    return caller


READS = ("me", "assignments", "reviews", "findings", "next")


def everything(caller, turn):
    """All that B may ask for of the item, with the number of queries, but for moments."""
    served = {}
    for path in (*READS, f"assignments/{turn.pk}", f"assignments/{turn.pk}/notes"):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            answer = caller.post(path) if path == "next" else caller.get(path)
        headers = {name: value for name, value in answer.items() if name != "Content-Length"}
        served[path] = (answer.status_code, headers, answer.json(), len(queries))
    return served


def review_as_a(ann, turn):
    review_by(ann, turn.revision, answers=rejecting(turn.revision, comment=WORDS))


def test_review_of_a_changes_nothing_that_b_is_served(ann, shared, b_api):
    everything(b_api, shared)
    before = everything(b_api, shared)
    review_as_a(ann, shared)
    assert everything(b_api, shared) == before


def test_question_note_and_look_of_a_change_nothing_that_b_is_served(ann, shared, b_api):
    a_api = Caller(ann)
    before = everything(b_api, shared)
    turn = make_assignment(revision=shared.revision, reviewer=ann, now=timezone.now())
    a_api.post(f"assignments/{turn.pk}/notes", {"text": WORDS})
    a_api.post(f"assignments/{turn.pk}/blind", blind_body(turn))
    a_api.post(f"assignments/{turn.pk}/what-follows")
    a_api.post(f"assignments/{turn.pk}/questions", {"text": WORDS})
    assert everything(b_api, shared) == before


def test_blind_item_holds_no_gold_no_finding_no_reason_and_no_future(shared, b_api):
    served = json.dumps(b_api.get(f"assignments/{shared.pk}").json())
    item = json.loads(served)
    assert [item[name] for name in ("gold", "answer", "findings", "outcome")] == [None] * 4
    for trace in ("all tests pass", "because", "later_step", "is_gold", "diff --git", "part 3:"):
        assert trace not in served
    assert all(set(option) == {"label", "text"} for option in item["options"])


def test_every_answer_to_a_wrong_blind_answer_is_the_same_for_right_and_wrong_options(
    shared, b_api
):
    answers = set()
    for position in range(4):
        sent = {"labels": [label_at(shared, position)], "confidence": 9}
        answers.add(b_api.post(f"assignments/{shared.pk}/blind", sent).content)
    assert len(answers) == 1


def test_review_of_a_does_not_show_when_b_has_answered_either(ann, shared, b_api):
    b_api.post(f"assignments/{shared.pk}/blind", blind_body(shared))
    before = everything(b_api, shared)
    review_as_a(ann, shared)
    after = everything(b_api, shared)
    assert after == before
    b_api.post(f"assignments/{shared.pk}/review", review_body(shared))
    assert WORDS not in json.dumps([one[2] for one in everything(b_api, shared).values()])
    assert Review.objects.count() == 2


def test_order_of_options_differs_between_reviewers_and_stays_for_each(ann, shared, b_api):
    Assignment.objects.filter(pk=shared.pk).update(leased_until=timezone.now() + timedelta(hours=1))
    orders = set()
    for _ in range(8):
        turn = make_assignment(revision=shared.revision, reviewer=make_user(), now=timezone.now())
        caller = Caller(turn.reviewer)
        one, again = (
            [o["text"] for o in caller.get(f"assignments/{turn.pk}").json()["options"]]
            for _ in range(2)
        )
        assert one == again
        orders.add(tuple(one))
    assert len(orders) > 1
