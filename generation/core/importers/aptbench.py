"""Reads questions in the official APTBench layout, ``data/<dataset>/<task>/input_data.jsonl``.

Rows are kept one by one and as they are, repeated and faulty ones too: what is wrong with them
is for the checks to say. So a row is refused only where a field its prompt or answer needs is
missing.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from generation.core.importers.aptbench_history import as_text, read_history
from generation.core.importers.aptbench_prompts import read_prompts
from generation.core.importers.aptbench_tasks import OFFICIAL_ROWS, Answer, OfficialRows
from generation.core.importers.choices import parse_choices
from generation.core.importers.errors import ImportInputError
from generation.core.importers.importer import Importer, InputFile, Unrecognised
from generation.core.importers.research_steps import read_tools
from generation.core.importers.streams import Parsed, json_lines
from generation.core.importers.text import cluster_key
from generation.core.prompts import render_tools
from generation.core.records import Note, Provenance, Question, Refusal

KIND = "aptbench"
URL = "https://github.com/TencentYoutuResearch/APTBench"
_FILE = "input_data.jsonl"


class _UnusableField(ValueError):
    """A row lacks a field that it needs, or holds no text there."""


def files_in(folder: Path) -> Iterator[Path]:
    """Yield ``data/*/*/input_data.jsonl`` below a benchmark's folder, or below its ``data``."""
    root = folder / "data" if (folder / "data").is_dir() else folder
    for pattern in (f"*/*/{_FILE}", f"*/{_FILE}", _FILE):
        found = list(root.glob(pattern))
        if found:
            yield from found
            return


def read_file(file: InputFile) -> Iterator[Question | Refusal | Unrecognised]:
    """Yield one question a row, in the file's order; refusals for rows that lack a field.

    Raises:
        ImportInputError: the file cannot be read, or its folders name no official task.
    """
    dataset, task = _task_of(file.path)
    rows = OFFICIAL_ROWS.get((dataset, task))
    if rows is None:
        why = (
            f"{dataset}/{task} is no official task; the folders around {_FILE} name it: "
            "data/<dataset>/<task>/"
        )
        raise ImportInputError(file.path, why)
    for parsed in json_lines(file.path):
        if not isinstance(parsed, Parsed):
            yield Unrecognised(parsed.number, parsed.why)
        elif not isinstance(parsed.value, dict):
            yield Unrecognised(parsed.number, "no object")
        elif not _is_of(rows, parsed.value):
            field = rows.answer_field
            yield Unrecognised(parsed.number, f"no row of {dataset}/{task}", field)
        else:
            place = f"data/{dataset}/{task}/{file.path.name}:{parsed.number}"
            try:
                yield _question(rows, parsed, place)
            except _UnusableField as error:
                yield Refusal(where=file.place(parsed.number), why=str(error))


def _task_of(path: Path) -> tuple[str, str]:
    folder = path.absolute().parent
    return folder.parent.name, folder.name


def _is_of(rows: OfficialRows, row: Mapping[str, Any]) -> bool:
    return any(name in row for name in (rows.answer_field, *rows.slots.values()))


def _question(rows: OfficialRows, parsed: Parsed, place: str) -> Question:
    row: Mapping[str, Any] = parsed.value
    slots = {slot: _needed(row, name) for slot, name in rows.slots.items()}
    slots |= {slot: as_text(row.get(name) or "") for slot, name in rows.optional.items()}
    shown = read_history(rows.history, _needed_history(rows, row), name=rows.history_field)
    tools = read_tools(row.get("tool_set"))
    slots |= shown.slots
    if "history" in slots:
        slots["tools"] = render_tools(tools)
    options, notes = _options(rows, row)
    task = row.get(rows.cluster) if rows.cluster else slots.get("task")
    return Question(
        provenance=Provenance(
            kind=KIND,
            external_id=as_text(row.get("uuid") or ""),
            cluster=cluster_key(as_text(task or place)),
            where=place,
            licence=rows.licence,
            url=URL,
        ),
        subtask=rows.subtask,
        language=rows.language,
        slots=slots,
        options=options,
        gold=_gold(rows, row),
        raw=row,
        shown_actions=shown.actions,
        tools=tools,
        reference_answer=as_text(row.get("query_answer") or ""),
        notes=(*parsed.notes, *notes, *shown.notes),
    )


def _needed(row: Mapping[str, Any], name: str) -> str:
    """Return a field's text; what is no text would become a question that nobody wrote."""
    value = _there(row, name)
    if not isinstance(value, str):
        msg = f"field {name!r} holds {type(value).__name__}, not text"
        raise _UnusableField(msg)
    return value


def _there(row: Mapping[str, Any], name: str) -> Any:
    if row.get(name) is None:
        msg = f"field {name!r} is missing"
        raise _UnusableField(msg)
    return row[name]


def _needed_history(rows: OfficialRows, row: Mapping[str, Any]) -> str:
    return "" if rows.history is rows.history.NONE else as_text(_there(row, rows.history_field))


def _options(
    rows: OfficialRows, row: Mapping[str, Any]
) -> tuple[tuple[str, ...], tuple[Note, ...]]:
    if rows.answer is Answer.TEXT:
        return (), ()
    choices = parse_choices(_needed(row, "choices"))
    notes = []
    if choices.strays:
        letters = ", ".join(choices.strays)
        detail = f"also marked inside an option: {letters}"
        notes.append(Note("ambiguous_choice_labels", "choices", detail))
    if not choices.options:
        notes.append(Note("no_choice_labels", "choices", "no option begins with a label"))
    elif choices.lead.strip():
        detail = f"text before the first label: {choices.lead.strip()[:80]}"
        notes.append(Note("text_before_choices", "choices", detail))
    return choices.options, tuple(notes)


def _gold(rows: OfficialRows, row: Mapping[str, Any]) -> tuple[str, ...]:
    if rows.answer is Answer.LETTERS and isinstance(row.get(rows.answer_field), list):
        return tuple(as_text(each).strip() for each in row[rows.answer_field])
    text = _needed(row, rows.answer_field)
    if rows.answer is Answer.LETTERS:
        return tuple(each.strip() for each in text.split(",") if each.strip())
    return (text.strip() if rows.answer is Answer.LETTER else text,)


IMPORTER = Importer(kind=KIND, files_in=files_in, read_file=read_file, read_prompts=read_prompts)
