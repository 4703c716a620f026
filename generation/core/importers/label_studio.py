"""Reads ready-made questions out of Label Studio exports (JSON and JSON_MIN, version 1.23).

A task becomes a question where its data names one of our subtasks (``subtask``) and holds the
texts of that subtask's prompt, by slot name; for choices also ``options``. Gold is ``gold`` in the
data, or the annotation that is marked as ground truth: what one annotator said is no gold, nor is
a prediction. Format: https://labelstud.io/guide/task_format
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from generation.core.importers.importer import Importer, InputFile, Unrecognised
from generation.core.importers.streams import Parsed, json_values
from generation.core.importers.text import cluster_key
from generation.core.labels import index_of, label_of
from generation.core.prompts import slot_names
from generation.core.records import Note, PassedOver, Provenance, Question, Refusal
from generation.core.registry import SUBTASKS
from generation.core.subtask import AnswerFormat, Subtask

KIND = "label_studio"
_MIN_FIELDS = frozenset({"annotator", "annotation_id", "lead_time"})
_OPTIONS = "options"
_MOST_OPTIONS = 26
OURS = "exported from here: its annotations come in with import_label_studio"


class _UnusableTask(ValueError):
    """A task lacks a field that a question needs, or holds something else there."""


def files_in(folder: Path) -> Iterator[Path]:
    """Yield the .json and .jsonl files below ``folder``."""
    for where, folders, files in os.walk(folder):
        folders.sort()
        yield from (Path(where, name) for name in files if name.endswith((".json", ".jsonl")))


def read_file(file: InputFile) -> Iterator[Question | PassedOver | Refusal | Unrecognised]:
    """Yield one question a task, in the file's order; refusals name task and field.

    Raises:
        ImportInputError: the file cannot be read.
    """
    for parsed in json_values(file.path):
        if not isinstance(parsed, Parsed):
            yield Unrecognised(parsed.number, parsed.why)
            continue
        data = _data(parsed.value)
        if data is None:
            why = "no task of Label Studio: neither 'data' nor the fields of JSON_MIN"
            yield Unrecognised(parsed.number, why, "data")
            continue
        task = str(parsed.value.get("id", ""))
        place = f"{file.place(parsed.number)}: task {task}" if task else file.place(parsed.number)
        if isinstance(data.get("key"), str) and "option_texts" in data:
            yield PassedOver(where=place, why=OURS)
            continue
        # Exported again under another name, a task is the same: its own number is its place.
        where = f"task {task}" if task else f"{file.shown}:{parsed.number}"
        try:
            yield _question(parsed, data, task, where)
        except _UnusableTask as error:
            yield Refusal(where=place, why=str(error))


def _data(value: Any) -> Mapping[str, Any] | None:
    if not isinstance(value, dict):
        return None
    if isinstance(value.get("data"), dict):
        data: Mapping[str, Any] = value["data"]
        return data
    if value.keys() >= _MIN_FIELDS:
        return {name: kept for name, kept in value.items() if name not in _MIN_FIELDS}
    return None


def _question(parsed: Parsed, data: Mapping[str, Any], task: str, where: str) -> Question:
    subtask = _subtask(data)
    names = [name for name in slot_names(subtask.prompt.block) if name != _OPTIONS]
    slots = {name: _text(data, name) for name in names}
    is_choice = subtask.answer_format is not AnswerFormat.COMPLETION
    options = _options(data) if is_choice else ()
    notes = list(parsed.notes)
    if predictions := parsed.value.get("predictions"):
        detail = f"{len(predictions)} not read: what a model says is no gold"
        notes.append(Note("predictions_left_out", "predictions", detail))
    return Question(
        provenance=Provenance(
            kind=KIND,
            external_id=_word(data, "external_id") or task or where,
            cluster=_word(data, "cluster") or cluster_key(next(iter(slots.values()))),
            where=where,
            licence=_word(data, "licence") or "unknown",
            url=_word(data, "url"),
        ),
        subtask=subtask.name,
        language=subtask.language,
        slots=slots,
        options=options,
        gold=_gold(parsed.value, data, options, is_choice=is_choice),
        raw=data,
        notes=tuple(notes),
    )


def _subtask(data: Mapping[str, Any]) -> Subtask:
    name = _text(data, "subtask")
    if name not in SUBTASKS:
        msg = f"field 'data.subtask': no subtask {name!r}; there are {', '.join(SUBTASKS)}"
        raise _UnusableTask(msg)
    subtask = SUBTASKS[name]
    language = _word(data, "language")
    if language and language != subtask.language:
        msg = f"field 'data.language': {language!r}, but {name} is {subtask.language}"
        raise _UnusableTask(msg)
    return subtask


def _options(data: Mapping[str, Any]) -> tuple[str, ...]:
    given = data.get(_OPTIONS)
    if not isinstance(given, list) or not 2 <= len(given) <= _MOST_OPTIONS:
        msg = f"field 'data.options': a list of 2 to {_MOST_OPTIONS} options is expected"
        raise _UnusableTask(msg)
    texts: list[Any] = [each.get("value") if isinstance(each, dict) else each for each in given]
    for index, text in enumerate(texts):
        if not isinstance(text, str) or not text.strip():
            msg = f"field 'data.options[{index}]': no text"
            raise _UnusableTask(msg)
    return tuple(texts)


def _gold(
    task: Mapping[str, Any], data: Mapping[str, Any], options: Sequence[str], *, is_choice: bool
) -> tuple[str, ...]:
    """Return gold as labels (choices) or texts, from the data or from the ground truth."""
    field = "data.gold"
    given: Any = data.get("gold")
    if given is None:
        field = "annotations"
        given = _ground_truth(task)
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, list) or not texts or not all(isinstance(t, str) for t in texts):
        msg = f"field {field!r}: no text or list of texts"
        raise _UnusableTask(msg)
    if not is_choice:
        return tuple(texts)
    return tuple(sorted({_label(text.strip(), options, field) for text in texts}))


def _label(text: str, options: Sequence[str], field: str) -> str:
    """Return the label that gold names, by itself or by the option's text."""
    labels = [label_of(index) for index in range(len(options))]
    stripped = [option.strip() for option in options]
    if text in labels and text not in stripped:
        return label_of(index_of(text))
    if stripped.count(text) == 1:
        return labels[stripped.index(text)]
    why = "names several options" if text in stripped else "is no label and no option"
    msg = f"field {field!r}: {text[:60]!r} {why}"
    raise _UnusableTask(msg)


