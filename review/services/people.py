"""What leads see of the people: role, skills, when they were last at work, how much they did."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, F, Max, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from review.models import Assignment, Profile, Review
from review.services.withdrawal import is_withdrawn


@dataclass(frozen=True, slots=True)
class Person:
    """A member with their counts: standing reviews, turns begun and not sent."""

    profile: Profile
    reviews: int
    open_turns: int
    last_active: datetime | None

    @property
    def is_withdrawn(self) -> bool:
        """Whether nothing names this person any more."""
        return is_withdrawn(self.profile.user)


def people(pk: int | None = None) -> list[Person]:
    """Return every member, or the one whose profile has that key, active ones first by name.

    One query, whatever the number of people.
    """
    profiles = Profile.objects.select_related("user").annotate(
        n_reviews=_counted(Review.objects.filter(undone_at=None), "assignment__reviewer"),
        n_open=_counted(
            Assignment.objects.filter(
                submitted_at=None, skipped_at=None, revision__superseded_at=None
            ),
            "reviewer",
        ),
        last_saved=_latest("draft_saved_at"),
        last_sent=_latest("submitted_at"),
    )
    if pk is not None:
        profiles = profiles.filter(pk=pk)
    ordered = profiles.order_by("-user__is_active", "user__username")
    return [
        Person(
            profile=profile,
            reviews=profile.n_reviews,
            open_turns=profile.n_open,
            last_active=_last(profile.user.last_login, profile.last_saved, profile.last_sent),
        )
        for profile in ordered
    ]


def active_members() -> list[str]:
    """Return the user names of the members who may be given work, by name."""
    members = Profile.objects.filter(user__is_active=True).order_by("user__username")
    return list(members.values_list("user__username", flat=True))


def _counted(rows: QuerySet[Review] | QuerySet[Assignment], by: str) -> Coalesce:
    theirs = rows.filter(Q((by, OuterRef("user")))).order_by()
    counted = theirs.annotate(person=F(by)).values("person").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted), Value(0))


def _latest(moment: str) -> Subquery:
    theirs = Assignment.objects.filter(reviewer=OuterRef("user")).order_by()
    return Subquery(theirs.values("reviewer").annotate(last=Max(moment)).values("last"))


def _last(*moments: datetime | None) -> datetime | None:
    return max((moment for moment in moments if moment is not None), default=None)
