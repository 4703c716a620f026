"""The people and objects that the rows name."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import User
from django.utils import timezone

from generation.core.registry import SUBTASKS
from generation.models import (
    Candidate,
    CandidateState,
    GenerationRun,
    Job,
    JobKind,
    JobLeftOut,
    JobState,
    Left,
    Option,
    Revision,
)
from generation.services import jobs
from generation.services.builds import build_order
from generation.services.generation_runs import start_run, stop_run
from generation.services.model_endpoints import set_endpoint
from review.models import (
    ApiToken,
    BulkAction,
    BulkKind,
    Control,
    GuidelineVersion,
    Question,
    ReturnedEdit,
    Role,
)
from review.services.bulk_actions import begin, run
from review.services.invitations import invite
from review.services.source_looks import EVERYTHING, note_look
from tests.make import (
    approving,
    blind,
    make_assignment,
    make_revision,
    make_user,
    rejecting,
    review_by,
    reviews_seen,
    submit,
)


@dataclass(frozen=True, slots=True)
class World:
    """The people by their word in ``PEOPLE``, and what stands for each name in braces."""

    people: dict[str, User | None]
    names: dict[str, Any]


def make_world() -> World:
    """Return people and one object of each kind; those of annotators belong to the owner."""
    now = timezone.now()
    owner, other = make_user(username="owner"), make_user(username="other")
    lead, admin = make_user(Role.LEAD, username="lead"), make_user(Role.ADMIN, username="admin")
    people = {
        "anonymous": None,
        "no member": User.objects.create(username="nobody"),
        "owner": owner,
        "other": other,
        "lead": lead,
        "admin": admin,
    }
    owner.set_password("owner's password")
    owner.save()
    turn = make_assignment(reviewer=owner, now=now)
    reviewed = make_assignment(reviewer=owner, now=now)
    blind(reviewed, now=now)
    review = submit(reviewed, now=now)
    authored = make_assignment(revision=_edited(other), reviewer=owner, now=now)
    blind(authored, now=now)
    opened = make_assignment(reviewer=owner, now=now)
    blind(opened, now=now)
    asked = make_assignment(reviewer=owner, now=now)
    question = Question.objects.create(assignment=asked, text="Does a typo count?")
    asked.parked_at = now
    asked.save(update_fields=["parked_at"])
    disputed = make_revision()
    review_by(make_user(), disputed, answers=approving(disputed))
    review_by(make_user(), disputed, answers=rejecting(disputed))
    settled = make_revision(state=CandidateState.APPROVED)
    control = Control.objects.create(
        candidate=make_revision(is_control=True).candidate,
        use="queue",
        decision="approve",
        why="Gold is plain.",
        made_by=lead,
    )
    invitation, secret = invite(actor=lead, role=Role.ANNOTATOR, now=now)
    token = ApiToken.objects.create(
        user=owner,
        name="script",
        digest="0" * 64,
        prefix="apt_00000000",
        scopes=["read"],
        expires_at=now + timedelta(days=1),
    )
    GuidelineVersion.objects.create(language="en", number=1, body="Old text.\n", author=lead)
    _read_before((lead, admin), (disputed, settled, asked.revision))
    going, halted = make_runs()
    build = build_order(subtasks=["issue_fix_plan"], seed=0, limit=None)
    halted_job = jobs.ask_for(kind=JobKind.BUILD, order=build, actor=lead)
    jobs.stop(job_pk=halted_job.pk, actor=lead)
    names = {
        "endpoint": going.endpoints[0],
        "run": going.pk,
        "halted": halted.pk,
        "call": going.calls.get().pk,
        "job": jobs.ask_for(kind=JobKind.BUILD, order=build, actor=lead).pk,
        "halted_job": halted_job.pk,
        "turn": turn.pk,
        "opened": opened.pk,
        "reviewed": reviewed.pk,
        "review": review.pk,
        "authored": authored.pk,
        "seen": reviews_seen(disputed),
        "inactive": make_user(is_active=False).profile.pk,
        "asked": asked.pk,
        "question": question.pk,
        "returned": _returned(owner, lead).pk,
        "disputed": disputed.pk,
        "settled": settled.candidate_id,
        "source": settled.candidate.source_id,
        "waiting": make_revision().candidate_id,
        "control": control.pk,
        "invitation": invitation.pk,
        "secret": secret,
        "token": token.pk,
        "person": other.profile.pk,
        "bulk": make_bulk_action(lead).pk,
    }
    return World(people, names)


def make_bulk_action(lead: User) -> BulkAction:
    """Return an action that sent an item to review."""
    revision = make_revision(state=CandidateState.CHECKED)
    bulk = begin(
        lead=lead,
        kind=BulkKind.QUEUE,
        rows=Candidate.objects.filter(pk=revision.candidate_id),
        expected=1,
        asked={},
        form_key=uuid4(),
    )
    run(bulk.pk)
    return bulk


def make_runs() -> tuple[GenerationRun, GenerationRun]:
    """Return a run of generation that is running and one that was stopped; one draft is left."""
    endpoint = set_endpoint(
        name="kiln-1",
        model="kiln-1",
        base_url="http://127.0.0.1:9/v1",
        key_variable="",
        input_usd_per_million=Decimal(1),
        output_usd_per_million=Decimal(2),
        actor=None,
    )
    runs: list[GenerationRun] = []
    for seed in (1, 2):
        if not runs:
            make_revision(options=("Fix the kiln.",), state=CandidateState.DRAFT)
        runs.append(
            start_run(
                subtasks=[SUBTASKS["issue_fix_plan"]],
                endpoints=[endpoint],
                budget_usd=Decimal(1),
                seed=seed,
                actor=None,
            )
        )
    stop_run(run_pk=runs[1].pk, actor=None)
    return runs[0], runs[1]


def _edited(author: User, state: CandidateState = CandidateState.IN_REVIEW) -> Revision:
    """Return a revision that the author wrote, in the place of another."""
    first = make_revision(state=state)
    first.superseded_at = timezone.now()
    first.save(update_fields=["superseded_at"])
    second = Revision.objects.create(
        candidate=first.candidate, number=2, gold=first.gold, author=author
    )
    for option in first.options.all():
        Option.objects.create(
            revision=second,
            position=option.position,
            text=f"{option.text} Now.",
            operator=option.operator,
            reason="edited",
        )
    return second


def _returned(author: User, lead: User) -> ReturnedEdit:
    """Return an edit of the author that was given back to them."""
    revision = _edited(author, CandidateState.CHECKED)
    return ReturnedEdit.objects.create(
        revision=revision, returned_by=lead, comment="One more word."
    )


def _read_before(leads: Iterable[User], revisions: Iterable[Revision]) -> None:
    """Let leads have read the runs of these: only a first look leaves an event."""
    for lead in leads:
        for revision in revisions:
            source = revision.candidate.source
            note_look(reader=lead, source=source, up_to=EVERYTHING, now=timezone.now())


def make_jobs(actor: User) -> list[Job]:
    """Return an import in every state, one that gave sources among them, and a build that is done."""
    order = {"kind": "readme", "files": [{"name": "README.md", "bytes": 12}]}
    found = [
        Job.objects.create(
            kind=JobKind.IMPORT,
            order=order,
            asked_by=actor,
            state=state,
            failure="broken" if state == JobState.FAILED else "",
            folder="0" * 32 if state == JobState.STOPPED else "",
        )
        for state in JobState
    ]
    done = Job.objects.create(
        kind=JobKind.IMPORT,
        order=order,
        asked_by=actor,
        state=JobState.DONE,
        done=3,
        total=3,
        result={
            **{"read": 3, "imported": 1, "skipped": 1, "refused": 1, "passed_over": 0, "unread": 1},
            "forms": {"document": 1},
            "licences": {"MIT": 1},
        },
    )
    for number, outcome in enumerate(Left, start=1):
        JobLeftOut.objects.create(
            job=done, number=number, outcome=outcome, file="README.md", why="no command"
        )
    build = Job.objects.create(
        kind=JobKind.BUILD,
        order={"subtasks": ["issue_fix_plan"], "seed": 1, "limit": 2},
        asked_by=actor,
        state=JobState.DONE,
        result={
            "candidates": {"issue_fix_plan": 2},
            "left_out": [{"subtask": "issue_fix_plan", "why": "no thought", "cuts": 1}],
        },
    )
    return [*found, done, build]
