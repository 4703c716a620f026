"""All checks of item quality, and one way to run them."""

from collections.abc import Callable, Iterable, Iterator

from generation.core.checks import (
    ambiguous_choice_labels,
    answer_out_of_range,
    distractor_same_action_as_gold,
    distractor_violates_tool_schema,
    duplicate_choice,
    duplicate_row,
    final_answer_in_prefix,
    gold_exceeds_max_new_tokens,
    gold_fully_covered_by_distractors,
    gold_is_command_fragment,
    gold_not_literal_in_trajectory,
    gold_not_shell,
    gold_step_in_fewshot_prompt,
    gold_wrapped_in_quotes,
    hostile_characters,
    mojibake,
    near_duplicate_choice,
    overlapping_snippet,
    placeholder_in_gold,
    query_in_fewshot_prompt,
    target_already_executed,
    unclear_support,
    unexpected_choice_count,
)
from generation.core.items import Finding, Item

Check = Callable[[Item], Iterable[Finding]]
SetCheck = Callable[[Iterable[Item]], Iterable[tuple[str, Finding]]]
Watch = Callable[[Item], Iterable[tuple[str, Finding]]]

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
    final_answer_in_prefix.check,
    gold_not_literal_in_trajectory.check,
    unclear_support.check,
    query_in_fewshot_prompt.check,
    gold_step_in_fewshot_prompt.check,
    mojibake.check,
    hostile_characters.check,
)
"""What is said of one item by itself."""

SET_WATCHES: tuple[Callable[[], Watch], ...] = (duplicate_row.start,)
"""What is said of an item beside those before it: each starts a function that sees all items."""


def _over_all(start: Callable[[], Watch]) -> SetCheck:
    def check(items: Iterable[Item]) -> Iterator[tuple[str, Finding]]:
        watch = start()
        for item in items:
            yield from watch(item)

    return check


SET_CHECKS: tuple[SetCheck, ...] = tuple(map(_over_all, SET_WATCHES))
"""The same as functions of a whole set; the findings come keyed by ``Item.key``."""


def check_item(item: Item) -> Iterator[Finding]:
    """Yield what every check of ``ALL_CHECKS`` says of one item, in their order."""
    for check in ALL_CHECKS:
        yield from check(item)


def check_items(items: Iterable[Item]) -> Iterator[tuple[str, Finding]]:
    """Yield ``Item.key`` and finding of every check on every item, those of the set included.

    ``items`` is walked once and no item is held, so it may be a reader of any length.
    """
    watches = [start() for start in SET_WATCHES]
    for item in items:
        for finding in check_item(item):
            yield item.key, finding
        for watch in watches:
            yield from watch(item)