def _ground_truth(task: Mapping[str, Any]) -> list[str]:
    """Return what the annotations that are marked as ground truth say, all the same thing."""
    rows = task.get("annotations")
    marked = [
        row
        for row in (rows if isinstance(rows, list) else [])
        if isinstance(row, dict) and row.get("ground_truth") and not row.get("was_cancelled")
    ]
    said = {tuple(_answer(row)) for row in marked}
    if not said:
        msg = "field 'data.gold': missing, and no annotation is marked as ground truth"
        raise _UnusableTask(msg)
    if len(said) > 1:
        msg = f"field 'annotations': {len(marked)} ground truths that differ"
        raise _UnusableTask(msg)
    return list(said.pop())


def _answer(row: Mapping[str, Any]) -> list[str]:
    """Return the texts of the control ``answer``, or of the one control that there is."""
    controls: dict[str, list[str]] = {}
    results = row.get("result")
    for result in results if isinstance(results, list) else []:
        value = result.get("value") if isinstance(result, dict) else None
        if isinstance(value, dict):
            texts = value.get("choices", value.get("text"))
            found = [texts] if isinstance(texts, str) else texts or []
            controls.setdefault(str(result.get("from_name")), []).extend(map(str, found))
    if "answer" in controls or len(controls) == 1:
        return controls.get("answer") or next(iter(controls.values()))
    msg = "field 'annotations': the ground truth has no control 'answer'"
    raise _UnusableTask(msg)


def _text(data: Mapping[str, Any], name: str) -> str:
    value = data.get(name)
    if not isinstance(value, str) or not value.strip():
        why = "missing" if value is None else f"{type(value).__name__}, not text"
        msg = f"field 'data.{name}': {'no text' if value == '' else why}"
        raise _UnusableTask(msg)
    return value


def _word(data: Mapping[str, Any], name: str) -> str:
    value = data.get(name)
    return value if isinstance(value, str) else ""


IMPORTER = Importer(kind=KIND, files_in=files_in, read_file=read_file)
