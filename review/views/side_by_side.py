"""All reviews of a revision as one table: a column a reviewer, a row a thing they judged."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext

from generation.models import Finding, Option
from review.core.display import shown
from review.core.dispute import Cell, Row, row
from review.core.presentation import shown_order
from review.core.question_view import Labels
from review.forms import REASONS, VERDICTS
from review.models import Decision, FindingVerdictValue, Review
from review.views.known_words import kind_word

_SAYS_NOTHING = Cell(None)
_REASONS = {str(value): word for value, word in REASONS}
_VERDICTS = {value: word for value, word, _key, _meaning in VERDICTS}


@dataclass(frozen=True, slots=True)
class Column:
    """A reviewer's heading: a number, the name once the dispute is decided, "you" always."""

    number: int
    name: str
    is_you: bool


@dataclass(frozen=True, slots=True)
class SideBySide:
    """The reviews of one round."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """What was judged: options under the lead's labels, findings, and which options are gold."""

    options: Sequence[Option]
    labels: Labels
    gold: Sequence[int]
    findings: Sequence[Finding]
    is_completion: bool


def side_by_side(
    title: str, reviews: Sequence[Review], judged: Judged, *, named: bool, reader: int
) -> SideBySide:
    """Return the table of one round's reviews, in an order drawn for the round.

    The order is the same for every lead and says nothing of who came first. ``reader`` is the
    key of the person who looks.
    """
    if not reviews:
        return SideBySide(title, (), ())
    first = min(review.pk for review in reviews)
    ordered = sorted(reviews, key=lambda review: review.pk)
    seed = f"{settings.SECRET_KEY}:dispute:{first}"
    drawn = [ordered[index] for index in shown_order(seed, len(ordered))]
    columns = tuple(
        Column(
            number=number,
            name=review.assignment.reviewer.username if named else "",
            is_you=review.assignment.reviewer_id == reader,
        )
        for number, review in enumerate(drawn, start=1)
    )
    return SideBySide(title, columns, tuple(_rows(drawn, judged)))


def reason_word(value: str) -> str:
    """Return a reason to reject in words, empty where there is none."""
    return str(_REASONS.get(value, ""))


def _rows(reviews: Sequence[Review], judged: Judged) -> Iterator[Row]:
    def of_each(title: str, cell: Callable[[Review], Cell]) -> Row:
        return row(title, [cell(review) for review in reviews])

    yield of_each(gettext("Decision"), _decision)
    answers = [review.assignment.blind_answer for review in reviews]
    yield row(
        gettext("Blind answer"),
        [_answer(review, judged) for review in reviews],
        same=[(tuple(a.positions), a.text.strip(), a.not_determined) for a in answers],
    )
    yield of_each(gettext("Blind answer against gold"), _match)
    yield of_each(gettext("Confidence"), _confidence)
    yield from _option_rows(reviews, judged)
    yield from _finding_rows(reviews, judged)
    if any(review.source_is_success is not None for review in reviews):
        yield of_each(gettext("The run solves its task"), _success)
    yield of_each(
        gettext("Not well specified, 0 to 3"),
        lambda review: Cell(str(review.well_specified), shown(review.well_specified_why).text),
    )
    yield of_each(
        gettext("Gold wrong or not the best, 0 to 3"),
        lambda review: Cell(str(review.gold_quality), shown(review.gold_quality_why).text),
    )
    yield of_each(gettext("Comment"), lambda review: Cell(None, shown(review.comment).text))
    yield of_each(gettext("Looked past the cut"), _look)
    yield of_each(gettext("Active time"), _time)


def _decision(review: Review) -> Cell:
    words = {
        Decision.APPROVE: "✓ " + gettext("approve"),
        Decision.REJECT: "✕ " + gettext("reject"),
        Decision.EDIT: "✎ " + gettext("edit"),
    }
    return Cell(words[Decision(review.decision)], reason_word(review.reject_reason))


def _answer(review: Review, judged: Judged) -> Cell:
    answer = review.assignment.blind_answer
    if answer.not_determined:
        return Cell(gettext("not determined by the prompt"))
    if judged.is_completion:
        return Cell(shown(answer.text).text)
    count = len(judged.options)
    found = sorted(judged.labels.label_at(p) for p in answer.positions if p < count)
    return Cell(", ".join(found))


def _confidence(review: Review) -> Cell:
    level = review.assignment.blind_answer.confidence
    return Cell(None, gettext("%(level)s of 5") % {"level": level})


def _match(review: Review) -> Cell:
    if review.assignment.blind_answer.matches_gold:
        return Cell("✓ " + gettext("matches"))
    if review.same_meaning:
        return Cell("≈ " + gettext("same meaning"), gettext("says the reviewer"))
    return Cell("≠ " + gettext("differs"))


def _option_rows(reviews: Sequence[Review], judged: Judged) -> Iterator[Row]:
    said = [{v.option_id: v.verdict for v in review.option_verdicts.all()} for review in reviews]
    for label, position in sorted(
        (judged.labels.label_at(option.position), option.position) for option in judged.options
    ):
        if position in judged.gold:
            continue
        pk = judged.options[position].pk
        cells = [
            Cell(str(_VERDICTS[verdicts[pk]])) if pk in verdicts else _SAYS_NOTHING
            for verdicts in said
        ]
        yield row(gettext("Option %(label)s") % {"label": label}, cells)


def _finding_rows(reviews: Sequence[Review], judged: Judged) -> Iterator[Row]:
    said = [{v.finding_id: v for v in review.finding_verdicts.all()} for review in reviews]
    words = {
        FindingVerdictValue.CONFIRMED: gettext("confirmed"),
        FindingVerdictValue.DISMISSED: gettext("dismissed"),
    }
    for number, finding in enumerate(judged.findings, start=1):
        found = [verdicts.get(finding.pk) for verdicts in said]
        cells = [
            Cell(words[FindingVerdictValue(v.verdict)], shown(v.word).text) if v else _SAYS_NOTHING
            for v in found
        ]
        values = {"n": number, "kind": kind_word(finding.kind)}
        yield row(gettext("Finding %(n)s: %(kind)s") % values, cells)


def _success(review: Review) -> Cell:
    if review.source_is_success is None:
        return _SAYS_NOTHING
    return Cell(gettext("yes") if review.source_is_success else gettext("no"))


def _look(review: Review) -> Cell:
    return Cell(None, gettext("yes") if review.saw_what_follows else gettext("no"))


def _time(review: Review) -> Cell:
    seconds = {
        "blind": round(review.assignment.blind_answer.active_seconds),
        "open": round(review.active_seconds),
    }
    return Cell(None, gettext("%(blind)s s blind, %(open)s s open") % seconds)
