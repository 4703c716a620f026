"""What reviewers ask: the list of questions, and the page on which a lead answers one.

The page shows what the reviewer saw when they asked, and nothing that others said of the item:
gold only where the reviewer had seen it, so that an answer can't give it away, and where the lead
may read the item whole. A lead who has a turn at the item reads nothing of the question.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from generation.core.registry import SUBTASKS
from generation.models import Revision
from review.core.question_view import hold_code, read_gold
from review.core.source_view import Evidence
from review.models import Question
from review.services.gold import is_completion
from review.services.item_access import may_open_item, open_turn, open_turns
from review.services.labels import labels_for
from review.services.remarks import (
    RemarkRefused,
    all_questions,
    answer_question,
    mark_as_example,
    why_not_to_answer,
)
from review.services.turns import answer_of
from review.views.access import own_turn_before_look, require_lead
from review.views.lead_tables import ANSWERED_QUESTIONS, OPEN_QUESTIONS
from review.views.questions import ability_word, question_of, scenario_word
from review.views.rendering import PageRequest, go_to
from review.views.source_page import source_column, source_html
from review.views.source_pieces import SourceParts
from review.views.step_markup import segments_html
from review.views.told import told

_PAGE = 50


@never_cache
@require_http_methods(["GET"])
def lead_questions(request: PageRequest) -> HttpResponseBase:
    """List the questions, open or answered, of one subtask or all."""
    require_lead(request)
    state, subtask = request.GET.get("state", "open"), request.GET.get("subtask", "")
    answered = state == "answered"
    found = all_questions(answered=answered, subtask=subtask)
    table = ANSWERED_QUESTIONS if answered else OPEN_QUESTIONS
    held = set(open_turns(request.user).values_list("revision__candidate", flat=True))
    if file := table.file(request.GET, _told(found, held, request.user)):
        return file
    order = table.chosen(request.GET)
    rows = table.ordered(order, found) if order else found
    context = {
        "page": Paginator(rows, _PAGE).get_page(request.GET.get("page")),
        "table": table.page(request.GET),
        "held": held,
        "answered": answered,
        "chosen": subtask,
        **_counts(answered=answered),
    }
    return render(request, "review/questions.html", context)


def _told(found: Iterable[Question], held: set[int], lead: User) -> Iterator[Question]:
    """Yield the questions that the lead may read: their own, and those beside no turn of theirs."""
    for question in found:
        turn = question.assignment
        if turn.reviewer_id == lead.pk or turn.revision.candidate_id not in held:
            yield question


def _counts(*, answered: bool) -> dict[str, Any]:
    """Return how many questions there are: by subtask (open or answered), open, and in all."""
    counted = Question.objects.values_list("assignment__revision__candidate__subtask").annotate(
        open=Count("pk", filter=Q(answered_at=None)), all=Count("pk")
    )
    rows = list(counted.order_by("assignment__revision__candidate__subtask"))
    return {
        "subtasks": [(name, n - o if answered else o) for name, o, n in rows],
        "open": sum(o for _name, o, _n in rows),
        "all": sum(n for _name, _o, n in rows),
    }


@never_cache
@require_http_methods(["GET", "POST"])
def lead_question(request: PageRequest, pk: int) -> HttpResponse:
    """Show a question with its item, or store the answer."""
    require_lead(request)
    question = _question(pk)
    problem = ""
    if request.method == "POST":
        try:
            _store(request, question)
        except RemarkRefused as refused:
            problem = told(refused.why)
        else:
            return go_to(request, reverse("lead-questions"))
    why_not = _why_not(request, question)
    context = {
        "question": question,
        "problem": problem,
        "why_not": told(why_not) if why_not else "",
        "typed": request.POST.get("answer", ""),
        "is_example": bool(request.POST.get("is_example")) or question.is_example,
        "may_read": _may_read(request, question),
        **(_item_context(request, question) if _shows_item(request, question) else {}),
    }
    return render(request, "review/question.html", context, status=409 if problem else 200)


def _question(pk: int) -> Question:
    """Return a question with its turn, item and who answered.

    Raises:
        Http404: there is none.
    """
    return get_object_or_404(
        Question.objects.select_related(
            "answered_by",
            "assignment__blind_answer",
            "assignment__revision__candidate__source__task",
            "assignment__revision__candidate__source__system",
        ),
        pk=pk,
    )


def _may_read(request: PageRequest, question: Question) -> bool:
    """Return whether the lead may read what was asked: their own, or beside no turn of theirs.

    That they read it is noted: they are not given the item any more, nor an earlier step of its run.
    """
    turn = question.assignment
    if turn.reviewer_id == request.user.pk:
        return True
    if open_turn(lead=request.user, candidate=turn.revision.candidate):
        return False
    return own_turn_before_look(request, turn.revision) is None


def _shows_item(request: PageRequest, question: Question) -> bool:
    """Return whether the page shows the item: to who may answer, and what was answered."""
    is_over = question.answered_at is not None
    return _may_read(request, question) and (is_over or not _why_not(request, question))


def _why_not(request: PageRequest, question: Question) -> str:
    turn = question.assignment
    return why_not_to_answer(turn, turn.revision.candidate, request.user)


def _store(request: PageRequest, question: Question) -> None:
    """Store the answer; of an answered question, whether it is an example."""
    is_example = bool(request.POST.get("is_example"))
    if question.answered_at and "answer" not in request.POST:
        mark_as_example(question=question, lead=request.user, is_example=is_example)
        messages.success(request, gettext("Stored."))
        return
    answer_question(
        question=question,
        lead=request.user,
        answer=request.POST.get("answer", ""),
        is_example=is_example,
        now=timezone.now(),
    )
    messages.success(request, gettext("Answered. The reviewer finds it in their queue."))


def _item_context(request: PageRequest, question: Question) -> dict[str, Any]:
    """Return what the page shows of the item, as the reviewer saw it."""
    revision = question.assignment.revision
    subtask, completion = SUBTASKS[revision.candidate.subtask], is_completion(revision)
    options = list(revision.options.order_by("position"))
    labels = labels_for(
        revision=revision.pk, reader=question.assignment.reviewer_id, count=len(options)
    )
    asked_with_gold = _asked_with_gold(question)
    sees_gold = asked_with_gold and _may_see_gold(request, question)
    gold = read_gold(revision.gold, len(options))[0] if sees_gold and not completion else ()
    column = source_column(revision, Evidence())
    return {
        "revision": revision,
        "subtask": subtask,
        "scenario": scenario_word(subtask.scenario),
        "ability": ability_word(subtask.ability),
        "asks": question_of(subtask),
        **source_html(column, address=reverse("lead-question", args=[question.pk])),
        "options": [
            (shown.label, segments_html(shown.text), labels.position_of(shown.label) in gold)
            for shown in labels.shown([option.text for option in options])
        ],
        "has_code": hold_code(option.text for option in options),
        "asked_with_gold": asked_with_gold,
        "sees_gold": sees_gold,
        "gold_texts": revision.gold if completion and sees_gold else (),
    }


def _asked_with_gold(question: Question) -> bool:
    """Return whether the reviewer had answered blind, so that gold was shown, when they asked."""
    answer = answer_of(question.assignment)
    return answer is not None and answer.created_at <= question.asked_at


def _may_see_gold(request: PageRequest, question: Question) -> bool:
    """Return whether gold biases no review that the lead may still write; their own it can't."""
    turn = question.assignment
    is_own = turn.reviewer_id == request.user.pk
    return is_own or may_open_item(lead=request.user, candidate=turn.revision.candidate)


def _revision(request: PageRequest, pk: int) -> Revision:
    require_lead(request)
    question = _question(pk)
    if not _shows_item(request, question):
        raise PermissionDenied
    return question.assignment.revision


PARTS = SourceParts("lead-question", _revision)
