"""Runs to test with: plain functions, no two runs alike."""

import json
from dataclasses import replace
from random import Random

from generation.core.records import (
    Language,
    Outcome,
    Provenance,
    Step,
    Success,
    Tool,
    Trajectory,
)
from generation.core.subtask import Draft, PoolEntry, Subtask

PATCH = "--- a/lib/len.py\n+++ b/lib/len.py\n@@ -1 +1 @@\n-return 1\n+return 2\n"
SWE_TOOLS = (
    Tool("bash", "", {"command": "what to run"}, ("command",)),
    Tool("submit", "", {}, ()),
)
QA_TOOLS = (
    Tool("web_search", "", {"text": "the query"}, ("text",)),
    Tool("browse_website", "", {"url": "the page", "question": "what for"}, ("url", "question")),
    Tool("task_complete", "", {}, ()),
)
_WORDS = [
    "amber",
    "basil",
    "cedar",
    "delta",
    "ember",
    "fjord",
    "grove",
    "heron",
    "inlet",
    "jade",
    "kelp",
    "lotus",
    "maple",
    "nylon",
]
_COMMANDS = (
    ("Look at the module {a}_{b} first", "cat lib/{a}_{b}.py"),
    ("Find who calls `{a}_{c}` in the package", "grep -rn {a}_{c} lib"),
    ("Write a script that shows the fault of {b}_{c}", "touch show_{b}_{c}.py"),
    ("Run {b}_{c} now to see the fault", "python show_{b}_{c}.py"),
    ("Change `{a}_{d}` so that it takes a unit", "patch -p1 {a}_{d}.patch"),
    ("The fault is gone, so test the edge cases of {d}_{c}", "pytest tests/test_{d}_{c}.py"),
    ("Remove the script {b}_{c} again", "rm show_{b}_{c}.py"),
    ("All is done: {a}_{d} works, hand it in", ""),
)


def swe_run(number: int, *, steps: int = 8, submission: str = PATCH) -> Trajectory:
    """Return a run that repairs something of its own; at most 8 steps."""
    random = Random(number)
    words = dict(zip("abcd", random.sample(_WORDS, 4), strict=True))
    words = {letter: f"{word}{number}" for letter, word in words.items()}
    made = []
    for thought, command in _COMMANDS[:steps]:
        action = command.format(**words)
        tool, arguments = ("bash", {"command": action}) if action else ("submit", {})
        observed = f"saw {random.random()} {words['d']} in {number}"
        made.append(Step(thought.format(**words), tool, arguments, action or tool, observed))
    return _run(number, made, SWE_TOOLS, Outcome(submission=submission), "swe_smith")


def qa_run(number: int, *, steps: int = 4, answer: str = "Ada Lovelace") -> Trajectory:
    """Return a run that looks something up and stops; at least 2 steps."""
    random = Random(f"qa {number}")
    made = []
    for turn in range(steps - 1):
        topic = " ".join(f"{word.title()}{number}" for word in random.sample(_WORDS, 3))
        if turn % 3 == 2:
            url = f"https://example.org/{number}/{turn}"
            arguments = {"url": url, "question": f"When was {topic}?"}
            made.append(_call(f"Read the page on {topic}", "browse_website", arguments))
        else:
            made.append(_call(f"Search for {topic} of {turn}", "web_search", {"text": topic}))
    made.append(_call(f"Enough is known of case {number}", "task_complete", {}))
    return _run(number, made, QA_TOOLS, Outcome(final_answer=answer), "infodeepseek")


def in_chinese(run: Trajectory) -> Trajectory:
    """Return the run with a Chinese question, planned in Chinese."""
    steps = tuple(replace(step, thought=f"下一步：{step.thought}") for step in run.steps)
    return replace(run, language=Language.ZH, task=f"请回答：{run.task}", steps=steps)


def _call(thought: str, tool: str, arguments: dict[str, str]) -> Step:
    action = json.dumps({"name": tool, "args": arguments}, separators=(",", ":"))
    return Step(thought, tool, arguments, action, f"title: what {thought.lower()} gives")


def _run(
    number: int, steps: list[Step], tools: tuple[Tool, ...], outcome: Outcome, kind: str
) -> Trajectory:
    return Trajectory(
        provenance=Provenance(kind, f"run{number}", f"task{number}", f"file:{number}"),
        language=Language.EN,
        task=f"Do the work of task {number}",
        steps=tuple(steps),
        tools=tools,
        outcome=outcome,
        success=Success.CONFIRMED,
    )


def pool_of(
    subtask: Subtask, runs: list[Trajectory], *, community: str = "here"
) -> list[PoolEntry]:
    """Return the pool of a subtask's drafts of these runs."""
    assert subtask.build is not None
    return [
        PoolEntry(
            key=f"{community}/{run.provenance.external_id}:{draft.cut:03}",
            cluster=run.provenance.cluster,
            community=community,
            draft=draft,
            steps=run.steps,
            tools=run.tools,
        )
        for run in runs
        for draft in subtask.build(run)
        if isinstance(draft, Draft)
    ]
