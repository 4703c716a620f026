"""Write the command that comes next in the repair of a bug; the thought behind it is shown."""

from collections.abc import Iterator

from generation.core.cuts import command_fault, is_diff, repeat_fault, turn_fault
from generation.core.records import Language, Trajectory
from generation.core.subtask import (
    Ability,
    AnswerFormat,
    Draft,
    OfficialTask,
    PromptParts,
    Reader,
    Rejection,
    Scenario,
    Subtask,
)

_INSTRUCTION = """\
Each question shows a bug report, what an agent has done so far to repair the bug, and, where it is
known, what the agent thinks now. Write the command it runs next: a shell command, or a call of one
of its own tools, such as str_replace_editor or submit.

"""

_BLOCK = """\
Bug report:
$task

Work so far:
$history

The agent's thought now: $thought

The next command:
```bash
"""

_MAX_NEW_TOKENS = 512
_STOP = ("\n```",)


def build(trajectory: Trajectory) -> Iterator[Draft | Rejection]:
    """Yield a draft for every step whose command can be asked for: the command is the gold.

    A run that did not end in a patch gives one rejection and nothing else. A command that the
    shown history already holds is rejected: it could be copied.
    """
    if not trajectory.steps:
        return
    if not is_diff(trajectory.outcome.submission):
        yield Rejection(cut=1, why="the run's submission is no patch")
        return
    for cut, step in enumerate(trajectory.steps, start=1):
        fault = (
            turn_fault(step)
            or command_fault(step, max_new_tokens=_MAX_NEW_TOKENS, stop=_STOP)
            or repeat_fault(step, trajectory.steps[: cut - 1])
        )
        yield Rejection(cut, fault) if fault else Draft(cut=cut, gold=step.action.strip(), slots={})


SUBTASK = Subtask(
    name="issue_fix_action",
    scenario=Scenario.ISSUE_FIX,
    ability=Ability.ACTION,
    language=Language.EN,
    answer_format=AnswerFormat.COMPLETION,
    reader=Reader.COMMAND,
    metrics=("em_strict", "em_norm", "tool_match", "arg_f1"),
    prompt=PromptParts(instruction=_INSTRUCTION, block=_BLOCK, answer_end="\n```"),
    max_new_tokens=_MAX_NEW_TOKENS,
    stop=_STOP,
    official_max_new_tokens=10,
    official=OfficialTask(dataset="issue_fix", task="action"),
    source_kinds=("swe_smith", "swe_agent", "mini_swe_agent", "openhands"),
    build=build,
    shows_thought=True,
)
