"""Two runs of one task may begin alike: what both would ask is asked once."""

from dataclasses import replace
from typing import Any

import pytest

from generation.core.records import Trajectory
from generation.core.registry import SUBTASKS
from generation.models import Candidate, Source
from generation.services.candidates import Built, build_from
from generation.services.repeats import REPEATED
from generation.services.sources import store_records
from tests.generation.core.runs import swe_run

pytestmark = pytest.mark.django_db
ACTION = SUBTASKS["issue_fix_action"]


def twin_of(run: Trajectory, turn: int, **changes: Any) -> Trajectory:
    """Return another run of the task that differs from step ``turn`` on."""
    steps = [replace(step, **changes) if n >= turn else step for n, step in enumerate(run.steps, 1)]
    return replace(run, steps=tuple(steps))


def build(*runs: Trajectory) -> list[Built]:
    store_records(runs)
    return [build_from(source, ACTION) for source in Source.objects.order_by("pk")]


def cuts(place: int) -> list[int]:
    source = Source.objects.order_by("pk")[place]
    return sorted(source.candidates.values_list("cut", flat=True))


def test_what_two_runs_ask_alike_is_asked_once():
    run = swe_run(1, steps=6)
    first, second = build(run, twin_of(run, 4, observation="else"))
    # The answers of step 4 are the same still: what was seen then differs from step 5 on.
    assert (cuts(0), cuts(1)) == ([1, 2, 3, 4, 5, 6], [5, 6])
    assert first.rejections[ACTION.name, REPEATED] == 0
    assert second.rejections[ACTION.name, REPEATED] == 4


def test_another_answer_or_another_thought_is_another_question():
    run = swe_run(1, steps=6)
    build(run, twin_of(run, 3, action="ls"), twin_of(run, 2, thought="Hm."))
    assert cuts(1)[0] == 3
    assert cuts(2)[0] == 2


def test_runs_of_other_tasks_are_no_repeats():
    run = swe_run(1, steps=3)
    build(run, replace(run, task="Do other work"))
    assert cuts(0) == cuts(1) == [1, 2, 3]


def test_building_again_keeps_and_adds_nothing():
    run = swe_run(1, steps=6)
    build(run, twin_of(run, 4, observation="else"))
    count = Candidate.objects.count()
    assert [b.candidates[ACTION.name] for b in build()] == [0, 0]
    assert Candidate.objects.count() == count
