"""The official rows as items, through the importer: as given, with the official budgets."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import cache

from generation.core.checks.catalogue import check_items
from generation.core.importers.aptbench import IMPORTER
from generation.core.items import Finding, Item
from generation.core.records import Question
from generation.core.registry import SUBTASKS
from tests.shared_data import DATA


@cache
def official_items() -> tuple[Item, ...]:
    read = IMPORTER.read(DATA / "aptbench_official")
    return tuple(_item(record) for record in read if isinstance(record, Question))


def _item(question: Question) -> Item:
    subtask = SUBTASKS[question.subtask]
    return Item(
        key=question.provenance.where,
        subtask=subtask,
        language=question.language,
        slots=question.slots,
        options=question.options,
        gold=question.gold,
        max_new_tokens=subtask.official_max_new_tokens,
        cluster=question.provenance.cluster,
        shown_actions=question.shown_actions,
        tools=question.tools,
        reference_answer=question.reference_answer,
        imported=True,
    )


@cache
def official_findings() -> tuple[tuple[Item, Finding], ...]:
    by_key = {item.key: item for item in official_items()}
    return tuple((by_key[key], finding) for key, finding in check_items(official_items()))


@cache
def flagged_items() -> Mapping[str, Mapping[str, int]]:
    """Subtask, then kind, to the number of items with at least one finding of the kind."""
    keys = {(i.subtask.name, f.kind, i.key) for i, f in official_findings()}
    counted: dict[str, Counter[str]] = defaultdict(Counter)
    for subtask, kind, _ in keys:
        counted[subtask][kind] += 1
    return counted
