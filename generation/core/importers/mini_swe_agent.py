"""Reads mini-swe-agent runs: a bare list of messages (before 1.0) or ``mini-swe-agent-1.1``.

Every action is a shell command; the one that prints the submission marker ends the run, and what
it prints is the patch: never an observation. A run that a limit ended is refused, as is one known
not to have resolved its task; without a report success is unconfirmed. Of ``info.config`` only
the model's name is kept: it may carry keys.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from generation.core.importers.importer import Importer, InputFile, Unrecognised
from generation.core.importers.issue_runs import (
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
    whole_runs,
    word,
)
from generation.core.importers.streams import Parsed, json_values
from generation.core.importers.swe_agent_messages import text_of
from generation.core.importers.tool_calls import BASH, TOOLS
from generation.core.records import Language, Outcome, Provenance, Refusal, Step, Trajectory

KIND = "mini_swe_agent"
LICENCE = "MIT"
SUBMISSION_MARKER = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
"""What the command prints that ends a run; versions before 1.0 also had it begin MINI_SWE_AGENT."""
_OLD_MARKER = "MINI_SWE_AGENT_FINAL_OUTPUT"
_FENCES = ("```mswea_bash_command", "```bash")
_NOT_READ = (
    "messages.item.extra.response",
    "item.extra.response",
    "info.config.model.outputs",
)
_UNLIKE = unlike_a_run("mini-swe-agent", "messages")
# Rows of SWE-smith and worked examples of APTBench hold messages as well.
_MARKS_OF_OTHERS = frozenset({"resolved", "traj_id", "next"})
_TOOLS = tuple(tool for tool in TOOLS if tool.name == BASH)


def files_in(folder: Path) -> Iterator[Path]:
    """Return the .traj.json and .jsonl files below ``folder``, outside folders of reports."""
    return files_ending(folder, ".traj.json", ".jsonl")


def read_file(file: InputFile) -> Iterator[Trajectory | Refusal | Unrecognised]:
    """Yield the runs of one file, refusals among them, in the file's order.

    Raises:
        ImportInputError: the file, or a report of one of its runs, cannot be read.
    """
    values = whole_runs(json_values(file.path, skip=_NOT_READ), is_part=_is_message)
    return read_runs(file, values, unlike=_unlike, field="messages", read=_trajectory)


def _is_message(value: Any) -> bool:
    return isinstance(value, dict) and "role" in value and "messages" not in value


def _unlike(value: Any) -> str:
    if isinstance(value, list) and value and _is_message(value[0]):
        return ""
    if isinstance(value, dict) and "messages" in value and set(value) & _MARKS_OF_OTHERS:
        return "a row of another agent, no run of mini-swe-agent"
    return _UNLIKE(value)


def _trajectory(file: InputFile, parsed: Parsed) -> Trajectory:
    run: Mapping[str, Any] = (
        {"messages": parsed.value} if isinstance(parsed.value, list) else parsed.value
    )
    messages: Any = run["messages"]
    info = run.get("info")
    instance = word(run, "instance_id") or word(info, "instance_id") or stem_of(file.path)
    success = success_of(file, instance)
    ending: Mapping[str, Any] = {}
    if isinstance(messages, list):
        ending = _ending(messages)
        messages = [
            _as_call(message, number)
            for number, message in enumerate(messages, start=1)
            if word(message, "role") != "exit"
        ]
    conversation, notes = conversation_of(messages, field="messages")
    steps, printed = _without_submission(conversation.steps, ended=bool(ending))
    exit_status = word(info, "exit_status") or word(ending, "exit_status")
    submitted = word(info, "submission") or word(ending, "submission") or printed
    submission = patch_of(submitted)
    refuse_unfinished(exit_status, submission)
    model = word(below(info, "config", "model"), "model_name")
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
        steps=steps,
        tools=_TOOLS,
        outcome=Outcome(submission=submission, exit_status=exit_status),
        success=success,
        notes=(*parsed.notes, *notes, *conversation.notes),
    )


def _ending(messages: Sequence[Any]) -> Mapping[str, Any]:
    """Return what the last message says of how the run ended, if it is one of role ``exit``."""
    last = messages[-1] if messages else None
    if word(last, "role") != "exit":
        return {}
    extra = below(last, "extra")
    return {"exit_status": "", **extra} if isinstance(extra, Mapping) else {"exit_status": ""}


def _as_call(message: Any, number: int) -> Any:
    """Return an assistant's message with its commands as calls and its text as thought."""
    if word(message, "role") != "assistant":
        return message
    text = text_of(message.get("content"), number)
    thought, fenced = _fenced_command(text)
    actions = below(message, "extra", "actions")
    if isinstance(actions, list):
        calls: Any = [_call(action) for action in actions]
    elif message.get("tool_calls"):
        calls = message["tool_calls"]
    else:
        calls = [_call({"command": fenced})] if fenced else []
    return {"role": "assistant", "thought": thought, "tool_calls": calls}


def _call(action: Any) -> dict[str, Any]:
    identifier = word(action, "tool_call_id")
    command = word(action, "command")
    return {"id": identifier, "function": {"name": BASH, "arguments": {"command": command}}}


def _fenced_command(text: str) -> tuple[str, str]:
    """Return what stands before the one fenced command of a message, and the command.

    As the agent reads it: a block reaches to the first line that begins with a fence, and a
    message with several blocks makes no call.
    """
    opening = max(_FENCES, key=text.count)
    before, *blocks = text.split(opening)
    if len(blocks) != 1:
        return text, ""
    first, _, body = blocks[0].partition("\n")
    command, closing, _ = f"\n{body}".partition("\n```")
    return (before, command.strip()) if closing and not first.strip() else (text, "")


def _without_submission(steps: tuple[Step, ...], *, ended: bool) -> tuple[tuple[Step, ...], str]:
    """Return the steps without what the ending command printed, and that as the submission."""
    last = steps[-1]
    if not ended and SUBMISSION_MARKER not in last.action and _OLD_MARKER not in last.action:
        return steps, ""
    return (*steps[:-1], replace(last, observation="")), last.observation


IMPORTER = Importer(kind=KIND, files_in=files_in, read_file=read_file)
