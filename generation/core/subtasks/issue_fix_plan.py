"""Choose the thought that comes next in the repair of a bug."""

from collections.abc import Iterator

from generation.core.cuts import is_diff, option_fault, thought_fault, turn_fault
from generation.core.operators.real_step_block import thought_options
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
Each question shows a bug report and what an agent has done so far to repair the bug. Some
statements of what to do now follow. One of them fits this point of the work; the others belong to
another time or to other work. Answer with its letter.

"""

_BLOCK = """\
Bug report:
$task

Work so far:
$history

What to do now:
$options

The statement that fits: ("""


def build(trajectory: Trajectory) -> Iterator[Draft | Rejection]:
    """Yield a draft for every step whose thought can be asked for: the thought is the gold.

    A run that did not end in a patch gives one rejection and nothing else.
    """
    if not trajectory.steps:
        return
    if not is_diff(trajectory.outcome.submission):
        yield Rejection(cut=1, why="the run's submission is no patch")
        return
    thoughts: set[str] = set()
    for cut, step in enumerate(trajectory.steps, start=1):
        thought = step.thought.strip()
        fault = turn_fault(step) or thought_fault(step) or option_fault(thought)
        if fault is None and thought in thoughts:
            fault = "an earlier step had this very thought"
        thoughts.add(thought)
        yield Rejection(cut, fault) if fault else Draft(cut=cut, gold=thought, slots={})


SUBTASK = Subtask(
    name="issue_fix_plan",
    scenario=Scenario.ISSUE_FIX,
    ability=Ability.PLAN,
    language=Language.EN,
    answer_format=AnswerFormat.CHOICE,
    reader=Reader.LETTER,
    metrics=("accuracy",),
    prompt=PromptParts(instruction=_INSTRUCTION, block=_BLOCK, answer_end=")"),
    max_new_tokens=10,
    stop=("\n\n",),
    official_max_new_tokens=10,
    choices=range(4, 5),
    official=OfficialTask(dataset="issue_fix", task="plan"),
    source_kinds=("swe_smith", "swe_agent", "mini_swe_agent", "openhands"),
    build=build,
    make_options=thought_options,
)
