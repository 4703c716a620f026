"""Reviewing by the API: the phases, what is stored, and what a second sending does."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from generation.core.items import Severity
from generation.models import CandidateState, Option
from review.models import Assignment, BlindAnswer, Review
from tests.make import make_assignment, make_completion, make_revision, make_user
from tests.review.api.calls import blind_body, both_body, label_at, review_body

pytestmark = pytest.mark.django_db


@pytest.fixture
def turn(ann):
    return make_assignment(revision=make_revision(), reviewer=ann, now=timezone.now())


@pytest.fixture
def answered(api, turn):
    assert api.post(f"assignments/{turn.pk}/blind", blind_body(turn)).status_code == 200
    return turn


def test_next_gives_the_item_as_its_reviewer_sees_it(api, ann):
    revision = make_revision(findings=[Severity.NEEDS_PERSON])
    item = api.post("next").json()["item"]
    turn = Assignment.objects.get(reviewer=ann)
    assert (item["id"], item["phase"], item["subtask"]) == (turn.pk, "blind", "issue_fix_plan")
    assert [step["number"] for step in item["prompt"]["steps"]] == [1, 2]
    assert item["prompt"]["before"][0]["name"] == "task"
    texts = {option["label"]: option["text"] for option in item["options"]}
    assert texts == {label_at(turn, o.position): o.text for o in revision.options.all()}
    assert [option["label"] for option in item["options"]] == ["A", "B", "C", "D"]


def test_next_again_gives_the_running_item_again(api):
    make_revision(), make_revision()
    first = api.post("next").json()["item"]["id"]
    assert api.post("next").json()["item"]["id"] == first


def test_next_says_why_there_is_nothing(api):
    answer = api.post("next")
    assert answer.status_code == 200
    assert answer.json() == {"item": None, "empty": {"reason": "nothing_built", "until": None}}


def test_blind_answer_opens_the_item(api, turn):
    item = api.post(f"assignments/{turn.pk}/blind", blind_body(turn)).json()
    gold = label_at(turn, 0)
    assert item["phase"] == "open"
    assert item["gold"] == {"labels": [gold], "texts": ["Fix the kiln."], "missing": []}
    assert item["answer"]["matches_gold"] is True
    assert [o["label"] for o in item["options"] if o["is_gold"]] == [gold]
    assert BlindAnswer.objects.get().positions == [0]


def test_same_blind_answer_again_is_taken_and_another_is_not(api, answered):
    address = f"assignments/{answered.pk}/blind"
    assert api.post(address, blind_body(answered)).status_code == 200
    other = api.post(address, blind_body(answered, right=False))
    assert (other.status_code, other.json()["code"]) == (409, "answered")
    assert BlindAnswer.objects.get().positions == [0]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"labels": []}, "labels"),
        ({"labels": ["A", "B"]}, "labels"),
        ({"labels": ["Z"]}, "labels"),
        ({"labels": ["a"]}, "labels.0"),
        ({"text": "words"}, "text"),
        ({"confidence": 6}, "confidence"),
        ({"confidence": "4"}, "confidence"),
        ({"confidence": True}, "confidence"),
        ({"active_seconds": -1}, "active_seconds"),
        ({"labels": "A"}, "labels"),
        ({"choice": ["A"]}, "choice"),
    ],
)
def test_wrong_blind_answer_is_refused_by_field(api, turn, change, field):
    answer = api.post(f"assignments/{turn.pk}/blind", blind_body(turn, **change))
    assert answer.status_code == 422
    assert [error["field"] for error in answer.json()["errors"]] == [field]
    assert not BlindAnswer.objects.exists()


def test_completion_is_answered_in_words(api, ann):
    turn = make_assignment(revision=make_completion(), reviewer=ann, now=timezone.now())
    address = f"assignments/{turn.pk}/blind"
    nothing = api.post(address, {"confidence": 3})
    assert nothing.json()["errors"][0]["field"] == "text"
    chosen = api.post(address, {"labels": ["A"], "text": "cat part3.py", "confidence": 3})
    assert chosen.json()["errors"][0]["field"] == "labels"
    item = api.post(address, {"text": "cat part3.py", "confidence": 3}).json()
    assert item["gold"]["texts"] == ["cat part3.py"]
    assert item["answer"]["matches_gold"] is True


def test_review_needs_the_blind_answer_first(api, turn):
    answer = api.post(f"assignments/{turn.pk}/review", review_body(turn))
    assert (answer.status_code, answer.json()["code"]) == (409, "not_answered")
    assert not Review.objects.exists()


def test_review_is_stored_with_its_verdicts(api, answered):
    sent = review_body(answered, comment="fine")
    sent["options"][label_at(answered, 2)] = "too_easy"
    answer = api.post(f"assignments/{answered.pk}/review", sent)
    review = Review.objects.get()
    assert answer.status_code == 201
    assert answer.json() == {"review": review.pk, "is_counted": True, "matches_gold": True}
    assert (review.comment, review.active_seconds) == ("fine", 30.5)
    verdicts = dict(review.option_verdicts.values_list("option__position", "verdict"))
    assert verdicts == {1: "valid", 2: "too_easy", 3: "valid"}


def test_same_form_stores_one_review_and_another_form_none(api, answered):
    address, sent = f"assignments/{answered.pk}/review", review_body(answered)
    first, again = (api.post(address, sent).json() for _ in range(2))
    assert first == again
    other = api.post(address, review_body(answered))
    assert (other.status_code, other.json()["code"]) == (409, "already_submitted")
    assert other.json()["review"] == first["review"]
    assert Review.objects.count() == 1


def test_all_that_a_review_lacks_is_named_at_once_by_displayed_label(api, ann):
    revision = make_revision(findings=[Severity.NEEDS_PERSON])
    turn = make_assignment(revision=revision, reviewer=ann, now=timezone.now())
    api.post(f"assignments/{turn.pk}/blind", blind_body(turn))
    answer = api.post(f"assignments/{turn.pk}/review", review_body(turn, options={}, findings=[]))
    finding = revision.findings.get().pk
    labels = sorted(f"options.{label_at(turn, position)}" for position in (1, 2, 3))
    assert [error["field"] for error in answer.json()["errors"]] == [f"findings.{finding}", *labels]


def test_verdicts_that_would_be_dropped_are_refused(api, answered):
    address = f"assignments/{answered.pk}/review"
    other = make_revision(findings=[Severity.NOTE]).findings.get().pk
    gold = label_at(answered, 0)
    for change, field in [
        ({"options": review_body(answered)["options"] | {gold: "valid"}}, f"options.{gold}"),
        ({"options": {"Q": "valid"}}, "options.Q"),
        ({"findings": [{"finding": other, "verdict": "dismissed"}]}, f"findings.{other}"),
        ({"oops": 1}, "oops"),
    ]:
        answer = api.post(address, review_body(answered, **change))
        assert answer.status_code == 422
        assert [error["field"] for error in answer.json()["errors"]] == [field]
    assert not Review.objects.exists()


def test_both_at_once_store_the_answer_and_the_review(api, turn):
    answer = api.post(f"assignments/{turn.pk}/submit", both_body(turn))
    assert answer.status_code == 201
    assert answer.json()["matches_gold"] is True
    assert Review.objects.get().option_verdicts.count() == 3
    assert BlindAnswer.objects.get().confidence == 4


def test_both_sent_twice_store_one_of_each(api, turn):
    sent = both_body(turn)
    first, again = (api.post(f"assignments/{turn.pk}/submit", sent) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert (BlindAnswer.objects.count(), Review.objects.count()) == (1, 1)


def test_approval_without_sight_of_gold_holds_only_where_the_answer_is_gold(api, turn):
    answer = api.post(f"assignments/{turn.pk}/submit", both_body(turn, right=False))
    assert (answer.status_code, answer.json()["code"]) == (409, "gold_differs")
    assert BlindAnswer.objects.get().matches_gold is False
    assert not Review.objects.exists()
    assert api.get(f"assignments/{turn.pk}").json()["phase"] == "open"
    alone = api.post(f"assignments/{turn.pk}/review", review_body(turn))
    assert alone.status_code == 201


def test_rejection_without_sight_of_gold_is_stored(api, turn):
    sent = both_body(turn, right=False, decision="reject", reject_reason="bad_question")
    answer = api.post(f"assignments/{turn.pk}/submit", sent)
    assert (answer.status_code, answer.json()["matches_gold"]) == (201, False)


def test_refused_review_leaves_the_blind_answer_stored_for_its_refusal_tells_of_gold(api, turn):
    sent = both_body(turn)
    sent["review"]["options"] = {}
    answer = api.post(f"assignments/{turn.pk}/submit", sent)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"].startswith("review.options.")
    assert BlindAnswer.objects.get().matches_gold is True
    other = api.post(f"assignments/{turn.pk}/submit", both_body(turn, right=False))
    assert (other.status_code, other.json()["code"]) == (409, "answered")


def test_refused_blind_answer_stores_nothing(api, turn):
    sent = both_body(turn)
    sent["blind"]["labels"] = ["A", "B"]
    answer = api.post(f"assignments/{turn.pk}/submit", sent)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == "blind.labels"
    assert not BlindAnswer.objects.exists()


def test_late_review_whose_place_is_taken_is_kept_and_the_caller_is_told(api, answered):
    Assignment.objects.update(leased_until=timezone.now())
    for _ in range(2):
        make_assignment(revision=answered.revision, reviewer=make_user(), now=timezone.now())
    answer = api.post(f"assignments/{answered.pk}/review", review_body(answered))
    assert (answer.status_code, answer.json()["is_counted"]) == (201, False)


def test_draft_is_kept_and_comes_back(api, turn):
    fields = {"choice": ["A"], "text": ["half a thought"]}
    address = f"assignments/{turn.pk}/draft"
    assert api.put(address, {"phase": "blind", "fields": fields}).status_code == 200
    assert api.get(f"assignments/{turn.pk}").json()["draft"]["fields"] == fields
    other = api.put(address, {"phase": "open", "fields": {}})
    assert (other.status_code, other.json()["code"]) == (409, "phase")


def test_lease_is_renewed_while_it_runs(api, turn):
    Assignment.objects.update(leased_until=timezone.now() + timedelta(minutes=1))
    until = api.post(f"assignments/{turn.pk}/lease").json()["leased_until"]
    assert until > (timezone.now() + timedelta(minutes=20)).isoformat()


def test_skipped_item_is_gone(api, turn):
    assert api.post(f"assignments/{turn.pk}/skip", {"reason": "not my field"}).status_code == 204
    for path, body in [("blind", blind_body(turn)), ("submit", both_body(turn))]:
        answer = api.post(f"assignments/{turn.pk}/{path}", body)
        assert (answer.status_code, answer.json()["code"]) == (410, "skipped")
    assert api.post(f"assignments/{turn.pk}/lease").status_code == 410
    assert api.get(f"assignments/{turn.pk}").json()["phase"] == "skipped"
    assert not BlindAnswer.objects.exists()


def test_last_review_can_be_taken_back(api, answered):
    stored = api.post(f"assignments/{answered.pk}/review", review_body(answered)).json()
    address = f"assignments/{answered.pk}/undo"
    item = api.post(address, {"review": stored["review"]}).json()
    assert item["phase"] == "open"
    assert item["draft"]["fields"]["decision"] == ["approve"]
    again = api.post(address, {"review": stored["review"]})
    assert (again.status_code, again.json()["code"]) == (409, "stands")
    assert api.post(address, {"review": 10**9}).status_code == 404


def test_what_follows_is_served_in_the_open_phase_and_recorded(api, turn):
    address = f"assignments/{turn.pk}/what-follows"
    assert api.post(address).json()["code"] == "not_answered"
    api.post(f"assignments/{turn.pk}/blind", blind_body(turn))
    assert [step["number"] for step in api.post(address).json()["steps"]] == [3, 4]
    api.post(f"assignments/{turn.pk}/review", review_body(turn))
    assert Review.objects.get().saw_what_follows is True


def test_notes_and_questions_of_a_turn(api, turn):
    note = api.post(f"assignments/{turn.pk}/notes", {"text": "odd wording"})
    assert note.status_code == 201
    assert api.get(f"assignments/{turn.pk}/notes").json()["results"] == [note.json()]
    asked = api.post(f"assignments/{turn.pk}/questions", {"text": "is B right too?"})
    assert (asked.status_code, asked.json()["answer"]) == (201, "")
    twice = api.post(f"assignments/{turn.pk}/questions", {"text": "and C?"})
    assert twice.status_code == 409
    assert api.get(f"assignments/{turn.pk}/questions").json()["results"] == [asked.json()]
    assert Assignment.objects.get().parked_at


def test_own_turns_are_listed_and_nobody_elses(api, turn):
    make_assignment(revision=turn.revision, now=timezone.now())
    rows = api.get("assignments").json()["results"]
    assert [(row["id"], row["phase"]) for row in rows] == [(turn.pk, "blind")]


def test_two_reviews_settle_the_item(api, answered, bea):
    from tests.make import review_by

    review_by(bea, answered.revision)
    api.post(f"assignments/{answered.pk}/review", review_body(answered, form_key=str(uuid4())))
    answered.revision.candidate.refresh_from_db()
    assert answered.revision.candidate.state == CandidateState.APPROVED


def test_stored_text_that_json_libraries_refuse_is_served_all_the_same(api, turn):
    revision = turn.revision
    type(revision).objects.filter(pk=revision.pk).update(slots={"task": "a\ud800b"})
    Option.objects.filter(revision=revision, position=1).update(text="<script>\u2028")
    item = api.get(f"assignments/{turn.pk}").json()
    assert item["prompt"]["before"][0]["text"] == "a?b"
