"""Plans which of many items go to whom: to one person, or evenly to all who can judge them."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Count, Q, QuerySet

from generation.models import Candidate, Revision
from review.core.giving import Giveable, Plan, spread
from review.models import Assignment, Profile, Purpose
from review.services.assigning import (
    CANNOT_JUDGE,
    MAY_HAVE_READ,
    NOT_QUALIFIED,
    REVIEWED,
    SKIPPED,
    WROTE,
    NoFreePlace,
)
from review.services.places import counting_reviews
from review.services.project import project, wanted_in
from review.services.qualification import must_qualify
from review.services.waiting import read_by, subtasks_for

AT_IT = "This person is at the item already."
NOBODY = "Nobody of those people may review it."
EVERYBODY = "all"
OF_LANGUAGE = "language:"
PERSON = "person:"


def people_meant(to: str) -> QuerySet[Profile]:
    """Return the active members that ``to`` names, by name: all, those of a language, or one.

    ``to`` is ``all``, ``language:`` and a language, or ``person:`` and a user name.
    """
    members = Profile.objects.filter(user__is_active=True).select_related("user")
    members = members.order_by("user__username")
    if to == EVERYBODY:
        return members
    if to.startswith(PERSON) and "\0" not in to:  # PostgreSQL fails at it; nobody has such a name
        return members.filter(user__username=to.removeprefix(PERSON))
    if to.startswith(OF_LANGUAGE):
        language = to.removeprefix(OF_LANGUAGE)
        able = [m.pk for m in members if not m.languages or language in m.languages]
        return members.filter(pk__in=able)
    return members.none()


def plan(rows: QuerySet[Candidate], profiles: Sequence[Profile], *, now: datetime) -> Plan:
    """Return who gets each of the items, all of them in review, and why the others go to nobody.

    Whoever has the fewest turns under way comes first. In eight queries, and two a lead.
    """
    found = list(
        Revision.objects.current()
        .filter(candidate__in=rows.order_by().values("pk"))
        .order_by("candidate")
        .values_list("pk", "candidate_id", "candidate__subtask", "author_id")
    )
    people = [profile.user for profile in profiles]
    settings, taken = project(), _taken(rows, now=now)
    barred = _barred(rows, [pk for pk, *_rest in found], profiles, now=now)
    skills = {person.pk: subtasks_for(person) for person in people}
    unready = {p.user_id for p in profiles if must_qualify(p, settings)}
    items = []
    for revision, candidate, subtask, author in found:
        refusals = {author: WROTE} if author else {}
        refusals |= {pk: CANNOT_JUDGE for pk, able in skills.items() if subtask not in able}
        refusals |= dict.fromkeys(unready, NOT_QUALIFIED) | barred.get(revision, {})
        free = wanted_in(settings, subtask) - taken.get(revision, 0)
        items.append(Giveable(candidate, free, refusals))
    order = [person.pk for person in people]
    if not order:
        return Plan({}, {item.key: NOBODY for item in items})
    return spread(items, order, load=_load(order, now=now), full=NoFreePlace.why, nobody=NOBODY)


def _running(now: datetime) -> QuerySet[Assignment]:
    return Assignment.objects.filter(
        Q(leased_until__gt=now) | Q(parked_at__isnull=False), submitted_at=None, skipped_at=None
    )


def _taken(rows: QuerySet[Candidate], *, now: datetime) -> dict[int, int]:
    """Return by revision how many places are taken: by reviews that count, and by running turns."""
    keys = rows.order_by().values("pk")
    reviewed = (
        counting_reviews()
        .filter(assignment__revision__superseded_at=None, assignment__revision__candidate__in=keys)
        .order_by()
        .values_list("assignment__revision")
        .annotate(n=Count("assignment", distinct=True))
    )
    running = (
        _running(now)
        .filter(
            purpose=Purpose.WORK,
            revision__superseded_at=None,
            revision__candidate__in=keys,
        )
        .order_by()
        .values_list("revision")
        .annotate(n=Count("pk"))
    )
    taken: dict[int, int] = defaultdict(int, reviewed)
    for revision, n in running:
        taken[revision] += n
    return taken


def _barred(
    rows: QuerySet[Candidate],
    revisions: Sequence[int],
    profiles: Collection[Profile],
    *,
    now: datetime,
) -> Mapping[int, dict[int, str]]:
    """Return by revision and person why their own turn, or what they read, keeps them from it."""
    barred: dict[int, dict[int, str]] = defaultdict(dict)
    for profile in profiles:
        for revision in read_by(profile.user, revisions):
            barred[revision][profile.user_id] = MAY_HAVE_READ
    turns = Assignment.objects.filter(
        revision__superseded_at=None,
        revision__candidate__in=rows.order_by().values("pk"),
        reviewer__in=[profile.user_id for profile in profiles],
    )
    for turn in turns.defer("draft"):
        if turn.submitted_at:
            barred[turn.revision_id][turn.reviewer_id] = REVIEWED
        elif turn.skipped_at:
            barred[turn.revision_id][turn.reviewer_id] = SKIPPED
        elif turn.parked_at or turn.leased_until > now:
            barred[turn.revision_id][turn.reviewer_id] = AT_IT
    return barred


def _load(people: Sequence[int], *, now: datetime) -> dict[int, int]:
    counted = _running(now).filter(reviewer__in=people).order_by().values_list("reviewer")
    return dict(counted.annotate(n=Count("pk")))


def lock_people(profiles: Collection[Profile]) -> list[User]:
    """Lock the people's profiles, in one order for all who lock several; return the people."""
    keys = [profile.pk for profile in profiles]
    locked = Profile.objects.select_for_update(of=("self",)).filter(pk__in=keys)
    return [profile.user for profile in locked.select_related("user").order_by("pk")]
