"""Turns the events of an OpenHands run into the task and its steps.

An action of the agent is one step; what happened on it is the observation whose ``cause`` is the
action's id (ids have gaps). Format: OpenHands event streams, flat, or in the old shape a list of
``[action, observation]`` pairs. Function names become those of the other bug-fix runs:
``execute_bash`` is ``bash``, ``finish`` is ``submit``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from generation.core.importers.issue_runs import UnusableError, below, word
from generation.core.importers.swe_agent_messages import Call, bare_thought, read_tool_calls
from generation.core.importers.tool_calls import (
    BASH,
    EDITOR,
    KNOWN_TOOLS,
    SUBMIT,
    THINK,
    TOOLS,
    render_call,
)
from generation.core.records import Note, Step

_TOOL_OF_ACTION = {
    "run": BASH,
    "read": EDITOR,
    "edit": EDITOR,
    "write": EDITOR,
    "think": THINK,
    "finish": SUBMIT,
}
_TOOL_OF_FUNCTION = {"execute_bash": BASH, "cmd_run": BASH, "finish": SUBMIT}
# What the platform does by itself between the agent's actions.
_PLATFORM = frozenset(
    {
        "agent_state_changed",
        "change_agent_state",
        "condensation",
        "null",
        "pause",
        "recall",
        "resume",
        "system",
    }
)
_DECLARED = {tool.name: tuple(tool.arguments) for tool in TOOLS}
_NO_ARGUMENT = frozenset({"thought"})


@dataclass(frozen=True, slots=True)
class Events:
    """The system prompt, the task and the steps; ``final_answer`` is what ``finish`` said.

    ``completed`` is what ``finish`` said of the task (true, partial, false), empty where nothing.
    """

    system: str
    task: str
    steps: tuple[Step, ...]
    final_answer: str
    completed: str
    notes: tuple[Note, ...]


@dataclass(slots=True)
class _Turn:
    thought: str
    call: Call
    observations: list[str] = field(default_factory=list)


def is_event(value: Any) -> bool:
    """Say whether a value is an event, or an old pair of action and observation."""
    if isinstance(value, list):
        return len(value) == 2 and all(is_event(each) for each in value)
    return isinstance(value, dict) and ("action" in value or "observation" in value)


def read_events(history: Sequence[Any]) -> Events:
    """Return what the events hold.

    Raises:
        UnusableError: an event is none, or has no id to be joined by.
        MessageError: a recorded tool call cannot be read.
    """
    reading = _Reading()
    for number, event in enumerate(_flat(history), start=1):
        reading.take(event, number)
    return reading.events()


def _flat(history: Sequence[Any]) -> list[Mapping[str, Any]]:
    """Return the events in order; those of pairs are joined by ids of their own."""
    events: list[Mapping[str, Any]] = []
    for number, entry in enumerate(history, start=1):
        if not is_event(entry):
            msg = f"event {number} is neither an action nor an observation"
            raise UnusableError(msg)
        if isinstance(entry, list):
            action, observation = entry
            identifier = f"pair {number}"
            events += [{**action, "id": identifier}, {**observation, "cause": identifier}]
        else:
            events.append(entry)
    return events


class _Reading:
    """The turns read so far, and which event's observation belongs to which."""

    def __init__(self) -> None:
        self._system: list[str] = []
        self._task: list[str] = []
        self._turns: list[_Turn] = []
        self._turn_of: dict[Any, _Turn | None] = {}
        self._notes: list[Note] = []
        self._final_answer = self._completed = ""

    def take(self, event: Mapping[str, Any], number: int) -> None:
        """Read one event; ``number`` is its place in the history, from 1."""
        if isinstance(event.get("action"), str):
            self._turn_of[_identifier(event.get("id"), number)] = self._act(event, number)
        else:
            self._observe(event, number)

    def _act(self, event: Mapping[str, Any], number: int) -> _Turn | None:
        action = event["action"]
        content = word(below(event, "args"), "content")
        if action == "system":
            self._system.append(content)
        elif action == "message" and event.get("source") == "user":
            if self._turns:
                self._turns[-1].observations.append(content)
            else:
                self._task.append(content)
        elif action not in _PLATFORM and event.get("source") != "user":
            turn = _turn(event, number)
            self._turns.append(turn)
            if action == "finish":
                said = below(event, "args")
                older = word(below(said, "outputs"), "content")
                self._final_answer = word(said, "final_thought") or older
                self._completed = str(below(said, "task_completed") or "")
            return turn
        return None

    def _observe(self, event: Mapping[str, Any], number: int) -> None:
        content = word(event, "content")
        cause = event.get("cause")
        if cause is not None and _identifier(cause, number) in self._turn_of:
            turn = self._turn_of[_identifier(cause, number)]
            if turn is not None:
                turn.observations.append(content)
        elif event.get("observation") in _PLATFORM:
            return
        elif cause is None:
            # The agent's call could not be read, so no action was recorded: an error turn.
            self._turns.append(_Turn("", Call("", {}), [content]))
        else:
            detail = f"its action {cause!r} is not in the history: left out"
            self._notes.append(Note("observation_without_action", f"event {number}", detail))

    def events(self) -> Events:
        """Return what was read."""
        return Events(
            system="\n\n".join(filter(None, self._system)),
            task="\n\n".join(filter(None, self._task)),
            steps=tuple(_step(turn) for turn in self._turns),
            final_answer=self._final_answer,
            completed=self._completed,
            notes=tuple(self._notes),
        )


