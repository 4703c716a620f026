"""The pages of actions on many items: chosen, foreseen, done, told of, undone; without scripts."""

import re
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from generation.models import Candidate, CandidateState
from review.models import BulkAction, BulkItem, BulkOutcome, Role
from review.services import bulk_actions
from review.tasks import run_bulk_action
from review.views import bulk
from tests.make import make_assignment, make_revision, make_user, rejecting, review_by

pytestmark = pytest.mark.django_db
NEW = "/items/actions/new"


@pytest.fixture
def lead(db):
    return make_user(Role.LEAD, username="lea")


@pytest.fixture
def desk(client, lead):
    client.force_login(lead, backend="review.authentication.MemberBackend")
    return client


def fields_of(page):
    """The fields of the form as they stand."""
    found: dict[str, list[str]] = {}
    for name, value in re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page):
        found.setdefault(name, []).append(value)
    return found


def begin(desk, query, **more):
    """Open the page of an action and send its form; return the answer."""
    form = fields_of(desk.get(f"{NEW}?{query}").content.decode())
    return desk.post(NEW, form | {"bulk-note": "Not free."} | more)


def states():
    return list(Candidate.objects.order_by("pk").values_list("state", flat=True))


def test_ticked_items_are_foreseen_changed_and_put_back(desk):
    keys = [make_revision().candidate_id for _ in range(3)]
    settled = make_revision(state=CandidateState.APPROVED).candidate_id
    query = "&".join(f"item={key}" for key in [*keys[:2], settled])
    page = desk.get(f"{NEW}?do=withdraw&{query}").content.decode()
    assert "3 items chosen" in page
    assert "Change 2 items" in page
    assert "It is not in review." in page
    assert states() == ["in_review", "in_review", "in_review", "approved"]
    answer = begin(desk, f"do=withdraw&{query}")
    assert states() == ["checked", "checked", "in_review", "approved"]
    page = desk.get(answer["Location"]).content.decode()
    assert "Not free." in page
    assert f"/items/{settled}/" in page  # what was left is named
    undone = desk.post(f"{answer['Location']}undo")
    assert states() == ["in_review", "in_review", "in_review", "approved"]
    assert "Undone" in desk.get(undone["Location"]).content.decode()


def test_all_that_a_filter_finds_are_meant_and_counted_again_when_sent(desk):
    for _ in range(3):
        make_revision()
    make_revision(subtask="issue_fix_verify")
    query = "do=withdraw&all=1&subtask=issue_fix_plan"
    page = desk.get(f"{NEW}?{query}").content.decode()
    assert "Change 3 items" in page
    assert "all that the filter finds" in page
    form = fields_of(page)
    make_revision()
    answer = desk.post(NEW, form | {"bulk-note": "Not free."})
    assert answer.status_code == 409
    assert "Other items are found now" in answer.content.decode()
    assert not BulkAction.objects.exists()
    answer = begin(desk, query)
    assert states().count("checked") == 4
    assert BulkAction.objects.get().query == "subtask=issue_fix_plan"
    listed = desk.get("/items/", {"bulk": f"{BulkAction.objects.get().pk}-changed"})
    assert listed.context["n"] == 4


def test_the_same_form_sent_twice_is_one_action(desk):
    make_revision()
    form = fields_of(desk.get(f"{NEW}?do=withdraw&all=1").content.decode())
    places = {desk.post(NEW, form | {"bulk-note": "x"})["Location"] for _ in range(2)}
    assert len(places) == BulkAction.objects.count() == 1


def test_what_is_missing_is_said_and_what_was_typed_stays(desk):
    key = make_revision().candidate_id
    answer = begin(desk, f"do=reject&item={key}", **{"bulk-note": "Words to keep."})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "Choose the reason." in page
    assert "Words to keep." in page
    assert states() == ["in_review"]
    begin(desk, f"do=reject&item={key}", **{"bulk-reason": "leak"})
    assert states() == ["rejected"]


def test_who_is_reviewing_is_counted_again_with_them(desk):
    turn = make_assignment(now=timezone.now())
    query = f"do=withdraw&item={turn.revision.candidate_id}"
    assert "Somebody is reviewing it right now." in desk.get(f"{NEW}?{query}").content.decode()
    assert "Change 1 item" in desk.get(f"{NEW}?{query}&bulk-held=1").content.decode()


def test_giving_is_counted_for_the_people_chosen(desk):
    ines, revision = make_user(username="ines"), make_revision()
    review_by(ines, revision)
    other = make_revision()
    query = f"do=give&item={revision.candidate_id}&item={other.candidate_id}"
    page = desk.get(f"{NEW}?{query}&bulk-to=person:ines").content.decode()
    assert "This person has reviewed the item." in page
    assert "Change 1 item" in page
    answer = begin(desk, query, **{"bulk-to": "person:ines"})
    page = desk.get(answer["Location"]).content.decode()
    assert BulkItem.objects.get(outcome=BulkOutcome.CHANGED).candidate_id == other.candidate_id
    assert "ines" in page


