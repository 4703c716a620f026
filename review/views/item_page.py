"""The page of one item: what it is, all its revisions with what changed, what people said, who made it."""

import json
from collections.abc import Iterator
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from generation.core.registry import SUBTASKS
from generation.core.wording import Wording
from generation.models import Candidate, CandidateState, Finding, Revision
from review.core.display import shown
from review.core.question_view import Labels, hold_code, read_gold
from review.core.source_view import Evidence
from review.models import Assignment, Review
from review.services.assigning import AssigningRefused, assign
from review.services.gold import is_completion
from review.services.item_access import OwnTurnOpen, give_up_review, may_open_item, open_turn
from review.services.item_record import ItemRecord, read_item
from review.services.labels import labels_for
from review.services.people import active_members
from review.views.access import own_turn_before_look, require_lead
from review.views.item_words import outcome_word, state_word, success_word
from review.views.known_words import operator_word, place_word
from review.views.questions import ability_word, question_of, scenario_word
from review.views.rendering import PageRequest, go_to, render_page
from review.views.revision_diff import changes_between
from review.views.side_by_side import Judged, SideBySide, side_by_side
from review.views.source_page import following_html, source_column, source_html
from review.views.step_markup import segments_html
from review.views.told import told

_CALL_LIMIT = 20_000


@never_cache
@require_http_methods(["GET", "POST"])
def item(request: PageRequest, pk: int) -> HttpResponse:
    """Show an item; a POST gives up one's own review of it, to open it."""
    require_lead(request)
    candidate = get_object_or_404(Candidate.objects.select_related("source"), pk=pk)
    if request.method == "POST":
        return _give_up(request, candidate)
    context: dict[str, Any] = {"candidate": candidate, "state": state_word(candidate.state)}
    if candidate.state == CandidateState.IN_REVIEW and not candidate.is_control:
        context["people"] = active_members()
    may_open, own = _may_open(request, candidate)
    if may_open:
        context |= _item_context(request, read_item(candidate))
    else:
        context["own"] = own
    return render_page(request, "review/item.html", context, part="item")


def _may_open(request: PageRequest, candidate: Candidate) -> tuple[bool, Assignment | None]:
    """Return whether the lead may read the item now, and their own turn that forbids it."""
    if not may_open_item(lead=request.user, candidate=candidate):
        return False, open_turn(lead=request.user, candidate=candidate)
    own = own_turn_before_look(request, candidate)
    return own is None, own


def _give_up(request: PageRequest, candidate: Candidate) -> HttpResponse:
    try:
        give_up_review(lead=request.user, candidate=candidate, now=timezone.now())
    except OwnTurnOpen as own:
        messages.warning(request, gettext("You have a turn at this item: submit or skip it first."))
        return go_to(request, reverse("review", args=[own.assignment.pk]))
    return go_to(request, reverse("item", args=[candidate.pk]))


@require_http_methods(["POST"])
def give_item(request: PageRequest, pk: int) -> HttpResponse:
    """Give the item to a person for review; the answer says why where that can't be."""
    require_lead(request)
    revision = get_object_or_404(Revision.objects.current(), candidate=pk)
    reviewer = get_object_or_404(User, username=request.POST.get("reviewer", ""))
    try:
        assign(lead=request.user, revision=revision, reviewer=reviewer, now=timezone.now())
    except AssigningRefused as refused:
        messages.warning(request, told(refused.why))
    else:
        given = gettext("Given to %(name)s: it comes first in their queue.")
        messages.success(request, given % {"name": reviewer.get_username()})
    return go_to(request, reverse("item", args=[pk]))


