"""Computes all that the agreement page shows: whole, by every grouping, charts and worst items."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from django.db.models import Count, Max

from review.core.agreement.as_json import agreement_json
from review.core.agreement.summary import Agreement
from review.core.agreement.words import shown
from review.core.charts.drawing import in_tokens
from review.core.charts.forest import ForestRow, forest_plot
from review.core.charts.over_time import Mark, Moment, over_time
from review.models import GuidelineVersion
from review.services.agreement import By, agreements, calibrations, split, worst_of
from review.services.votes import Measure, Votes, independent_reviews, read_votes

SEED = 0
WORST = 200
GROUP_WORST = 25


def reviews_seen() -> str:
    """Return what agreement depends on, in short: number of reviews and the latest of them."""
    found = independent_reviews().aggregate(n=Count("pk"), last=Max("pk"))
    return f"{found['n']} reviews, last {found['last'] or 0}"


def measure_agreement(report: Callable[[int, int], None]) -> dict[str, Any]:
    """Return the page's data: ``whole``, ``by``, ``worst``, ``calibration``, ``charts``, ``reviews``.

    Numbers are those of ``manage.py agreement`` with its default seed; reviewers go by their
    names, since leads alone read this. ``report`` is told of each part that is ready.
    """
    votes = read_votes(named=True)
    groups = {by: split(votes, by) for by in By}
    total = 1 + sum(map(len, groups.values()))
    done = 0

    def measured(part: Votes) -> dict[Measure, Agreement]:
        nonlocal done
        found = agreements(part, seed=SEED)
        done += 1
        report(done, total)
        return found

    whole = measured(votes)
    by = {
        by: {name: measured(part) for name, part in parts.items()} for by, parts in groups.items()
    }
    return {
        "reviews": independent_reviews().count(),
        "whole": {measure: _entry(found) for measure, found in whole.items()},
        "by": {
            grouping: {
                name: {measure: _entry(found) for measure, found in measures.items()}
                for name, measures in parts.items()
            }
            for grouping, parts in by.items()
        },
        "worst": {measure: _worst(votes, measure, WORST) for measure in Measure},
        "worst_by_subtask": {
            name: {measure: _worst(part, measure, GROUP_WORST) for measure in Measure}
            for name, part in groups[By.SUBTASK].items()
        },
        "calibration": {
            name: [[row.confidence, row.answers, row.right, row.low, row.high] for row in rows]
            for name, rows in calibrations(named=True).items()
        },
        "charts": {
            grouping: {measure: _chart(grouping, parts, measure) for measure in Measure}
            for grouping, parts in by.items()
        },
    }


def _entry(found: Agreement) -> dict[str, Any]:
    """Return what the command's JSON says of a measure, with raw's interval and the labels."""
    interval = found.raw_interval
    return {
        **agreement_json(found),
        "scale": str(found.scale),
        "ac1_by_chance": found.ac1_by_chance.number,
        "raw_low": interval.low if interval else None,
        "raw_high": interval.high if interval else None,
        "labels": [
            {
                "label": shown(row.label),
                "given": row.given,
                "share": row.share,
                "specific": row.specific.number,
                "alpha": row.alpha.number,
            }
            for row in found.labels
        ],
    }


def _worst(votes: Votes, measure: Measure, limit: int) -> list[dict[str, Any]]:
    rows = worst_of(votes, measure, limit=limit)
    found = []
    for row in rows:
        assert isinstance(row.item, int)  # the key of a revision, as in services.votes
        question = votes.questions[row.item]
        found.append(
            {
                "candidate": question.item,
                "revision": question.revision,
                "subtask": question.subtask,
                "distance": row.distance,
                "pairs": row.pairs,
            }
        )
    return found


def _chart(grouping: By, parts: Mapping[str, Mapping[Measure, Agreement]], measure: Measure) -> str:
    """Return the SVG of alpha by group, empty where no group has two labels of an item."""
    found = {name: measures[measure] for name, measures in parts.items()}
    pairable = {name: one for name, one in found.items() if one.n_pairable}
    if not pairable:
        return ""
    if grouping is By.WEEK:
        return in_tokens(
            over_time([_moment(*row) for row in pairable.items()], title="alpha", marks=_marks())
        )
    return in_tokens(forest_plot([_row(*row) for row in pairable.items()], title="alpha, 95 %"))


def _ends(found: Agreement) -> tuple[float | None, float | None]:
    interval = found.alpha_interval
    return (interval.low, interval.high) if interval else (None, None)


def _row(name: str, found: Agreement) -> ForestRow:
    return ForestRow(name, found.n_pairable, found.alpha.number, *_ends(found))


def _moment(week: str, found: Agreement) -> Moment:
    year, number = week.split("-W")
    monday = date.fromisocalendar(int(year), int(number), 1)
    return Moment(monday.isoformat(), found.alpha.number, *_ends(found))


def _marks() -> list[Mark]:
    """Return when the guidelines changed: one mark a day."""
    days = GuidelineVersion.objects.order_by("created_at").values_list("created_at", "number")
    by_day = {f"{created:%Y-%m-%d}": number for created, number in days}
    return [Mark(day, f"guidelines {number}") for day, number in by_day.items()]
