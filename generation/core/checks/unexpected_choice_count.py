"""More or fewer options than the subtask has: chance differs, and the score with it."""

from collections.abc import Iterator

from generation.core.checks.answers import has_options
from generation.core.items import Finding, Item, Severity

KIND = "unexpected_choice_count"


def check(item: Item) -> Iterator[Finding]:
    """Yield one finding where the number of options is not one of the subtask's."""
    allowed = item.subtask.choices
    count = len(item.options)
    if not has_options(item) or allowed is None or count in allowed:
        return
    span = str(allowed[0]) if len(allowed) == 1 else f"{allowed[0]} to {allowed[-1]}"
    given = "1 option" if count == 1 else f"{count} options"
    evidence = f"{given} where {item.subtask.name} has {span}"
    yield Finding(KIND, Severity.NEEDS_PERSON, "row", evidence)
