"""A wrong call must be wrong in meaning; one that the tool can't take gives itself away."""

from collections.abc import Iterator, Mapping

from generation.core.checks.answers import distractors
from generation.core.checks.calls import Call, read_call
from generation.core.items import Finding, Item, Severity
from generation.core.records import Tool

KIND = "distractor_violates_tool_schema"


def check(item: Item) -> Iterator[Finding]:
    """Yield one finding for each wrong option whose call breaks the declared tools.

    Nothing is said where no tools are declared or an option holds no call.
    """
    tools = {tool.name: tool for tool in item.tools}
    if not tools:
        return
    for index, text in distractors(item):
        call = read_call(text)
        fault = call and _fault(call, tools)
        if fault:
            yield Finding(KIND, Severity.NEEDS_PERSON, f"option:{index}", fault)


def _fault(call: Call, tools: Mapping[str, Tool]) -> str:
    """Return what is wrong with the call as a sentence; empty when nothing is."""
    tool = tools.get(call.name)
    if tool is None:
        return f"the tool {call.name!r} is not declared: {', '.join(tools)}"
    if not isinstance(call.arguments, Mapping):
        return f"{call.name} has no arguments object"
    undeclared = [name for name in call.arguments if name not in tool.arguments]
    if undeclared:
        return f"{call.name} takes no argument {undeclared[0]!r}"
    for name in tool.required:
        if name not in call.arguments:
            return f"{call.name} lacks the argument {name!r}"
        if not str(call.arguments[name]).strip():
            return f"{call.name} has an empty argument {name!r}"
    return ""
