"""The progress page for leads: how far the work is, who does it, what is rejected and why."""

from typing import Any

from django.http import HttpResponse
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


@never_cache
@require_http_methods(["GET", "POST"])
def progress(request: PageRequest) -> HttpResponse:
    """Show the latest result, or ask for a new one."""
    require_lead(request)
    if request.method == "POST":
        ask(request, NAME)
        return go_to(request, request.get_full_path())
    row = measurement(NAME)
    return show(request, "review/progress.html", row, _shown(row.data) if row.made_at else {})


def _shown(data: dict[str, Any]) -> dict[str, Any]:
    return {
        "states": list(STATES.items()),
        "table": [
            (line, [(state, line["states"].get(state, 0)) for state in STATES])
            for line in data["states"]
        ],
        "totals": [
            (state, sum(line["states"].get(state, 0) for line in data["states"]))
            for state in STATES
        ],
        "days": data["days"][-14:],
        "chart": data["chart"],
        "forecast": data["forecast"],
        "why": REASONS.get(data["forecast"]["why"], ""),
        "people": [
            (person, [(FLAGS[Flag(flag["flag"])], flag) for flag in person["flags"]])
            for person in data["people"]
        ],
        "rejections": {
            name: [(group, reason, reason_word(reason), n) for group, reason, n in rows]
            for name, rows in data["rejections"].items()
        },
        "verdicts": [(value, word) for value, word, _key, _meaning in VERDICTS],
        "operators": [
            (
                line,
                [
                    (
                        value,
                        line["verdicts"][value],
                        round(100 * line["verdicts"][value] / line["all"]),
                    )
                    for value, _word, _key, _meaning in VERDICTS
                ],
            )
            for line in data["operators"]
        ],
        "cost": data["cost"],
        "usd": sum(line["usd"] for line in data["cost"]),
    }
