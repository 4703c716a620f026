"""Writes an item as its reviewer may see it in the phase it is in."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse

from generation.core.items import Severity
from generation.core.labels import label_of
from generation.core.records import Step
from generation.core.registry import SUBTASKS
from generation.models import Finding, Option
from review.core.question_view import Labels, read_gold
from review.models import Assignment
from review.services.drafts import LOOKED
from review.services.gold import is_completion
from review.services.labels import labels_of
from review.services.shown_texts import shown_texts
from review.services.turns import answer_of

_SOURCE = "revision__candidate__source"
# What a reviewer is never served while blind is not even read.
_BLIND_LEAVES_OUT = (
    f"{_SOURCE}__raw",
    f"{_SOURCE}__outcome",
    f"{_SOURCE}__notes",
    "revision__note",
)
_ACTIONS = ("review", "draft", "lease", "skip", "questions", "notes")


def own_turn(reviewer_pk: int, pk: int) -> Assignment:
    """Return the person's turn with its blind answer, subtask and gold, in one query.

    All else is read when it is asked for: who sends something needs no texts.

    Raises:
        Http404: there is none, or it is another person's.
    """
    turns = Assignment.objects.select_related("blind_answer", "revision__candidate")
    return _own(turns.defer("revision__slots", "revision__note"), reviewer_pk, pk)


def own_item(reviewer_pk: int, pk: int) -> Assignment:
    """Return the person's turn with all that its item shows but steps and options, in one query.

    Raises:
        Http404: there is none, or it is another person's.
    """
    turns = Assignment.objects.select_related(
        "blind_answer", f"{_SOURCE}__task", f"{_SOURCE}__system"
    )
    return _own(turns.defer(*_BLIND_LEAVES_OUT), reviewer_pk, pk)


def _own(turns: QuerySet[Assignment], reviewer_pk: int, pk: int) -> Assignment:
    try:
        return turns.get(reviewer=reviewer_pk, pk=pk)
    except Assignment.DoesNotExist as error:
        raise Http404 from error


def phase_of(turn: Assignment) -> str:
    """Return ``submitted``, ``skipped``, ``open`` or ``blind``."""
    if turn.submitted_at:
        return "submitted"
    if turn.skipped_at:
        return "skipped"
    return "open" if answer_of(turn) else "blind"


def item_json(turn: Assignment) -> dict[str, Any]:
    """Return the turn with its item; gold and findings only once the blind answer is stored."""
    phase = phase_of(turn)
    candidate = turn.revision.candidate
    subtask = SUBTASKS[candidate.subtask]
    is_over = phase in {"submitted", "skipped"}
    options = [] if is_over else list(turn.revision.options.all())
    labels = labels_of(turn, len(options))
    item: dict[str, Any] = {
        "id": turn.pk,
        "phase": phase,
        "leased_until": turn.leased_until,
        "given_at": turn.given_at,
        "revision": turn.revision.number,
        "subtask": candidate.subtask,
        "scenario": subtask.scenario.value,
        "ability": subtask.ability.value,
        "language": candidate.source.language,
        "format": subtask.answer_format.value,
        "prompt": {"before": [], "steps": [], "after": []} if is_over else _prompt(turn),
        "options": _options(options, labels),
        "gold": None,
        "answer": None,
        "findings": None,
        "outcome": None,
        "saw_what_follows": phase == "open" and bool(turn.draft.get(LOOKED)),
        "draft": turn.draft if turn.draft.get("phase") == phase else {},
        "links": _links(turn, phase),
    }
    return item | _open(turn, options, labels, item["options"]) if phase == "open" else item


def _prompt(turn: Assignment) -> dict[str, Any]:
    shown = shown_texts(turn.revision)
    return {
        "before": _sections(shown.before),
        "steps": steps_json(shown.steps, first=1),
        "after": _sections(shown.after),
    }


def _sections(texts: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "text": text} for name, text in texts.items()]


def steps_json(steps: Sequence[Step], *, first: int) -> list[dict[str, Any]]:
    """Return steps as JSON, numbered from ``first``."""
    return [
        {
            "number": number,
            "thought": step.thought,
            "tool": step.tool,
            "action": step.action,
            "observation": step.observation,
        }
        for number, step in enumerate(steps, start=first)
    ]


def _options(options: Sequence[Option], labels: Labels) -> list[dict[str, Any]]:
    """Return the options in displayed order, text alone."""
    return [
        {"label": label_of(index), "text": options[position].text}
        for index, position in enumerate(labels.order)
    ]


def _links(turn: Assignment, phase: str) -> dict[str, str]:
    """Return the addresses of what may be sent in this phase."""
    own = reverse("api:assignment", args=[turn.pk])
    if phase == "blind":
        return {name: f"{own}/{name}" for name in ("blind", "submit", *_ACTIONS[1:])}
    if phase == "open":
        return {name: f"{own}/{name}" for name in (*_ACTIONS, "edit", "what-follows")}
    return {"undo": f"{own}/undo", "notes": f"{own}/notes"} if phase == "submitted" else {}


def _open(
    turn: Assignment,
    options: Sequence[Option],
    labels: Labels,
    shown: Sequence[dict[str, Any]],
) -> dict[str, Any]:
    """Return what the open phase adds: gold, the own answer, findings, how the run ended."""
    revision, source = turn.revision, turn.revision.candidate.source
    completion = is_completion(revision)
    gold, missing = ((), ()) if completion else read_gold(revision.gold, len(options))
    for position, option in zip(labels.order, shown, strict=True):
        option |= {"is_gold": position in gold, "reason": options[position].reason}
    right = [option for option in shown if option["is_gold"]]
    outcome = source.outcome
    return {
        "gold": {
            "labels": [option["label"] for option in right],
            "texts": list(revision.gold) if completion else [option["text"] for option in right],
            "missing": list(missing),
        },
        "answer": answer_json(turn, labels),
        "findings": [finding_json(one, labels) for one in revision.findings.all()],
        "outcome": {
            "success": source.success,
            "final_answer": outcome.get("final_answer") or outcome.get("submission", ""),
            "reference_answer": outcome.get("reference_answer", ""),
        },
    }


def answer_json(turn: Assignment, labels: Labels) -> dict[str, Any] | None:
    """Return the stored blind answer under displayed labels; None while there is none."""
    if (answer := answer_of(turn)) is None:
        return None
    shown = (p for p in answer.positions if p < len(labels.order))
    return {
        "labels": sorted(labels.label_at(position) for position in shown),
        "text": answer.text,
        "not_determined": answer.not_determined,
        "confidence": answer.confidence,
        "matches_gold": answer.matches_gold,
    }


def finding_json(finding: Finding, labels: Labels) -> dict[str, Any]:
    """Return a finding; an option's is named by the option's displayed label."""
    field, _, position = finding.field.partition(":")
    if position.isdecimal() and int(position) < len(labels.order):
        field = f"{field}:{labels.label_at(int(position))}"
    return {
        "id": finding.pk,
        "kind": finding.kind,
        "severity": finding.severity,
        "field": field,
        "start": finding.start,
        "end": finding.end,
        "evidence": finding.evidence,
        "source_step": finding.source_step,
        "must_be_judged": finding.severity >= Severity.NEEDS_PERSON,
    }
