"""What the importers of bug-fix runs share: success, the patch handed in, the task behind a run."""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from generation.core.cuts import is_diff
from generation.core.importers.importer import InputFile, Unrecognised
from generation.core.importers.reports import FOLDERS
from generation.core.importers.streams import NotJsonError, Parsed, Unparsed, parse_json
from generation.core.importers.swe_agent_messages import (
    Conversation,
    MessageError,
    read_messages,
)
from generation.core.importers.text import cluster_key
from generation.core.records import Note, Refusal, Success, Trajectory

UNRESOLVED = "unresolved: not usable as gold"
NO_DIFF = "the submission is no diff"
_LONGEST_NAME = 200
_LONGEST_TOOL_NAME = 100
_INSTANCE = re.compile(r"\S+__\S+|\S*[A-Za-z]\S*-i?\d+")


class UnusableError(ValueError):
    """A record that is of an importer's kind and still cannot be imported."""


def files_ending(folder: Path, *endings: str) -> Iterator[Path]:
    """Yield the files below ``folder`` with one of the endings, outside the folders of reports."""
    for where, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in FOLDERS)
        yield from (Path(where, name) for name in files if name.endswith(endings))


def read_runs(
    file: InputFile,
    values: Iterable[Parsed | Unparsed],
    *,
    unlike: Callable[[Any], str],
    field: str,
    read: Callable[[InputFile, Parsed], Trajectory],
) -> Iterator[Trajectory | Refusal | Unrecognised]:
    """Yield a record for every value: what ``read`` makes of it, or why it gives none.

    ``unlike`` says why a value is no run of the kind, empty where it is one (``unlike_a_run``);
    ``field`` is the field that a run has.
    """
    for parsed in values:
        if not isinstance(parsed, Parsed):
            yield Unrecognised(parsed.number, parsed.why)
        elif why := unlike(parsed.value):
            yield Unrecognised(parsed.number, why, field if isinstance(parsed.value, dict) else "")
        else:
            try:
                record = read(file, parsed)
                _refuse_long_names(record)
                yield record
            except (UnusableError, MessageError) as error:
                yield Refusal(where=file.place(parsed.number), why=str(error))


def _refuse_long_names(run: Trajectory) -> None:
    place = run.provenance
    names = [("instance", place.external_id), ("model", place.model)]
    for what, name in names:
        if len(name) > _LONGEST_NAME:
            msg = f"the name of the {what} has {len(name)} characters, {_LONGEST_NAME} at most"
            raise UnusableError(msg)
    for number, step in enumerate(run.steps, start=1):
        if len(step.tool) > _LONGEST_TOOL_NAME:
            msg = f"step {number}: the tool's name is over {_LONGEST_TOOL_NAME} characters long"
            raise UnusableError(msg)


def unlike_a_run(agent: str, *fields: str) -> Callable[[Any], str]:
    """Return what says why a value is no run of ``agent``: a run has one of the fields at least."""
    names = " nor ".join(repr(name) for name in fields)

    def unlike(value: Any) -> str:
        if not isinstance(value, dict):
            return f"no run of {agent}: no object"
        if any(name in value for name in fields):
            return ""
        what = "a prediction, and " if "model_patch" in value else ""
        return f"{what}no run of {agent}: {'neither' if len(fields) > 1 else 'no'} {names}"

    return unlike


def whole_runs(
    values: Iterable[Parsed | Unparsed], *, is_part: Callable[[Any], bool]
) -> Iterator[Parsed | Unparsed]:
    """Yield ``values``, those of a file that lists the parts of one run as that one list.

    The first value decides: a part makes all of them one run, with the first one's number. A
    line that cannot be read is then yielded alone, since the run is not whole without it.
    """
    rest = iter(values)
    first = next(rest, None)
    if not isinstance(first, Parsed) or not is_part(first.value):
        yield from () if first is None else (first,)
        yield from rest
        return
    parts, notes = [first.value], [*first.notes]
    for parsed in rest:
        if not isinstance(parsed, Parsed):
            yield parsed
            return
        parts.append(parsed.value)
        notes += parsed.notes
    yield Parsed(first.number, parts, tuple(notes))


def stem_of(path: Path) -> str:
    """Return a file's name without the endings of run files: it often is the instance."""
    return path.name.removesuffix(".jsonl").removesuffix(".json").removesuffix(".traj")


def word(holder: Any, name: str) -> str:
    """Return the text of a field, empty where there is none."""
    value = holder.get(name) if isinstance(holder, Mapping) else None
    return value if isinstance(value, str) else ""


def below(holder: Any, *names: str) -> Any:
    """Return what lies in ``holder`` under one name after another, None where a name is missing."""
    for name in names:
        holder = holder.get(name) if isinstance(holder, Mapping) else None
    return holder


def success_of(file: InputFile, instance: str, *, said: Any = None) -> Success:
    """Return what is known of a run's success: as its row says, else as a report near it does.

    Raises:
        UnusableError: the run is known to have failed, or ``said`` is neither true nor false.
    """
    if isinstance(said, str):
        said = {"true": True, "false": False}.get(said.strip().casefold(), said)
    resolved = file.reports.resolved(instance, file=file.path) if said is None else said
    if resolved is None:
        return Success.UNCONFIRMED
    if not isinstance(resolved, bool):
        msg = f"field 'resolved' is neither true nor false: {resolved!r:.60}"
        raise UnusableError(msg)
    if not resolved:
        raise UnusableError(UNRESOLVED)
    return Success.CONFIRMED


def patch_of(submission: str, *, last_observation: str = "") -> str:
    """Return the patch that a run handed in; what ``submit`` answered where no field holds it.

    Raises:
        UnusableError: what was handed in is no diff (a flag, an answer).
    """
    if submission.strip() and not is_diff(submission):
        raise UnusableError(NO_DIFF)
    if not submission and is_diff(last_observation):
        return last_observation
    return submission


def refuse_unfinished(exit_status: str, submission: str) -> None:
    """Refuse a run that a limit or an error ended before it handed anything in.

    Raises:
        UnusableError: there is an exit status, none of a submission, and nothing was handed in.
    """
    if exit_status and not exit_status.casefold().startswith("submitted") and not submission:
        msg = f"the run ended with {exit_status!r} and handed nothing in"
        raise UnusableError(msg)


def cluster_of(instance: str, task: str) -> str:
    """Return the task behind a run: its instance id, or a short name of the task's own text.

    A name without an owner or a number (``trace``, ``local``) tells no task.
    """
    tells = len(instance) <= _LONGEST_NAME and _INSTANCE.fullmatch(instance)
    return instance if tells else cluster_key(task)


def conversation_of(messages: Any, *, field: str) -> tuple[Conversation, tuple[Note, ...]]:
    """Return the conversation of a field that holds messages as a list or as JSON text.

    Raises:
        UnusableError: it holds neither, or a run without a step or a task.
        MessageError: a message cannot be read.
    """
    notes: tuple[Note, ...] = ()
    if isinstance(messages, str):
        try:
            messages, notes = parse_json(messages, field=field)
        except NotJsonError as error:
            msg = f"{field} is not valid JSON: {error}"
            raise UnusableError(msg) from error
    if not isinstance(messages, list):
        msg = f"field {field!r} is no list of messages"
        raise UnusableError(msg)
    conversation = read_messages(messages)
    if not conversation.steps:
        msg = "no step: no message of the assistant"
        raise UnusableError(msg)
    if not conversation.task.strip():
        msg = "no task: no message of the user before the first step"
        raise UnusableError(msg)
    return conversation, notes
