"""The order in which options are shown: seeded, so that it is stable and says nothing."""

import hashlib
import random


def shown_order(seed: str, count: int) -> tuple[int, ...]:
    """Return positions 0..count-1 in a shuffled order that depends on ``seed`` alone.

    Element i is the given-order position of the option that is shown as label i. For a reviewer
    the seed names the revision and the person; for a release the release and the item.
    """
    digest = hashlib.sha256(seed.encode()).digest()
    order = list(range(count))
    random.Random(digest).shuffle(order)  # noqa: S311  not for secrecy: the order must repeat
    return tuple(order)
