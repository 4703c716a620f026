"""CB09: leases end while people still work; others take the places, and the late work arrives."""

import re
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.conf import settings
from django.db import connection

from review.models import Assignment, Review
from review.services.queue import claim_next
from tests.cases.read import case
from tests.make import approving, blind, later, make_revision, make_user, submit
from tests.shared_data import needs_shared

pytestmark = [needs_shared, pytest.mark.shared, pytest.mark.django_db]


class Story:
    """The case's people and tasks, and what they do minute by minute."""

    def __init__(self, given):
        self.events = given["events"]
        self.tasks = {name: make_revision() for name in given["tasks"]}
        self.people = {}
        self.turns = {}
        self.reviews = {}

    def go_on_to(self, minute):
        (event,) = (event for event in self.events if event["at"] == minute)
        for person, action, *what in event.get("parallel") or [event["do"]]:
            getattr(self, action)(person, *what, now=later(minute))

    def claim(self, person, *, now):
        if person not in self.people:
            self.people[person] = make_user(username=person)
        turn = claim_next(reviewer=self.people[person], now=now)
        self.turns.setdefault(person, []).append(turn)

    def submit(self, person, what, *, now):
        task, _, said = what.partition(" with ")
        assert self.task_of(person) == task
        turn = self.turns[person][0]
        size = re.search(r"note of (\d+) characters", said)
        blind(turn, now=now)
        answers = approving(turn.revision, comment="n" * int(size[1]) if size else "")
        self.reviews[person] = submit(turn, answers=answers, now=now)

    def task_of(self, person):
        (turn,) = set(self.turns[person])
        return next(name for name, revision in self.tasks.items() if revision == turn.revision)


def test_events_in_their_order_lose_no_work_and_count_two_reviews():
    given, expected = case("CB09")["input"], case("CB09")["expected"]
    assert given["needed_per_task"] == settings.REVIEWS_WANTED
    assert given["lease_minutes"] == settings.LEASE_MINUTES
    story = Story(given)

    story.go_on_to(0)
    assert story.tasks["T1"].assignments.count() == expected["after_0"]["T1_holders"]
    assert len(story.turns["u1"]) == 2
    assert [story.task_of(person) for person in ("u1", "u2", "u3")] == ["T1", "T1", "T2"]

    story.go_on_to(31)
    assert story.task_of("u4") == "T1"

    story.go_on_to(32)
    late = Review.objects.get(assignment__reviewer=story.people["u1"])
    assert late.is_counted
    assert late.comment == "n" * 900

    story.go_on_to(33)
    story.go_on_to(34)
    reviews = Review.objects.filter(assignment__revision=story.tasks["T1"])
    assert reviews.filter(is_counted=True).count() == expected["end"]["T1_counted_reviews"]
    assert reviews.get(is_counted=False) == story.reviews["u2"]
    people = list(reviews.values_list("assignment__reviewer__username", flat=True))
    assert sorted(people) == ["u1", "u2", "u4"]


@pytest.mark.django_db(transaction=True)
def test_claims_at_once_never_give_a_third_place_nor_one_person_two_tasks():
    """In whichever order the four arrive, the first task may be the one with a free place."""
    given = case("CB09")["input"]
    claims = [person for person, _action in given["events"][0]["parallel"]]
    for _ in range(10):
        tasks = [make_revision() for _name in given["tasks"]]
        people = {name: make_user() for name in set(claims)}
        start = Barrier(len(claims))

        def claim(name, people=people, start=start):
            start.wait()
            try:
                return name, claim_next(reviewer=people[name], now=later(0))
            finally:
                connection.close()

        with ThreadPoolExecutor(len(claims)) as pool:
            turns = set(pool.map(claim, claims))
        assert len(turns) == len(people)
        held = [Assignment.objects.filter(revision=task).count() for task in tasks]
        assert sorted(held) == [1, given["needed_per_task"]]
        for task in tasks:
            task.candidate.state = "rejected"
            task.candidate.save()
