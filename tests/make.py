"""Rows for tests: plain functions with sensible defaults, everything else by keyword."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import User

from generation.core.items import Severity
from generation.core.records import Outcome, Provenance, Step, Success, Tool, Trajectory
from generation.models import Candidate, CandidateState, Finding, Option, Revision, Source
from generation.services.sources import store_records
from review.core.review_answers import ReviewAnswers
from review.models import Assignment, Profile, Review, Role
from review.services.blind_answers import answer_blind
from review.services.disputes import decisions_on, seen_digest
from review.services.gold import gold_positions
from review.services.leases import lease_end
from review.services.reviews import asked_of, submit_review
from review.services.settlement import counted_reviews

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
_serial = count(1)

BASH = Tool("bash", "Run a shell command.", {"command": "the command"}, ("command",))


def make_user(role: Role = Role.ANNOTATOR, **fields: Any) -> User:
    user = User.objects.create(**{"username": f"reviewer{next(_serial)}"} | fields)
    Profile.objects.create(user=user, role=role)
    return user


def make_trajectory(steps: int | tuple[Step, ...] = 4, **fields: Any) -> Trajectory:
    number = next(_serial)
    given: dict[str, Any] = {
        "provenance": Provenance(
            kind="swe_smith",
            external_id=f"kiln__kiln.0a1b2c3d.pr_{number}",
            cluster=f"kiln__kiln.0a1b2c3d.pr_{number}",
            where=f"kiln.jsonl:{number}",
            licence="MIT",
            model="a-model",
        ),
        "language": "en",
        "task": f"Task {number}: the kiln cools too fast.",
        "tools": (BASH,),
        "steps": steps
        if isinstance(steps, tuple)
        else tuple(
            Step(
                thought=f"Look at part {n} of kiln {number}.",
                tool="bash",
                arguments={"command": f"cat part{n}.py"},
                action=f"cat part{n}.py",
                observation=f"part {n}: temperature = {number}{n}",
            )
            for n in range(1, steps + 1)
        ),
        "outcome": Outcome(submission="diff --git a/part1.py b/part1.py\n"),
        "success": Success.CONFIRMED,
    }
    return Trajectory(**given | fields)


def make_source(**fields: Any) -> Source:
    trajectory = make_trajectory(**fields)
    store_records([trajectory])
    return Source.objects.get(external_id=trajectory.provenance.external_id)


def make_revision(
    *,
    subtask: str = "issue_fix_plan",
    options: Sequence[str] = ("Fix the kiln.", "Sell the kiln.", "Paint the kiln.", "Wait."),
    gold: Sequence[str] = ("A",),
    state: CandidateState = CandidateState.IN_REVIEW,
    cut: int = 3,
    source: Source | None = None,
    author: User | None = None,
    findings: Sequence[Severity] = (),
    is_control: bool = False,
    **source_fields: Any,
) -> Revision:
    candidate = Candidate.objects.create(
        subtask=subtask,
        source=source or make_source(**source_fields),
        cut=cut,
        state=state,
        is_control=is_control,
    )
    revision = Revision.objects.create(
        candidate=candidate, number=1, gold=list(gold), author=author
    )
    for position, text in enumerate(options):
        operator = "gold" if position == 0 else "later_step"
        Option.objects.create(
            revision=revision, position=position, text=text, operator=operator, reason="because"
        )
    for number, severity in enumerate(findings):
        Finding.objects.create(
            revision=revision,
            kind="outcome",
            severity=severity,
            field="prompt",
            evidence="all tests pass",
            digest=f"{number:064d}",
        )
    return revision


def make_completion(*, gold: str = "cat part3.py", **fields: Any) -> Revision:
    return make_revision(**{"subtask": "issue_fix_action", "options": (), "gold": (gold,)} | fields)


def make_assignment(
    *, revision: Revision | None = None, reviewer: User | None = None, now: datetime = NOW
) -> Assignment:
    return Assignment.objects.create(
        revision=revision or make_revision(),
        reviewer=reviewer or make_user(),
        leased_until=lease_end(now),
    )


def approving(revision: Revision, **changes: Any) -> ReviewAnswers:
    """Answers that approve the revision and dismiss every finding."""
    asked = asked_of(revision)
    fields: dict[str, Any] = {
        "decision": "approve",
        "well_specified": 0,
        "gold_quality": 0,
        "source_is_success": True if asked.source_is_unconfirmed else None,
        "option_verdicts": dict.fromkeys(asked.distractors, "valid"),
        "finding_verdicts": dict.fromkeys(asked.findings, ("dismissed", "harmless")),
        "active_seconds": 12.5,
    }
    return ReviewAnswers(**fields | changes)


def rejecting(revision: Revision, **changes: Any) -> ReviewAnswers:
    """Answers that reject the revision."""
    return approving(revision, decision="reject", reject_reason="bad_question", **changes)


def blind(turn: Assignment, *, right: bool = True, now: datetime = NOW) -> None:
    """Store a blind answer, right or wrong."""
    gold = gold_positions(turn.revision)[0] if turn.revision.options.exists() else 0
    answer_blind(
        assignment=turn,
        positions=[gold if right else gold + 1],
        text=turn.revision.gold[0] if right else "wrong",
        confidence=4,
        active_seconds=10,
        now=now,
    )


def submit(
    turn: Assignment, *, answers: ReviewAnswers | None = None, now: datetime = NOW
) -> Review:
    """Store a review from a new form; approving unless said otherwise."""
    return submit_review(
        assignment=turn,
        form_key=uuid4(),
        answers=answers or approving(turn.revision),
        now=now,
    )


def review_by(
    reviewer: User,
    revision: Revision,
    *,
    answers: ReviewAnswers | None = None,
    right: bool = True,
) -> Review:
    """Take a turn, answer blind and review, all at ``NOW``."""
    turn = make_assignment(revision=revision, reviewer=reviewer)
    blind(turn, right=right)
    return submit(turn, answers=answers)


def later(minutes: float) -> datetime:
    """Return the time that many minutes after ``NOW``."""
    return NOW + timedelta(minutes=minutes)


def reviews_seen(revision: Revision) -> str:
    """What a lead's page of the dispute holds for the reviews that count now."""
    reviews = counted_reviews([revision.pk])[revision.pk]
    return seen_digest(reviews, len(decisions_on(revision)))
