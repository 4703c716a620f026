"""Reads how much everybody reviews, how fast, and what stands out, from real work alone."""

from collections import Counter, defaultdict
from dataclasses import asdict
from datetime import timedelta
from statistics import median
from typing import Any

from django.db.models import Count, Q
from django.utils import timezone

from generation.models import Option
from review.core.progress.flags import Answered, flags_of
from review.models import Assignment, Profile
from review.services.labels import labels_for
from review.services.places import counting_reviews


def reviewers_at_work() -> list[dict[str, Any]]:
    """Return load and pace of everybody who reviews, with advisory flags."""
    answered = _answered()
    usual_seconds = median([one.seconds for own in answered.values() for one in own] or [0.0])
    decisions = Counter(one.decision for own in answered.values() for one in own)
    usual_share = max(decisions.values(), default=0) / max(1, decisions.total())
    week = timezone.now() - timedelta(days=7)
    recent = dict(
        counting_reviews()
        .filter(created_at__gte=week)
        .order_by()
        .values_list("assignment__reviewer")
        .annotate(n=Count("pk"))
    )
    open_turns = dict(
        Assignment.objects.filter(submitted_at=None, skipped_at=None)
        .filter(Q(leased_until__gt=timezone.now()) | Q(parked_at__isnull=False))
        .order_by()
        .values_list("reviewer")
        .annotate(n=Count("pk"))
    )
    members = Profile.objects.filter(user__is_active=True).select_related("user")
    rows = []
    for member in members.order_by("user__username"):
        own = answered.get(member.user_id, [])
        if not own and not open_turns.get(member.user_id):
            continue
        flags = flags_of(own, usual_seconds=usual_seconds, usual_share=usual_share)
        rows.append(
            {
                "name": member.user.get_username(),
                "profile": member.pk,
                "reviews": len(own),
                "week": recent.get(member.user_id, 0),
                "open": open_turns.get(member.user_id, 0),
                "seconds": median(one.seconds for one in own) if own else None,
                "flags": [asdict(flag) for flag in flags],
            }
        )
    return rows


def _answered() -> dict[int, list[Answered]]:
    """Return everybody's reviews as flags look at them, by reviewer; real work only."""
    choices = dict(
        Option.objects.filter(revision__assignments__reviews__isnull=False)
        .order_by()
        .values_list("revision")
        .annotate(n=Count("pk", distinct=True))
    )
    rows = counting_reviews().filter(assignment__revision__candidate__is_control=False)
    found: dict[int, list[Answered]] = defaultdict(list)
    for reviewer, revision, decision, open_seconds, blind_seconds, positions, confidence in (
        rows.order_by("pk")
        .values_list(
            "assignment__reviewer",
            "assignment__revision",
            "decision",
            "active_seconds",
            "assignment__blind_answer__active_seconds",
            "assignment__blind_answer__positions",
            "assignment__blind_answer__confidence",
        )
        .iterator(chunk_size=5_000)
    ):
        count = choices.get(revision, 0) if len(positions) == 1 else 0
        place = _place(revision, reviewer, count, positions)
        seconds = open_seconds + blind_seconds
        found[reviewer].append(Answered(seconds, place, count, decision, confidence))
    return found


def _place(revision: int, reviewer: int, count: int, positions: list[int]) -> int:
    """Return where the chosen option stood as this reviewer saw it, 0 for a written answer."""
    if not count or positions[0] >= count:
        return 0
    labels = labels_for(revision=revision, reader=reviewer, count=count)
    return labels.order.index(positions[0])
