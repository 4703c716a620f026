"""The progress page for leads: how far the work is, who does it, what is rejected and why."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from django.http import QueryDict
from django.http.response import HttpResponseBase
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from review.core.progress import forecast
from review.core.progress.flags import Flag
from review.forms import VERDICTS
from review.services.measurements import measurement
from review.views.access import require_lead
from review.views.item_words import STATES
from review.views.measured import ask, show
from review.views.progress_tables import CANDIDATES, COST, OPERATORS, REVIEWERS, progress_file
from review.views.rendering import PageRequest, go_to
from review.views.side_by_side import reason_word

NAME = "progress"
FLAGS = {
    Flag.TOO_FAST: _("faster than a third of the usual time"),
    Flag.SAME_POSITION: _("one place chosen more often than chance gives"),
    Flag.CONSTANT_DECISION: _("always the same decision"),
    Flag.CONSTANT_CONFIDENCE: _("always the same confidence"),
}
REASONS = {
    forecast.NOTHING_LEFT: _("nothing is left"),
    forecast.TOO_FEW_DAYS: _("fewer than three days with reviews"),
    forecast.TOO_SLOW: _("at this pace it would take more than ten years"),
}


TITLES = {
    "subtask": (_("Rejections by subtask"), _("subtask")),
    "source": (_("Rejections by source"), _("source")),
    "model": (_("Rejections by model of the run"), _("model")),
    "operator": (_("Rejections by operator of the distractors"), _("operator")),
    "option_model": (_("Rejections by model of the distractors"), _("model")),
}


@never_cache
@require_http_methods(["GET", "POST"])
def progress(request: PageRequest) -> HttpResponseBase:
    """Show the latest result, or ask for a new one."""
    require_lead(request)
    if request.method == "POST":
        ask(request, NAME)
        return go_to(request, request.get_full_path())
    row = measurement(NAME)
    if row.made_at and (file := progress_file(request.GET, row.data)):
        return file
    shown = _shown(row.data, request.GET) if row.made_at else {}
    return show(request, "review/progress.html", row, shown)


def _shown(data: dict[str, Any], asked: QueryDict) -> dict[str, Any]:
    tables = {
        "candidates": CANDIDATES.shown(asked, data["states"]),
        "reviewers": REVIEWERS.shown(asked, data["people"]),
        "operators": OPERATORS.shown(asked, data["operators"]),
        "cost": COST.shown(asked, data["cost"]),
    }
    return {
        "tables": tables,
        "states": list(STATES.items()),
        "table": [
            (line, [(state, line["states"].get(state, 0)) for state in STATES])
            for line in tables["candidates"].rows
        ],
        "totals": [
            (state, sum(line["states"].get(state, 0) for line in data["states"]))
            for state in STATES
        ],
        "all": sum(line["all"] for line in data["states"]),
        "days": data["days"][-14:],
        "days_total": sum(n for _day, n in data["days"][-14:]),
        "chart": data["chart"],
        "forecast": data["forecast"],
        "why": REASONS.get(data["forecast"]["why"], ""),
        "people": [
            (person, [(FLAGS[Flag(flag["flag"])], flag) for flag in person["flags"]])
            for person in tables["reviewers"].rows
        ],
        "people_totals": _sums(data["people"], ("reviews", "week", "open")),
        "rejections": [
            (name, *TITLES[name], _with_words(rows), sum(n for _group, _reason, n in rows))
            for name, rows in data["rejections"].items()
        ],
        "verdicts": [(value, word) for value, word, _key, _meaning in VERDICTS],
        "operators": [(line, _shares(line["verdicts"])) for line in tables["operators"].rows],
        "operators_total": _operators_total(data["operators"]),
        "cost": tables["cost"].rows,
        "cost_totals": _sums(
            data["cost"], ("calls", "failed", "prompt_tokens", "completion_tokens", "usd")
        ),
    }


def _sums(rows: Sequence[dict[str, Any]], names: Sequence[str]) -> dict[str, float]:
    return {name: sum(row[name] or 0 for row in rows) for name in names}


def _with_words(rows: Sequence[Any]) -> list[tuple[str, str, str, int]]:
    return [(group, reason, reason_word(reason), n) for group, reason, n in rows]


def _shares(counts: dict[str, int]) -> list[tuple[str, int, int]]:
    """Return of each verdict the number and the share in percent."""
    total = max(1, sum(counts.values()))
    return [
        (value, counts.get(value, 0), round(100 * counts.get(value, 0) / total))
        for value, _word, _key, _meaning in VERDICTS
    ]


def _operators_total(lines: Sequence[dict[str, Any]]) -> tuple[int, list[tuple[str, int, int]]]:
    counts: Counter[str] = Counter()
    for line in lines:
        counts.update(line["verdicts"])
    return counts.total(), _shares(counts)
