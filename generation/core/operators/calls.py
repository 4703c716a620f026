"""A plan with a tool call, as an answer holds it: read, written, and checked against the tools."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from generation.core.cuts import call_fault
from generation.core.records import Step, Tool

_STOPS = ("task_complete", "finish", "submit", "terminate", "exit", "stop")


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """What an agent means to do and the call that does it."""

    planning: str
    tool: str
    arguments: Mapping[str, Any]

    def written(self) -> str:
        """Return the one line of JSON that stands among options."""
        pair = {
            "planning": self.planning,
            "execution": {"name": self.tool, "args": dict(self.arguments)},
        }
        return json.dumps(pair, ensure_ascii=False, separators=(",", ":"))

    def fault(self, tools: tuple[Tool, ...]) -> str | None:
        """Return how the call breaks the declared tools; None where it is valid."""
        return call_fault(Step(self.planning, self.tool, self.arguments, "", ""), tools)

    def is_same_call(self, other: "PlannedCall") -> bool:
        """Return whether two calls do the same, whatever is meant by them."""
        return (self.tool, _folded(self.arguments)) == (other.tool, _folded(other.arguments))


def read_planned_call(text: str) -> PlannedCall | None:
    """Return the plan and call that a text holds; None where it holds none."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    execution = value.get("execution") if isinstance(value, dict) else None
    if not isinstance(execution, dict) or not isinstance(execution.get("name"), str):
        return None
    arguments = execution.get("args")
    return PlannedCall(
        planning=str(value.get("planning", "")),
        tool=execution["name"],
        arguments=arguments if isinstance(arguments, dict) else {},
    )


def call_of(step: Step) -> PlannedCall:
    """Return what a step of a run meant and did."""
    return PlannedCall(step.thought.strip(), step.tool, step.arguments)


def stopping_tool(tools: tuple[Tool, ...]) -> Tool | None:
    """Return the declared tool that ends a run; None where none is known to."""
    return next((tool for tool in tools if tool.name in _STOPS), None)


def browsing_tool(tools: tuple[Tool, ...]) -> Tool | None:
    """Return the declared tool that needs an address; None where none does."""
    return next((tool for tool in tools if "url" in tool.required), None)


def searching_tool(tools: tuple[Tool, ...]) -> Tool | None:
    """Return the declared tool that takes a query and no address; None where none does."""
    return next(
        (tool for tool in tools if "search" in tool.name and "url" not in tool.required), None
    )


def _folded(arguments: Mapping[str, Any]) -> str:
    folded = {
        name: " ".join(value.split()) if isinstance(value, str) else value
        for name, value in arguments.items()
    }
    return json.dumps(folded, sort_keys=True, ensure_ascii=False)
