"""Reads how a model took a research question apart: headers with sub-questions, written as a plan."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from generation.core.importers.fields import FieldError, texts_of
from generation.core.importers.streams import NotJsonError, parse_json

_INDENT = "     - "
_NUMBERED = re.compile(r"^\s*(?:\d+[.)]|[-*•])\s*")
_PLAN_HEADER = re.compile(r"\s*(\d+)[.)]\s+(\S.*)")
_PLAN_PART = re.compile(r"\s+[-*•]\s+(\S.*)")


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One header of a plan and the sub-questions under it."""

    header: str
    questions: tuple[str, ...]


def plan_text(steps: Sequence[PlanStep]) -> str:
    """Return a plan as official rows write it: numbered headers, sub-questions indented below."""
    lines: list[str] = []
    for number, step in enumerate(steps, start=1):
        lines.append(f"{number}. {step.header}")
        lines += [f"{_INDENT}{question}" for question in step.questions]
    return "\n".join(lines)


def read_plan(text: str) -> tuple[PlanStep, ...]:
    """Return the steps of a plan's text; a text without a numbered line has none.

    A file that holds ``\\n`` as two characters where lines end is read as if it held line ends.
    """
    plain = text.replace("\\n", "\n") if "\n" not in text else text
    steps: list[tuple[str, list[str]]] = []
    for line in plain.splitlines():
        header, part = _PLAN_HEADER.fullmatch(line), _PLAN_PART.fullmatch(line)
        if header is not None:
            steps.append((header[2].strip(), []))
        elif part is not None and steps:
            steps[-1][1].append(part[1].strip())
    return tuple(PlanStep(title, tuple(questions)) for title, questions in steps)


def read_decomposition(
    row: Mapping[str, Any], field: str
) -> tuple[tuple[PlanStep, ...], tuple[str, ...]]:
    """Return the steps and the search queries of a decomposition; both empty where there is none.

    ``headers`` are pairs of a header and its sub-questions (or objects of both); where they hold no
    sub-questions, those of ``subquestions`` that begin with a header stand under it.

    Raises:
        FieldError: the field holds something else.
    """
    held = row.get(field)
    if isinstance(held, str) and held.strip():
        try:
            held, _notes = parse_json(held, field=field)
        except NotJsonError as error:
            msg = f"field {field!r} is no JSON: {error}"
            raise FieldError(msg) from error
    if held is None or held == "":
        return (), ()
    if not isinstance(held, dict):
        msg = f"field {field!r} is no object"
        raise FieldError(msg)
    headers = held.get("headers") or []
    if not isinstance(headers, list):
        msg = f"field {field}.headers is no list"
        raise FieldError(msg)
    steps = tuple(_step(each, f"{field}.headers[{n}]") for n, each in enumerate(headers))
    loose = texts_of(held, "subquestions")
    if not any(step.questions for step in steps):
        steps = _grouped([step.header for step in steps], loose)
    return steps, texts_of(held, "queries")


def _step(pair: Any, place: str) -> PlanStep:
    header: Any = None
    rest: Any = []
    if isinstance(pair, str):
        header = pair
    elif isinstance(pair, dict):
        header = pair.get("header")
        rest = next((pair[name] for name in ("subquestions", "questions") if name in pair), [])
    elif isinstance(pair, list) and pair:
        header, rest = pair[0], pair[1:]
        rest = rest[0] if len(rest) == 1 and isinstance(rest[0], list) else rest
    if not isinstance(header, str) or not header.strip() or not isinstance(rest, list):
        msg = f"{place} is no header with its sub-questions"
        raise FieldError(msg)
    if not all(isinstance(each, str) for each in rest):
        msg = f"{place} holds a sub-question that is no text"
        raise FieldError(msg)
    return PlanStep(_plain(header), tuple(_plain(each) for each in rest if each.strip()))


def _grouped(headers: Sequence[str], questions: Sequence[str]) -> tuple[PlanStep, ...]:
    """Return a step for each header with the questions that begin with it; else one a question."""
    if not headers:
        return tuple(PlanStep(_plain(each), ()) for each in questions if each.strip())
    under: dict[str, list[str]] = {header: [] for header in headers}
    for question in questions:
        plain = _plain(question)
        header = next((each for each in headers if plain.startswith(each)), None)
        rest = _plain(plain[len(header) :].lstrip(" :–—-")) if header is not None else ""
        if header is not None and rest:
            under[header].append(rest)
    return tuple(PlanStep(header, tuple(under[header])) for header in headers)


def _plain(text: str) -> str:
    return " ".join(_NUMBERED.sub("", text).split())
