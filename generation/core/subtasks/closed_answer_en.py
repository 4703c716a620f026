"""Write the short answer that a search agent's run leads to."""

from collections.abc import Iterator

from generation.core.records import Language, Trajectory
from generation.core.research_drafts import answer_drafts
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
    """Yield one draft, the short answer that the whole run leads to: see ``answer_drafts``."""
    return answer_drafts(trajectory, Language.EN, max_new_tokens=_MAX_NEW_TOKENS, stop=_STOP)


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
