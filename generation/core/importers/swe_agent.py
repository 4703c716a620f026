"""Reads SWE-agent's .traj files of any version: calls in ticks, in tags, or as structure.

A run whose submission is no diff (a flag) is refused, as is one known not to have resolved its
task or one that handed nothing in; without a report success is unconfirmed. Format: SWE-agent 0.x
and 1.x (environment, trajectory, history, info, replay_config). The steps come from ``history``,
what the agent was shown; ``trajectory`` adds the steps that a history broke off before, or stands
for it where there is none. A step's ``messages`` and ``query`` are read of the first step alone,
and there up to the first answer: later ones hold what is yet to come. ``state`` (JSON text in
0.x, an object in 1.x) is not read: what the agent saw of it stands in the observations.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from generation.core.importers.importer import Importer, InputFile, Unrecognised
from generation.core.importers.issue_runs import (
    UnusableError,
    below,
    cluster_of,
    conversation_of,
    files_ending,
    patch_of,
    read_runs,
    refuse_unfinished,
    stem_of,
    success_of,
    unlike_a_run,
    word,
)
from generation.core.importers.streams import (
    NotJsonError,
    Parsed,
    json_values,
    parse_json,
    values_under,
)
from generation.core.importers.swe_agent_messages import is_demonstration
from generation.core.importers.tool_calls import KNOWN_TOOLS, TOOLS
from generation.core.records import Language, Note, Outcome, Provenance, Refusal, Trajectory

KIND = "swe_agent"
LICENCE = "MIT"
NAMELESS = frozenset({"main", "swe_main"})
"""What SWE-agent calls the environment of any instance."""
NOT_READ = ("info.edited_files30", "info.edited_files50", "info.edited_files70")
"""Paths in a .traj that hold files as the run left them."""
_PREDICTIONS = "all_preds.jsonl"
_GROWING = (
    "trajectory.item.messages",
    "trajectory.item.query",
    "trajectory.item.extra_info",
)
_STATE_SHOWN = re.compile(
    r"\r?\n\(Open file: [^\n]*\)\r?\n\(Current directory: [^\n]*\)\r?\nbash-\$\s*\Z"
)
_UNLIKE = unlike_a_run("SWE-agent", "history", "trajectory")


def files_in(folder: Path) -> Iterator[Path]:
    """Yield the .traj and .jsonl files below ``folder``, outside folders of reports.

    The predictions that SWE-agent writes beside its runs are none of them.
    """
    found = files_ending(folder, ".traj", ".jsonl")
    return (path for path in found if path.name != _PREDICTIONS)


def read_file(file: InputFile) -> Iterator[Trajectory | Refusal | Unrecognised]:
    """Yield the runs of one file, refusals among them, in the file's order.

    Raises:
        ImportInputError: the file, or a report of one of its runs, cannot be read.
    """
    values = json_values(file.path, skip=(*NOT_READ, *_GROWING))
    return read_runs(file, values, unlike=_UNLIKE, field="history", read=_trajectory)


def _trajectory(file: InputFile, parsed: Parsed) -> Trajectory:
    run: Mapping[str, Any] = parsed.value
    config = config_of(run)
    instance = _instance(file, run, config)
    success = success_of(file, instance)
    info = run.get("info")
    exit_status = word(info, "exit_status")
    messages, added = _messages(file, parsed.number, run)
    conversation, notes = conversation_of(messages, field="history")
    submission = patch_of(
        word(info, "submission"),
        last_observation=_STATE_SHOWN.sub("", conversation.last_observation),
    )
    refuse_unfinished(exit_status, submission)
    model = model_of(config)
    known = all(step.tool in KNOWN_TOOLS for step in conversation.steps if step.tool)
    return Trajectory(
        provenance=Provenance(
            kind=KIND,
            external_id=".".join(filter(None, (instance, model))),
            cluster=cluster_of(instance, conversation.task),
            where=f"{file.shown}:{parsed.number}",
            licence=LICENCE,
            model=model,
        ),
        language=Language.EN,
        task=conversation.task,
        system=conversation.system,
        steps=conversation.steps,
        # Other tool sets are described in the system prompt alone.
        tools=TOOLS if known else (),
        outcome=Outcome(submission=submission, exit_status=exit_status),
        success=success,
        notes=(*parsed.notes, *notes, *added, *conversation.notes),
    )


def config_of(run: Mapping[str, Any]) -> Any:
    """Return a run's ``replay_config``: an object, or one written as JSON text; None for neither."""
    config = run.get("replay_config")
    if isinstance(config, str):
        try:
            return parse_json(config)[0]
        except NotJsonError:
            return None
    return config


