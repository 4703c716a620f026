"""What leads see of the people: role, skills, when they were last at work, how much they did."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max

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

    Four queries, whatever the number of people: what they did is grouped by person.
    """
    profiles = Profile.objects.select_related("user")
    turns, reviews = Assignment.objects.order_by(), Review.objects.order_by()
    if pk is not None:
        profiles = profiles.filter(pk=pk)
        turns = turns.filter(reviewer__profile=pk)
        reviews = reviews.filter(assignment__reviewer__profile=pk)
    standing = reviews.filter(undone_at=None).values_list("assignment__reviewer")
    begun = turns.filter(submitted_at=None, skipped_at=None, revision__superseded_at=None)
    n_reviews = dict(standing.annotate(n=Count("pk")))
    n_open = dict(begun.values_list("reviewer").annotate(n=Count("pk")))
    saved_and_sent = turns.values_list("reviewer").annotate(
        saved=Max("draft_saved_at"), sent=Max("submitted_at")
    )
    last = {person: (saved, sent) for person, saved, sent in saved_and_sent}
    return [
        Person(
            profile=profile,
            reviews=n_reviews.get(profile.user_id, 0),
            open_turns=n_open.get(profile.user_id, 0),
            last_active=_last(profile.user.last_login, *last.get(profile.user_id, ())),
        )
        for profile in profiles.order_by("-user__is_active", "user__username")
    ]


def active_members() -> list[str]:
    """Return the user names of the members who may be given work, by name."""
    members = Profile.objects.filter(user__is_active=True).order_by("user__username")
    return list(members.values_list("user__username", flat=True))


def _last(*moments: datetime | None) -> datetime | None:
    return max((moment for moment in moments if moment is not None), default=None)
