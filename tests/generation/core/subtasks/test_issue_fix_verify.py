"""``issue_fix_verify``: the command that checks a change, and why a step is none."""

from dataclasses import replace

from generation.core.records import Step
from generation.core.registry import SUBTASKS
from generation.core.subtask import Draft, Rejection
from tests.generation.core.runs import swe_run

VERIFY = SUBTASKS["issue_fix_verify"]


def results(run):
    assert VERIFY.build is not None
    return {result.cut: result for result in VERIFY.build(run)}


def bash(command: str) -> Step:
    return Step("Do it", "bash", {"command": command}, command, "")


def with_step(command: str, *, before: int):
    run = swe_run(1)
    steps = (*run.steps[: before - 1], bash(command), *run.steps[before - 1 :])
    return results(replace(run, steps=steps))


def test_only_the_test_run_after_the_change_is_asked_for():
    run = swe_run(1)
    found = results(run)
    drafts = [cut for cut, result in found.items() if isinstance(result, Draft)]
    assert drafts == [6]
    assert found[6].gold == run.steps[5].action
    assert found[4].why == "no earlier step changed the code"
    assert {found[cut].why for cut in (1, 2, 3, 5, 7, 8)} == {"the step runs no check"}


def test_a_script_run_again_after_the_change_could_be_copied():
    again = swe_run(1).steps[3].action
    assert with_step(again, before=6)[6] == Rejection(6, "step 4 already made this call")


def test_a_check_written_in_the_command_can_not_be_asked():
    found = with_step("python -c 'import kiln'", before=6)[6]
    assert found == Rejection(6, "the command holds the code of its check")


def test_a_placeholder_is_no_answer():
    assert "placeholder" in with_step("pytest path/to/test_x.py", before=6)[6].why


def test_a_run_without_a_patch_is_refused():
    found = results(swe_run(1, submission="flag{1}"))
    assert found == {1: Rejection(1, "the run's submission is no patch")}


def test_the_thought_of_the_asked_step_is_not_shown():
    assert not VERIFY.shows_thought
    assert "$thought" not in VERIFY.prompt.block
