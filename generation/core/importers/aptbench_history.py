"""What an official row shows of the past: slots, actions done, and notes where it is unclear."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from generation.core.importers.aptbench_tasks import History
from generation.core.importers.commands import split_commands
from generation.core.importers.research_steps import StepError, read_steps, render_option
from generation.core.importers.streams import NotJsonError, parse_json
from generation.core.importers.swe_agent_messages import MessageError, read_messages
from generation.core.prompts import render_history
from generation.core.records import Note, Step


@dataclass(frozen=True, slots=True)
class Shown:
    """The slots that the history fills, and what it says was already done, in order."""

    slots: Mapping[str, str] = field(default_factory=dict)
    actions: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()


def read_history(history: History, value: str, *, name: str) -> Shown:
    """Return what the field ``name`` with text ``value`` shows.

    A history that does not parse is shown as it stands, with a note: an official row is kept.
    """
    try:
        match history:
            case History.NONE:
                return Shown()
            case History.COMMANDS:
                return _commands(value, name)
            case History.RESEARCH:
                return _research(value, name)
            case History.MESSAGES:
                return _messages(value, name)
    except (StepError, MessageError, NotJsonError) as error:
        note = Note("unparsed_history", name, str(error))
        return Shown(slots={"history": value}, notes=(note,))


def _commands(value: str, name: str) -> Shown:
    commands, certain = split_commands(value)
    detail = "a semicolon may belong to a command or join two: both readings are listed"
    notes = () if certain else (Note("ambiguous_command_join", name, detail),)
    return Shown(actions=commands, notes=notes)


def _research(value: str, name: str) -> Shown:
    steps, notes = read_steps(value, field=name)
    return Shown(
        slots={"history": render_history(steps)},
        actions=tuple(render_option(step) for step in steps),
        notes=notes,
    )


def _messages(value: str, name: str) -> Shown:
    """Read messages whose turns hold a thought and a call, or only a ``plan``.

    A last turn without a call is the thought of the step that is asked for.
    """
    messages, notes = parse_json(value, field=name)
    if not isinstance(messages, list):
        msg = f"field {name!r} is no list of messages"
        raise MessageError(msg)
    plans = any(isinstance(message, dict) and "plan" in message for message in messages)
    conversation = read_messages([_with_thought(message) for message in messages])
    steps: Sequence[Step] = conversation.steps
    thought = ""
    if steps and not steps[-1].action and not steps[-1].observation and not plans:
        thought, steps = steps[-1].thought, steps[:-1]
    done = [step.thought if plans else step.action for step in steps]
    return Shown(
        slots={
            "task": conversation.task,
            "system": conversation.system,
            "history": render_history(steps),
            "thought": thought,
        },
        actions=tuple(each for each in done if each),
        notes=(*notes, *conversation.notes),
    )


def _with_thought(message: Any) -> Any:
    if isinstance(message, dict) and isinstance(message.get("plan"), str):
        return {**message, "thought": message["plan"]}
    return message


def as_text(value: Any) -> str:
    """Return a field's text; a list or an object, where a row holds one, as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
