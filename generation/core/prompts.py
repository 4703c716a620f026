"""Fills the slots of a prompt in one pass, so that a ``$NAME`` inside data stays text."""

import re
from collections.abc import Mapping, Sequence

from generation.core.labels import label_of
from generation.core.records import Step, Tool
from generation.core.subtask import Prefix, PromptParts

_SLOT = re.compile(r"\$([a-z_]+)")


def fill(template: str, values: Mapping[str, str]) -> str:
    """Return ``template`` with every ``$name`` replaced by ``values[name]``, once.

    Raises:
        KeyError: the template names a slot that ``values`` lacks.
    """
    return _SLOT.sub(lambda match: values[match.group(1)], template)


def slot_names(template: str) -> tuple[str, ...]:
    """Return the names of a template's slots in order of first use."""
    return tuple(dict.fromkeys(_SLOT.findall(template)))


def render_options(options: Sequence[str]) -> str:
    """Return the options as ``(A) text`` paragraphs, in the given order."""
    return "\n".join(f"({label_of(index)}) {text}" for index, text in enumerate(options))


def render_history(steps: Sequence[Step]) -> str:
    """Return the shown steps as text: number, thought, action and observation of each."""
    return "\n\n".join(_render_step(number, step) for number, step in enumerate(steps, start=1))


def _render_step(number: int, step: Step) -> str:
    parts = [f"[Step {number}]"]
    if step.thought:
        parts.append(f"Thought: {step.thought}")
    parts += [f"Action: {step.action}", f"Observation: {step.observation}"]
    return "\n".join(parts)


def render_tools(tools: Sequence[Tool]) -> str:
    """Return the declared tools, one a line: ``name(argument, [optional]): description``."""
    return "\n".join(_render_tool(tool) for tool in tools)


def _render_tool(tool: Tool) -> str:
    arguments = ", ".join(name if name in tool.required else f"[{name}]" for name in tool.arguments)
    return f"{tool.name}({arguments}): {tool.description}".rstrip(": ")


def prefix_slots(prefix: Prefix) -> dict[str, str]:
    """Return what every trajectory prompt may show: task, system, tools, history, thought."""
    return {
        "task": prefix.task,
        "system": prefix.system,
        "tools": render_tools(prefix.tools),
        "history": render_history(prefix.steps),
        "thought": prefix.thought,
    }


def render_block(parts: PromptParts, slots: Mapping[str, str], options: Sequence[str]) -> str:
    """Return one question's text, ending right before the answer.

    ``slots`` hold the item's texts, the history among them; the options are rendered in the
    order given and take the slot ``options``.
    """
    return fill(parts.block, {**slots, "options": render_options(options)})
