"""The world of the rows, and beside it a row of every other model, so that no page is empty."""

from typing import Any
from uuid import uuid4

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils import timezone

from generation.core.items import Severity
from generation.core.records import Document, Language, Provenance, Section, Step
from generation.models import (
    CallState,
    Candidate,
    Job,
    JobKind,
    JobLeftOut,
    JobState,
    Left,
    LLMCall,
    PromptTemplate,
    Source,
    Text,
)
from generation.services.sources import store_records
from review.models import (
    Assignment,
    BulkAction,
    BulkItem,
    BulkKind,
    BulkOutcome,
    Control,
    ControlUse,
    Note,
    Project,
    Purpose,
    Question,
    Release,
    ReleaseItem,
)
from review.services.disputes import Ruling, adjudicate
from review.services.measurements import ask_for, compute
from tests.browser.questions import citation, patches, reports
from tests.make import (
    blind,
    make_assignment,
    make_completion,
    make_revision,
    make_user,
    rejecting,
    review_by,
    reviews_seen,
    submit,
)
from tests.review.sources import stored
from tests.roles.world import World, make_world

_SEVERITIES = (Severity.BLOCKS_RELEASE, Severity.NEEDS_PERSON, Severity.NOTE)


def make_whole_world() -> World:
    """Return the world with further objects under further names, all of the owner."""
    world = make_world()
    owner, lead = world.people["owner"], world.people["lead"]
    assert owner is not None
    assert lead is not None
    _lengthen(world.names)
    _turns(world.names, owner)
    _past(world.names, owner, lead)
    _of_leads(world.names, lead)
    for name in ("agreement", "progress"):
        ask_for(name=name, actor=lead, now=timezone.now())
        assert compute(name)
    return world


def _lengthen(names: dict[str, Any]) -> None:
    """Give the items of the table's addresses texts that fold, so that their pieces are there."""
    turns = Assignment.objects.filter(Q(pk=names["turn"]) | Q(questions=names["question"]))
    shown = Q(pk=names["settled"]) | Q(revisions=names["disputed"])
    shown |= Q(revisions__assignments__in=turns)
    for candidate in Candidate.objects.filter(shown).distinct():
        candidate.source = _long_run()
        candidate.save(update_fields=["source"])


def _turns(names: dict[str, Any], owner: User) -> None:
    """Open items of every kind of page, a long run among them."""
    now = timezone.now()
    kinds = {
        "patches": patches(),
        "reports": reports(),
        "citation": citation(),
        "written": make_completion(),
        "judged": make_revision(source=_long_run(), findings=_SEVERITIES),
        "learnt": make_revision(is_control=True),
    }
    for word, revision in kinds.items():
        turn = make_assignment(revision=revision, reviewer=owner, now=now)
        names[word] = turn.pk
        if word in {"judged", "learnt"}:
            blind(turn, now=now)
            names[f"{word} item"] = revision.candidate_id
    Note.objects.create(revision=kinds["judged"], author=owner, text="Odd.")
    store_records([_document()])
    Source.objects.filter(pk=kinds["judged"].candidate.source_id).update(notes=["read in part"])
    draft = {"phase": "open", "fields": {"comment": ["half a sentence"]}}
    Assignment.objects.filter(pk=names["judged"]).update(draft=draft, draft_saved_at=now)


def _document() -> Document:
    """A document with a titled part."""
    return Document(
        Provenance("readme", "acme/kiln", "acme/kiln", "readmes.jsonl:1", "MIT"),
        Language.EN,
        "Kiln",
        (Section("prose", "How to fire it.", "Use"),),
    )


def _long_run() -> Source:
    text = "".join(f"line {number}\n" for number in range(3_000))
    steps = [Step("a thought", "bash", {"command": "ls"}, "ls", each) for each in (text, *"abc")]
    return stored(task=f"Task {uuid4()}\n{text * 2}", steps=tuple(steps))


def _past(names: dict[str, Any], owner: User, lead: User) -> None:
    """What was done: a round of qualification, skips, decisions, overruled findings."""
    now = timezone.now()
    learnt = Assignment.objects.get(pk=names["learnt"])
    Control.objects.create(
        candidate=learnt.revision.candidate,
        use=ControlUse.QUALIFICATION,
        decision="approve",
        why="Gold follows.",
        made_by=lead,
    )
    Assignment.objects.filter(pk=learnt.pk).update(purpose=Purpose.QUALIFICATION)
    submit(Assignment.objects.get(pk=learnt.pk), now=now)
    skipped = make_assignment(reviewer=owner, now=now)
    Assignment.objects.filter(pk=skipped.pk).update(skipped_at=now, skip_reason="Not mine.")
    decided = make_revision(findings=_SEVERITIES)
    review_by(make_user(), decided)
    review_by(owner, decided, answers=rejecting(decided))
    seen = reviews_seen(decided)
    ruling = Ruling("reject", "The second is right.", "bad_question")
    adjudicate(revision=decided, lead=lead, ruling=ruling, seen=seen)
    names["decided item"] = decided.candidate_id
    release = Release.objects.create(
        name="apt",
        version="1.0",
        frozen_at=now,
        frozen_by=lead,
        validation="reviewed",
        shots=3,
        code_version="0.1",
        digest="0" * 64,
        canary="canary",
    )
    ReleaseItem.objects.create(
        release=release,
        revision=decided,
        role="test",
        subtask="issue_fix_plan",
        item_id="issue_fix_plan-1",
        sha256="0" * 64,
        line=b"{}",
    )
    Project.objects.get_or_create(pk=1)
    Question.objects.create(
        assignment=learnt,
        text="Is this fair?",
        answer="It is.",
        answered_by=lead,
        answered_at=now,
        is_example=True,
    )


def _of_leads(names: dict[str, Any], lead: User) -> None:
    """What leads started: calls of models, jobs, an action on many items."""
    answer = {"body": '{"choices": []}', "text": "an answer"}
    LLMCall.objects.filter(pk=names["call"]).update(
        state=CallState.DONE, response=answer, finished_at=timezone.now()
    )
    job = Job.objects.create(
        kind=JobKind.IMPORT,
        order={"kind": "swe_smith"},
        state=JobState.FAILED,
        failure="unreadable",
        failure_detail="broken at byte 7",
        asked_by=lead,
    )
    names["job"] = job.pk
    JobLeftOut.objects.create(
        job=job, number=1, outcome=Left.REFUSED, file="a.jsonl", line=3, field="task", why="empty"
    )
    template = Text.objects.order_by("pk")[0]
    PromptTemplate.objects.create(
        subtask="issue_fix_plan", digest="1" * 64, text=template, place="prompts.json"
    )
    action = BulkAction.objects.create(
        form_key=uuid4(), kind=BulkKind.RETURN, actor=lead, query="state=disputed"
    )
    names["bulk"] = action.pk
    BulkItem.objects.create(
        bulk=action, candidate_id=names["settled"], outcome=BulkOutcome.LEFT, why="It changed."
    )
