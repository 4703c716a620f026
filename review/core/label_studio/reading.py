"""Reads what Label Studio exports: JSON (tasks with annotations), JSON_MIN (a record an annotation).

Every fault is named with its field; nothing is guessed and nothing left out in silence.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from review.core.label_studio import controls

_MIN_FIELDS = frozenset({"annotator", "annotation_id", "lead_time", "created_at", "updated_at"})


class UnreadableTask(ValueError):
    """A task or annotation that can't be read; ``field`` says where in it."""

    def __init__(self, field: str, why: str) -> None:
        self.field = field
        self.why = why
        super().__init__(f"{field}: {why}")


@dataclass(frozen=True, slots=True)
class Annotation:
    """What one annotator said in one task.

    ``number`` is Label Studio's id of it, ``annotator`` an e-mail or an id as text; ``values``
    are the texts given at each control, ``own_key`` the key of the review that it was exported
    from, where it was. ``seconds`` is the lead time.
    """

    number: str
    annotator: str
    seconds: float
    made_at: str
    values: Mapping[str, Sequence[str]]
    own_key: str = ""

    def one(self, name: str) -> str:
        """Return the one text at a control, empty where nothing is said.

        Raises:
            UnreadableTask: there are several.
        """
        values = self.values.get(name, ())
        if len(values) > 1:
            raise UnreadableTask(name, f"{len(values)} values where one is expected")
        return values[0].strip() if values else ""

    def one_of(self, name: str, allowed: Sequence[str]) -> str:
        """Return the one text at a control, empty where nothing is said.

        Raises:
            UnreadableTask: there are several, or one that is not ``allowed``.
        """
        value = self.one(name)
        if value and value not in allowed:
            raise UnreadableTask(name, f"{value!r} is none of {', '.join(allowed)}")
        return value


@dataclass(frozen=True, slots=True)
class Task:
    """One task: Label Studio's number, the revision's key (empty: not ours), its annotations.

    ``skipped`` counts the annotations that their annotators cancelled.
    """

    number: str
    key: str
    option_texts: tuple[str, ...]
    finding_keys: tuple[str, ...]
    annotations: tuple[Annotation, ...]
    skipped: int = 0


def read_task(value: Any) -> Task:
    """Return a task of an export, of either format.

    Raises:
        UnreadableTask: it is no task, or a field has another shape.
    """
    if not isinstance(value, dict):
        raise UnreadableTask("task", f"{type(value).__name__}, not an object")
    if "data" in value:
        data = _mapping(value["data"], "data")
        made, skipped = _annotations(value)
    elif value.keys() & _MIN_FIELDS:
        data, skipped = value, 0
        # A task that nobody has annotated stands there with nothing in these fields.
        made = () if value.get("annotation_id") is None else (_of_min(value),)
    else:
        raise UnreadableTask("data", "missing: neither JSON nor JSON_MIN of Label Studio")
    return Task(
        number=str(value.get("id", "")),
        key=_text(data.get(controls.KEY, ""), f"data.{controls.KEY}"),
        option_texts=_texts(data.get("option_texts", []), "data.option_texts"),
        finding_keys=_texts(data.get("finding_keys", []), "data.finding_keys"),
        annotations=made,
        skipped=skipped,
    )


def _annotations(task: Mapping[str, Any]) -> tuple[tuple[Annotation, ...], int]:
    rows = task.get("annotations", task.get("completions", []))
    if not isinstance(rows, list):
        raise UnreadableTask("annotations", f"{type(rows).__name__}, not a list")
    made = []
    skipped = 0
    for index, row in enumerate(rows):
        field = f"annotations[{index}]"
        row = _mapping(row, field)
        if row.get("was_cancelled"):
            skipped += 1
        else:
            made.append(_annotation(row, field))
    return tuple(made), skipped


def _annotation(row: Mapping[str, Any], field: str) -> Annotation:
    results = row.get("result")
    if not isinstance(results, list):
        raise UnreadableTask(f"{field}.result", "missing or not a list")
    values: dict[str, list[str]] = {}
    own = ""
    for index, result in enumerate(results):
        where = f"{field}.result[{index}]"
        result = _mapping(result, where)
        name = _text(result.get("from_name", ""), f"{where}.from_name")
        if not name:
            continue  # a relation between regions: it has no control
        found = list(_values(_mapping(result.get("value", {}), f"{where}.value"), where))
        values.setdefault(name, []).extend(found)
        head, colon, tail = str(result.get("id", "")).rpartition(":")
        own = head if colon and tail == name else own
    return Annotation(
        number=str(row.get("id", "")),
        annotator=_annotator(row.get("completed_by")),
        seconds=_seconds(row.get("lead_time"), f"{field}.lead_time"),
        made_at=str(row.get("created_at") or ""),
        values=values,
        own_key=own,
    )


def _values(value: Mapping[str, Any], field: str) -> Iterator[str]:
    """Yield the texts of a result's value: its choices, texts, rating or number."""
    for kind in ("choices", "text"):
        if kind in value:
            yield from _texts(value[kind], f"{field}.value.{kind}")
    for kind in ("rating", "number"):
        if kind in value:
            yield _figure(value[kind], f"{field}.value.{kind}")


def _of_min(row: Mapping[str, Any]) -> Annotation:
    """Return the annotation of a JSON_MIN record: its controls stand beside the data."""
    values: dict[str, list[str]] = {}
    for name, given in row.items():
        if not controls.is_control(name):
            continue
        found: list[str] = []
        for each in given if isinstance(given, list) else [given]:
            if isinstance(each, dict):
                found += _values(each, name)
            elif isinstance(each, str):
                found.append(each)
        values[name] = found
    return Annotation(
        number=str(row.get("annotation_id", "")),
        annotator=_annotator(row.get("annotator")),
        seconds=_seconds(row.get("lead_time"), "lead_time"),
        made_at=str(row.get("created_at") or ""),
        values=values,
    )


def _annotator(value: Any) -> str:
    if isinstance(value, dict):
        value = value.get("email") or value.get("id")
    return "" if value is None else str(value)


def _seconds(value: Any, field: str) -> float:
    if value is None:
        return 0.0
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e9:
        raise UnreadableTask(field, f"{value!r} is no number of seconds")
    return float(value)


def _figure(value: Any, field: str) -> str:
    is_figure = isinstance(value, int) or (isinstance(value, float) and isfinite(value))
    if isinstance(value, bool) or not is_figure:
        raise UnreadableTask(field, f"{value!r} is no number")
    return str(int(value)) if value == int(value) else str(value)


def _text(value: Any, field: str) -> str:
    if not isinstance(value, str):
        raise UnreadableTask(field, f"{type(value).__name__}, not text")
    return value


def _texts(value: Any, field: str) -> tuple[str, ...]:
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list):
        raise UnreadableTask(field, f"{type(value).__name__}, not a list of texts")
    return tuple(_text(each, f"{field}[{index}]") for index, each in enumerate(values))


def _mapping(value: Any, field: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise UnreadableTask(field, f"{type(value).__name__}, not an object")
    return value
