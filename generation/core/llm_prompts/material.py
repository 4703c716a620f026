"""What a prompt shows of a draft: never the future of a run, and no more than a model can read."""

from collections.abc import Sequence
from dataclasses import replace

from generation.core.bug_fixes import files_of
from generation.core.patches import PatchedFile, read_patch
from generation.core.prompts import render_history, render_tools
from generation.core.records import Step
from generation.core.subtask import PoolEntry

LONGEST_TASK = 8_000
LONGEST_OBSERVATION = 1_500
LONGEST_HISTORY = 16_000
LONGEST_FILE = 16_000
LONGEST_REPORT = 60_000
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


def plan_material(entry: PoolEntry, *, task: str) -> dict[str, str]:
    """Return the texts of a plan question by slot: what is to be done, what is known, gold."""
    slots = entry.draft.slots
    if "question" in slots:
        return {"task": slots["question"], "context": "-", "gold": entry.draft.gold}
    if "issue_body" in slots:
        issue = f"{slots['issue_title']}\n\n{slots['issue_body']}"
        known = slots["setup_instruct"]
        return {
            "task": shortened(issue, LONGEST_TASK),
            "context": shortened(known, LONGEST_TASK),
            "gold": entry.draft.gold,
        }
    title = entry.document.title if entry.document else ""
    return {
        "task": shortened(title or task, LONGEST_TASK) or "-",
        "context": shortened(slots.get("repo_info", ""), LONGEST_TASK) or "-",
        "gold": entry.draft.gold,
    }


def patch_material(entry: PoolEntry, *, task: str) -> dict[str, str]:
    """Return the issue and the files that the right patch changes, never the patch itself.

    A long file is shown around the places of the right patch, with the lines before and after.
    """
    slots = entry.draft.slots
    issue = slots.get("issue_statement") or slots.get("problem_statement") or task
    there = files_of(entry.document) if entry.document else {}
    shown = [
        f"{file.old_path}:\n{_near(there[file.old_path], file)}"
        for file in read_patch(entry.draft.gold)
        if file.old_path in there
    ]
    return {"issue": shortened(issue, LONGEST_TASK), "files": "\n\n".join(shown) or "-"}


def _near(text: str, file: PatchedFile) -> str:
    """Return a file, of a long one the part around what the patch changes."""
    if len(text) <= LONGEST_FILE or not file.hunks:
        return text
    lines = text.split("\n")
    first = min(hunk.old_start for hunk in file.hunks) - 1
    last = max(hunk.old_start - 1 + len(hunk.old) for hunk in file.hunks)
    around = 0
    while around < len(lines):
        wider = lines[max(0, first - around - 10) : last + around + 10]
        if sum(map(len, wider)) + len(wider) > LONGEST_FILE:
            break
        around += 10
    start, end = max(0, first - around), min(len(lines), last + around)
    return f"[lines {start + 1} to {end} of {len(lines)}]\n" + "\n".join(lines[start:end])


def report_material(entry: PoolEntry, *, task: str) -> dict[str, str]:
    """Return a report question's request and its right report."""
    query = entry.draft.slots.get("query") or task
    return {
        "query": shortened(query, LONGEST_TASK),
        "gold": shortened(entry.draft.gold, LONGEST_REPORT),
    }
