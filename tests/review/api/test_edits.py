"""Edits by the API: what they change, what is told first, and who may."""

from uuid import uuid4

import pytest
from django.utils import timezone

from generation.models import CandidateState, Revision
from review.models import Review
from tests.make import blind, make_assignment, make_completion, make_revision, review_by
from tests.review.api.calls import label_at

pytestmark = pytest.mark.django_db
WHY = "The option named two kilns, now it names one."


@pytest.fixture
def turn(ann):
    return make_assignment(revision=make_revision(), reviewer=ann, now=timezone.now())


def body(**changes):
    return {
        "revision": 1,
        "note": WHY,
        "form_key": str(uuid4()),
        "well_specified": 1,
        "gold_quality": 0,
    } | changes


def send(caller, address, sent):
    """Send an edit; where checks find something new, look and send it again."""
    answer = caller.post(address, sent)
    if answer.status_code == 409 and answer.json()["code"] == "look_first":
        again = sent | {"seen": answer.json()["seen"], "confirmed": True}
        answer = caller.post(address, again)
    return answer


def texts_of(number):
    revision = Revision.objects.get(number=number)
    return list(revision.options.order_by("position").values_list("text", flat=True)), revision


def test_reviewer_edits_an_option_by_its_displayed_label(api, turn):
    blind(turn, now=timezone.now())
    sent = body(options={label_at(turn, 1): "Sell the one kiln."})
    answer = send(api, f"assignments/{turn.pk}/edit", sent)
    assert answer.status_code == 201, answer.content
    review = Review.objects.get()
    assert answer.json() == {"review": review.pk, "revision": None}
    assert (review.decision, review.comment, review.well_specified) == ("edit", WHY, 1)
    texts, new = texts_of(2)
    assert texts == ["Fix the kiln.", "Sell the one kiln.", "Paint the kiln.", "Wait."]
    assert (new.gold, new.author, new.note) == (["A"], turn.reviewer, WHY)


def test_gold_is_moved_by_label(api, turn):
    blind(turn, now=timezone.now())
    sent = body(gold=[label_at(turn, 2)])
    assert send(api, f"assignments/{turn.pk}/edit", sent).status_code == 201
    assert texts_of(2)[1].gold == ["C"]


def test_same_edit_sent_twice_stores_one(api, turn):
    blind(turn, now=timezone.now())
    sent = body(options={label_at(turn, 1): "Sell the one kiln."})
    first = send(api, f"assignments/{turn.pk}/edit", sent)
    again = send(api, f"assignments/{turn.pk}/edit", sent)
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert (Review.objects.count(), Revision.objects.count()) == (1, 2)


def test_edit_before_the_blind_answer_learns_nothing(api, turn):
    answers = set()
    for position in range(4):
        sent = body(options={label_at(turn, position): ""}, form_key=str(uuid4()))
        answer = api.post(f"assignments/{turn.pk}/edit", sent)
        assert answer.status_code == 409
        answers.add(answer.content)
    assert len(answers) == 1
    assert Revision.objects.count() == 1


def test_what_checks_newly_find_is_told_before_it_is_saved(api, turn):
    """Two equal options block a release: that needs a look and a second yes."""
    blind(turn, now=timezone.now())
    sent = body(options={label_at(turn, 1): "Paint the kiln."})
    address = f"assignments/{turn.pk}/edit"
    told = api.post(address, sent)
    assert told.status_code == 409
    assert (told.json()["code"], told.json()["blocks"]) == ("look_first", True)
    assert {finding["field"] for finding in told.json()["findings"]} <= {
        f"option:{label_at(turn, 1)}",
        f"option:{label_at(turn, 2)}",
    }
    looked = sent | {"seen": told.json()["seen"]}
    assert api.post(address, looked).status_code == 409
    assert Revision.objects.count() == 1
    assert api.post(address, looked | {"confirmed": True}).status_code == 201


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"slots": {"nonsense": "x"}}, "slots.nonsense"),
        ({"slots": {"task": ""}}, "slots.task"),
        ({"options": {"a": "x"}}, "options.a"),
        ({"options": {"Z": "x"}}, "options.Z"),
        ({"gold": ["Z"]}, "gold"),
        ({"gold": []}, "gold"),
        ({"note": " ", "options": {"A": "x"}}, "note"),
        ({"revision": 2}, "revision"),
        ({}, ""),
    ],
)
def test_wrong_edit_is_refused_by_field(api, turn, change, field):
    blind(turn, now=timezone.now())
    answer = api.post(f"assignments/{turn.pk}/edit", body(**change))
    assert answer.status_code == 422
    assert field in [error["field"] for error in answer.json()["errors"]]
    assert Revision.objects.count() == 1


def test_completion_is_edited_by_its_accepted_texts(api, ann):
    turn = make_assignment(revision=make_completion(), reviewer=ann, now=timezone.now())
    blind(turn, now=timezone.now())
    address = f"assignments/{turn.pk}/edit"
    assert api.post(address, body(options={"A": "x"})).status_code == 422
    sent = body(gold=["cat part3.py", "less part3.py"])
    assert send(api, address, sent).status_code == 201
    assert texts_of(2)[1].gold == ["cat part3.py", "less part3.py"]


def test_lead_edits_what_they_may_read_whole(lead_api, ann, bea):
    revision = make_revision()
    address = f"candidates/{revision.candidate_id}/edit"
    sent = {"revision": 1, "note": WHY, "slots": {"task": "Cool the kiln slowly."}}
    assert lead_api.post(address, sent).json()["code"] == "not_opened"
    for person in (ann, bea):
        review_by(person, revision)
    answer = send(lead_api, address, sent)
    assert answer.status_code == 201, answer.content
    assert answer.json() == {"review": None, "revision": 2}
    revision.candidate.refresh_from_db()
    assert revision.candidate.state == CandidateState.IN_REVIEW


def test_edit_of_an_older_revision_is_a_conflict_that_names_the_current_one(lead_api, ann, bea):
    revision = make_revision(state=CandidateState.APPROVED)
    address = f"candidates/{revision.candidate_id}/edit"
    first = {"revision": 1, "note": WHY, "slots": {"task": "Cool the kiln slowly."}}
    assert send(lead_api, address, first).status_code == 201
    lead_api.post(f"candidates/{revision.candidate_id}/open")
    late = send(lead_api, address, first | {"slots": {"task": "Cool it."}})
    assert (late.status_code, late.json()["code"]) == (409, "conflict")
    assert late.json()["revision"] == 2


def test_annotators_may_not_edit_as_leads(api):
    revision = make_revision()
    answer = api.post(f"candidates/{revision.candidate_id}/edit", {"revision": 1, "note": WHY})
    assert answer.status_code == 403
