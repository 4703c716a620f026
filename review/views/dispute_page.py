"""Reads what the adjudication page shows: the item, its reviews by round, what leads decided."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext

from generation.core.registry import SUBTASKS
from generation.models import CandidateState, Revision
from review.core.display import shown
from review.core.dispute import disagreement
from review.core.question_view import hold_code, read_gold
from review.core.source_view import Evidence
from review.forms import REASONS
from review.models import Adjudication, Assignment, Outcome, Review, Role
from review.services.disputes import Asked, asked_of_lead, seen_digest
from review.services.gold import is_completion
from review.services.labels import labels_for
from review.services.project import reviews_wanted
from review.services.remarks import all_notes
from review.services.returns import may_be_returned
from review.services.settlement import vote_of
from review.views.dispute_form import OUTCOMES, WORDS, RulingForm
from review.views.finding_rows import finding_rows, marks_by_option, marks_in_gold
from review.views.known_words import operator_word
from review.views.questions import ability_word, question_of, scenario_word
from review.views.side_by_side import Judged, SideBySide, reason_word, side_by_side
from review.views.source_page import source_column, source_html
from review.views.step_markup import segments_html


@dataclass(frozen=True, slots=True)
class Case:
    """A revision that is or was in dispute, with its reviews by round (0 is the first)."""

    revision: Revision
    decisions: Sequence[Adjudication]
    rounds: Sequence[Sequence[Review]]
    extra: Sequence[Review]

    @property
    def is_open(self) -> bool:
        """Whether it waits for a decision."""
        is_current = self.revision.superseded_at is None
        return is_current and self.revision.candidate.state == CandidateState.DISPUTED

    @property
    def returns(self) -> int:
        """How often it was returned to the queue."""
        return len(self.rounds) - 1

    @property
    def seen(self) -> str:
        """What stands in a form for the reviews that the page shows."""
        return seen_digest(self.rounds[-1], len(self.decisions))

    @property
    def asked(self) -> Asked:
        """What a decision must speak of."""
        return asked_of_lead(self.revision, self.rounds[-1])


def read_case(pk: int) -> Case:
    """Return the case of a revision with its author, in nine queries at most.

    Reviews of a round that still runs are left out, since a lead reads no review of an item that
    others are just judging.

    Raises:
        Http404: the revision is not in dispute and never was.
    """
    found = Revision.objects.with_content().select_related("author").filter(pk=pk)
    revision = found.prefetch_related("findings").first()
    if revision is None:
        raise Http404
    decisions = list(
        Adjudication.objects.filter(revision=revision)
        .select_related("lead")
        .prefetch_related("finding_verdicts__finding")
        .order_by("created_at", "pk")
    )
    state = revision.candidate.state
    if not decisions and (state != CandidateState.DISPUTED or revision.superseded_at):
        raise Http404
    returned = [d.created_at for d in decisions if d.outcome == Outcome.RETURN]
    rounds: list[list[Review]] = [[] for _ in range(len(returned) + 1)]
    extra: list[Review] = []
    for review in _reviews(revision):
        number = sum(moment < review.created_at for moment in returned)
        if state == CandidateState.IN_REVIEW and number == len(returned):
            continue
        (rounds[number] if review.is_counted else extra).append(review)
    return Case(revision, decisions, rounds, extra)


def _reviews(revision: Revision) -> QuerySet[Review]:
    return (
        Review.objects.filter(assignment__revision=revision, undone_at=None)
        .select_related("assignment__blind_answer", "assignment__reviewer")
        .prefetch_related("option_verdicts", "finding_verdicts")
        .order_by("created_at", "pk")
    )


def case_context(case: Case, form: RulingForm, reader: User) -> dict[str, Any]:
    """Return what the page shows of a case to the lead ``reader``; names once it is decided."""
    revision, options = case.revision, list(case.revision.options.all())
    findings = sorted(revision.findings.all(), key=lambda f: (-f.severity, f.pk))
    completion = is_completion(revision)
    gold, missing = ((), ()) if completion else read_gold(revision.gold, len(options))
    labels = labels_for(revision=revision.pk, reader=reader.pk, count=len(options))
    judged = Judged(options, labels, gold, findings, is_completion=completion)
    evidence = Evidence({f.pk: f.evidence for f in findings if f.field == "prompt"})
    column = source_column(revision, evidence)
    subtask, outcome = SUBTASKS[revision.candidate.subtask], revision.candidate.source.outcome
    return {
        "case": case,
        "revision": revision,
        "subtask": subtask,
        "scenario": scenario_word(subtask.scenario),
        "ability": ability_word(subtask.ability),
        "question": question_of(subtask),
        "line": _line(case),
        **source_html(column, address=reverse("dispute", args=[revision.pk])),
        "options": _options(judged),
        "has_code": hold_code(option.text for option in options),
        "gold_labels": sorted(labels.label_at(position) for position in gold),
        "missing_gold": missing,
        "gold_texts": [segments_html(text) for text in marks_in_gold(revision, findings)]
        if completion
        else (),
        "tables": _tables(case, judged, reader),
        "decisions": [_decision(decision) for decision in case.decisions],
        "form": form,
        "findings": finding_rows(findings, form, evidence, labels),
        "unsettled": case.asked.unsettled,
        "asks_success": case.asked.source_is_unconfirmed,
        "final_answer": shown(outcome.get("final_answer") or outcome.get("submission", "")).text,
        "reference_answer": shown(outcome.get("reference_answer", "")).text,
        "outcomes": OUTCOMES,
        "reasons": REASONS,
        "notes": list(all_notes(revision.candidate)),
        "may_return": case.is_open and may_be_returned(revision, reader),
        "may_edit": case.is_open and not revision.candidate.is_control,
        "people": _people_left(revision) if case.is_open else 0,
        "wanted": reviews_wanted(revision.candidate.subtask),
    }


def _line(case: Case) -> str:
    """Return the disagreement of the last finished round, in one line.

    After an edit nothing is shown of it while others judge the new text.
    """
    reviews = next((some for some in reversed(case.rounds) if some), [])
    if not reviews and not case.is_open:
        return gettext("Edited: what reviewers said is shown again once the new text is settled.")
    about = disagreement(list(map(vote_of, reviews)), blocking=case.asked.blocking)
    return gettext(about.template) % about.values


def _options(judged: Judged) -> list[dict[str, Any]]:
    marks = marks_by_option(judged.findings, judged.gold)
    texts = [option.text for option in judged.options]
    rows = []
    for option in judged.labels.shown(texts, marks):
        stored = judged.options[judged.labels.position_of(option.label)]
        rows.append(
            {
                "label": option.label,
                "text": segments_html(option.text),
                "is_gold": stored.position in judged.gold,
                "operator": operator_word(stored.operator),
                "reason": shown(stored.reason).text,
            }
        )
    return rows


def _tables(case: Case, judged: Judged, reader: User) -> list[SideBySide]:
    """Return the reviews, the last round first; those that count nowhere come last."""
    named = not case.is_open
    tables = []
    for number, reviews in reversed(list(enumerate(case.rounds, start=1))):
        title = gettext("Reviews")
        if case.returns:
            title = gettext("Reviews of round %(n)s") % {"n": number}
        tables.append(side_by_side(title, reviews, judged, named=named, reader=reader.pk))
    title = gettext("Extra reviews: late, they count nowhere")
    tables.append(side_by_side(title, case.extra, judged, named=named, reader=reader.pk))
    return [table for table in tables if table.columns]


def _decision(decision: Adjudication) -> dict[str, Any]:
    return {
        "lead": decision.lead.username,
        "at": decision.created_at,
        "outcome": WORDS.get(decision.outcome, decision.outcome),
        "is_return": decision.outcome == Outcome.RETURN,
        "reason": reason_word(decision.reject_reason),
        "note": shown(decision.note).text,
        "findings": [
            (verdict.finding.kind, verdict.verdict, shown(verdict.word).text)
            for verdict in decision.finding_verdicts.all()
        ],
    }


def _people_left(revision: Revision) -> int:
    """Return how many people could review the revision if it were returned."""
    had = Assignment.objects.filter(revision=revision, reviewer=OuterRef("pk")).exclude(
        submitted_at=None, skipped_at=None
    )
    people = User.objects.filter(is_active=True, profile__role=Role.ANNOTATOR)
    people = people.exclude(Exists(had))
    if revision.author_id:
        people = people.exclude(pk=revision.author_id)
    return people.count()
