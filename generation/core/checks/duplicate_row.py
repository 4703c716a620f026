"""A row that repeats an earlier one counts the same question twice."""

import json
from collections.abc import Callable, Iterator
from hashlib import blake2b

from generation.core.items import Finding, Item, Severity

KIND = "duplicate_row"

_DIGEST_BYTES = 16


def start() -> Callable[[Item], Iterator[tuple[str, Finding]]]:
    """Return a function to call with each item of a set, in order.

    It yields key and finding where an earlier item had the same content: subtask, language,
    prompt texts, shown actions, options and gold; keys, clusters and budgets are not compared.
    It holds one short digest an item, so any number may come.
    """
    first_key: dict[bytes, str] = {}

    def watch(item: Item) -> Iterator[tuple[str, Finding]]:
        digest = _digest(item)
        if digest in first_key:
            evidence = f"same content as {first_key[digest]}"
            yield item.key, Finding(KIND, Severity.BLOCKS_RELEASE, "row", evidence)
        else:
            first_key[digest] = item.key

    return watch


def _digest(item: Item) -> bytes:
    content = [
        item.subtask.name,
        item.language,
        sorted(item.slots.items()),
        item.shown_actions,
        item.options,
        item.gold,
    ]
    text = json.dumps(content, ensure_ascii=False)
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_BYTES).digest()
