"""Questions with their versions and findings, for leads."""

from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework.response import Response

from generation.core.registry import SUBTASKS
from generation.models import Candidate, Finding, Revision
from review.api.access import require_openable
from review.api.filters import CandidateFilter, FindingFilter, filtered, parameters_of
from review.api.pages import DOCUMENTED, page_of
from review.api.problems import Problem
from review.api.schema import documented, id_in_path
from review.api.serializers.records import CandidateDetailSerializer, CandidatePage, FindingPage
from review.api.view import ApiView, LeadView, MemberCall, ok
from review.authentication import is_lead
from review.core.question_view import read_gold
from review.models import Assignment
from review.services.gold import is_completion
from review.services.item_access import OwnTurnOpen, give_up_review, openable
from review.services.labels import labels_for

TAG = "candidates"
CANDIDATE = [id_in_path("candidate")]


def _candidates() -> QuerySet[Candidate]:
    current = Revision.objects.filter(candidate=OuterRef("pk"), superseded_at=None)
    return (
        Candidate.objects.select_related("source")
        .only("subtask", "source__language", "state", "cut", "is_control", "created_at")
        .annotate(revision_number=Subquery(current.values("number")[:1]))
    )


def _row(candidate: Any) -> dict[str, Any]:
    subtask = SUBTASKS[candidate.subtask]
    return {
        "id": candidate.pk,
        "subtask": candidate.subtask,
        "scenario": subtask.scenario.value,
        "ability": subtask.ability.value,
        "language": candidate.source.language,
        "state": candidate.state,
        "source": candidate.source_id,
        "cut": candidate.cut,
        "is_control": candidate.is_control,
        "created_at": candidate.created_at,
        "revision": candidate.revision_number,
    }


class Candidates(LeadView):
    """All questions."""

    @documented(
        "candidates",
        CandidatePage,
        422,
        parameters=[*parameters_of(CandidateFilter), *DOCUMENTED],
        tag=TAG,
    )
    def get(self, request: MemberCall) -> Response:
        """List questions: where they stand, nothing of their answers."""
        rows = filtered(request, CandidateFilter, _candidates())
        return page_of(request, rows, lambda found: map(_row, found))


class OneCandidate(LeadView):
    """A question."""

    @documented("candidate", CandidateDetailSerializer, 404, 409, parameters=CANDIDATE, tag=TAG)
    def get(self, request: MemberCall, pk: int) -> Response:
        """Read a question with all its versions, options and findings.

        409 while you could still be given it to review (`not_opened`, `own_turn_open`).
        """
        candidate = get_object_or_404(_candidates(), pk=pk)
        require_openable(request.user, pk)
        revisions = (
            Revision.objects.filter(candidate=pk)
            .select_related("candidate")
            .prefetch_related("options", "findings")
            .order_by("-number")
        )
        shown = [_revision(one, request.user.pk) for one in revisions]
        return ok(_row(candidate) | {"revisions": shown})


class Open(LeadView):
    """Giving up the review of a question."""

    @documented("open_candidate", None, 404, 409, parameters=CANDIDATE, tag=TAG, status=204)
    def post(self, request: MemberCall, pk: int) -> Response:
        """Give up reviewing a question, so that you may read it whole."""
        candidate = get_object_or_404(Candidate, pk=pk)
        try:
            give_up_review(lead=request.user, candidate=candidate, now=timezone.now())
        except OwnTurnOpen as error:
            words = "You have a turn at this item: submit or skip it first."
            raise Problem(HTTPStatus.CONFLICT, words, code="own_turn_open") from error
        return Response(status=HTTPStatus.NO_CONTENT)


def _revision(revision: Revision, reader: int) -> dict[str, Any]:
    options = list(revision.options.all())
    labels = labels_for(revision=revision.pk, reader=reader, count=len(options))
    completion = is_completion(revision)
    gold = () if completion else read_gold(revision.gold, len(options))[0]
    shown = [
        {
            "label": labels.label_at(position),
            "text": options[position].text,
            "is_gold": position in gold,
            "operator": options[position].operator,
            "reason": options[position].reason,
            "model": options[position].model,
        }
        for position in labels.order
    ]
    return {
        "number": revision.number,
        "slots": revision.slots,
        "gold": revision.gold if completion else [o["label"] for o in shown if o["is_gold"]],
        "options": shown,
        "findings": [_finding(one, revision) for one in revision.findings.all()],
        "note": revision.note,
        "created_at": revision.created_at,
        "checked_at": revision.checked_at,
        "superseded_at": revision.superseded_at,
    }


def _finding(finding: Finding, revision: Revision) -> dict[str, Any]:
    return {
        "id": finding.pk,
        "candidate": revision.candidate_id,
        "revision": revision.number,
        "kind": finding.kind,
        "severity": finding.severity,
        "field": finding.field,
        "start": finding.start,
        "end": finding.end,
        "evidence": finding.evidence,
        "source_step": finding.source_step,
        "created_at": finding.created_at,
    }


def _findings(rows: Iterable[Finding]) -> Iterable[dict[str, Any]]:
    return (_finding(finding, finding.revision) for finding in rows)


class Findings(ApiView):
    """What automatic checks say."""

    @documented(
        "findings",
        FindingPage,
        422,
        parameters=[*parameters_of(FindingFilter), *DOCUMENTED],
        tag="findings",
    )
    def get(self, request: MemberCall) -> Response:
        """List findings: leads see those of all items that they may read whole.

        Everyone else sees those of the items that they have answered blind.
        """
        rows = Finding.objects.select_related("revision").filter(_readable(request))
        return page_of(request, filtered(request, FindingFilter, rows), _findings)


def _readable(request: MemberCall) -> Q:
    answered = Assignment.objects.filter(reviewer=request.user, blind_answer__isnull=False)
    own = Q(revision__in=answered.values("revision"))
    if is_lead(request.user):
        return own | Q(revision__candidate__in=openable(request.user).values("pk"))
    return own
