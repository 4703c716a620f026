"""The agreement page: every measure, whole and by group, with what lies behind a number."""

from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.core.cache import cache
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from review.models import Measurement, Profile
from review.services.agreement import RAW_COLUMNS, By, raw_rows
from review.services.agreement_pages import chart_of
from review.services.item_access import openable
from review.services.measurements import measurement, part_of
from review.services.votes import Measure, independent_reviews, read_votes
from review.views.access import require_lead
from review.views.agreement_rows import group_rows, labels_of, measure_rows, pair_matrix
from review.views.agreement_tables import GROUPS as GROUPS_TABLE
from review.views.agreement_tables import MEASURES as MEASURES_TABLE
from review.views.agreement_tables import WORST as WORST_TABLE
from review.views.agreement_tables import file_of_groups
from review.views.downloads import table_file
from review.views.measured import ask, show
from review.views.rendering import PageRequest, go_to, render_page
from review.views.tables import FILE

NAME = "agreement"
_WORST = 25
MEASURES = {
    Measure.BLIND_ANSWER: _("blind answer"),
    Measure.CITATION_ANSWER: _("blind answer (sets)"),
    Measure.MATCHES_GOLD: _("blind answer matches gold"),
    Measure.DECISION: _("decision"),
    Measure.WELL_SPECIFIED: _("well specified, 0-3"),
    Measure.GOLD_QUALITY: _("gold quality, 0-3"),
    Measure.DISTRACTOR_VERDICT: _("verdict on a distractor"),
    Measure.FINDING_VERDICT: _("verdict on a finding"),
}
GROUPINGS = {
    By.SUBTASK: _("subtask"),
    By.SCENARIO: _("scenario"),
    By.ABILITY: _("ability"),
    By.LANGUAGE: _("language"),
    By.REVIEWER: _("reviewer"),
    By.WEEK: _("week"),
}

LABEL_FILTERS = {
    Measure.MATCHES_GOLD: "right",
    Measure.DECISION: "decision",
    Measure.WELL_SPECIFIED: "well_specified",
    Measure.GOLD_QUALITY: "gold_quality",
    Measure.DISTRACTOR_VERDICT: "verdict",
}
"""The filters of items that find those which somebody gave a label."""


@never_cache
@require_http_methods(["GET", "POST"])
def agreement(request: PageRequest) -> HttpResponseBase:
    """Show the latest result, or ask for a new one."""
    require_lead(request)
    if request.method == "POST":
        ask(request, NAME)
        return go_to(request, request.get_full_path())
    row = measurement(NAME)
    if row.made_at and (file := _file(request, row)):
        return file
    context = {
        "reviews": row.data.get("reviews", 0),
        "nothing": row.made_at is None and not independent_reviews().exists(),
        **(_shown(request, row) if row.made_at else {}),
    }
    return show(request, "review/agreement.html", row, context)


def _shown(request: PageRequest, row: Measurement) -> dict[str, Any]:
    data = row.data
    measure = _chosen(request, "measure", Measure, Measure.DECISION)
    grouping = _chosen(request, "by", By, By.SUBTASK)
    group = request.GET.get("group", "")
    groups = part_of(row, grouping)
    if group and group not in groups:
        raise Http404
    chosen = part_of(row, f"{grouping}/{list(groups).index(group)}") if group else data["whole"]
    if not chosen:
        raise Http404
    entry = chosen[measure]
    profiles = dict(
        Profile.objects.filter(user__username__in=list(data["calibration"])).values_list(
            "user__username", "pk"
        )
    )
    by_subtask = grouping == By.SUBTASK and group
    worst = data["worst_by_subtask"].get(group, {}) if by_subtask else data["worst"]
    items_of = _items_of(grouping, group)
    measures = [replace(line, address=items_of) for line in measure_rows(chosen, MEASURES)]
    lines = [
        replace(line, address=_items_of(grouping, line.key)) for line in group_rows(groups, measure)
    ]
    tables = {
        "measures": MEASURES_TABLE.shown(request.GET, measures),
        "groups": GROUPS_TABLE.shown(request.GET, lines),
        "worst": WORST_TABLE.shown(request.GET, _opened(request, worst.get(measure, []))[:_WORST]),
    }
    return {
        "tables": tables,
        "measure": measure,
        "measure_word": MEASURES[measure],
        "by": grouping,
        "group": group,
        "groupings": list(GROUPINGS.items()),
        "measures": tables["measures"].rows,
        "groups": tables["groups"].rows,
        "has_chart": any(entries[measure]["n_pairable"] for entries in groups.values()),
        "entry": entry,
        "labels": labels_of(entry),
        "label_filter": LABEL_FILTERS.get(measure, ""),
        "items_of": items_of,
        "matrix": pair_matrix(entry),
        "worst": tables["worst"].rows,
        "calibration": _calibration(data["calibration"], profiles),
    }


