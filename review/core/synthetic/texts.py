"""Words of made-up sources and questions, drawn from a number; nothing in them is real."""

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random

from generation.core.records import Language
from generation.core.subtask import AnswerFormat, Subtask

_PARTS = ("kiln", "loom", "press", "lathe", "still", "forge", "pump", "crane")
_NOUNS = ("valve", "timer", "gauge", "filter", "hinge", "relay", "gasket", "spindle")
_VERBS = ("inspect", "replace", "measure", "rewrite", "restart", "compare", "remove", "test")
_ZH_NOUNS = ("阀门", "计时器", "压力表", "滤网", "铰链", "继电器", "垫圈", "主轴")
_ZH_VERBS = ("检查", "更换", "测量", "重写", "重启", "比较", "移除", "测试")
OBSERVATIONS = 300
"""How many different outputs the steps of all made-up runs share."""
STEPS = 12


@dataclass(frozen=True, slots=True)
class MadeSource:
    """A made-up source: a run of ``STEPS`` steps, or a ready-made question without steps."""

    number: int
    kind: str
    is_run: bool
    language: Language
    subtasks: tuple[str, ...]
    model: str
    licence: str
    is_confirmed: bool


_KINDS: tuple[tuple[str, bool, Language, tuple[str, ...]], ...] = (
    (
        "swe_smith",
        True,
        Language.EN,
        ("issue_fix_plan", "issue_fix_action", "issue_fix_verify"),
    ),
    ("openhands", True, Language.EN, ("issue_fix_plan", "issue_fix_action")),
    ("infodeepseek", True, Language.EN, ("closed_plan_en", "closed_answer_en")),
    ("infodeepseek", True, Language.ZH, ("closed_plan_zh", "closed_answer_zh")),
    ("aptbench", False, Language.EN, ("env_setup_plan", "env_setup_error", "open_plan_en")),
    ("aptbench", False, Language.ZH, ("open_citation_zh", "open_report_zh")),
)
_WEIGHTS = (5, 3, 3, 3, 3, 1)


def made_source(draw: Random, number: int) -> MadeSource:
    """Return the source of a number; what it is comes from ``draw``."""
    kind, is_run, language, subtasks = draw.choices(_KINDS, _WEIGHTS)[0]
    return MadeSource(
        number=number,
        kind=kind,
        is_run=is_run,
        language=language,
        subtasks=subtasks,
        model=draw.choice(("made-up-large", "made-up-small", "made-up-coder")) if is_run else "",
        licence=draw.choice(("MIT", "MIT", "Apache-2.0", "CC-BY-4.0")),
        is_confirmed=draw.random() < 0.97,
    )


def observation(number: int) -> str:
    """Return one of the ``OBSERVATIONS`` outputs, 200 to 2,000 characters long."""
    lines = 3 + number % 27
    return "".join(
        f"part {number}.{line}: the {_NOUNS[(number + line) % 8]} reads {number * 7 + line}, "
        "the door is shut and the fan runs on\n"
        for line in range(lines)
    )


def task(source: MadeSource) -> str:
    """Return what the run was asked to do; no two sources have the same."""
    part, noun = _PARTS[source.number % 8], source.number // 8 % 8
    if source.language is Language.ZH:
        return f"任务 {source.number}：第 {source.number} 号窑的{_ZH_NOUNS[noun]}出了问题，请查明原因。"
    return (
        f"Task {source.number}: the {_NOUNS[noun]} of {part} {source.number} no longer does what "
        "its manual says.\nFind out why and mend it."
    )


def action(source: MadeSource, step: int) -> str:
    """Return the command or call of a step of a run."""
    if source.kind == "infodeepseek":
        return f'search({{"query": "{_NOUNS[step % 8]} {source.number}"}})'
    return f"cat {_PARTS[source.number % 8]}/{_NOUNS[step % 8]}{step}.py"


def thought(source: MadeSource, step: int) -> str:
    """Return the thought of a step of a run."""
    if source.language is Language.ZH:
        return f"先{_ZH_VERBS[step % 8]}第 {source.number} 号的{_ZH_NOUNS[step * 3 % 8]}。"
    return f"{_VERBS[step % 8].title()} the {_NOUNS[step * 3 % 8]} of {source.number} first."


def option(source: MadeSource, cut: int, position: int) -> str:
    """Return an option's text; the options of one question differ."""
    if source.language is Language.ZH:
        return f"{_ZH_VERBS[position]}{_ZH_NOUNS[(cut + position) % 8]}，然后{_ZH_VERBS[cut % 8]}一次。"
    return (
        f"1. {_VERBS[position].title()} the {_NOUNS[(cut + position) % 8]}.\n"
        f"2. {_VERBS[(cut + 3) % 8].title()} it again."
    )


def answer(source: MadeSource, cut: int) -> str:
    """Return the gold of a written answer."""
    if source.kind == "infodeepseek":
        return f"{_NOUNS[cut % 8]} {source.number}"
    return action(source, cut)


def slots(source: MadeSource, cut: int, names: Iterable[str]) -> dict[str, str]:
    """Return the texts of a ready-made question by slot name."""
    return {name: f"{task(source)}\n({name}, question {cut})" for name in names}


def option_count(subtask: Subtask, draw: Random) -> int:
    """Return how many options a question has, 0 where the answer is written."""
    if subtask.answer_format is AnswerFormat.COMPLETION or subtask.choices is None:
        return 0
    return draw.choice(subtask.choices)