def model_of(config: Any) -> str:
    """Return the name of the model in a ``replay_config``, empty where there is none."""
    return word(below(config, "agent", "model"), "name")


def _instance(file: InputFile, run: Mapping[str, Any], config: Any) -> str:
    named = word(run, "instance_id") or word(run, "environment")
    if named and named not in NAMELESS:
        return named
    return word(below(config, "problem_statement"), "id") or stem_of(file.path)


def _messages(file: InputFile, number: int, run: Mapping[str, Any]) -> tuple[Any, tuple[Note, ...]]:
    """Return the messages of a run and a note on those that its steps had to give."""
    history, steps = run.get("history"), run.get("trajectory")
    taken = _turns(steps) if isinstance(steps, list) else []
    if isinstance(history, list) and history:
        missing = _missing(history, taken)
        if not missing:
            return history, ()
        detail = f"the history lacks {len(missing)} of {len(taken)} steps: taken from 'trajectory'"
        extra = [message for turn in missing for message in turn]
        return [*history, *extra], (Note("steps_from_trajectory", "trajectory", detail),)
    if history is not None and history != []:
        return history, ()
    detail = "there is no history: steps taken from 'trajectory'"
    turns = [message for turn in taken for message in turn]
    return [*_asked(file, number, run), *turns], (
        Note("steps_from_trajectory", "trajectory", detail),
    )


def _turns(steps: list[Any]) -> list[list[dict[str, Any]]]:
    """Return each step of ``trajectory`` as the two messages it was made from."""
    turns = []
    for number, step in enumerate(steps, start=1):
        if not isinstance(step, dict):
            msg = f"field 'trajectory': step {number} is no object"
            raise UnusableError(msg)
        said = {
            "role": "assistant",
            "content": word(step, "response"),
            "action": word(step, "action"),
        }
        if isinstance(step.get("thought"), str):
            said["thought"] = step["thought"]
        turns.append([said, {"role": "user", "content": word(step, "observation")}])
    return turns


def _missing(history: list[Any], taken: list[list[dict[str, Any]]]) -> list[list[dict[str, Any]]]:
    """Return the turns that follow the last action of ``history``, where that can be told."""
    said = [
        word(message, "action").strip()
        for message in history
        if word(message, "role") == "assistant" and not is_demonstration(message)
    ]
    done = [turn[0]["action"].strip() for turn in taken]
    return taken[len(said) :] if said == done[: len(said)] else []


def _asked(file: InputFile, number: int, run: Mapping[str, Any]) -> list[Any]:
    """Return the messages before the first answer, from the input of the first step."""
    steps = run.get("trajectory")
    first: Any = steps[0] if isinstance(steps, list) and steps else None
    if number == 1 and not any(below(first, name) for name in ("query", "messages")):
        # Skipped in the first reading, since every later step holds them all again.
        found = next(values_under(file.path, "trajectory.item"), None)
        first = found.value if found is not None else None
    for name in ("query", "messages"):
        messages = below(first, name)
        if isinstance(messages, list):
            answers = (
                place
                for place, message in enumerate(messages)
                if word(message, "role") == "assistant" and not is_demonstration(message)
            )
            return messages[: next(answers, len(messages))]
    return []


IMPORTER = Importer(kind=KIND, files_in=files_in, read_file=read_file)
