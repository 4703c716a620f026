"""Reads SWE-smith runs: SWE-agent's .traj files, and rows of the trajectories data set.

A run known not to have resolved its task is refused; one without a report is unconfirmed.
Format: SWE-agent 1.0 trajectories; SWE-bench/SWE-smith-trajectories (messages, instance_id,
resolved, model, traj_id, patch). The ``messages`` and ``query`` fields of a step are never read:
the first already hold the step's own answer.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from generation.core.importers.importer import Importer, InputFile, Unrecognised
from generation.core.importers.reports import FOLDER
from generation.core.importers.streams import NotJsonError, Parsed, json_values, parse_json
from generation.core.importers.swe_agent_messages import (
    Conversation,
    MessageError,
    read_messages,
)
from generation.core.importers.tool_calls import TOOLS
from generation.core.records import (
    Language,
    Note,
    Outcome,
    Provenance,
    Refusal,
    Success,
    Trajectory,
)

KIND = "swe_smith"
LICENCE = "MIT"
UNRESOLVED = "unresolved: not usable as gold"
# What a whole .traj holds besides its history is a copy of it, or grows with its square.
_NOT_READ = (
    "trajectory",
    "info.edited_files30",
    "info.edited_files50",
    "info.edited_files70",
)
# What SWE-agent calls the environment of any instance.
_NAMELESS = frozenset({"main", "swe_main"})


class _Unusable(ValueError):
    """A record that is of this kind and still cannot be imported."""


def files_in(folder: Path) -> Iterator[Path]:
    """Yield the .traj and .jsonl files below ``folder``, outside ``run_evaluation`` folders."""
    for where, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != FOLDER)
        yield from (Path(where, name) for name in files if name.endswith((".traj", ".jsonl")))


def read_file(file: InputFile) -> Iterator[Trajectory | Refusal | Unrecognised]:
    """Yield the runs of one file, refusals among them, in the file's order.

    Raises:
        ImportInputError: the file, or a report of one of its runs, cannot be read.
    """
    for parsed in json_values(file.path, skip=_NOT_READ):
        if not isinstance(parsed, Parsed):
            yield Unrecognised(parsed.number, parsed.why)
            continue
        value = parsed.value
        if not isinstance(value, dict):
            yield Unrecognised(parsed.number, "no object")
        elif "history" not in value and "messages" not in value:
            why = "no run of SWE-agent or SWE-smith: neither 'history' nor 'messages'"
            yield Unrecognised(parsed.number, why, "messages")
        else:
            try:
                yield _trajectory(file, parsed, value)
            except (_Unusable, MessageError) as error:
                yield Refusal(where=file.place(parsed.number), why=str(error))


def _trajectory(file: InputFile, parsed: Parsed, run: Mapping[str, Any]) -> Trajectory:
    instance = _instance(file, run)
    success = _success(file, run, instance)
    conversation, notes = _conversation(run)
    if not conversation.steps:
        msg = "no step: no message of the assistant"
        raise _Unusable(msg)
    if not conversation.task.strip():
        msg = "no task: no message of the user before the first step"
        raise _Unusable(msg)
    model = _model(run)
    return Trajectory(
        provenance=Provenance(
            kind=KIND,
            external_id=_word(run, "traj_id") or ".".join(filter(None, (instance, model))),
            cluster=instance,
            where=f"{file.shown}:{parsed.number}",
            licence=_word(run, "licence") or LICENCE,
            model=model,
        ),
        language=Language.EN,
        task=conversation.task,
        system=conversation.system,
        steps=conversation.steps,
        tools=TOOLS,
        outcome=_outcome(run, conversation),
        success=success,
        notes=(*parsed.notes, *notes, *conversation.notes),
    )


def _instance(file: InputFile, run: Mapping[str, Any]) -> str:
    named = _word(run, "instance_id") or _word(run, "environment")
    if named and named not in _NAMELESS:
        return named
    if "history" in run:
        return file.path.stem
    msg = "field 'instance_id' is missing"
    raise _Unusable(msg)


def _success(file: InputFile, run: Mapping[str, Any], instance: str) -> Success:
    resolved = run.get("resolved")
    if isinstance(resolved, str):
        resolved = {"true": True, "false": False}.get(resolved.strip().casefold(), resolved)
    if resolved is None:
        resolved = file.reports.resolved(instance, file=file.path)
    if resolved is None:
        return Success.UNCONFIRMED
    if not isinstance(resolved, bool):
        msg = f"field 'resolved' is neither true nor false: {resolved!r:.60}"
        raise _Unusable(msg)
    if not resolved:
        raise _Unusable(UNRESOLVED)
    return Success.CONFIRMED


def _conversation(run: Mapping[str, Any]) -> tuple[Conversation, tuple[Note, ...]]:
    name = "history" if "history" in run else "messages"
    messages: Any = run[name]
    notes: tuple[Note, ...] = ()
    if isinstance(messages, str):
        try:
            messages, notes = parse_json(messages, field=name)
        except NotJsonError as error:
            msg = f"{name} is not valid JSON: {error}"
            raise _Unusable(msg) from error
    if not isinstance(messages, list):
        msg = f"field {name!r} is no list of messages"
        raise _Unusable(msg)
    return read_messages(messages), notes


def _outcome(run: Mapping[str, Any], conversation: Conversation) -> Outcome:
    info = run.get("info")
    info = info if isinstance(info, dict) else {}
    submission = _word(run, "patch") or _word(info, "submission")
    if submission.strip() and not _is_diff(submission):
        msg = "the submission is no diff"
        raise _Unusable(msg)
    if not submission and _is_diff(conversation.last_observation):
        submission = conversation.last_observation
    return Outcome(submission=submission, exit_status=_word(info, "exit_status"))


def _is_diff(text: str) -> bool:
    return "--- " in text and "+++ " in text


def _model(run: Mapping[str, Any]) -> str:
    named = _word(run, "model")
    config = run.get("replay_config")
    if named or not config:
        return named
    if isinstance(config, str):
        try:
            config = parse_json(config)[0]
        except NotJsonError:
            return ""
    for key in ("agent", "model"):
        config = config.get(key) if isinstance(config, dict) else None
    return _word(config, "name") if isinstance(config, dict) else ""


def _word(holder: Mapping[str, Any], name: str) -> str:
    value = holder.get(name)
    return value if isinstance(value, str) else ""


IMPORTER = Importer(kind=KIND, files_in=files_in, read_file=read_file)
