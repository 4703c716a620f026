"""What the pages of actions on many items show."""

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext

from generation.core.records import Language
from review.models import BulkAction, BulkItem, BulkKind, BulkOutcome, RejectReason
from review.services.bulk_giving import EVERYBODY, OF_LANGUAGE, PERSON
from review.services.bulk_obstacles import Foreseen
from review.services.bulk_reads import can_undo, counts, whys
from review.services.people import active_members
from review.views.bulk_selection import Selection
from review.views.bulk_words import KINDS, MEANINGS, OUTCOMES
from review.views.known_words import value_word
from review.views.side_by_side import reason_word
from review.views.told import told

_NAMED = 100


def kind_of(asked: QueryDict) -> BulkKind | None:
    """Return the action that an address names, None where it names none."""
    try:
        return BulkKind(asked.get("do", ""))
    except ValueError:
        return None


def new_context(
    kind: BulkKind, selection: Selection, found: Foreseen, asked: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what the page shows before an action begins."""
    return {
        "kind": kind,
        "word": KINDS[kind],
        "meaning": MEANINGS[kind],
        "found": found,
        "left": [(told(why), n) for why, n in found.left.items()],
        "fields": [("do", str(kind)), *selection.fields],
        "is_all": selection.is_all,
        "query": selection.query,
        "asked": asked,
        "asks_note": kind in (BulkKind.WITHDRAW, BulkKind.RETURN, BulkKind.REJECT),
        "asks_held": kind in (BulkKind.WITHDRAW, BulkKind.REJECT),
        "reasons": [(value, reason_word(value)) for value in RejectReason.values]
        if kind == BulkKind.REJECT
        else [],
        "people": _people() if kind == BulkKind.GIVE else [],
    }


def _people() -> list[tuple[str, str]]:
    """Return whom items can be given to: value and words."""
    by_language = gettext("evenly to all who can judge %(language)s")
    languages = [
        (OF_LANGUAGE + language, by_language % {"language": value_word(language)})
        for language in map(str, Language)
    ]
    everybody = (EVERYBODY, gettext("evenly to all who can judge them"))
    return [everybody, *languages, *((PERSON + name, name) for name in active_members())]


def state_context(bulk: BulkAction) -> dict[str, Any]:
    """Return what the page shows of an action; in six queries."""
    by_outcome = counts(bulk)
    total = sum(by_outcome.values())
    left = by_outcome.get(BulkOutcome.WAITING, 0)
    if bulk.undo_asked_at:
        left = by_outcome.get(BulkOutcome.CHANGED, 0)
    is_over = bulk.finished_at is not None
    told_of = BulkOutcome.KEPT if bulk.undo_asked_at else BulkOutcome.LEFT
    named = BulkItem.objects.filter(bulk=bulk, outcome=told_of).select_related("candidate")
    return {
        "bulk": bulk,
        "word": KINDS[BulkKind(bulk.kind)],
        "n": total,
        "is_over": is_over,
        "part": 0 if is_over or not total else round(100 * (total - left) / total),
        "left": left,
        "seconds": _seconds_left(bulk, done=total - left, left=left),
        "rows": [
            (outcome, word, by_outcome[outcome])
            for outcome, word in OUTCOMES.items()
            if outcome in by_outcome
        ],
        "whys": [(told(why), n) for why, n in whys(bulk, told_of)],
        "told_of": told_of,
        "named": [
            (item.candidate, told(item.why)) for item in named.order_by("candidate")[:_NAMED]
        ],
        "to": _to(bulk),
        "reason": reason_word(bulk.asked["reason"]) if bulk.asked.get("reason") else "",
        "can_undo": can_undo(bulk),
    }


def _to(bulk: BulkAction) -> str:
    """Return whom the items were given to, empty where that is not what the action does."""
    to = bulk.asked.get("to", "")
    return to.removeprefix(PERSON) if to.startswith(PERSON) else dict(_people()).get(to, "")


def _seconds_left(bulk: BulkAction, *, done: int, left: int) -> int | None:
    """Return how long the rest takes at the rate so far, None where no rate is known."""
    since = bulk.undo_asked_at or bulk.created_at
    if not done or bulk.worked_at is None or bulk.worked_at <= since:
        return None
    return round((bulk.worked_at - since).total_seconds() / done * left)
