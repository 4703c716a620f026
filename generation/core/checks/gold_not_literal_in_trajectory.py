"""An answer that the run's steps do not hold word for word: a person says whether it follows."""

from collections.abc import Iterator

from generation.core.checks.answers import gold_texts, has_options, holds_answer
from generation.core.items import Finding, Item, Severity
from generation.core.subtask import Reader

KIND = "gold_not_literal_in_trajectory"


def check(item: Item) -> Iterator[Finding]:
    """Yield a finding for each short answer that the history shown does not hold.

    It may follow all the same: most answers are put in the agent's own words.
    """
    history = item.slots.get("history", "")
    if not history or has_options(item) or item.subtask.reader is not Reader.ANSWER:
        return
    for gold in gold_texts(item):
        if not holds_answer(history, gold):
            evidence = f"not word for word in the steps shown: {gold[:200]}"
            yield Finding(KIND, Severity.NOTE, "gold", evidence)
