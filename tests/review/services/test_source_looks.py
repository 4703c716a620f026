"""What leads read of runs outside of turns: they are never asked about it afterwards."""

import pytest
from django.urls import reverse
from django.utils import timezone

from generation.models import AuditEvent, CandidateState
from review.models import Question, Role, SourceLook
from review.models.source_look import EVERYTHING
from review.services.assigning import AssigningRefused, assign
from review.services.item_access import OwnTurnOpen, give_up_review
from review.services.queue import claim_next
from review.services.source_looks import note_look
from tests.make import make_assignment, make_revision, make_source, make_user
from tests.review.api.calls import Caller

pytestmark = pytest.mark.django_db


@pytest.fixture
def source():
    return make_source()


@pytest.fixture
def items(source):
    """Questions at the steps 1 to 3 of one run, in this order in the queue."""
    return [make_revision(source=source, cut=cut) for cut in (1, 2, 3)]


@pytest.fixture
def lead():
    return make_user(role=Role.LEAD)


@pytest.fixture
def pages(client, lead):
    client.force_login(lead, backend="review.authentication.MemberBackend")
    return client


def next_of(person):
    turn = claim_next(reviewer=person, now=timezone.now())
    return turn and turn.revision


def test_lead_is_given_what_lies_behind_the_steps_that_they_read(source, items, lead):
    note_look(reader=lead, source=source, up_to=2, now=timezone.now())
    assert next_of(lead) == items[2]
    assert next_of(make_user(role=Role.LEAD)) == items[0]


def test_lead_who_read_all_of_a_run_is_given_nothing_of_it_and_other_runs_all_the_same(
    source, items, lead
):
    other = make_revision()
    note_look(reader=lead, source=source, up_to=EVERYTHING, now=timezone.now())
    assert next_of(lead) == other


def test_look_only_grows_and_each_growth_leaves_one_event(source, lead):
    for up_to in (2, 1, 2, 3):
        note_look(reader=lead, source=source, up_to=up_to, now=timezone.now())
    assert SourceLook.objects.get().up_to == 3
    assert AuditEvent.objects.filter(action="source.looked_at", actor=lead).count() == 2


def test_look_is_refused_while_a_turn_is_held_that_it_would_spoil(source, items, lead):
    turn = make_assignment(revision=items[1], reviewer=lead, now=timezone.now())
    note_look(reader=lead, source=source, up_to=1, now=timezone.now())
    with pytest.raises(OwnTurnOpen) as refused:
        note_look(reader=lead, source=source, up_to=2, now=timezone.now())
    assert refused.value.assignment == turn
    assert SourceLook.objects.get().up_to == 1


def test_nobody_gives_a_lead_what_they_read(source, items, lead):
    note_look(reader=lead, source=source, up_to=EVERYTHING, now=timezone.now())
    with pytest.raises(AssigningRefused):
        assign(lead=make_user(Role.LEAD), revision=items[0], reviewer=lead, now=timezone.now())


@pytest.mark.parametrize(("read", "given"), [("steps?limit=2", 2), ("steps", None), ("", None)])
def test_steps_read_by_the_api_are_noted(source, items, lead, read, given):
    path = f"sources/{source.pk}" + (f"/{read}" if read else "")
    assert Caller(lead).get(path).status_code == 200
    assert next_of(lead) == (items[given] if given else None)


def test_api_refuses_a_source_while_a_turn_at_it_is_held(source, items, lead):
    make_assignment(revision=items[2], reviewer=lead, now=timezone.now())
    api = Caller(lead)
    assert api.get(f"sources/{source.pk}").json()["code"] == "own_turn_open"
    assert api.get(f"sources/{source.pk}/steps").json()["code"] == "own_turn_open"
    assert api.get(f"sources/{source.pk}/steps?limit=2").status_code == 200


def test_item_read_whole_by_the_api_spoils_the_earlier_steps_of_its_run(items, lead):
    give_up_review(lead=lead, candidate=items[1].candidate, now=timezone.now())
    assert Caller(lead).get(f"candidates/{items[1].candidate_id}").status_code == 200
    assert next_of(lead) == items[2]


@pytest.mark.parametrize(("query", "given"), [("", 2), ("?follows=1", None)])
def test_item_page_spoils_what_it_shows_of_the_run(pages, items, lead, query, given):
    give_up_review(lead=lead, candidate=items[1].candidate, now=timezone.now())
    assert next_of(lead) == items[0], "giving up alone shows nothing"
    turn = lead.assignments.get(revision=items[0])
    address = reverse("item", args=[items[1].candidate_id]) + query
    page = pages.get(address).content.decode()
    assert reverse("review", args=[turn.pk]) in page
    assert SourceLook.objects.count() == 0
    turn.delete()
    pages.get(address)
    assert next_of(lead) == (items[given] if given else None)


def test_step_behind_the_cut_that_is_opened_alone_is_noted(pages, source, items, lead):
    give_up_review(lead=lead, candidate=items[0].candidate, now=timezone.now())
    address = reverse("item-step-raw", args=[items[0].candidate_id, 3])
    assert pages.get(address).status_code == 200
    assert next_of(lead) is None


def test_question_of_a_reviewer_spoils_the_item_for_the_lead_who_reads_it(pages, items, lead):
    turn = make_assignment(revision=items[0], now=timezone.now())
    asked = Question.objects.create(assignment=turn, text="Is it the first one?")
    pages.get(reverse("lead-question", args=[asked.pk]))
    assert next_of(lead) == items[1]


def test_dispute_page_spoils_the_earlier_steps_and_waits_for_a_turn_at_one(pages, items, lead):
    items[1].candidate.state = CandidateState.DISPUTED
    items[1].candidate.save()
    turn = make_assignment(revision=items[0], reviewer=lead, now=timezone.now())
    address = reverse("dispute", args=[items[1].pk])
    assert pages.get(address).status_code == 403
    turn.delete()
    assert pages.get(address).status_code == 200
    assert next_of(lead) == items[2]
