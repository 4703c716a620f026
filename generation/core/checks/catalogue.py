"""All checks of item quality, and one way to run them."""

from collections.abc import Callable, Iterable, Iterator

from generation.core.checks import (
    ambiguous_choice_labels,
    answer_out_of_range,
    distractor_same_action_as_gold,
    distractor_violates_tool_schema,
    duplicate_choice,
    duplicate_row,
    gold_exceeds_max_new_tokens,
    gold_fully_covered_by_distractors,
    gold_is_command_fragment,
    gold_not_shell,
    gold_wrapped_in_quotes,
    hostile_characters,
    mojibake,
    near_duplicate_choice,
    overlapping_snippet,
    placeholder_in_gold,
    target_already_executed,
    unexpected_choice_count,
)
from generation.core.items import Finding, Item

Check = Callable[[Item], Iterable[Finding]]
SetCheck = Callable[[Iterable[Item]], Iterable[tuple[str, Finding]]]

ALL_CHECKS: tuple[Check, ...] = (
    answer_out_of_range.check,
    ambiguous_choice_labels.check,
    duplicate_choice.check,
    near_duplicate_choice.check,
    distractor_same_action_as_gold.check,
    distractor_violates_tool_schema.check,
    gold_fully_covered_by_distractors.check,
    overlapping_snippet.check,
    unexpected_choice_count.check,
    gold_exceeds_max_new_tokens.check,
    gold_not_shell.check,
    gold_is_command_fragment.check,
    placeholder_in_gold.check,
    gold_wrapped_in_quotes.check,
    target_already_executed.check,
    mojibake.check,
    hostile_characters.check,
)
"""What is said of one item by itself."""

SET_CHECKS: tuple[SetCheck, ...] = (duplicate_row.check,)
"""What is said of an item beside the others; the findings come keyed by ``Item.key``."""


def check_item(item: Item) -> Iterator[Finding]:
    """Yield what every check of ``ALL_CHECKS`` says of one item, in their order."""
    for check in ALL_CHECKS:
        yield from check(item)


def check_items(items: Iterable[Item]) -> Iterator[tuple[str, Finding]]:
    """Yield ``Item.key`` and finding of every check: item by item, then those of the whole set.

    ``items`` is walked once for the items and once for each set check, so pass something that
    can be walked again (a list, a lazy reader); an iterator is held in memory.
    """
    walkable = tuple(items) if isinstance(items, Iterator) else items
    for item in walkable:
        for finding in check_item(item):
            yield item.key, finding
    for check in SET_CHECKS:
        yield from check(walkable)
