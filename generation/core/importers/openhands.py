"""Reads OpenHands runs: rows of an evaluation's output, of the resolver's, and bare event lists.

A run with an error is refused, as is one known not to have resolved its task; success is said by
a report beside the file, and unconfirmed without one. The resolver's ``success`` is a model's
opinion: it can refuse a run, and never confirms one. Format: OpenHands evaluation output
(instance_id, instruction, test_result, metadata, history, metrics, error, instance), resolver
output (issue, git_patch, success), event lists of its tests.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from generation.core.importers.importer import Importer, InputFile, Unrecognised
from generation.core.importers.issue_runs import (
    UNRESOLVED,
    UnusableError,
    below,
    cluster_of,
    files_ending,
    patch_of,
    read_runs,
    stem_of,
    success_of,
    unlike_a_run,
    whole_runs,
    word,
)
from generation.core.importers.openhands_events import Events, is_event, read_events
from generation.core.importers.streams import Parsed, json_values
from generation.core.importers.tool_calls import THINK_TOOL, TOOLS
from generation.core.records import (
    Language,
    Note,
    Outcome,
    Provenance,
    Refusal,
    Trajectory,
)

KIND = "openhands"
LICENCE = "MIT"
_NOT_READ = ("metrics", "history.item.llm_metrics", "item.llm_metrics")
_UNLIKE = unlike_a_run("OpenHands", "history")
_LONGEST_ERROR = 200


def files_in(folder: Path) -> Iterator[Path]:
    """Return the .jsonl and .traj.json files below ``folder``, outside folders of reports."""
    return files_ending(folder, ".jsonl", ".traj.json")


def read_file(file: InputFile) -> Iterator[Trajectory | Refusal | Unrecognised]:
    """Yield the runs of one file, refusals among them, in the file's order.

    Raises:
        ImportInputError: the file, or a report of one of its runs, cannot be read.
    """
    values = whole_runs(json_values(file.path, skip=_NOT_READ), is_part=is_event)
    return read_runs(file, values, unlike=_unlike, field="history", read=_trajectory)


def _unlike(value: Any) -> str:
    if isinstance(value, list) and value and is_event(value[0]):
        return ""
    return _UNLIKE(value)


def _trajectory(file: InputFile, parsed: Parsed) -> Trajectory:
    run: Mapping[str, Any] = (
        {"history": parsed.value} if isinstance(parsed.value, list) else parsed.value
    )
    instance = _instance(run) or stem_of(file.path)
    _refuse_failed(run)
    said = below(run, "report", "resolved")
    success = success_of(
        file,
        instance,
        said=below(run, "test_result", "report", "resolved") if said is None else said,
    )
    events = _events(run)
    task = events.task if events.task.strip() else word(run, "instruction")
    if not task.strip():
        msg = "no task: no message of the user before the first step, no field 'instruction'"
        raise UnusableError(msg)
    model = word(below(run, "metadata", "llm_config"), "model")
    patch = word(below(run, "test_result"), "git_patch") or word(run, "git_patch")
    return Trajectory(
        provenance=Provenance(
            kind=KIND,
            external_id=".".join(filter(None, (instance, model))),
            cluster=cluster_of(instance, task),
            where=f"{file.shown}:{parsed.number}",
            licence=LICENCE,
            model=model,
        ),
        language=Language.EN,
        task=task,
        system=events.system,
        steps=events.steps,
        tools=(*TOOLS, THINK_TOOL),
        outcome=Outcome(final_answer=events.final_answer, submission=patch_of(patch)),
        success=success,
        notes=(*parsed.notes, *events.notes, *_doubts(events)),
    )


def _instance(run: Mapping[str, Any]) -> str:
    issue = run.get("issue")
    number = below(issue, "number")
    if word(run, "instance_id") or number is None:
        return word(run, "instance_id")
    return f"{word(issue, 'owner')}__{word(issue, 'repo')}-{number}"


def _refuse_failed(run: Mapping[str, Any]) -> None:
    error = run.get("error")
    if error:
        msg = f"the run ended in an error: {' '.join(str(error).split())[:_LONGEST_ERROR]}"
        raise UnusableError(msg)
    if run.get("success") is False:
        raise UnusableError(UNRESOLVED)


def _events(run: Mapping[str, Any]) -> Events:
    history = run["history"]
    if not isinstance(history, list):
        msg = "field 'history' is no list of events"
        raise UnusableError(msg)
    events = read_events(history)
    if not events.steps:
        msg = "no step: no action of the agent"
        raise UnusableError(msg)
    return events


def _doubts(events: Events) -> tuple[Note, ...]:
    """Return a note where the agent itself said that the task is not done."""
    if events.completed.casefold() in {"", "true"}:
        return ()
    detail = f"at the end the agent said of the task being completed: {events.completed}"
    return (Note("task_not_completed", f"step {len(events.steps)}", detail),)


IMPORTER = Importer(kind=KIND, files_in=files_in, read_file=read_file)
