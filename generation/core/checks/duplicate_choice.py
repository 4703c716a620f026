"""Two options that say the same: one of them can't be wrong for a reason."""

from collections.abc import Iterator

from generation.core.checks.normalisation import folded, trailing_blanks_removed
from generation.core.items import Finding, Item, Severity
from generation.core.labels import label_of

KIND = "duplicate_choice"

# Case and indentation decide whether a patch is right, so its options are compared as they are.
_PATCH_SUBTASKS = frozenset({"issue_fix_fix_patch", "issue_fix_test_patch"})


def check(item: Item) -> Iterator[Finding]:
    """Yield one finding for each option that equals an earlier one after normalisation."""
    first_seen: dict[str, int] = {}
    for index, text in enumerate(item.options):
        earlier = first_seen.setdefault(comparable(item, text), index)
        if earlier != index:
            evidence = f"({label_of(index)}) says the same as ({label_of(earlier)}): {text[:200]}"
            yield Finding(KIND, Severity.BLOCKS_RELEASE, f"option:{index}", evidence)


def comparable(item: Item, text: str) -> str:
    """Return an option's text as it is compared with the item's other options."""
    return trailing_blanks_removed(text) if item.subtask.name in _PATCH_SUBTASKS else folded(text)
