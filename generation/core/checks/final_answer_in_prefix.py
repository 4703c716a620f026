"""Where the steps shown hold the run's answer already, it decides whether to go on or to stop."""

from collections.abc import Iterator

from generation.core.checks.answers import holds_answer
from generation.core.items import Finding, Item, Severity
from generation.core.subtask import Ability, Scenario

KIND = "final_answer_in_prefix"
EXTRA = "final_answer"
"""Where an item keeps the short answer that its run ended with."""


def check(item: Item) -> Iterator[Finding]:
    """Yield a finding where the history of a search agent's next step shows the answer to its task.

    That is legal evidence, not a leak. The first of the answer key and of the run's own answer
    that is there is named.
    """
    subtask = item.subtask
    if subtask.scenario is not Scenario.CLOSED_QA or subtask.ability is not Ability.PLAN:
        return
    history = item.slots.get("history", "")
    for answer in (item.reference_answer, item.extra.get(EXTRA, "")):
        if holds_answer(history, answer):
            evidence = f"the steps shown hold the answer: {answer[:200]}"
            yield Finding(KIND, Severity.NOTE, "prompt", evidence)
            return
