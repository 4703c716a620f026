"""Reads a release as sets to be audited: its test items, options in the released order."""

import json
from collections import defaultdict, deque

from generation.models import Option
from review.core.spool import unpack
from review.models import ItemRole, Release, ReleaseItem


class NoSuchRelease(ValueError):
    """No release has the version."""


def release_orders(version: str) -> dict[int, tuple[int, ...]]:
    """Return for each test item's revision the positions of its options as they were released.

    Completions have none.

    Raises:
        NoSuchRelease: no release has this version.
    """
    release = Release.objects.filter(version=version).first()
    if release is None:
        msg = f"no release {version}"
        raise NoSuchRelease(msg)
    items = ReleaseItem.objects.filter(release=release, role=ItemRole.TEST)
    places: dict[int, dict[str, deque[int]]] = defaultdict(lambda: defaultdict(deque))
    options = Option.objects.filter(revision__release_items__in=items).order_by("position")
    for pk, position, text in options.values_list("revision", "position", "text").iterator():
        places[pk][text].append(position)
    orders = {}
    for pk, line in items.values_list("revision", "line").iterator(chunk_size=20):
        shown = json.loads(unpack(line))["options"] or []
        orders[pk] = tuple(places[pk][option["text"]].popleft() for option in shown)
    return orders