def _items_of(grouping: str, group: str) -> str:
    """Return the address of the reviewed items, of a group where one is named.

    Every grouping has the name of a filter of items.
    """
    asked = {"reviewed": "yes", "control": "no", **({grouping: group} if group else {})}
    return f"{reverse('items')}?{urlencode(asked)}"


def _file(request: PageRequest, row: Measurement) -> StreamingHttpResponse | None:
    """Return the file that the address asks for: of the measures, the groups or the worst items."""
    if not any(name.startswith(FILE) for name in request.GET):
        return None
    shown = _shown(request, row)
    return (
        MEASURES_TABLE.file(request.GET, shown["measures"])
        or file_of_groups(request.GET, shown["groups"], by=shown["by"])
        or WORST_TABLE.file(request.GET, shown["worst"])
    )


def _opened(request: PageRequest, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows of items that the lead may read whole: others would tell of a dispute."""
    keys = [row["candidate"] for row in rows]
    opened = set(openable(request.user).filter(pk__in=keys).values_list("pk", flat=True))
    return [row for row in rows if row["candidate"] in opened]


@require_http_methods(["GET"])
def agreement_chart(request: PageRequest) -> HttpResponse:
    """Show alpha by group as a picture; drawn once for each result and kept."""
    require_lead(request)
    row = measurement(NAME)
    if row.made_at is None:
        raise Http404
    measure = _chosen(request, "measure", Measure, Measure.DECISION)
    by = _chosen(request, "by", By, By.SUBTASK)
    key = f"agreement:{row.made_at.timestamp()}:{by}:{measure}"
    svg = cache.get_or_set(
        key,
        lambda: chart_of({**row.data, "by": {by: part_of(row, by)}}, by, measure),
        timeout=None,
    )
    context = {"chart": svg, "back": f"{reverse(NAME)}?{urlencode({'measure': measure, 'by': by})}"}
    return render_page(request, "review/chart.html", context, part="chart")


def _chosen(request: PageRequest, name: str, kinds: Any, default: Any) -> Any:
    """Return the choice of the address, the default where there is none or an unknown one."""
    try:
        return kinds(request.GET.get(name, default))
    except ValueError:
        return default


def _calibration(
    found: dict[str, list[list[float]]], profiles: dict[str, int]
) -> list[tuple[str, int | None, list[Any]]]:
    """Return by reviewer the share of right answers at each confidence, 1 to 5, in percent.

    With each name comes the key of the person's page, None of one who is no member.
    """
    rows = []
    for name, levels in found.items():
        by_level = {int(level[0]): level for level in levels}
        cells = [
            (by_level[c][1], round(100 * by_level[c][2] / by_level[c][1]), c)
            if c in by_level
            else None
            for c in range(1, 6)
        ]
        rows.append((name, profiles.get(name), cells))
    return rows


@require_http_methods(["GET"])
def raw_table(request: PageRequest, suffix: str) -> StreamingHttpResponse:
    """Send the raw table behind the numbers, as CSV or JSON lines; names are pseudonyms.

    What the lead may still review is left out of it.
    """
    require_lead(request)
    rows = raw_rows(read_votes(reader=request.user))
    return table_file(rows, RAW_COLUMNS, name="reviews", suffix=suffix)
