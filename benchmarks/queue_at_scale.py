"""Times the queue's queries among a million candidates on PostgreSQL; prints JSON.

``DATABASE_URL=postgresql://… python -m benchmarks.queue_at_scale [CANDIDATES]``, on an empty
database: milliseconds of a claim, and of counting what is left, for a newcomer, for somebody who
has reviewed the first 5,000 items, and for somebody who judges one subtask in twenty.
"""

import json
import sys
import time
from collections.abc import Callable
from typing import Any

from benchmarks import queue_project  # first: it sets Django up

# isort: split
from django.contrib.auth.models import User

from generation.core.registry import SUBTASKS

_REVIEWED = 5_000
_REPEATS = 20

_ROWS = """
    INSERT INTO generation_candidate (subtask, source_id, cut, state, is_control)
    SELECT (%(subtasks)s::text[])[1 + n %% %(kinds)s], %(source)s, 1000 + n, 'in_review', false
    FROM generate_series(1, %(count)s) n;
    INSERT INTO generation_revision (candidate_id, number, slots, gold, note)
    SELECT id, 1, '{}', '["A"]', '' FROM generation_candidate WHERE cut > 1000;
    INSERT INTO review_assignment
      (revision_id, reviewer_id, purpose, leased_until, submitted_at, skip_reason, draft)
    SELECT id, %(reviewer)s, 'work', now(), now(), '', '{}' FROM generation_revision
    ORDER BY candidate_id LIMIT %(reviewed)s;
    INSERT INTO review_review (assignment_id, form_key, decision, well_specified, well_specified_why,
      gold_quality, gold_quality_why, same_meaning, reject_reason, comment, saw_what_follows,
      is_counted, active_seconds)
    SELECT id, gen_random_uuid(), 'approve', 0, '', 0, '', false, '', '', false, true, 1
    FROM review_assignment;
    ANALYZE;
"""


def fill(count: int) -> dict[str, User]:
    """Store candidates with revisions, and the reviews of one person; return the people."""
    from django.db import connection

    from generation.models import Source
    from review.models import Profile

    newcomer, busy, choosy = queue_project.fill(items=1, item_bytes=2_000, reviewers=3)
    Profile.objects.filter(user=choosy).update(languages=["zh"], scenarios=["open_qa"])
    values: dict[str, Any] = {
        "subtasks": sorted(SUBTASKS),
        "kinds": len(SUBTASKS),
        "source": Source.objects.get().pk,
        "count": count,
        "reviewer": busy.pk,
        "reviewed": _REVIEWED,
    }
    with connection.cursor() as cursor:
        cursor.execute(_ROWS, values)
    people = {"newcomer": newcomer, "after_5000_reviews": busy, "one_kind_of_many": choosy}
    return {name: User.objects.select_related("profile").get(pk=u.pk) for name, u in people.items()}


def milliseconds(ask: Callable[[], object]) -> float:
    """Return the median time of asking."""
    taken = []
    for _ in range(_REPEATS):
        began = time.perf_counter()
        ask()
        taken.append(time.perf_counter() - began)
    return round(sorted(taken)[_REPEATS // 2] * 1000, 1)


def main(count: int) -> None:
    """Fill the database, ask for each person, and print the times."""
    from django.utils import timezone

    from review.services.leases import skip
    from review.services.mixing import left_for
    from review.services.queue import claim_next

    def claim(person: User) -> None:
        now = timezone.now()
        turn = claim_next(reviewer=person, now=now)
        assert turn is not None
        skip(assignment=turn, reason="measured", now=now)

    report = {"candidates": count} | {
        name: {
            "claim_and_skip_ms": milliseconds(lambda person=person: claim(person)),  # type: ignore[misc]
            "left_ms": milliseconds(
                lambda person=person: left_for(person, most=100, now=timezone.now())  # type: ignore[misc]
            ),
        }
        for name, person in fill(count).items()
    }
    sys.stdout.write(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
