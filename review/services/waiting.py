"""Finds what waits for a person: revisions with a free place that they may take and can judge."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import connection
from django.db.models import QuerySet

from generation.core.chunks import chunks
from generation.core.registry import SUBTASKS
from generation.models import CandidateState, Revision
from review.authentication import is_lead
from review.core.skills import judgeable
from review.models import Assignment, Profile, Project
from review.services.places import HOLDERS, moment
from review.services.project import wanted_by_default

# By hand: the queue's one hot query. Candidates in review in the order of their numbers (a
# partial index), and of each only what decides whether this person may take it. OFFSET 0 keeps
# PostgreSQL from making a join of what is inside, which it would begin at the wrong end.
_WAITING = """
    SELECT candidate.id, candidate.subtask
    FROM generation_candidate candidate
    WHERE candidate.state = 'in_review' AND NOT candidate.is_control
      {only}
      AND EXISTS (
        SELECT 1 FROM generation_revision revision
        WHERE revision.candidate_id = candidate.id AND revision.superseded_at IS NULL
          AND (revision.author_id IS NULL OR revision.author_id <> %(person)s)
          AND NOT EXISTS (
            SELECT 1 FROM review_assignment own
            WHERE own.revision_id = revision.id AND own.reviewer_id = %(person)s
              AND (own.submitted_at IS NOT NULL OR own.skipped_at IS NOT NULL
                OR own.parked_at IS NOT NULL)
            LIMIT 1 OFFSET 0)
          AND (SELECT COUNT(*) FROM ({holders}) holder WHERE holder.reviewer_id <> %(person)s)
            < {wanted}
          {unread}
        LIMIT 1 OFFSET 0)
    ORDER BY candidate.id
    LIMIT %(most)s
"""
# What the lock of the candidate makes certain: its revision, the person's own turn, the places.
_PLACE = """
    SELECT revision.id, own.id,
      (SELECT COUNT(*) FROM ({holders}) holder WHERE holder.reviewer_id <> %(person)s)
    FROM generation_revision revision
    LEFT JOIN review_assignment own
      ON own.revision_id = revision.id AND own.reviewer_id = %(person)s
    WHERE revision.candidate_id = %(candidate)s AND revision.superseded_at IS NULL
      AND (revision.author_id IS NULL OR revision.author_id <> %(person)s)
      AND own.submitted_at IS NULL AND own.skipped_at IS NULL AND own.parked_at IS NULL
"""
_CAN_JUDGE = "AND candidate.subtask IN ({names})"
_NOT_FULL = "AND candidate.id NOT IN ({keys})"
# What a lead could read others' reviews of: it came back from a dispute, by a decision or since
# one of several reviews was taken back. Also an item about which they answered a question, and one
# that asks for a step which they read outside of a turn.
_UNREAD = """
      AND NOT EXISTS (
        SELECT 1 FROM review_adjudication returned
        WHERE returned.revision_id = revision.id AND returned.outcome = 'return')
      AND NOT (
        EXISTS (
          SELECT 1 FROM review_review undone
          JOIN review_assignment turn ON turn.id = undone.assignment_id
          WHERE turn.revision_id = revision.id AND turn.reviewer_id <> %(person)s
            AND undone.is_counted AND undone.undone_at IS NOT NULL)
        AND EXISTS (
          SELECT 1 FROM review_review standing
          JOIN review_assignment turn ON turn.id = standing.assignment_id
          WHERE turn.revision_id = revision.id
            AND standing.is_counted AND standing.undone_at IS NULL))
      AND NOT EXISTS (
        SELECT 1 FROM review_question question
        JOIN review_assignment turn ON turn.id = question.assignment_id
        JOIN generation_revision asked ON asked.id = turn.revision_id
        WHERE question.answered_by_id = %(person)s AND asked.candidate_id = revision.candidate_id)
      AND NOT EXISTS (
        SELECT 1 FROM review_sourcelook look
        JOIN generation_candidate spoilt ON spoilt.source_id = look.source_id
        WHERE look.reader_id = %(person)s AND spoilt.id = revision.candidate_id
          AND spoilt.cut <= look.up_to)
