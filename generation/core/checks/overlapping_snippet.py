"""A distractor that shares lines with the gold snippet is partly right."""

from collections.abc import Iterator
from itertools import pairwise

from generation.core.checks.answers import distractors, gold_texts
from generation.core.checks.gold_fully_covered_by_distractors import SNIPPET_SUBTASKS
from generation.core.checks.normalisation import code_lines
from generation.core.items import Finding, Item, Severity

KIND = "overlapping_snippet"


def check(item: Item) -> Iterator[Finding]:
    """Yield one finding for each distractor that holds two neighbouring lines of gold.

    One line alone (``return None``, a closing bracket) occurs all over a file and says nothing.
    """
    if item.subtask.name not in SNIPPET_SUBTASKS:
        return
    gold = {pair for text in gold_texts(item) for pair in pairwise(code_lines(text))}
    for index, text in distractors(item):
        shared = next((pair for pair in pairwise(code_lines(text)) if pair in gold), None)
        if shared:
            yield Finding(KIND, Severity.NEEDS_PERSON, f"option:{index}", "\n".join(shared))