@pytest.mark.parametrize("query", ["do=withdraw", "do=dance&item=1", ""])
def test_without_items_or_an_action_the_list_comes_again(desk, query):
    answer = desk.get(f"{NEW}?{query}")
    assert (answer.status_code, answer["Location"]) == (303, "/items/?")


@pytest.mark.parametrize("query", ["item=x", "item=-1", "all=1&state=nonsense", "item=" + "9" * 30])
def test_a_wrong_choice_is_named(desk, query):
    answer = desk.get(f"{NEW}?do=withdraw&{query}")
    assert answer.status_code == 400


@pytest.mark.parametrize("name", ["q", "reviewer", "not-cluster"])
def test_a_nul_character_in_a_form_s_filter_is_named(desk, name):
    make_revision()
    answer = desk.post(NEW, {"do": "withdraw", "all": "1", name: "a\0b", "bulk-n": "1"})
    assert (answer.status_code, answer.content.decode()) == (
        400,
        f"{name}: it holds a NUL character",
    )


def test_a_filter_by_what_biases_chooses_no_item_that_the_lead_may_still_review(desk):
    revision = make_revision()
    review_by(make_user(), revision, answers=rejecting(revision))
    page = desk.get(f"{NEW}?do=withdraw&all=1&decision=reject").content.decode()
    assert "0 items chosen" in page
    assert "disabled" in page


def test_a_long_action_waits_for_the_worker_and_can_be_stopped(desk, monkeypatch):
    monkeypatch.setattr(bulk, "_USUALLY_AT_ONCE", 1)
    sent = []
    monkeypatch.setattr(run_bulk_action, "apply_async", lambda args, **_o: sent.append(args))
    for _ in range(2):
        make_revision()
    answer = begin(desk, "do=withdraw&all=1")
    page = desk.get(answer["Location"]).content.decode()
    assert 'hx-trigger="every 2s"' in page
    assert "It waits for the worker." in page
    assert "Stop and undo" in page
    assert sent == [(BulkAction.objects.get().pk,)]
    part = desk.get(answer["Location"], headers={"hx-request": "true"}).content.decode()
    assert "<html" not in part
    bulk_actions.run(*sent[0])
    part = desk.get(answer["Location"], headers={"hx-request": "true"}).content.decode()
    assert "every 2s" not in part
    assert states() == ["checked", "checked"]


def test_latest_actions_are_listed_each_with_its_undo(desk, django_assert_max_num_queries):
    for _ in range(3):
        make_revision()
        begin(desk, "do=withdraw&all=1&state=in_review")
    with django_assert_max_num_queries(5):
        page = desk.get(reverse("bulk-actions")).content.decode()
    assert page.count("/undo") == 3
    assert "n = 3" in page


@pytest.mark.parametrize("do", ["withdraw", "queue", "return", "reject", "give", "check"])
def test_page_of_an_action_costs_a_fixed_number_of_queries(desk, do, django_assert_num_queries):
    for _ in range(2):
        make_revision()
    address = f"{NEW}?do={do}&all=1&bulk-to=language:en"
    counted = 3 if do != "give" else 13
    for _ in range(2):
        with django_assert_num_queries(counted):
            desk.get(address)
        for _ in range(4):
            make_revision()


def test_page_of_what_was_done_costs_a_fixed_number_of_queries(desk, django_assert_num_queries):
    for n in (2, 5):
        for _ in range(n):
            make_revision()
            make_revision(state=CandidateState.APPROVED)
        answer = begin(desk, "do=withdraw&all=1")
        with django_assert_num_queries(8):
            desk.get(answer["Location"])


def test_an_undo_of_what_changed_nothing_says_so(desk):
    make_revision(state=CandidateState.APPROVED)
    answer = begin(desk, "do=withdraw&all=1")
    page = desk.post(f"{answer['Location']}undo", follow=True).content.decode()
    assert "There is nothing to put back." in page


def test_a_form_without_a_key_of_its_own_still_is_one_action(desk):
    make_revision()
    form = fields_of(desk.get(f"{NEW}?do=withdraw&all=1").content.decode())
    answer = desk.post(NEW, form | {"bulk-note": "x", "bulk-key": "nothing"})
    assert answer.status_code == 303
    assert desk.post(NEW, form | {"bulk-note": "x", "bulk-n": "many"}).status_code == 409
    assert str(uuid4()) != form["bulk-key"][0]
