"""Write the next command of a set-up. Imported only."""

from generation.core.records import Language
from generation.core.subtask import (
    Ability,
    AnswerFormat,
    OfficialTask,
    PromptParts,
    Reader,
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

SUBTASK = Subtask(
    name="env_setup_action",
    scenario=Scenario.ENV_SETUP,
    ability=Ability.ACTION,
    language=Language.EN,
    answer_format=AnswerFormat.COMPLETION,
    reader=Reader.COMMAND,
    metrics=("em_strict", "em_norm", "tool_match", "arg_f1"),
    prompt=PromptParts(instruction=_INSTRUCTION, block=_BLOCK, answer_end="\n```"),
    max_new_tokens=128,
    stop=("\n```",),
    official_max_new_tokens=30,
    long_context=False,
    official=OfficialTask(dataset="env_setup", task="action"),
    set_name="swe",
)
