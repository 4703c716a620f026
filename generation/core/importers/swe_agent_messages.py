"""Turns the messages of an agent's conversation into the task and its steps.

One turn of the assistant is one step (one for each call, where a turn makes several); what the
tools answered is the step's observation. Formats: SWE-agent's ``history`` and SWE-smith's rows,
whose calls are structured, XML-like or fenced; mini-swe-agent's messages.
"""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from generation.core.importers.streams import NotJsonError, parse_json
from generation.core.importers.tool_calls import (
    BASH,
    KNOWN_TOOLS,
    SUBMIT,
    WINDOW_COMMANDS,
    parse_action,
    parse_fenced_call,
    parse_tagged_action,
    parse_xml_call,
    render_call,
    same_but_for_blanks,
)
from generation.core.records import Note, Step

_OBSERVATION_PREFIXES = ("OBSERVATION:\n", "Observation: ")
_LONGEST_PYTHON_TEXT = 1024 * 1024
# How agents are told to head a thought: it says that one follows, and is none.
_THOUGHT_LABELS = ("DISCUSSION\n", "THOUGHT:")


class MessageError(ValueError):
    """A message that cannot be read; its text names the message and the field."""


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call: ``identifier`` joins it to its answer, ``recorded`` is its recorded text."""

    tool: str
    arguments: Mapping[str, Any]
    identifier: str = ""
    recorded: str = ""


@dataclass(slots=True)
class _Turn:
    thought: str
    call: Call
    observations: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Conversation:
    """The system prompt, the task and the steps of a run.

    ``last_observation`` is what the last ``submit`` answered (the patch): it is no part of the
    steps, since nothing comes after it.
    """

    system: str
    task: str
    steps: tuple[Step, ...]
    last_observation: str
    notes: tuple[Note, ...]


def read_messages(messages: Sequence[Any]) -> Conversation:
    """Return the conversation that ``messages`` hold; worked examples in it are left out.

    Raises:
        MessageError: a message is no object, its content is no text, or a call cannot be read.
    """
    system: list[str] = []
    task = ""
    turns: list[_Turn] = []
    notes: list[Note] = []
    for number, message in enumerate(messages, start=1):
        if not isinstance(message, dict):
            msg = f"message {number} is no object"
            raise MessageError(msg)
        if is_demonstration(message):
            where = f"message {number}"
            notes.append(Note("demonstration_left_out", where, "a worked example of another task"))
            continue
        role = message.get("role")
        text = text_of(message.get("content"), number)
        if role == "system":
            system.append(text)
        elif role == "assistant":
            turns += _turns(message, text, number)
        elif not turns:
            task = f"{task}\n\n{text}" if task else text
        else:
            _observe(turns, message, text)
    steps = [_step(number, turn, notes) for number, turn in enumerate(turns, start=1)]
    last_observation = ""
    if steps and steps[-1].tool == SUBMIT:
        last_observation = steps[-1].observation
        steps[-1] = Step(steps[-1].thought, SUBMIT, {}, SUBMIT, "")
    return Conversation("\n\n".join(system), task, tuple(steps), last_observation, tuple(notes))


def is_demonstration(message: Any) -> bool:
    """Say whether a message shows the agent a worked example."""
    return isinstance(message, dict) and bool(
        message.get("is_demo") or message.get("message_type") == "demonstration"
    )


def text_of(content: Any, number: int) -> str:
    """Return the text of a message's ``content``: a text, a list of texts, or nothing.

    Raises:
        MessageError: it is none of these; ``number`` is the message's.
    """
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = [part.get("text", "") if isinstance(part, dict) else part for part in content]
        if all(isinstance(part, str) for part in parts):
            return "".join(parts)
    msg = f"message {number}: field 'content' is neither text nor a list of texts"
    raise MessageError(msg)


def _turns(message: Mapping[str, Any], text: str, number: int) -> list[_Turn]:
    thought = message.get("thought")
    shown = thought if isinstance(thought, str) else text
    calls = read_tool_calls(message.get("tool_calls"), number)
    action = message.get("action")
    if calls:
        if len(calls) == 1 and isinstance(action, str) and action.strip():
            call = calls[0]
            calls = [Call(call.tool, call.arguments, call.identifier, action.strip())]
        first, *others = calls
        return [_Turn(bare_thought(shown), first), *(_Turn("", call) for call in others)]
    if isinstance(action, str) and action.strip():
        return [_Turn(bare_thought(shown), _written_call(action))]
    written = parse_xml_call(text) or parse_fenced_call(text)
    if written is not None:
        thought, tool, arguments = written
        command = arguments.get("command") if tool == BASH else None
        window = _window_call(command) if isinstance(command, str) else None
        return [_Turn(bare_thought(thought), window or Call(tool, arguments))]
    tagged = parse_tagged_action(text)
    if tagged is not None:
        return [_Turn(bare_thought(tagged[0]), _written_call(tagged[1]))]
    return [_Turn(bare_thought(shown), Call("", {}))]


def bare_thought(text: str) -> str:
    """Return a thought without the blanks around it and the label an agent heads it with."""
    text = text.strip()
    for label in _THOUGHT_LABELS:
        text = text.removeprefix(label).lstrip()
    return text


def _written_call(action: str) -> Call:
    """Return the call that an action's text makes."""
    return _window_call(action) or Call(*parse_action(action), recorded=action.strip())


