"""The steps and tools of InfoDeepSeek runs, as APTBench and InfoDeepSeek itself write them."""

import json
import re
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from generation.core.importers.streams import NotJsonError, parse_json
from generation.core.records import Note, Step, Tool

FINISH = "task_complete"


class StepError(ValueError):
    """Steps that cannot be read; its text names the step and the field."""


def render_action(tool: str, arguments: Mapping[str, Any]) -> str:
    """Return a call as compact JSON, the tool's ``name`` first and its ``args`` after it."""
    call = {"name": tool, "args": arguments}
    return json.dumps(call, ensure_ascii=False, separators=(",", ":"))


def render_option(step: Step) -> str:
    """Return a step's plan and call as the official options write them."""
    execution = {"name": step.tool, "args": step.arguments}
    return json.dumps({"planning": step.thought, "execution": execution}, ensure_ascii=False)


def read_steps(trajectory: Any, *, field: str) -> tuple[tuple[Step, ...], tuple[Note, ...]]:
    """Return the steps of a ``[{planning, execution{name, args}, observation}]`` list or its JSON.

    Raises:
        StepError: it is no such list; its text names ``field``.
    """
    notes: tuple[Note, ...] = ()
    if isinstance(trajectory, str):
        try:
            trajectory, notes = parse_json(trajectory, field=field)
        except NotJsonError as error:
            msg = f"{field} is not valid JSON: {error}"
            raise StepError(msg) from error
    if not isinstance(trajectory, list):
        msg = f"field {field!r} is no list of steps"
        raise StepError(msg)
    return tuple(read_step(step, f"{field}[{n}]") for n, step in enumerate(trajectory)), notes


def read_step(step: Any, place: str) -> Step:
    """Return one ``{planning, execution{name, args}, observation}``; the last may have none.

    Raises:
        StepError: it is no object, or its call has no name or no arguments.
    """
    execution = step.get("execution") if isinstance(step, dict) else None
    if not isinstance(execution, dict):
        msg = f"{place}: field 'execution' is no object"
        raise StepError(msg)
    return make_step(step.get("planning"), execution, step.get("observation"), place)


def make_step(planning: Any, call: Mapping[str, Any], observation: Any, place: str) -> Step:
    """Return the step of a plan, a call ``{name, args}`` and what it brought.

    Raises:
        StepError: the name is no text, or the arguments are no object.
    """
    name, arguments = call.get("name"), call.get("args", {})
    if not isinstance(name, str) or not name:
        msg = f"{place}: field 'name' of the call is no text"
        raise StepError(msg)
    if not isinstance(arguments, dict):
        msg = f"{place}: field 'args' of the call is no object"
        raise StepError(msg)
    return Step(
        thought=_as_text(planning),
        tool=name,
        arguments=arguments,
        action=render_action(name, arguments),
        observation=_as_text(observation),
    )


def _as_text(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


_MOST_TOOLS = 100
_NUMBERED = re.compile(r"^[ \t]*\(\d{1,4}\)[ \t]*(?=\{)", re.MULTILINE)


def read_tools(tool_set: Any) -> tuple[Tool, ...]:
    """Return the declared tools of a ``tool_set``: numbered JSON objects, or a JSON list.

    What cannot be read as a tool is left out, and so is what follows the hundredth; an absent
    set gives none.
    """
    if isinstance(tool_set, str):
        found_numbers = islice(_NUMBERED.finditer(tool_set), _MOST_TOOLS)
        starts = [match.end() for match in found_numbers]
        found = _numbered_objects(tool_set, starts) if starts else _listed(tool_set)
    else:
        found = tool_set if isinstance(tool_set, list) else []
    tools = (_tool(each) for each in found)
    return tuple(tool for tool in tools if tool is not None)


def _numbered_objects(text: str, starts: Sequence[int]) -> list[Any]:
    decoder = json.JSONDecoder()
    objects = []
    end = 0
    for start in starts:
        if start < end:  # a number inside the object before
            continue
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        objects.append(value)
    return objects


def _listed(text: str) -> list[Any]:
    try:
        value = parse_json(text)[0]
    except NotJsonError:
        return []
    return value if isinstance(value, list) else []


def _tool(value: Any) -> Tool | None:
    name = value.get("name") if isinstance(value, dict) else None
    if not isinstance(name, str) or not name:
        return None
    arguments, required = _arguments(value)
    return Tool(
        name=name,
        description=_as_text(value.get("description")).strip(),
        arguments=arguments,
        required=tuple(each for each in required if each in arguments),
    )


def _arguments(value: Mapping[str, Any]) -> tuple[dict[str, str], list[str]]:
    """Return arguments and required names, of a JSON schema or of a list of parameters."""
    parameters = value.get("parameters")
    if isinstance(parameters, list):
        listed = [each for each in parameters if isinstance(each, dict) and "name" in each]
        required = [str(each["name"]) for each in listed if each.get("required") is True]
        return {str(each["name"]): _as_text(each.get("description")) for each in listed}, required
    schema = parameters if isinstance(parameters, dict) else {}
    properties = schema.get("properties")
    found = properties if isinstance(properties, dict) else {}
    arguments = {
        name: _as_text(each.get("description")) if isinstance(each, dict) else ""
        for name, each in found.items()
    }
    named = value.get("required", schema.get("required"))
    return arguments, [str(each) for each in named] if isinstance(named, list) else []
