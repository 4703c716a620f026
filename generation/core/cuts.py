"""Which steps of a run can be asked for, and why the others can not.

Every rule looks at steps 1..T and at nothing later, so that a cut is kept or dropped by what was
known when it was made; only the rules on a whole run look at how the run ended.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from generation.core.records import Step, Tool, Trajectory
from generation.core.shell import shell_error
from generation.core.subtask import Prefix
from generation.core.tokens import count_tokens

_DIFF = re.compile(r"^(?:diff --git |--- \S.*\n\+\+\+ \S)", re.MULTILINE)
_LABEL = re.compile(r"\([A-Z]\)")
_CJK = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af]")
_PLACEHOLDER = re.compile(
    r"<[A-Za-z][A-Za-z _-]*>(?!\S)"  # <name>, but not a tag that text follows
    r"|path/to\b"
    r"|\byour[ _-][a-z]"
    r"|(?:^|[\s=/-])\[[A-Za-z_]+\]"
    r"|\{[A-Z_]{2,}\}"
    r"|\bXXX\b"
    r"|(?<!\S)\.\.\.(?!\S)"
)
_OTHER_LANGUAGE = re.compile(
    r"(?:from \S+ import |import \w|using \w|def \w|class \w|for \w+ in [^;\n]*:|\w+ = )"
)
# The tool of agents that call one in order to think.
_THINK = "think"
_NO_ACTION = frozenset({"exit_format", "exit_error", "exit_cost", "exit_context", "exit_api"})


def prefix_before(trajectory: Trajectory, cut: int, *, shows_thought: bool = False) -> Prefix:
    """Return what was known before step ``cut``; steps 1..cut-1, never the later ones.

    Args:
        trajectory: The run.
        cut: The 1-based step asked for; one more than the run has shows the whole run.
        shows_thought: Whether the thought of the asked step is shown as well.

    Raises:
        ValueError: ``cut`` is not in 1..len(steps)+1.
    """
    if not 1 <= cut <= len(trajectory.steps) + 1:
        msg = f"cut {cut} of a run with {len(trajectory.steps)} steps"
        raise ValueError(msg)
    asked = trajectory.steps[cut - 1] if cut <= len(trajectory.steps) else None
    return Prefix(
        task=trajectory.task,
        system=trajectory.system,
        tools=trajectory.tools,
        steps=trajectory.steps[: cut - 1],
        thought=asked.thought if asked is not None and shows_thought else "",
    )


def is_diff(text: str) -> bool:
    """Return whether ``text`` holds a patch in unified format (a flag or an answer does not)."""
    return _DIFF.search(text) is not None


def same_call(step: Step) -> str:
    """Return a text that two steps share exactly if they make the same call.

    Blanks at the ends and runs of blanks in the arguments make no difference.
    """
    arguments = json.dumps(_folded(step.arguments), ensure_ascii=False, sort_keys=True)
    return f"{step.tool} {arguments if step.arguments else ' '.join(step.action.split())}"


def _folded(value: Any) -> Any:
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, Mapping):
        return {str(name): _folded(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_folded(inner) for inner in value]
    return value


def turn_fault(step: Step) -> str | None:
    """Return why a step is no turn of the agent at all; None when it is one."""
    if not step.tool or not step.action.strip() or step.action.strip() in _NO_ACTION:
        return "an error turn: the step makes no call"
    return None


def thought_fault(step: Step) -> str | None:
    """Return why a step's thought can't be a right answer; None when it can."""
    return None if step.thought.strip() else "the thought is empty"


def option_fault(text: str) -> str | None:
    """Return why a text can't stand among options; None when it can."""
    return "the text holds option labels such as (A)" if _LABEL.search(text) else None


def call_fault(step: Step, tools: tuple[Tool, ...]) -> str | None:
    """Return how a step's call breaks the declared tools; None when it is valid.

    A call is valid if its tool is declared, every argument is, and no required one is missing or
    empty. Where no tools are declared, every call is.
    """
    if not tools:
        return None
    declared = next((tool for tool in tools if tool.name == step.tool), None)
    if declared is None:
        return f"the tool {step.tool!r} is not declared"
    unknown = sorted(set(step.arguments) - set(declared.arguments))
    if unknown:
        return f"{step.tool} takes no argument {unknown[0]!r}"
    for name in declared.required:
        value = step.arguments.get(name)
        if value is None or (isinstance(value, str) and not value.strip()):
            return f"{step.tool} lacks its argument {name!r}"
    return None


def repeat_fault(step: Step, shown: tuple[Step, ...]) -> str | None:
    """Return which shown step already made this call; None when it is new."""
    call = same_call(step)
    for number, earlier in enumerate(shown, start=1):
        if same_call(earlier) == call:
            return f"step {number} already made this call"
    return None


def command_fault(step: Step, *, max_new_tokens: int, stop: tuple[str, ...]) -> str | None:
    """Return why a step's command can't be a completion's right answer; None when it can.

    Args:
        step: The step; its ``action`` is the answer.
        max_new_tokens: The subtask's budget, in tokens of ``count_tokens``.
        stop: The subtask's stop strings; an answer that holds one could never be written.
    """
    if step.tool == _THINK:
        return "the step keeps a thought and runs nothing"
    command = step.action.strip()
    size = count_tokens(command)
    if size > max_new_tokens:
        return f"the command has {size} tokens, the budget is {max_new_tokens}"
    if any(mark in step.action for mark in stop):
        return "the command holds a stop string"
    # Editor calls are shell words whose quoted arguments may hold code with any bracket in it.
    error = shell_error(command)
    if error is not None:
        return f"the command does not parse as shell: {error}"
    if step.tool == "bash":
        if _OTHER_LANGUAGE.match(command):
            return "the command is code of another language"
        if placeholder := _PLACEHOLDER.search(command.split("\n", 1)[0]):
            return f"the command holds a placeholder: {placeholder.group().strip()}"
    return None


def has_cjk(text: str) -> bool:
    """Return whether ``text`` holds a Chinese, Japanese or Korean character."""
    return _CJK.search(text) is not None
