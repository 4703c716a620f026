"""Computes the progress page: states, pace, forecast, people, rejections, cost of generation."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import timedelta
from typing import Any

from django.db.models import Count, Max, Q, Sum
from django.db.models.functions import TruncDate
from django.utils import timezone

from generation.models import Candidate, CandidateState, LLMCall
from review.core.charts.drawing import in_tokens
from review.core.charts.over_time import Moment, over_time
from review.core.progress.forecast import forecast
from review.models import (
    Decision,
    OptionVerdict,
    OptionVerdictValue,
    Review,
)
from review.services.guideline_changes import guideline_changes, guideline_marks
from review.services.places import counting_reviews
from review.services.project import project, wanted_in
from review.services.reviewers import reviewers_at_work

RECENT_DAYS = 14
SHOWN_DAYS = 60


def progress_seen() -> str:
    """Return what the page depends on, in short."""
    reviews = Review.objects.aggregate(n=Count("pk"), last=Max("pk"))
    states = Counter(dict(Candidate.objects.order_by().values_list("state").annotate(Count("pk"))))
    calls = LLMCall.objects.aggregate(n=Count("pk"), done=Max("finished_at"))
    return (
        f"{reviews['n']}/{reviews['last'] or 0}; "
        f"{','.join(f'{state}:{n}' for state, n in sorted(states.items()))}; {calls['n']}"
    )


def measure_progress(report: Callable[[int, int], None]) -> dict[str, Any]:
    """Return the page's data; ``report`` is told of each part that is ready."""
    parts: Mapping[str, Callable[[], Any]] = {
        "states": _states,
        "days": _days,
        "forecast": _forecast,
        "people": reviewers_at_work,
        "rejections": rejections,
        "operators": _operators,
        "cost": _cost,
    }
    data: dict[str, Any] = {}
    for done, (name, part) in enumerate(parts.items(), start=1):
        data[name] = part()
        report(done, len(parts))
    data["chart"] = _chart(data["days"])
    return data


def _states() -> list[dict[str, Any]]:
    """Return candidates by subtask, language and state; control items are left out."""
    rows = (
        Candidate.objects.filter(is_control=False)
        .order_by("subtask", "source__language")
        .values_list("subtask", "source__language", "state")
        .annotate(n=Count("pk"))
    )
    table: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for subtask, language, state, n in rows:
        table[subtask, language][state] = n
    return [
        {"subtask": subtask, "language": language, "states": dict(counts), "all": counts.total()}
        for (subtask, language), counts in table.items()
    ]


def _per_day() -> dict[str, int]:
    rows = (
        counting_reviews()
        .filter(assignment__revision__candidate__is_control=False)
        .annotate(day=TruncDate("created_at"))
        .order_by("day")
        .values_list("day")
        .annotate(n=Count("pk"))
    )
    return {day.isoformat(): n for day, n in rows}


def _days() -> list[tuple[str, int]]:
    """Return the reviews of each of the last days, days without any included; UTC."""
    counts, today = _per_day(), timezone.now().date()
    days = [(today - timedelta(days=ago)).isoformat() for ago in range(SHOWN_DAYS - 1, -1, -1)]
    first = next((i for i, day in enumerate(days) if counts.get(day)), len(days) - 1)
    return [(day, counts.get(day, 0)) for day in days[first:]]


def _forecast() -> dict[str, Any]:
    """Return the reviews that are left and when they may be in, from the last whole days."""
    now_settings = project()
    in_review = Candidate.objects.filter(state=CandidateState.IN_REVIEW, is_control=False)
    by_subtask = in_review.order_by().values_list("subtask").annotate(n=Count("pk"))
    wanted = sum(n * wanted_in(now_settings, subtask) for subtask, n in by_subtask)
    done = (
        counting_reviews()
        .filter(
            assignment__revision__superseded_at=None,
            assignment__revision__candidate__state=CandidateState.IN_REVIEW,
            assignment__revision__candidate__is_control=False,
        )
        .count()
    )
    remaining = max(0, wanted - done)
    recent = [n for _day, n in _days()[-RECENT_DAYS - 1 : -1]]
    return {"remaining": remaining, "of_days": len(recent), **asdict(forecast(recent, remaining))}


def rejections() -> dict[str, list[tuple[str, str, int]]]:
    """Return rejecting reviews by what they reject and the reason.

    A review counts once under every operator, and every model, that made a distractor of the
    item; options that no model made are left out of the last.
    """
    rejecting = counting_reviews().filter(
        decision=Decision.REJECT, assignment__revision__candidate__is_control=False
    )
    candidate, option = "assignment__revision__candidate", "assignment__revision__options"
    fields = {
        "subtask": f"{candidate}__subtask",
        "source": f"{candidate}__source__kind",
        "model": f"{candidate}__source__model",
        "operator": f"{option}__operator",
        "option_model": f"{option}__model",
    }
    return {
        name: [
            row
            for row in rejecting.order_by(field, "reject_reason")
            .values_list(field, "reject_reason")
            .annotate(n=Count("pk", distinct=True))
            if not field.startswith(option) or row[0] not in (None, "", "gold")
        ]
        for name, field in fields.items()
    }


def _operators() -> list[dict[str, Any]]:
    """Return, by operator and model of distractors, how people judge them; every verdict counts."""
    rows = (
        OptionVerdict.objects.filter(review__in=counting_reviews().values("pk"))
        .order_by("option__operator", "option__model")
        .values_list("option__operator", "option__model", "verdict")
        .annotate(n=Count("pk"))
    )
    table: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for operator, model, verdict, n in rows:
        table[operator, model][verdict] = n
    return [
        {
            "operator": operator,
            "model": model,
            "all": counts.total(),
            "verdicts": {value: counts[value] for value in OptionVerdictValue.values},
        }
        for (operator, model), counts in table.items()
    ]


def _cost() -> list[dict[str, Any]]:
    """Return calls, tokens and US dollars of generation by model and operator."""
    rows = (
        LLMCall.objects.order_by("model", "operator")
        .values("model", "operator")
        .annotate(
            calls=Count("pk"),
            failed=Count("pk", filter=~Q(failure="")),
            prompt_tokens=Sum("prompt_tokens"),
            completion_tokens=Sum("completion_tokens"),
            usd=Sum("cost_usd"),
        )
    )
    return [{**row, "usd": float(row["usd"] or 0)} for row in rows]


def _chart(days: list[tuple[str, int]]) -> str:
    """Return the SVG of reviews per day, with the days on which guidelines changed."""
    return in_tokens(
        over_time(
            [Moment(day, n) for day, n in days],
            title="n",
            marks=guideline_marks(guideline_changes(), since=days[0][0]),
            top=None,
        )
    )
