"""Built items hold nothing of their run's future; what a person writes into one is held against it."""

import pytest

from generation.core.items import Severity
from generation.core.records import Step
from generation.models import CandidateState, Finding, Option, Revision
from generation.services.checks import run_checks
from generation.services.leaks import leak_checker, leaking_option
from tests.commands import run_json
from tests.make import make_completion, make_trajectory
from tests.shared_data import DATA, needs_shared

pytestmark = pytest.mark.django_db


def findings_of(revision) -> set[tuple[str, int, str]]:
    run_checks()
    rows = Finding.objects.filter(revision=revision)
    return set(rows.values_list("kind", "severity", "field"))


def test_built_item_has_no_leak():
    assert findings_of(make_completion(state="draft")) == set()


def test_slot_that_quotes_a_later_observation_is_found():
    seen = "temperature is now 1234 degrees in every one of the seven chambers"
    steps = (*make_trajectory(steps=3).steps, Step("Look.", "bash", {}, "cat log", seen))
    revision = make_completion(state="draft", steps=steps)
    revision.slots = {"thought": f"I expect that the {seen}."}
    revision.save()
    assert any(field == "prompt" for _kind, _severity, field in findings_of(revision))


def test_slot_that_gives_gold_away_blocks_the_release():
    gold = "python -m kiln.cool --slowly --until 400 --log cooling.txt"
    revision = make_completion(state="draft", gold=gold)
    revision.slots = {"thought": f"Now I run {gold}"}
    revision.save()
    assert ("gold_in_prompt", Severity.BLOCKS_RELEASE, "prompt") in findings_of(revision)


def test_option_may_hold_a_later_thought_and_never_a_later_observation():
    trajectory = make_trajectory(steps=6)
    checker = leak_checker(trajectory)
    assert leaking_option([trajectory.steps[4].thought], 2, checker) == ""
    observation = "temperature is now 1234 degrees in every one of the seven chambers"
    steps = (*trajectory.steps, Step("Look.", "bash", {}, "cat log", observation))
    checker = leak_checker(make_trajectory(steps=steps))
    assert leaking_option([f"See that the {observation}"], 2, checker)


REAL_RUNS = {
    "swe_smith": "swe_smith_traj",
    "swe_agent": "swe_agent_traj",
    "mini_swe_agent": "mini_swe_agent",
    "openhands": "openhands",
    "infodeepseek": "infodeepseek",
}


@needs_shared
def test_candidates_of_the_real_runs_show_nothing_that_needs_a_person():
    for kind, folder in REAL_RUNS.items():
        run_json("import_sources", kind, DATA / folder)
    run_json("build_candidates")
    run_json("generate_distractors", "--rules-only")
    assert run_json("run_checks")["revisions"] > 400
    assert Option.objects.exclude(operator="gold").count() > 700
    checked = Revision.objects.exclude(candidate__state=CandidateState.DRAFT)
    kinds = checked.values_list("candidate__source__kind", "candidate__subtask").distinct()
    assert {kind for kind, _subtask in kinds} == set(REAL_RUNS)
    for kind in set(REAL_RUNS) - {"infodeepseek"}:
        assert {(kind, "issue_fix_plan"), (kind, "issue_fix_action")} <= set(kinds)
    worst = Finding.objects.filter(severity__gte=Severity.NEEDS_PERSON)
    assert list(worst.values_list("kind", "field", "evidence")) == []
