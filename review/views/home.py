"""The queue: the next item, own counts and drafts; for leads the state of the whole."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.db.models import Count, F, Q, QuerySet
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from generation.models import Candidate, CandidateState
from review.authentication import is_lead
from review.models import Assignment, Purpose, Release, Review
from review.services.empty_queue import EmptyQueue, why_empty
from review.services.undo import last_reviews
from review.services.waiting import open_assignments
from review.views.item_words import state_word
from review.views.own_remarks import beside_reviews
from review.views.rendering import PageRequest, go_to, render_page
from review.views.workspace import MOST_COUNTED, left_in_queue, next_address

_MOST_LISTED = 20


@never_cache
@require_http_methods(["GET"])
def queue(request: PageRequest) -> HttpResponse:
    """Show what there is to do, or why there is nothing."""
    left = left_in_queue(request)
    begun = list(_begun(request.user))
    context = {
        "left": f"{MOST_COUNTED}+" if left.items > MOST_COUNTED else str(left.items),
        "round": left.round,
        "empty": None if left.items else empty_queue(request.user),
        "assigned": [turn for turn in begun if _is_untouched_from_lead(turn)],
        "drafts": [turn for turn in begun if not _is_untouched_from_lead(turn)],
        "counts": own_counts(request.user),
        **beside_reviews(request),
        "own_reviews": last_reviews(reviewer=request.user, now=timezone.now()),
        **(overview() if is_lead(request.user) else {}),
    }
    return render_page(request, "review/queue.html", context, part="queue")


@require_http_methods(["POST"])
def next_item(request: PageRequest) -> HttpResponse:
    """Give the person their next item and open it; with none left the queue says why."""
    address = next_address(request)
    if address == reverse("queue"):
        messages.info(request, gettext("There is nothing for you right now."))
    return go_to(request, address)


def _begun(user: User) -> QuerySet[Assignment]:
    """Return the turns to go on with: those from a lead, then what was worked at last."""
    turns = open_assignments(user).filter(parked_at=None).select_related("revision__candidate")
    by_lead = F("assigned_by").asc(nulls_last=True)
    last = F("draft_saved_at").desc(nulls_last=True)
    return turns.defer("revision__slots").order_by(by_lead, last, "-given_at")[:_MOST_LISTED]


def _is_untouched_from_lead(turn: Assignment) -> bool:
    """Return whether a lead gave the turn by hand and the person has not begun with it."""
    from_lead = turn.assigned_by_id is not None and turn.purpose == Purpose.WORK
    return from_lead and turn.draft_saved_at is None


def empty_queue(user: User) -> EmptyQueue:
    """Return why the person's queue is empty."""
    return why_empty(reviewer=user, now=timezone.now())


def own_counts(user: User) -> dict[str, int]:
    """Return how many reviews the person has standing: today (in the server's zone) and in all."""
    midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    mine = Review.objects.filter(assignment__reviewer=user, undone_at=None)
    return mine.aggregate(all=Count("pk"), today=Count("pk", filter=Q(created_at__gte=midnight)))


def overview() -> dict[str, Any]:
    """Return candidates by subtask and state, and the releases: for leads."""
    counted = (
        Candidate.objects.filter(is_control=False)
        .order_by("subtask")
        .values("subtask", "state")
        .annotate(n=Count("pk"))
    )
    rows: dict[str, dict[str, int]] = {}
    for row in counted:
        rows.setdefault(row["subtask"], dict.fromkeys(CandidateState.values, 0))
        rows[row["subtask"]][row["state"]] = row["n"]
    releases = Release.objects.annotate(
        tests=Count("items", filter=Q(items__role="test")),
        shots_held=Count("items", filter=Q(items__role="shot")),
    )
    return {
        "is_lead": True,
        "states": [state_word(state) for state in CandidateState.values],
        "table": [
            (subtask, list(counts.items()), sum(counts.values()))
            for subtask, counts in rows.items()
        ],
        "releases": releases.defer("manifest", "files", "left_out").order_by("-frozen_at"),
    }
