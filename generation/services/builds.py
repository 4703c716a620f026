"""Builds candidates in the worker, source by source, each stored with the count of what it gave."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

from django.db.models import Count

from generation.core.subtask import Subtask
from generation.models import Source
from generation.services.candidates import (
    build_from,
    buildable,
    count_sources_for,
    form_of,
    sources_for,
)
from generation.services.job_steps import Given

_MOST_REASONS = 500


def build_order(*, subtasks: Sequence[str], seed: int, limit: int | None) -> dict[str, Any]:
    """Return the order of a build: its subtasks by name, all that can be built where none is named.

    Raises:
        ValueError: a name is unknown, or names a subtask that can only be imported.
    """
    names = [subtask.name for subtask in buildable(subtasks)]
    return {"subtasks": names, "seed": seed, "limit": limit}


def sources_by_subtask() -> dict[str, int]:
    """Return, for every subtask that can be built, how many sources there are for it; one query."""
    there: Counter[tuple[str, str, str]] = Counter()
    counted = Source.objects.order_by().values_list("form", "kind", "language")
    for form, kind, language, count in counted.annotate(Count("pk")):
        there[form, kind, language] = count
    return {
        subtask.name: sum(
            there[form_of(subtask), kind, subtask.language] for kind in subtask.source_kinds
        )
        for subtask in buildable()
    }


def run_build(given: Given) -> None:
    """Build the candidates of a job; those that are there already stay.

    Raises:
        JobEnded: it was stopped or taken away.
    """
    subtasks = buildable(given.order["subtasks"])
    sizes = [count_sources_for(subtask) for subtask in subtasks]
    given.tell(total=sum(sizes))
    begun = 0
    for subtask, size in zip(subtasks, sizes, strict=True):
        _build(given, subtask, behind=max(0, given.done - begun), end=begun + size)
        begun += size


def _build(given: Given, subtask: Subtask, *, behind: int, end: int) -> None:
    """Build a subtask from its sources behind the first ``behind``; the job stands at ``end`` then."""
    limit = given.order["limit"]
    for source in islice(sources_for(subtask, seed=given.order["seed"]), behind, None):
        made = given.result.get("candidates", {}).get(subtask.name, 0)
        if limit is not None and made >= limit:
            break
        left = None if limit is None else limit - made
        given.store(1, partial(_store, given, source, subtask, left))
    if given.done < end:
        given.store(end - given.done, lambda: None)


def _store(given: Given, source: Source, subtask: Subtask, limit: int | None) -> Mapping[str, Any]:
    """Build one source in the caller's transaction and return the result so far."""
    built = build_from(source, subtask, limit=limit)
    result = dict(given.result)
    candidates = dict(result.get("candidates", {}))
    made = built.candidates[subtask.name]
    candidates[subtask.name] = candidates.get(subtask.name, 0) + made
    left_out = {(row["subtask"], row["why"]): row["cuts"] for row in result.get("left_out", [])}
    for key, count in built.rejections.items():
        if key in left_out or len(left_out) < _MOST_REASONS:
            left_out[key] = left_out.get(key, 0) + count
    rows = [{"subtask": s, "why": w, "cuts": n} for (s, w), n in sorted(left_out.items())]
    return result | {"candidates": candidates, "left_out": rows}
