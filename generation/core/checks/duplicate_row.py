"""A row that repeats an earlier one counts the same question twice."""

import json
from collections.abc import Iterable, Iterator
from hashlib import blake2b

from generation.core.items import Finding, Item, Severity

KIND = "duplicate_row"

_DIGEST_BYTES = 16


def check(items: Iterable[Item]) -> Iterator[tuple[str, Finding]]:
    """Yield key and finding of each item whose content an earlier item of the set has.

    Content is subtask, language, prompt texts, shown actions, options and gold; keys,
    clusters and budgets are not. Holds one short digest an item, so any number may come.
    """
    first_key: dict[bytes, str] = {}
    for item in items:
        digest = _digest(item)
        earlier = first_key.get(digest)
        if earlier is None:
            first_key[digest] = item.key
        else:
            evidence = f"same content as {earlier}"
            yield item.key, Finding(KIND, Severity.BLOCKS_RELEASE, "row", evidence)


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
