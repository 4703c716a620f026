"""One leak check as a line of JSON: what is read, what is refused, what is answered."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from generation.core.items import Finding
from generation.core.leakage.check import LeakChecker
from generation.core.records import Step


class CaseError(ValueError):
    """A line that is no case; the message names the field and what it should be."""


@dataclass(frozen=True, slots=True)
class Case:
    """An item cut from a run, with the run. ``gold`` are texts, ``cut`` is 1-based."""

    id: str | int
    task: str
    steps: tuple[Step, ...]
    cut: int
    prompt: str
    options: tuple[str, ...]
    gold: tuple[str, ...]
    final_answer: str = ""
    visible_thought: bool = False


def read_case(line: str | bytes) -> Case:
    """Return the case of one JSON line. Unknown fields are left alone.

    Raises:
        CaseError: the line is no JSON object, or a field is missing or of the wrong kind.
    """
    try:
        raw = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        msg = f"not JSON: {error}"
        raise CaseError(msg) from error
    if not isinstance(raw, dict):
        msg = f"expected a JSON object, got {_kind(raw)}"
        raise CaseError(msg)
    steps = tuple(_step(number, step) for number, step in enumerate(_list(raw, "steps"), start=1))
    cut = _field(raw, "cut")
    if not isinstance(cut, int) or isinstance(cut, bool):
        msg = f"'cut' must be a whole number, got {_kind(cut)}"
        raise CaseError(msg)
    if not 1 <= cut <= len(steps) + 1:
        msg = f"'cut' must be in 1..{len(steps) + 1} for {len(steps)} steps, got {cut}"
        raise CaseError(msg)
    options = tuple(
        _as_text(f"options[{index}]", option) for index, option in enumerate(_list(raw, "options"))
    )
    visible_thought = raw.get("visible_thought", False)
    if not isinstance(visible_thought, bool):
        msg = f"'visible_thought' must be true or false, got {_kind(visible_thought)}"
        raise CaseError(msg)
    final_answer = raw.get("final_answer")
    return Case(
        id=_id(_field(raw, "id")),
        task=_as_text("task", _field(raw, "task")),
        steps=steps,
        cut=cut,
        prompt=_as_text("prompt", _field(raw, "prompt")),
        options=options,
        gold=_gold(_field(raw, "gold"), options),
        final_answer="" if final_answer is None else _as_text("final_answer", final_answer),
        visible_thought=visible_thought,
    )


def check_case(case: Case) -> list[Finding]:
    """Return what leaks into the case's prompt and options."""
    checker = LeakChecker.for_trajectory(
        task=case.task, steps=case.steps, final_answer=case.final_answer
    )
    return checker.check(
        cut=case.cut,
        prompt=case.prompt,
        options=case.options,
        gold=case.gold,
        visible_thought=case.visible_thought,
    )


def case_report(case: Case, findings: list[Finding]) -> dict[str, Any]:
    """Return the answer as JSON values; ``max_severity`` is 0 where nothing was found."""
    return {
        "id": case.id,
        "findings": [
            {
                "kind": finding.kind,
                "severity": int(finding.severity),
                "field": finding.field,
                "start": finding.start,
                "end": finding.end,
                "text": finding.evidence,
                "source_step": finding.source_step,
            }
            for finding in findings
        ],
        "max_severity": max((int(finding.severity) for finding in findings), default=0),
    }


def _id(raw: object) -> str | int:
    if isinstance(raw, int) and not isinstance(raw, bool):
        return raw
    return _as_text("id", raw)


def _gold(raw: object, options: tuple[str, ...]) -> tuple[str, ...]:
    if isinstance(raw, str):
        return (raw,)
    if not isinstance(raw, list):
        msg = f"'gold' must be a text or a list of option indexes, got {_kind(raw)}"
        raise CaseError(msg)
    for index in raw:
        known = isinstance(index, int) and not isinstance(index, bool) and index >= 0
        if not known or index >= len(options):
            msg = f"'gold' must list indexes of the {len(options)} options (0-based), got {index!r}"
            raise CaseError(msg)
    return tuple(options[index] for index in raw)


def _step(number: int, raw: object) -> Step:
    if not isinstance(raw, dict):
        msg = f"'steps[{number - 1}]' must be an object, got {_kind(raw)}"
        raise CaseError(msg)
    texts = {}
    for name in ("thought", "action", "observation"):
        where = f"steps[{number - 1}].{name}"
        if name not in raw:
            msg = f"'{where}' is missing"
            raise CaseError(msg)
        texts[name] = _as_text(where, raw[name])
    return Step(tool="", arguments={}, **texts)


def _field(raw: Mapping[str, object], name: str) -> object:
    if name not in raw:
        msg = f"'{name}' is missing"
        raise CaseError(msg)
    return raw[name]


def _list(raw: Mapping[str, object], name: str) -> list[object]:
    value = _field(raw, name)
    if not isinstance(value, list):
        msg = f"'{name}' must be a list, got {_kind(value)}"
        raise CaseError(msg)
    return value


def _as_text(name: str, value: object) -> str:
    if not isinstance(value, str):
        msg = f"'{name}' must be a text, got {_kind(value)}"
        raise CaseError(msg)
    return value


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}
    return "null" if value is None else names.get(type(value), "a number")