def _item_context(request: PageRequest, record: ItemRecord) -> dict[str, Any]:
    candidate, revision = record.candidate, record.current
    subtask = SUBTASKS[candidate.subtask]
    findings = list(record.findings[revision.pk])
    evidence = Evidence({f.pk: f.evidence for f in findings if f.field == "prompt"})
    column = source_column(revision, evidence)
    judged = _judged(request, revision, findings)
    follows = "follows" in request.GET and column.has_more
    address = reverse("item", args=[candidate.pk])
    return {
        "record": record,
        "revision": revision,
        "success": success_word(candidate.source.success),
        "is_disputed": candidate.state == CandidateState.DISPUTED,
        "subtask": subtask,
        "scenario": scenario_word(subtask.scenario),
        "ability": ability_word(subtask.ability),
        "question": question_of(subtask),
        **source_html(column, address=address),
        "following": following_html(revision, address=address) if follows else "",
        "options": _options(judged),
        "has_code": hold_code(option.text for option in judged.options),
        "gold_texts": [shown(str(text)).text for text in revision.gold]
        if judged.is_completion
        else [],
        "findings": [_finding(finding, judged.labels) for finding in findings],
        "history": list(_history(request, record)),
        "decisions": [
            (decision, outcome_word(decision.outcome), shown(decision.note).text)
            for decision in record.decisions
        ],
        "calls": [(call, _json(call.request), _json(call.response)) for call in record.calls],
    }


def _judged(request: PageRequest, revision: Revision, findings: list[Finding]) -> Judged:
    options = list(revision.options.all())
    completion = is_completion(revision)
    labels = labels_for(revision=revision.pk, reader=request.user.pk, count=len(options))
    gold = () if completion else read_gold(revision.gold, len(options))[0]
    return Judged(options, labels, gold, findings, is_completion=completion)


def _options(judged: Judged) -> list[dict[str, Any]]:
    rows = []
    for option in judged.labels.shown([option.text for option in judged.options]):
        stored = judged.options[judged.labels.position_of(option.label)]
        rows.append(
            {
                "label": option.label,
                "text": segments_html(option.text),
                "is_gold": stored.position in judged.gold,
                "operator": operator_word(stored.operator),
                "model": shown(stored.model).text,
                "prompt_version": stored.prompt_version,
                "seed": stored.seed,
                "call": stored.llm_call_id,
                "reason": shown(stored.reason).text,
            }
        )
    return rows


def _finding(finding: Finding, labels: Labels) -> dict[str, Any]:
    position = finding.field.removeprefix("option:")
    place = place_word(finding.field)
    if position != finding.field and int(position) < len(labels.order):
        place = gettext("option %(label)s") % {"label": labels.label_at(int(position))}
    return {
        "finding": finding,
        "place": place,
        "evidence": shown(finding.evidence[:600]).text,
    }


def _history(request: PageRequest, record: ItemRecord) -> Iterator[dict[str, Any]]:
    """Yield each revision, newest first, with its changes and the reviews it got."""
    for index, revision in enumerate(record.revisions):
        before = record.revisions[index + 1] if index + 1 < len(record.revisions) else None
        reviews = list(record.reviews.get(revision.pk, ()))
        judged = _judged(request, revision, list(record.findings[revision.pk]))
        yield {
            "revision": revision,
            "note": shown(revision.note).text,
            "changes": changes_between(_wording(before), _wording(revision)) if before else (),
            "tables": [
                (f"{revision.number}-{place}", table)
                for place, table in enumerate(_tables(request, reviews, judged))
            ],
        }


def _tables(request: PageRequest, reviews: list[Review], judged: Judged) -> list[SideBySide]:
    kinds = (
        (gettext("Reviews"), [review for review in reviews if review.is_counted]),
        (gettext("Extra reviews"), [review for review in reviews if not review.is_counted]),
    )
    reader = request.user.pk
    tables = [side_by_side(title, some, judged, named=True, reader=reader) for title, some in kinds]
    return [table for table in tables if table.columns]


def _wording(revision: Revision) -> Wording:
    """Return the texts that the revision holds itself."""
    options = sorted(revision.options.all(), key=lambda option: option.position)
    texts = tuple(option.text for option in options)
    return Wording(revision.slots, texts, tuple(map(str, revision.gold)))


def _json(data: Any) -> str:
    """Return a call's request or response for people to read, cut where it is very long."""
    if not data:
        return ""
    return shown(json.dumps(data, ensure_ascii=False, indent=2)[:_CALL_LIMIT]).text