def _window_call(action: str) -> Call | None:
    """Return the call of a command on the file window, None where the text makes none."""
    name = action.split(maxsplit=1)[:1]
    known = bool(name) and name[0] in WINDOW_COMMANDS
    return Call(name[0], {}, recorded=action.strip()) if known else None


def read_tool_calls(calls: Any, number: int) -> list[Call]:
    """Return the calls of message ``number``: a list, or one written as JSON or as Python text.

    Raises:
        MessageError: they are none of these, or a call has no name or no readable arguments.
    """
    if not calls:
        return []
    listed = _from_text(calls, f"message {number}: field 'tool_calls'")
    if not isinstance(listed, list):
        msg = f"message {number}: field 'tool_calls' is no list"
        raise MessageError(msg)
    return [_call(call, number) for call in listed]


def _call(call: Any, number: int) -> Call:
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(function, dict) or not isinstance(function.get("name"), str):
        msg = f"message {number}: a call without field 'function.name'"
        raise MessageError(msg)
    place = f"message {number}: field 'function.arguments'"
    arguments = _from_text(function.get("arguments") or {}, place)
    if not isinstance(arguments, dict):
        msg = f"{place} is no object"
        raise MessageError(msg)
    return Call(function["name"], arguments, str(call.get("id") or ""))


def _from_text(value: Any, place: str) -> Any:
    """Return ``value``, read from JSON where it is text, or from Python's way of writing it."""
    if not isinstance(value, str):
        return value
    try:
        return parse_json(value)[0]
    except NotJsonError as error:
        why = str(error)
    if len(value) <= _LONGEST_PYTHON_TEXT:
        try:
            return ast.literal_eval(value)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            pass
    msg = f"{place} is not valid JSON: {why}"
    raise MessageError(msg)


def _observe(turns: Sequence[_Turn], message: Mapping[str, Any], text: str) -> None:
    for prefix in _OBSERVATION_PREFIXES:
        if text.startswith(prefix):
            text = text[len(prefix) :]
            break
    listed = message.get("tool_call_ids")
    answered = listed if isinstance(listed, list) else [message.get("tool_call_id")]
    for turn in reversed(turns):
        if turn.call.identifier and turn.call.identifier in answered:
            turn.observations.append(text)
            return
    turns[-1].observations.append(text)


def _step(number: int, turn: _Turn, notes: list[Note]) -> Step:
    call = turn.call
    action = render_call(call.tool, call.arguments) if call.tool else ""
    if call.recorded and not same_but_for_blanks(action, call.recorded):
        action = call.recorded
        if call.tool in KNOWN_TOOLS:
            detail = f"the recorded action of {call.tool} differs from its arguments and is kept"
            notes.append(Note("recorded_action_kept", f"step {number}", detail))
    return Step(
        thought=turn.thought,
        tool=call.tool,
        arguments=call.arguments,
        action=action,
        observation="\n".join(turn.observations),
    )
