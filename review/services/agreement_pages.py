"""Computes all that the agreement page shows: whole, by every grouping, worst items; and its charts."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from django.db.models import Count, Max, Q

from generation.models import Revision
from review.core.agreement.as_json import agreement_json
from review.core.agreement.summary import Agreement
from review.core.agreement.words import shown
from review.core.charts.drawing import in_tokens
from review.core.charts.forest import ForestRow, forest_plot
from review.core.charts.over_time import Mark, Moment, over_time
from review.models import Review
from review.services.agreement import By, agreements, calibrations, split, worst_of
from review.services.guideline_changes import guideline_changes, guideline_marks
from review.services.votes import Measure, Votes, independent_reviews, read_votes

SEED = 0
WORST = 200
GROUP_WORST = 25


def reviews_seen() -> str:
    """Return what agreement depends on, in short: cheap to ask, since every look at the page does."""
    reviews = Review.objects.aggregate(
        n=Count("pk"), last=Max("pk"), undone=Count("pk", filter=Q(undone_at__isnull=False))
    )
    superseded = Revision.objects.filter(superseded_at__isnull=False).count()
    return (
        f"{reviews['n']} reviews, last {reviews['last'] or 0}, {reviews['undone']} undone; "
        f"{superseded} revisions superseded"
    )


def measure_agreement(report: Callable[[int, int], None], *, named: bool = True) -> dict[str, Any]:
    """Return the page's data: ``whole``, ``by``, ``worst``, ``calibration``, ``guidelines``, ``reviews``.

    Numbers are those of ``manage.py agreement`` with its default seed; reviewers go by their
    names, since leads alone read this, and by pseudonyms where not ``named``. ``report`` is told of each part that is ready.
    """
    votes = read_votes(named=named)
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
            for name, rows in calibrations(named=named).items()
        },
        "guidelines": _guidelines(),
    }


def agreement_in_parts(report: Callable[[int, int], None]) -> dict[str, Any]:
    """Return the page's data as it is stored: what no page shows together is kept apart.

    ``parts`` has for each grouping its groups without their pairs of reviewers, under the
    grouping's name, and each group whole, under the name and the group's place. With hundreds of
    pairs a measure, all in one would take a page a second to read.
    """
    data = measure_agreement(report)
    parts: dict[str, Any] = {}
    for by, groups in data.pop("by").items():
        parts[by] = {
            name: {measure: {**entry, "pairs": []} for measure, entry in entries.items()}
            for name, entries in groups.items()
        }
        for place, entries in enumerate(groups.values()):
            parts[f"{by}/{place}"] = entries
    return {**data, "parts": parts}


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


def _guidelines() -> dict[str, str]:
    """Return the days on which the guidelines changed, with the labels of the new versions."""
    return {mark.date: mark.label for mark in guideline_marks(guideline_changes())}


def chart_of(data: Mapping[str, Any], by: By, measure: Measure) -> str:
    """Return ``drawn_chart`` in the page's own colours."""
    return in_tokens(drawn_chart(data, by, measure))


def drawn_chart(data: Mapping[str, Any], by: By, measure: Measure) -> str:
    """Return the SVG of alpha by group from a stored result, empty where there is none to show."""
    groups = {name: entries[measure] for name, entries in data["by"].get(by, {}).items()}
    pairable = {name: entry for name, entry in groups.items() if entry["n_pairable"]}
    if not pairable:
        return ""
    if by is By.WEEK:
        moments = [_moment(week, entry["alpha"]) for week, entry in pairable.items()]
        marks = [Mark(*mark) for mark in data["guidelines"].items() if mark[0] >= moments[0].date]
        return over_time(moments, title="alpha", marks=marks)
    rows = [_row(name, entry) for name, entry in pairable.items()]
    return forest_plot(rows, title="alpha, 95 %")


def _row(name: str, entry: Mapping[str, Any]) -> ForestRow:
    alpha = entry["alpha"]
    return ForestRow(name, entry["n_pairable"], alpha["value"], alpha["low"], alpha["high"])


def _moment(week: str, alpha: Mapping[str, Any]) -> Moment:
    year, number = week.split("-W")
    monday = date.fromisocalendar(int(year), int(number), 1)
    return Moment(monday.isoformat(), alpha["value"], alpha["low"], alpha["high"])
