"""Where every line of the gold snippet stands in distractors, too, no line tells it apart."""

from collections.abc import Iterator

from generation.core.checks.answers import distractors, gold_indexes
from generation.core.checks.normalisation import code_lines
from generation.core.items import Finding, Item, Severity

KIND = "gold_fully_covered_by_distractors"

SNIPPET_SUBTASKS = frozenset({"issue_fix_locate"})
"""Subtasks whose options are pieces of one file."""


def check(item: Item) -> Iterator[Finding]:
    """Yield one finding for each gold snippet all of whose lines occur in the distractors.

    Lines are compared without blanks at their ends; blank lines do not count.
    """
    if item.subtask.name not in SNIPPET_SUBTASKS:
        return
    elsewhere = {line for _, text in distractors(item) for line in code_lines(text)}
    for index in sorted(gold_indexes(item)):
        lines = code_lines(item.options[index])
        if lines and elsewhere.issuperset(lines):
            evidence = f"all {len(lines)} lines of the gold snippet also stand in distractors"
            yield Finding(KIND, Severity.BLOCKS_RELEASE, f"option:{index}", evidence)
