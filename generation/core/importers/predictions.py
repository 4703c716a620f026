"""Reads predictions for SWE-bench instances with the reports of their evaluation.

A prediction is a document of one section, ``patch``: a wrong option where a report says that it
does not resolve its instance (success ``failed``), and no source of questions. One without a
report is unconfirmed. Formats: JSON lines, JSON arrays, or one object that maps instance ids to
predictions; fields instance_id, model_patch, model_name_or_path (or model).
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from generation.core.cuts import is_diff
from generation.core.importers.fields import FieldError, needed_text, optional_text
from generation.core.importers.importer import Importer, InputFile, Unrecognised
from generation.core.importers.issue_runs import NO_DIFF, files_ending
from generation.core.importers.streams import Parsed, Unparsed, json_values
from generation.core.importers.swe_bench import LICENCES, repository_of
from generation.core.patches import LONGEST_PATCH, PatchError, read_patch
from generation.core.records import (
    Document,
    Language,
    Note,
    Provenance,
    Refusal,
    Section,
    Success,
)

KIND = "predictions"
NO_PATCH = "the prediction is empty: nothing was handed in"
_LONGEST_NAME = 200
_VERDICTS = {True: Success.CONFIRMED, False: Success.FAILED, None: Success.UNCONFIRMED}


def files_in(folder: Path) -> Iterator[Path]:
    """Yield the .json and .jsonl files below ``folder`` that are named as predictions or results."""
    for path in files_ending(folder, ".json", ".jsonl"):
        if "pred" in path.name.lower() or path.stem.lower() == "results":
            yield path


def read_file(file: InputFile) -> Iterator[Document | Refusal | Unrecognised]:
    """Yield the predictions of one file, refusals among them, in the file's order.

    Raises:
        ImportInputError: the file, or a report of one of its predictions, cannot be read.
    """
    for parsed in _each(json_values(file.path)):
        if not isinstance(parsed, Parsed):
            yield Unrecognised(parsed.number, parsed.why)
        elif not isinstance(parsed.value, dict) or "model_patch" not in parsed.value:
            yield Unrecognised(parsed.number, "no prediction: no 'model_patch'", "model_patch")
        else:
            try:
                yield _document(file, parsed)
            except FieldError as error:
                yield Refusal(file.place(parsed.number), str(error))


def _each(values: Iterator[Parsed | Unparsed]) -> Iterator[Parsed | Unparsed]:
    """Yield the predictions of an object that maps instances to them one by one, numbered from 1."""
    for parsed in values:
        if isinstance(parsed, Parsed) and _maps_instances(parsed.value):
            for number, (name, each) in enumerate(parsed.value.items(), start=1):
                yield Parsed(number, {"instance_id": name, **each}, parsed.notes)
        else:
            yield parsed


def _maps_instances(value: Any) -> bool:
    if not isinstance(value, dict) or not value or "model_patch" in value:
        return False
    return all(isinstance(each, dict) for each in value.values())


def _document(file: InputFile, parsed: Parsed) -> Document:
    row: Mapping[str, Any] = parsed.value
    instance = needed_text(row, "instance_id").strip()
    model = (optional_text(row, "model_name_or_path") or optional_text(row, "model")).strip()
    for what, name in (("instance_id", instance), ("model_name_or_path", model)):
        if len(name) > _LONGEST_NAME:
            msg = f"field {what!r} has {len(name)} characters, {_LONGEST_NAME} at most"
            raise FieldError(msg)
    patch = optional_text(row, "model_patch")
    if not patch.strip():
        raise FieldError(NO_PATCH)
    if len(patch) > LONGEST_PATCH:
        msg = f"field 'model_patch' has {len(patch)} characters, {LONGEST_PATCH} at most"
        raise FieldError(msg)
    if not is_diff(patch):
        raise FieldError(NO_DIFF)
    return Document(
        provenance=Provenance(
            kind=KIND,
            external_id=f"{instance}:{model}" if model else instance,
            cluster=instance,
            where=f"{file.shown}:{parsed.number}",
            licence=LICENCES.get(repository_of(instance).casefold(), "unknown"),
            model=model,
        ),
        language=Language.EN,
        title=f"{instance} by {model or 'an unnamed model'}",
        sections=(Section("patch", patch, is_future=True),),
        facts={"repository": repository_of(instance)},
        success=_VERDICTS[file.reports.resolved(instance, file=file.path)],
        notes=(*parsed.notes, *_doubts(patch)),
    )


def _doubts(patch: str) -> Iterator[Note]:
    """Yield a note where the patch is cut: it cannot be applied."""
    try:
        read_patch(patch)
    except PatchError as error:
        yield Note("broken_patch", "model_patch", str(error))


IMPORTER = Importer(kind=KIND, files_in=files_in, read_file=read_file)
