"""What a prompt shows of a run: never the future, and no more than a model can read."""

from collections.abc import Sequence
from dataclasses import replace

from generation.core.prompts import render_history, render_tools
from generation.core.records import Step
from generation.core.subtask import PoolEntry

LONGEST_TASK = 8_000
LONGEST_OBSERVATION = 1_500
LONGEST_HISTORY = 16_000
"""Characters."""


def shortened(text: str, most: int) -> str:
    """Return ``text``, its middle left out and counted where it has over ``most`` characters."""
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]}\n[… {len(text) - 2 * half} characters …]\n{text[-half:]}"


def recent_history(steps: Sequence[Step]) -> str:
    """Return the last steps as text, observations shortened, as many as fit; at least one."""
    kept: list[Step] = []
    size = 0
    for step in reversed(steps):
        short = replace(step, observation=shortened(step.observation, LONGEST_OBSERVATION))
        size += len(short.thought) + len(short.action) + len(short.observation)
        if kept and size > LONGEST_HISTORY:
            break
        kept.append(short)
    history = render_history(kept[::-1])
    left_out = len(steps) - len(kept)
    return f"[{left_out} earlier steps]\n\n{history}" if left_out else history or "-"


def run_material(entry: PoolEntry, *, task: str) -> dict[str, str]:
    """Return the texts of a cut by slot: task, tools, history before the cut, gold."""
    return {
        "task": shortened(task, LONGEST_TASK),
        "tools": shortened(render_tools(entry.tools), LONGEST_TASK) or "-",
        "history": recent_history(entry.steps[: entry.draft.cut - 1]),
        "gold": entry.draft.gold,
    }
