"""Write the short answer that a search agent's run leads to."""

from collections.abc import Iterator

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
from generation.core.tokens import count_tokens

_INSTRUCTION = """\
Each question gives something to find out and every step that an agent took to do so. Write the
short answer that these steps lead to, in brackets.

"""

_BLOCK = """\
To find out:
$task

Steps taken:
$history

Short answer: ["""

_MAX_NEW_TOKENS = 64
_STOP = ("]", "\n")


def build(trajectory: Trajectory) -> Iterator[Draft | Rejection]:
    """Yield one draft: the whole run is shown, the short answer it ended with is the gold.

    A question that is not in English, and an answer that is missing or can't be written within
    the budget, give a rejection.
    """
    if not trajectory.steps:
        return
    cut = len(trajectory.steps) + 1
    answer = trajectory.outcome.final_answer.strip()
    if trajectory.language is not Language.EN:
        yield Rejection(cut, f"the question's language is {trajectory.language}")
    elif not answer:
        yield Rejection(cut, "the run gives no short answer")
    elif any(mark in answer for mark in _STOP):
        yield Rejection(cut, "the answer holds a stop string")
    elif (size := count_tokens(answer)) > _MAX_NEW_TOKENS:
        yield Rejection(cut, f"the answer has {size} tokens, the budget is {_MAX_NEW_TOKENS}")
    else:
        yield Draft(cut=cut, gold=answer, slots={})


SUBTASK = Subtask(
    name="closed_answer_en",
    scenario=Scenario.CLOSED_QA,
    ability=Ability.ATOMIC,
    language=Language.EN,
    answer_format=AnswerFormat.COMPLETION,
    reader=Reader.ANSWER,
    metrics=("em_strict", "em_norm", "rouge1", "rouge2", "rougeL"),
    prompt=PromptParts(instruction=_INSTRUCTION, block=_BLOCK, answer_end="]"),
    max_new_tokens=_MAX_NEW_TOKENS,
    stop=_STOP,
    official_max_new_tokens=30,
    long_context=False,
    official=OfficialTask(dataset="deepresearch", task="summ_ans_en"),
    source_kinds=("infodeepseek",),
    build=build,
    set_name="dr",
)
