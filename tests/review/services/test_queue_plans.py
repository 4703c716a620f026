"""The database finds the next item by indexes: no plan of the queue reads a whole table."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from generation.models import Candidate, CandidateState, Revision
from review.models import Assignment, Review, Role
from review.services.mixing import left_for
from review.services.queue import claim_next
from tests.make import NOW, later, make_source, make_user

pytestmark = pytest.mark.django_db

ITEMS = 1_500
LARGE = {
    "generation_candidate",
    "generation_revision",
    "review_assignment",
    "review_review",
}


@pytest.fixture
def reviewer():
    """A reviewer who has reviewed the first half of many items; each waits for one more."""
    source, reviewer = make_source(), make_user()
    candidates = Candidate.objects.bulk_create(
        Candidate(subtask="issue_fix_plan", source=source, cut=cut, state=CandidateState.IN_REVIEW)
        for cut in range(1, ITEMS + 1)
    )
    revisions = Revision.objects.bulk_create(
        Revision(candidate=candidate, number=1, gold=["A"]) for candidate in candidates
    )
    turns = Assignment.objects.bulk_create(
        Assignment(revision=revision, reviewer=reviewer, leased_until=later(30), submitted_at=NOW)
        for revision in revisions[: ITEMS // 2]
    )
    Review.objects.bulk_create(
        Review(
            assignment=turn,
            form_key=uuid4(),
            decision="approve",
            well_specified=0,
            gold_quality=0,
            is_counted=True,
            active_seconds=1,
        )
        for turn in turns
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return reviewer


def whole_reads(sql: str) -> list[str]:
    """Return the large tables that the plan of a statement reads whole."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
            names = {"candidate", "revision", "turn", "counted", "own"}  # of the statement
            steps = [row[3].split() for row in cursor.fetchall()]
            return [
                step[1]
                for step in steps
                if step[0] == "SCAN" and step[1] in names and len(step) == 2
            ]
        cursor.execute(f"EXPLAIN (FORMAT JSON) {sql}")
        (plan,) = cursor.fetchone()
    return [
        node["Relation Name"]
        for node in nodes(plan[0]["Plan"])
        if node["Node Type"] == "Seq Scan" and node["Relation Name"] in LARGE
    ]


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for child in plan.get("Plans", ()):
        yield from nodes(child)


def asked(work) -> list[str]:
    """Return the reading statements of the queue that ``work`` executes."""
    with CaptureQueriesContext(connection) as captured:
        work()
    read = [query["sql"].strip() for query in captured]
    found = [sql for sql in read if sql.startswith("SELECT") and "review_assignment" in sql]
    assert found
    return found


def test_claim_reads_no_table_whole(reviewer):
    for sql in asked(lambda: claim_next(reviewer=reviewer, now=NOW)):
        assert whole_reads(sql) == [], sql


def test_claim_of_a_lead_reads_no_table_whole(reviewer):
    lead = make_user(Role.LEAD)
    for sql in asked(lambda: claim_next(reviewer=lead, now=NOW)):
        assert whole_reads(sql) == [], sql


def test_number_left_reads_no_table_whole(reviewer):
    for sql in asked(lambda: left_for(reviewer, most=100, now=NOW)):
        assert whole_reads(sql) == [], sql


def test_person_who_did_the_first_half_gets_the_second(reviewer):
    turn = claim_next(reviewer=reviewer, now=NOW)
    assert turn is not None
    assert turn.revision.candidate.cut == ITEMS // 2 + 1
    assert left_for(reviewer, most=100, now=NOW).items == 101
