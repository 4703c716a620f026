"""Write the command that shows whether a repair works, right after the code was changed. Ours."""

from collections.abc import Iterator

from generation.core.cuts import command_fault, is_diff, repeat_fault, turn_fault
from generation.core.records import Language, Step, Trajectory
from generation.core.subtask import (
    Ability,
    AnswerFormat,
    Draft,
    PromptParts,
    Reader,
    Rejection,
    Scenario,
    Subtask,
)
from generation.core.verifying import CodeChanges, is_inline, verifies

_INSTRUCTION = """\
Each question shows a bug report and what an agent has done so far; it has changed the code. Write
the shell command with which it now finds out whether the change does what it should: by running
tests, or a script that shows the fault or tries further cases.

"""

_BLOCK = """\
Bug report:
$task

Work so far:
$history

The command that verifies the change:
```bash
"""

_MAX_NEW_TOKENS = 512
_STOP = ("\n```",)


def build(trajectory: Trajectory) -> Iterator[Draft | Rejection]:
    """Yield a draft for every command that verifies a change of the code: the command is the gold.

    A run that did not end in a patch gives one rejection and nothing else. Rejected are commands
    that run no check, that come before any change, that hold the code of their check (nobody
    could write the same) and those that an earlier step made already (they could be copied).
    """
    if not trajectory.steps:
        return
    if not is_diff(trajectory.outcome.submission):
        yield Rejection(cut=1, why="the run's submission is no patch")
        return
    changes = CodeChanges()
    for cut, step in enumerate(trajectory.steps, start=1):
        fault = (
            turn_fault(step)
            or _no_verification(step, changed=changes.any)
            or command_fault(step, max_new_tokens=_MAX_NEW_TOKENS, stop=_STOP)
            or repeat_fault(step, trajectory.steps[: cut - 1])
        )
        yield Rejection(cut, fault) if fault else Draft(cut=cut, gold=step.action.strip(), slots={})
        changes.take(step)


def _no_verification(step: Step, *, changed: bool) -> str | None:
    """Return why a step does not verify a change; None when it does."""
    if step.tool != "bash" or not verifies(step.action.strip()):
        return "the step runs no check"
    if not changed:
        return "no earlier step changed the code"
    if is_inline(step.action.strip()):
        return "the command holds the code of its check"
    return None


SUBTASK = Subtask(
    name="issue_fix_verify",
    scenario=Scenario.ISSUE_FIX,
    ability=Ability.ACTION,
    language=Language.EN,
    answer_format=AnswerFormat.COMPLETION,
    reader=Reader.COMMAND,
    metrics=("em_strict", "em_norm", "tool_match", "arg_f1"),
    prompt=PromptParts(instruction=_INSTRUCTION, block=_BLOCK, answer_end="\n```"),
    max_new_tokens=_MAX_NEW_TOKENS,
    stop=_STOP,
    official_max_new_tokens=30,
    source_kinds=("swe_smith", "swe_agent", "mini_swe_agent", "openhands"),
    build=build,
)
