"""What changed with the guidelines, for leads: control items by person, item and week; before and after."""

from collections.abc import Mapping
from datetime import datetime
from itertools import pairwise
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from review.core.agreement.warnings import WIDEST
from review.core.shares import ENOUGH, Share
from review.models import Control, Measurement, Profile, Purpose
from review.services.item_access import openable
from review.services.measurements import measurement
from review.views.access import require_lead
from review.views.agreement_rows import interval, number
from review.views.known_words import value_word
from review.views.measured import ask, show
from review.views.rendering import PageRequest, go_to
from review.views.side_by_side import reason_word

NAME = "learning"
_REASONS_SHOWN = 4
Stored = Mapping[str, Any]


@never_cache
@require_http_methods(["GET", "POST"])
def learning(request: PageRequest) -> HttpResponse:
    """Show the latest result, or ask for a new one."""
    require_lead(request)
    if request.method == "POST":
        ask(request, NAME)
        return go_to(request, request.get_full_path())
    row = measurement(NAME)
    return show(request, "review/learning.html", row, _shown(request, row) if row.made_at else {})


def _shown(request: PageRequest, row: Measurement) -> dict[str, Any]:
    data = row.data
    users = [line["user"] for line in data["people"]]
    profiles = dict(Profile.objects.filter(user__in=users).values_list("user_id", "pk"))
    opened = _opened(request, [line["candidate"] for line in data["items"]])
    periods = [_period(period) for period in data["periods"]]
    return {
        "changes": [
            {
                "before": before,
                "after": after,
                "sides": (before, after),
                "warnings": _few(before, after),
            }
            for before, after in pairwise(periods)
        ][::-1],
        "straddling": data["straddling"],
        "enough": ENOUGH,
        "people": [
            (line, profiles.get(line["user"]), line["purpose"] == Purpose.CONTROL, *_shares(line))
            for line in data["people"]
        ],
        "items": [
            (line, line["candidate"] in opened, value_word(line["known"]), *_shares(line))
            for line in data["items"]
        ],
        "weeks": [(monday, Share(right, n)) for monday, right, n in data["weeks"]][::-1],
        "chart": data["chart"],
    }


def _opened(request: PageRequest, keys: list[int]) -> set[int]:
    """Return the control items that the lead is never given: opened, or made by themselves."""
    opened = openable(request.user).filter(pk__in=keys).values_list("pk", flat=True)
    made = Control.objects.filter(made_by=request.user, candidate__in=keys)
    return set(opened) | set(made.values_list("candidate_id", flat=True))


def _shares(line: Stored) -> tuple[Share, Share, list[tuple[str, int, int]]]:
    """Return decisions right, blind answers right, and (label, right, n) by version."""
    right, n, knew = line["counts"]
    versions = [(label, own_right, own) for _number, label, own_right, own in line["versions"]]
    return Share(right, n), Share(knew, n), versions


def _period(period: Stored) -> dict[str, Any]:
    """Return what the table shows of one period."""
    right, n, _knew = period["controls"]
    found = period["agreement"]
    alpha = found["alpha"] if found else {"value": None, "low": None, "high": None}
    rejected = max(1, period["rejected"])
    return {
        **{name: period[name] for name in ("label", "note", "reviews", "language", "number")},
        "since": _moment(period["since"]),
        "until": _moment(period["until"]),
        "rejected": Share(period["rejected"], period["reviews"]),
        "reasons": [
            (reason_word(reason), Share(n_reason, rejected), _items(reason=reason))
            for reason, n_reason in list(period["reasons"].items())[:_REASONS_SHOWN]
        ],
        "controls": Share(right, n),
        "n_pairable": found["n_pairable"] if found else 0,
        "raw": number(found["raw"]) if found else number(None),
        "raw_interval": interval(found["raw_low"], found["raw_high"]) if found else "",
        "alpha": number(alpha["value"]),
        "alpha_interval": interval(alpha["low"], alpha["high"]),
        "width": _width(alpha),
    }


def _width(alpha: Stored) -> float:
    """Return how wide the interval is, 0 where there is none."""
    if alpha["low"] is None or alpha["high"] is None:
        return 0.0
    return float(alpha["high"] - alpha["low"])


def _few(before: Stored, after: Stored) -> dict[str, bool]:
    """Return of which numbers there are too few, on one side at least, to tell a change."""
    sides = (before, after)
    return {
        "agreement": any(s["n_pairable"] < ENOUGH or s["width"] > WIDEST for s in sides),
        "rejections": any(s["rejected"].is_few for s in sides),
        "controls": any(s["controls"].is_few for s in sides),
    }


def _items(**asked: str) -> str:
    return f"{reverse('items')}?{urlencode({**asked, 'control': 'no'})}"


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
