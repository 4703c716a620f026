"""Finds what waits for a person: revisions with a free place that they may take and can judge."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import connection
from django.db.models import QuerySet

from generation.core.registry import SUBTASKS
from generation.models import CandidateState, Revision
from review.authentication import is_lead
from review.core.skills import judgeable
from review.models import Assignment, Profile, Project
from review.services.places import HOLDERS, moment
from review.services.project import wanted_by_default

# By hand: the queue's one hot query. Candidates in review in the order of their numbers (a
# partial index), and of each only what decides whether this person may take it.
_WAITING = """
    SELECT {columns}
    FROM generation_candidate candidate
    JOIN generation_revision revision
      ON revision.candidate_id = candidate.id AND revision.superseded_at IS NULL
    LEFT JOIN review_assignment own
      ON own.revision_id = revision.id AND own.reviewer_id = %(person)s
    WHERE candidate.state = 'in_review' AND NOT candidate.is_control
      AND (revision.author_id IS NULL OR revision.author_id <> %(person)s)
      AND own.submitted_at IS NULL AND own.skipped_at IS NULL AND own.parked_at IS NULL
      AND (SELECT COUNT(*) FROM ({holders}) holder WHERE holder.reviewer_id <> %(person)s)
        < {wanted}
      {only}
    ORDER BY candidate.id
    LIMIT %(most)s
"""
_CAN_JUDGE = "AND candidate.subtask IN ({names})"
_NOT_FULL = "AND revision.id NOT IN ({keys})"
# What a lead could read others' reviews of: it came back from a dispute, by a decision or since
# one of several reviews was taken back. Also an item about which they answered a question.
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
"""
_ONE = "SELECT 1 FROM generation_revision revision WHERE revision.id = %(revision)s {unread}"
_LOCK = "FOR NO KEY UPDATE OF candidate, revision"


@dataclass(frozen=True, slots=True)
class Waiting:
    """A revision that waits for the person; ``own`` is their ended turn at it, if there is one."""

    revision: int
    subtask: str
    own: int | None


def first_waiting(
    reviewer: User,
    *,
    settings: Project,
    now: datetime,
    full: list[int],
    skip_locked: bool,
) -> Waiting | None:
    """Lock and return the oldest revision that this person may take; None where none waits.

    Left out are ``full`` ones, those they can't judge, those they had a turn at (submitted,
    skipped or parked), those they wrote, and for a lead those that they could read others'
    reviews of. Rows that others have locked are passed over with ``skip_locked``, else waited for.
    The count of places may be older than the lock: count again.
    """
    found = _select(
        "revision.id, candidate.subtask, own.id", reviewer, settings, now=now, full=full
    )
    sql, values = found
    if connection.features.has_select_for_update:
        sql += _LOCK + (" SKIP LOCKED" if skip_locked else "")
    with connection.cursor() as cursor:
        cursor.execute(sql, values | {"most": 1})
        row = cursor.fetchone()
    return Waiting(*row) if row else None


def count_waiting(reviewer: User, *, settings: Project, now: datetime, most: int) -> int:
    """Return how many revisions wait for this person or are begun by them, at most ``most``."""
    sql, values = _select("1", reviewer, settings, now=now, full=[])
    with connection.cursor() as cursor:
        cursor.execute(sql, values | {"most": most})
        return len(cursor.fetchall())


def _select(
    columns: str, reviewer: User, settings: Project, *, now: datetime, full: list[int]
) -> tuple[str, dict[str, Any]]:
    """Return the query of what waits for the person, and its values; ``most`` is still wanted."""
    values: dict[str, Any] = {"person": reviewer.pk, "now": moment(now)}
    only = _UNREAD if is_lead(reviewer) else ""
    can_judge = subtasks_for(reviewer)
    if len(can_judge) < len(SUBTASKS):
        names = _listed("subtask", sorted(can_judge) or [""], values)
        only += _CAN_JUDGE.format(names=names)
    if full:
        only += _NOT_FULL.format(keys=_listed("full", full, values))
    sql = _WAITING.format(
        columns=columns,
        holders=HOLDERS.format(revision="revision.id", now="%(now)s"),
        wanted=_wanted(settings, values),
        only=only,
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
