"""Plays the reviewers of the demo, through the same services as the pages."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth.models import User
from django.utils import timezone

from generation.core.items import Severity
from generation.core.records import Success
from generation.models import Revision
from review.core.review_answers import ReviewAnswers
from review.models import Assignment, Review, Role
from review.services.blind_answers import answer_blind
from review.services.gold import gold_positions, is_completion
from review.services.leases import skip
from review.services.members import create_member
from review.services.queue import claim_next
from review.services.reviews import asked_of, submit_review


@dataclass(frozen=True, slots=True)
class Login:
    """A demo account; the password is for a server on loopback alone."""

    username: str
    password: str
    role: Role


LOGINS = (
    Login("admin", "demo-admin-pass", Role.ADMIN),
    Login("lead", "demo-lead-pass", Role.LEAD),
    Login("annotator", "demo-annotator-pass", Role.ANNOTATOR),
)
PLAYED = ("played-ines", "played-tomas")
# Of every hundred items, runs of unknown success, and items with findings, this many are left
# for the person who tries the demo, so that every question the review page asks comes up.
_LEFT = 3
_RUNS_LEFT = 15
_FOUND_LEFT = 60
_ALL_REJECT = 4
_ONE_REJECTS = 4
_BLIND_RIGHT = 92


def demo_people() -> list[User]:
    """Return the played reviewers, after making sure that every demo account exists."""
    for login in LOGINS:
        if not User.objects.filter(username=login.username).exists():
            create_member(username=login.username, password=login.password, role=login.role)
    for name in PLAYED:
        if not User.objects.filter(username=name).exists():
            create_member(username=name, password="", role=Role.ANNOTATOR)
    return list(User.objects.filter(username__in=PLAYED).order_by("username"))


def play_reviews(people: Sequence[User], *, done: Callable[[], None]) -> int:
    """Let each played reviewer work until the queue gives nothing; return the reviews made.

    ``done`` is called after each. What they say is drawn from the item and the name, so that
    the demo is the same everywhere: most approve, some reject, a few disagree.
    """
    made = 0
    for person in people:
        for turn in _turns(person):
            revision = turn.revision
            if _is_left(revision):
                skip(
                    assignment=turn,
                    reason="left for the person who tries the demo",
                    now=timezone.now(),
                )
                continue
            _play(turn, revision, is_first=person == people[0])
            made += 1
            done()
    return made


def _is_left(revision: Revision) -> bool:
    """Return whether an item waits for a person: drawn itself, by its run, or by a finding."""
    source = revision.candidate.source
    is_unknown = source.success == Success.UNCONFIRMED
    is_found = revision.findings.filter(severity__gte=Severity.NEEDS_PERSON).exists()
    return (
        _draw("left", revision) < _LEFT
        or (is_unknown and int(source.digest[:4], 16) % 100 < _RUNS_LEFT)
        or (is_found and _draw("found", revision) < _FOUND_LEFT)
    )


def _turns(person: User) -> Iterator[Assignment]:
    while turn := claim_next(reviewer=person, now=timezone.now()):
        yield Assignment.objects.select_related("revision__candidate__source", "reviewer").get(
            pk=turn.pk
        )


def _play(turn: Assignment, revision: Revision, *, is_first: bool) -> Review:
    name = turn.reviewer.username
    is_right = _draw(f"blind {name}", revision) < _BLIND_RIGHT
    written = is_completion(revision)
    count = revision.options.count()
    gold = () if written else gold_positions(revision)
    wrong = [position for position in range(count) if position not in gold]
    answer_blind(
        assignment=turn,
        positions=() if written else gold if is_right else (wrong[0],),
        text=revision.gold[0] if written and is_right else "",
        not_determined=written and not is_right,
        confidence=4 if is_right else 2,
        active_seconds=20 + _draw(f"seconds {name}", revision) / 2,
        now=timezone.now(),
    )
    key = UUID(hashlib.sha256(f"{_name(revision)} {name}".encode()).hexdigest()[:32])
    answers = _answers(revision, is_first=is_first)
    return submit_review(assignment=turn, form_key=key, answers=answers, now=timezone.now())


def _answers(revision: Revision, *, is_first: bool) -> ReviewAnswers:
    asked = asked_of(revision)
    draw = _draw("decision", revision)
    is_faulty = revision.findings.filter(severity=Severity.BLOCKS_RELEASE).exists()
    rejects = is_faulty or draw < _ALL_REJECT
    rejects = rejects or (draw < _ALL_REJECT + _ONE_REJECTS and is_first)
    judged = ("confirmed", "seen in the text") if is_faulty else ("dismissed", "harmless here")
    is_unconfirmed = revision.candidate.source.success == Success.UNCONFIRMED
    return ReviewAnswers(
        decision="reject" if rejects else "approve",
        reject_reason="bad_question" if rejects else "",
        well_specified=2 if rejects else 0,
        well_specified_why="The steps shown leave more than one way open." if rejects else "",
        gold_quality=0,
        source_is_success=True if is_unconfirmed else None,
        active_seconds=30.0 + draw,
        option_verdicts=dict.fromkeys(asked.distractors, "valid"),
        finding_verdicts=dict.fromkeys(asked.findings, judged),
    )


def _name(revision: Revision) -> str:
    candidate = revision.candidate
    return f"{candidate.subtask} {candidate.source.digest} {candidate.cut}"


def _draw(what: str, revision: Revision) -> int:
    """Return a number from 0 to 99 that depends on the item and ``what`` alone."""
    digest = hashlib.sha256(f"{what} {_name(revision)}".encode()).digest()
    return int.from_bytes(digest[:4], "big") % 100
