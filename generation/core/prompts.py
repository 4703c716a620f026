"""Fills the slots of a prompt in one pass, so that a ``$NAME`` inside data stays text."""

import re
from collections.abc import Mapping, Sequence

from generation.core.labels import label_of
from generation.core.records import Step
from generation.core.subtask import PromptParts

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


def render_block(parts: PromptParts, slots: Mapping[str, str], options: Sequence[str]) -> str:
    """Return one question's text, ending right before the answer.

    ``slots`` hold the item's texts, the history among them; the options are rendered in the
    order given and take the slot ``options``.
    """
    return fill(parts.block, {**slots, "options": render_options(options)})