"""
_ONE = "SELECT 1 FROM generation_revision revision WHERE revision.id = %(revision)s {unread}"
_SOME = (
    "SELECT revision.id FROM generation_revision revision WHERE revision.id IN ({keys}) {unread}"
)
_LOCK = "FOR NO KEY UPDATE"


@dataclass(frozen=True, slots=True)
class Waiting:
    """A candidate in review, as far as a claim looks at it."""

    candidate: int
    subtask: str


@dataclass(frozen=True, slots=True)
class Place:
    """What a person finds at a candidate: its revision, how many others hold a place of it.

    ``own`` is the key of their turn at it that had ended, None where they had none.
    """

    revision: int
    own: int | None
    others: int


def first_waiting(
    reviewer: User, *, settings: Project, now: datetime, full: list[int], skip_locked: bool
) -> Waiting | None:
    """Lock and return the oldest candidate that this person may take; None where none waits.

    Left out are ``full`` ones, those they can't judge, those they had a turn at (submitted,
    skipped or parked), those they wrote, and for a lead those that they could read others'
    reviews of, or the future of. Rows that others have locked are passed over with
    ``skip_locked``, else waited for. What was read of its places may be older than the lock: see ``place_at``.
    """
    sql, values = _select(reviewer, settings, now=now, full=full)
    if connection.features.has_select_for_update:
        sql += _LOCK + (" SKIP LOCKED" if skip_locked else "")
    with connection.cursor() as cursor:
        cursor.execute(sql, values | {"most": 1})
        row = cursor.fetchone()
    return Waiting(*row) if row else None


def place_at(candidate: int, reviewer: User, *, now: datetime) -> Place | None:
    """Return what the person finds at a candidate whose lock is held; None: it is not for them."""
    sql = _PLACE.format(holders=HOLDERS.format(revision="revision.id", now="%(now)s"))
    values = {"candidate": candidate, "person": reviewer.pk, "now": moment(now)}
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        row = cursor.fetchone()
    return Place(*row) if row else None


def count_waiting(reviewer: User, *, settings: Project, now: datetime, most: int) -> int:
    """Return how many items wait for this person or are begun by them, at most ``most``."""
    sql, values = _select(reviewer, settings, now=now, full=[])
    with connection.cursor() as cursor:
        cursor.execute(sql, values | {"most": most})
        return len(cursor.fetchall())


def _select(
    reviewer: User, settings: Project, *, now: datetime, full: list[int]
) -> tuple[str, dict[str, Any]]:
    """Return the query of what waits for the person, and its values; ``most`` is still wanted."""
    values: dict[str, Any] = {"person": reviewer.pk, "now": moment(now)}
    only = ""
    can_judge = subtasks_for(reviewer)
    if len(can_judge) < len(SUBTASKS):
        names = _listed("subtask", sorted(can_judge) or [""], values)
        only += _CAN_JUDGE.format(names=names)
    if full:
        only += _NOT_FULL.format(keys=_listed("full", full, values))
    sql = _WAITING.format(
        holders=HOLDERS.format(revision="revision.id", now="%(now)s"),
        wanted=_wanted(settings, values),
        only=only,
        unread=_UNREAD if is_lead(reviewer) else "",
    )
    return sql, values


def _listed(name: str, listed: list[Any], values: dict[str, Any]) -> str:
    """Return the places of a list in a query, and put what it lists among the values."""
    values |= {f"{name}{index}": value for index, value in enumerate(listed)}
    return ", ".join(f"%({name}{index})s" for index in range(len(listed)))


def _wanted(settings: Project, values: dict[str, Any]) -> str:
    """Return the number of reviews that a candidate's subtask asks for, as an expression."""
    values["wanted"] = wanted_by_default(settings)
    if not settings.overlap:
        return "%(wanted)s"
    cases = []
    for index, (subtask, wanted) in enumerate(settings.overlap.items()):
        values |= {f"of{index}": subtask, f"wanted{index}": wanted}
        cases.append(f"WHEN %(of{index})s THEN %(wanted{index})s")
    return f"CASE candidate.subtask {' '.join(cases)} ELSE %(wanted)s END"


def open_assignments(reviewer: User) -> QuerySet[Assignment]:
    """Return the turns that a reviewer may go on with: neither submitted nor skipped.

    Parked ones, which wait for a lead's answer, are among them.
    """
    return Assignment.objects.filter(
        reviewer=reviewer,
        submitted_at=None,
        skipped_at=None,
        revision__superseded_at=None,
        revision__candidate__state=CandidateState.IN_REVIEW,
    )


def subtasks_for(reviewer: User) -> frozenset[str]:
    """Return the subtasks whose items the person can judge; none without a profile."""
    try:
        profile = reviewer.profile
    except Profile.DoesNotExist:
        return frozenset()
    return judgeable(SUBTASKS.values(), languages=profile.languages, scenarios=profile.scenarios)


def revisions_in_review() -> QuerySet[Revision]:
    """Return the current revisions that still want reviews or wait for some; no control items."""
    return Revision.objects.current().filter(
        candidate__state=CandidateState.IN_REVIEW, candidate__is_control=False
    )


def may_have_read(person: User, revision: Revision) -> bool:
    """Return whether the person, a lead, could read what others said of the revision."""
    if not is_lead(person):
        return False
    with connection.cursor() as cursor:
        cursor.execute(_ONE.format(unread=_UNREAD), {"revision": revision.pk, "person": person.pk})
        return cursor.fetchone() is None


def read_by(person: User, revisions: Sequence[int]) -> set[int]:
    """Return those of the revisions of which the person, a lead, could read what others said."""
    if not is_lead(person):
        return set()
    read = set(revisions)
    for some in chunks(revisions, 500):
        values: dict[str, Any] = {"person": person.pk}
        sql = _SOME.format(keys=_listed("of", list(some), values), unread=_UNREAD)
        with connection.cursor() as cursor:
            cursor.execute(sql, values)
            read -= {pk for (pk,) in cursor.fetchall()}
    return read
