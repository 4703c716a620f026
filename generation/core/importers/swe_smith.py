"""Reads SWE-smith runs: SWE-agent's .traj files, and rows of the trajectories data set.

A run known not to have resolved its task is refused; one without a report is unconfirmed.
Format: SWE-agent 1.0 trajectories; SWE-bench/SWE-smith-trajectories (messages, instance_id,
resolved, model, traj_id, patch). The ``messages`` and ``query`` fields of a step are never read:
the first already hold the step's own answer.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from generation.core.importers.importer import Importer, InputFile, Unrecognised
from generation.core.importers.issue_runs import (
    UnusableError,
    conversation_of,
    files_ending,
    patch_of,
    read_runs,
    success_of,
    unlike_a_run,
    word,
)
from generation.core.importers.streams import Parsed, json_values
from generation.core.importers.swe_agent import NAMELESS, NOT_READ, config_of, model_of
from generation.core.importers.tables import parquet_rows
from generation.core.importers.tool_calls import TOOLS
from generation.core.records import Language, Outcome, Provenance, Refusal, Trajectory

KIND = "swe_smith"
LICENCE = "MIT"
# What a whole .traj holds besides its history is a copy of it, or grows with its square.
_NOT_READ = ("trajectory", *NOT_READ)
_UNLIKE = unlike_a_run("SWE-agent or SWE-smith", "history", "messages")


def files_in(folder: Path) -> Iterator[Path]:
    """Return the .traj, .jsonl and .parquet files below ``folder``, outside folders of reports."""
    return files_ending(folder, ".traj", ".jsonl", ".parquet")


def read_file(file: InputFile) -> Iterator[Trajectory | Refusal | Unrecognised]:
    """Yield the runs of one file, refusals among them, in the file's order.

    Raises:
        ImportInputError: the file, or a report of one of its runs, cannot be read.
    """
    is_table = file.path.suffix.lower() == ".parquet"
    values = parquet_rows(file.path) if is_table else json_values(file.path, skip=_NOT_READ)
    return read_runs(file, values, unlike=_UNLIKE, field="messages", read=_trajectory)


def _trajectory(file: InputFile, parsed: Parsed) -> Trajectory:
    run: Mapping[str, Any] = parsed.value
    instance = _instance(file, run)
    success = success_of(file, instance, said=run.get("resolved"))
    field = "history" if "history" in run else "messages"
    conversation, notes = conversation_of(run[field], field=field)
    model = word(run, "model") or model_of(config_of(run))
    info = run.get("info")
    submission = patch_of(
        word(run, "patch") or word(info, "submission"),
        last_observation=conversation.last_observation,
    )
    return Trajectory(
        provenance=Provenance(
            kind=KIND,
            external_id=word(run, "traj_id") or ".".join(filter(None, (instance, model))),
            cluster=instance,
            where=f"{file.shown}:{parsed.number}",
            licence=word(run, "licence") or LICENCE,
            model=model,
        ),
        language=Language.EN,
        task=conversation.task,
        system=conversation.system,
        steps=conversation.steps,
        tools=TOOLS,
        outcome=Outcome(submission=submission, exit_status=word(info, "exit_status")),
        success=success,
        notes=(*parsed.notes, *notes, *conversation.notes),
    )


def _instance(file: InputFile, run: Mapping[str, Any]) -> str:
    named = word(run, "instance_id") or word(run, "environment")
    if named and named not in NAMELESS:
        return named
    if "history" in run:
        return file.path.stem
    msg = "field 'instance_id' is missing"
    raise UnusableError(msg)


IMPORTER = Importer(kind=KIND, files_in=files_in, read_file=read_file)
