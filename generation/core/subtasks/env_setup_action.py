"""Write the next command of a set-up, given its plan in words."""

from collections.abc import Iterator

from generation.core.command_phrases import untold
from generation.core.cuts import command_fault
from generation.core.records import Document, Language, Step
from generation.core.setup_steps import SetupStep, setup_steps
from generation.core.subtask import (
    Ability,
    AnswerFormat,
    Draft,
    OfficialTask,
    PromptParts,
    Reader,
    Rejection,
    Scenario,
    Subtask,
)

_INSTRUCTION = """\
Each question gives a plan for setting up a project, in words, and the shell commands run so far.
Write the command that comes next; where its beginning is given, write the whole command all the same.

"""

_BLOCK = """\
Plan:
$execution_plan

Commands run so far:
$executed_commands

The next command begins with: $command_prefix

The next command:
```bash
"""

_MAX_NEW_TOKENS = 128
_STOP = ("\n```",)


def build(document: Document) -> Iterator[Draft | Rejection]:
    """Yield a draft for every command of a README that its plan, in words, tells whole.

    ``cut`` is the command's number among all of the README. Shown are the plan of the way that
    the command stands on, the commands before it there, and its first word.
    """
    steps = setup_steps(document)
    for number in range(1, len(document.of_kind("command")) + 1):
        step = steps.get(number)
        fault = _fault(step) if step else "the command is named in a sentence"
        if step is None or fault:
            yield Rejection(number, fault or "")
            continue
        slots = {
            "execution_plan": step.plan,
            "executed_commands": "\n".join(step.earlier),
            "command_prefix": step.command.split()[0],
        }
        yield Draft(cut=number, gold=step.command, slots=slots)


def _fault(step: SetupStep) -> str | None:
    """Return why a command can't be asked for; None when it can."""
    call = Step("", "bash", {"command": step.command}, step.command, "")
    fault = command_fault(call, max_new_tokens=_MAX_NEW_TOKENS, stop=_STOP)
    if fault:
        return fault
    if not step.earlier:
        return "no command comes before it"
    if step.command in step.earlier:
        return f"command {step.earlier.index(step.command) + 1} of the way is the same"
    if step.phrase is None:
        return "no words are known for the command"
    if word := untold(step.command, step.phrase):
        return f"the plan does not tell a part of the command: {word}"
    if len(step.command.split()) < 2:
        return "the command is one word"
    # One word alone ("ls", "make") is no command in a sentence.
    to_come = (command for command in (step.command, *step.later) if " " in command)
    if any(command in step.plan for command in to_come):
        return "the plan holds a command to come"
    return None


SUBTASK = Subtask(
    name="env_setup_action",
    scenario=Scenario.ENV_SETUP,
    ability=Ability.ACTION,
    language=Language.EN,
    answer_format=AnswerFormat.COMPLETION,
    reader=Reader.COMMAND,
    metrics=("em_strict", "em_norm", "tool_match", "arg_f1"),
    prompt=PromptParts(instruction=_INSTRUCTION, block=_BLOCK, answer_end="\n```"),
    max_new_tokens=_MAX_NEW_TOKENS,
    stop=_STOP,
    official_max_new_tokens=30,
    long_context=False,
    official=OfficialTask(dataset="env_setup", task="action"),
    source_kinds=("readme",),
    build_document=build,
    set_name="swe",
)
