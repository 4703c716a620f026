"""Disputes: the list of what waits for a lead, and the page on which one is decided."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from review.core.consensus import Cause
from review.models import Review
from review.services.dispute_edits import return_dispute_to_author
from review.services.dispute_list import Dispute, disputed_since, open_disputes
from review.services.disputes import (
    AlreadyDecided,
    NotDisputed,
    ReviewsChanged,
    RulingRefused,
    adjudicate,
)
from review.services.item_access import OwnTurnOpen, open_turns
from review.services.overturned import overturned_reviewers
from review.services.returns import ReturnRefused
from review.services.shown_texts import is_imported
from review.views.access import require_lead
from review.views.dispute_access import open_case
from review.views.dispute_files import dispute_file
from review.views.dispute_form import WORDS, RulingForm
from review.views.dispute_page import Case, case_context, read_case
from review.views.lead_tables import DISPUTES, OVERTURNED
from review.views.rendering import PageRequest
from review.views.source_page import following_html
from review.views.told import told

KINDS = {
    Cause.DECISIONS: _("decisions differ"),
    Cause.BLIND_ANSWERS: _("blind answers miss gold"),
    Cause.FINDINGS: _("findings not dismissed"),
    Cause.RUN: _("run not seen as a success"),
    "other": _("other"),
}
ORDERS = {
    "oldest": _("oldest first"),
    "newest": _("newest first"),
    "subtask": _("by subtask"),
}
_FILTERS = ("subtask", "kind", "language", "round", "order")
_PAGE = 50


@never_cache
@require_http_methods(["GET"])
def disputes(request: PageRequest) -> HttpResponseBase:
    """List the disputes that wait, filtered and sorted as the address says."""
    require_lead(request)
    held = dict(open_turns(request.user).values_list("revision", "pk"))
    disputed = open_disputes()
    every = [dispute for dispute in disputed if dispute.revision not in held]
    found = _filtered(every, request.GET)
    if file := dispute_file(request.GET, found):
        return file
    ordered = DISPUTES.ordered(DISPUTES.chosen(request.GET), [(d, None) for d in found])
    page = Paginator([dispute for dispute, _since in ordered], _PAGE).get_page(
        request.GET.get("page")
    )
    since = disputed_since(page)
    overturned = OVERTURNED.shown(request.GET, overturned_reviewers())
    context = {
        "table": DISPUTES.page(request.GET),
        "overturned_table": overturned,
        "rows": [
            (d, KINDS[d.kind], gettext(d.about.template) % d.about.values, since.get(d.revision))
            for d in page
        ],
        "page": page,
        "n": len(found),
        "held": [(held[d.revision], d) for d in disputed if d.revision in held],
        "all": len(every),
        "subtasks": _counted(d.subtask for d in every),
        "kinds": [(kind, KINDS[kind], n) for kind, n in _counted(d.kind for d in every)],
        "languages": _counted(d.language for d in every),
        "rounds": _counted(str(d.returned + 1) for d in every),
        "orders": list(ORDERS.items()),
        "chosen": {name: request.GET.get(name, "") for name in _FILTERS},
        "query": _query(request.GET),
        "overturned": [
            (row, *(round(100 * share) for share in (row.share, *row.interval)))
            for row in overturned.rows
        ],
        "has_reviews": bool(disputed) or Review.objects.exists(),
    }
    return render(request, "review/disputes.html", context)


def _counted(values: Any) -> list[tuple[str, int]]:
    counts: dict[str, int] = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    return sorted(counts.items())


def _filtered(every: list[Dispute], asked: QueryDict) -> list[Dispute]:
    """Return the disputes that the address asks for, in its order; oldest first by default."""
    subtask, kind, language, turn, order = (asked.get(name, "") for name in _FILTERS)
    found = [
        dispute
        for dispute in every
        if subtask in ("", dispute.subtask)
        and kind in ("", dispute.kind)
        and language in ("", dispute.language)
        and turn in ("", str(dispute.returned + 1))
    ]
    if order == "newest":
        return found[::-1]
    return sorted(found, key=lambda dispute: dispute.subtask) if order == "subtask" else found


def _query(asked: QueryDict) -> str:
    """Return the filters as a query string, empty where there are none: it goes along."""
    kept = {name: asked[name] for name in _FILTERS if asked.get(name)}
    return f"?{urlencode(kept)}" if kept else ""


@never_cache
@require_http_methods(["GET", "POST"])
def dispute(request: PageRequest, pk: int) -> HttpResponse:
    """Show a dispute with all its reviews, or store the decision and show it decided."""
    case = open_case(request, pk)
    if isinstance(case, HttpResponse):
        return case
    form = _form(request, case)
    if request.method == "POST" and form.is_valid():
        try:
            stored = adjudicate(
                revision=case.revision,
                lead=request.user,
                ruling=form.ruling(),
                seen=form.cleaned_data["seen"],
            )
        except RulingRefused as refused:
            for name, why in refused.problems.items():
                form.add_error(name if name in form.fields else None, told(why))
        except (AlreadyDecided, NotDisputed, OwnTurnOpen, ReviewsChanged) as late:
            return _too_late(request, pk, form, late)
        else:
            words = {"outcome": WORDS[stored.outcome]}
            messages.success(request, gettext("Decided: %(outcome)s.") % words)
            return _see(request, pk)
    return _show(request, case, form, status=422 if form.errors else 200)


def _form(request: HttpRequest, case: Case) -> RulingForm:
    return RulingForm(
        request.POST if request.method == "POST" else None,
        initial={"seen": case.seen},
        findings=[finding.pk for finding in case.revision.findings.all()],
    )


def _see(request: PageRequest, pk: int) -> HttpResponse:
    response = redirect(reverse("dispute", args=[pk]) + _query(request.GET))
    response.status_code = 303
    return response


def _too_late(request: PageRequest, pk: int, form: RulingForm, late: Exception) -> HttpResponse:
    """Answer 409: say what came first, and keep what was typed."""
    messages.warning(request, too_late_words(late))
    case = open_case(request, pk)
    if isinstance(case, HttpResponse):
        return case
    return _show(request, case, form, status=409)


def too_late_words(late: Exception) -> str:
    """Return why a decision is not stored: another came first, or the reviews changed."""
    if isinstance(late, ReviewsChanged):
        return gettext("The reviews changed since you read them. Your decision was not stored.")
    if not isinstance(late, AlreadyDecided):
        return gettext("This waits for no decision any more. Yours was not stored.")
    first = late.adjudication
    return gettext(
        "%(lead)s decided before you, at %(when)s UTC: %(outcome)s. Yours was not stored."
    ) % {
        "lead": first.lead.username,
        "when": f"{first.created_at:%Y-%m-%d %H:%M}",
        "outcome": WORDS.get(first.outcome, first.outcome),
    }


@require_http_methods(["POST"])
def dispute_return(request: PageRequest, pk: int) -> HttpResponse:
    """Give a disputed edit back to its author with a comment."""
    case = open_case(request, pk)
    if isinstance(case, HttpResponse):
        return case
    comment = request.POST.get("comment", "")
    try:
        return_dispute_to_author(
            revision=case.revision,
            lead=request.user,
            comment=comment,
            seen=request.POST.get("seen", ""),
        )
    except ReturnRefused as refused:
        messages.warning(request, told(refused.why))
        return _show(request, case, _unsent_form(case), status=422, comment=comment)
    except (AlreadyDecided, NotDisputed, OwnTurnOpen, ReviewsChanged) as late:
        messages.warning(request, too_late_words(late))
        return _show(request, read_case(pk), _unsent_form(case), status=409, comment=comment)
    messages.success(request, gettext("Given back to its author."))
    return _see(request, pk)


def _unsent_form(case: Case) -> RulingForm:
    return RulingForm(
        initial={"seen": case.seen},
        findings=[finding.pk for finding in case.revision.findings.all()],
    )


def _show(
    request: PageRequest, case: Case, form: RulingForm, *, status: int, comment: str = ""
) -> HttpResponse:
    waiting = [] if case.is_open else _filtered(open_disputes(), request.GET)
    context = {
        **case_context(case, form, request.user),
        "following": _following(request, case),
        "query": _query(request.GET),
        "next": waiting[0] if waiting else None,
        "waiting": len(waiting),
        "is_too_late": status == 409,
        "comment": comment,
        "problems": [
            (_anchor(name), why) for name, errors in form.errors.items() for why in errors
        ],
    }
    return render(request, "review/adjudicate.html", context, status=status)


def _following(request: PageRequest, case: Case) -> str:
    """Return the HTML of what the model does not see, where the lead asks for it."""
    if "follows" not in request.GET or is_imported(case.revision):
        return ""
    return following_html(case.revision, address=reverse("dispute", args=[case.revision.pk]))


def _anchor(name: str) -> str:
    """Return the id of the place on the page where a field stands."""
    number = name.removeprefix("finding_").removesuffix("_word")
    return f"finding-{number}" if name.startswith("finding_") else f"field-{name}"