def _identifier(value: Any, number: int) -> int | str:
    if isinstance(value, int | str):
        return value
    msg = f"event {number}: no id, so that its observation cannot be joined to it"
    raise UnusableError(msg)


def _turn(event: Mapping[str, Any], number: int) -> _Turn:
    given = below(event, "args")
    arguments = given if isinstance(given, Mapping) else {}
    action = event["action"]
    call = _recorded_call(event, number) or _call_of(action, arguments)
    thought = word(arguments, "thought")
    if action == "message":
        thought = word(arguments, "content")
    elif action == "think":
        # There ``thought`` joins what was said to the argument of the call.
        response = below(event, "tool_call_metadata", "model_response", "choices")
        first = response[0] if isinstance(response, list) and response else None
        thought = word(below(first, "message"), "content")
    return _Turn(bare_thought(thought), call)


def _recorded_call(event: Mapping[str, Any], number: int) -> Call | None:
    """Return the call as the model made it, None where it was not recorded."""
    metadata = event.get("tool_call_metadata")
    choices = below(metadata, "model_response", "choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    calls = read_tool_calls(below(first, "message", "tool_calls"), number)
    wanted = word(metadata, "tool_call_id")
    call = next((call for call in calls if call.identifier == wanted), None)
    return None if call is None else _mapped(call.tool, call.arguments)


def _mapped(function: str, given: Mapping[str, Any]) -> Call:
    arguments = {name: value for name, value in given.items() if value is not None}
    # Keys sent to a program that runs are no command.
    sends_keys = str(arguments.get("is_input", "false")).casefold() == "true"
    tool = function if sends_keys else _TOOL_OF_FUNCTION.get(function, function)
    if tool in KNOWN_TOOLS:
        arguments = {name: arguments[name] for name in _DECLARED[tool] if name in arguments}
    return Call(tool, arguments)


def _call_of(action: str, given: Mapping[str, Any]) -> Call:
    """Return the call of an event whose model's answer was not recorded."""
    if action == "message":
        return Call("", {})
    if action == "read":
        given = {"command": "view", **given}
    elif action in {"edit", "write"} and not given.get("command"):
        # The old editor put lines in the place of others.
        names = ("path", "content", "start", "end")
        return Call(action, {name: given[name] for name in names if given.get(name) is not None})
    tool = _TOOL_OF_ACTION.get(action, action)
    dropped = frozenset() if tool == THINK else _NO_ARGUMENT
    return _mapped(tool, {name: value for name, value in given.items() if name not in dropped})


def _step(turn: _Turn) -> Step:
    call = turn.call
    return Step(
        thought=turn.thought,
        tool=call.tool,
        arguments=call.arguments,
        action=render_call(call.tool, call.arguments) if call.tool else "",
        observation="\n".join(turn.observations),
    )
