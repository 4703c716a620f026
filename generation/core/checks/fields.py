"""The texts of an item, each with the name of the field that a finding gives."""

from collections.abc import Iterator

from generation.core.checks.answers import has_options
from generation.core.items import Item


def texts_of(item: Item) -> Iterator[tuple[str, str]]:
    """Yield field and text: ``prompt`` for each slot, ``option:<i>``, ``gold`` of completion."""
    for text in item.slots.values():
        yield "prompt", text
    for index, text in enumerate(item.options):
        yield f"option:{index}", text
    if not has_options(item):
        for text in item.gold:
            yield "gold", text
