"""Passes what a reviewer sends on to the services that the pages use, and their refusals back."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from django.utils import timezone

from generation.core.registry import SUBTASKS
from generation.core.subtask import AnswerFormat
from review.api.problems import Problem, invalid
from review.core.question_view import Labels
from review.core.review_answers import ReviewAnswers
from review.models import Assignment, BlindAnswer, Review
from review.services.blind_answers import answer_blind
from review.services.gold import gold_positions
from review.services.labels import labels_of
from review.services.reviews import AlreadySubmitted, submit_review
from review.services.turns import ReviewRefused, answer_of
from review.services.unseen import AnsweredOtherwise, BlindFields, Unseen, answer_and_review


def read_blind(
    turn: Assignment, given: Mapping[str, Any], labels: Labels, *, within: str = ""
) -> BlindFields:
    """Return the blind answer that a body holds; ``within`` goes before fields that are refused.

    Raises:
        Problem: the turn was skipped (410); the answer does not fit the item's format, or names an option that is not shown (422).
    """
    if turn.skipped_at:
        raise Problem(HTTPStatus.GONE, "You gave this item back.", code="skipped")
    kind = SUBTASKS[turn.revision.candidate.subtask].answer_format
    chosen = given["labels"]
    found: dict[str, str] = {}
    if kind is AnswerFormat.COMPLETION and chosen:
        found["labels"] = "There are no options: write the answer as text."
    if kind is not AnswerFormat.COMPLETION and (given["text"] or given["not_determined"]):
        found["text"] = "Choose among the options, by labels."
    if kind is AnswerFormat.CHOICE and len(set(chosen)) > 1:
        found["labels"] = "Choose one option."
    if found:
        raise invalid({within + name: why for name, why in found.items()})
    try:
        positions = labels.positions_of(set(chosen))
    except ValueError as error:
        raise invalid({f"{within}labels": f"{error}."}) from error
    return BlindFields(
        positions=positions,
        text=given["text"],
        not_determined=given["not_determined"],
        confidence=given["confidence"],
        active_seconds=given["active_seconds"],
    )


def store_blind(turn: Assignment, given: Mapping[str, Any], labels: Labels) -> BlindAnswer:
    """Store the blind answer; the very same one again changes nothing.

    Raises:
        Problem: the turn is over (410), another answer is stored (409), or it is none (422).
    """
    fields = read_blind(turn, given, labels)
    try:
        answer = answer_blind(
            assignment=turn,
            positions=fields.positions,
            text=fields.text,
            not_determined=fields.not_determined,
            confidence=fields.confidence,
            active_seconds=fields.active_seconds,
            now=timezone.now(),
        )
    except ReviewRefused as refused:
        raise _no_answer(refused, labels) from refused
    if not fields.is_said_by(answer):
        raise _answered()
    return answer


def _no_answer(refused: ReviewRefused, labels: Labels, *, within: str = "") -> Problem:
    names = dict.fromkeys(refused.problems, "") | {"answer": "labels" if labels.order else "text"}
    return invalid({within + (names[name] or name): why for name, why in refused.problems.items()})


def _answered() -> Problem:
    words = "Your blind answer is stored already, and can't change."
    return Problem(HTTPStatus.CONFLICT, words, code="answered")


def read_review(
    turn: Assignment, given: Mapping[str, Any], labels: Labels, *, within: str = ""
) -> ReviewAnswers:
    """Return the answers that a body holds, with options by position.

    Raises:
        Problem: an option or a finding is named that is not there, or twice (422).
    """
    verdicts: dict[int, str] = {}
    for label, verdict in given["options"].items():
        try:
            verdicts[labels.position_of(label)] = verdict
        except ValueError as error:
            raise invalid({f"{within}options.{label}": f"{error}."}) from error
    _refuse_unknown(turn, [one["finding"] for one in given["findings"]], within=within)
    return ReviewAnswers(
        decision=given["decision"],
        well_specified=given["well_specified"],
        gold_quality=given["gold_quality"],
        well_specified_why=given["well_specified_why"],
        gold_quality_why=given["gold_quality_why"],
        same_meaning=given["same_meaning"],
        source_is_success=given["source_is_success"],
        reject_reason=given["reject_reason"] if given["decision"] == "reject" else "",
        comment=given["comment"],
        active_seconds=given["active_seconds"],
        option_verdicts=verdicts,
        finding_verdicts={
            one["finding"]: (one["verdict"], one["word"]) for one in given["findings"]
        },
    )


def _refuse_unknown(turn: Assignment, findings: Sequence[int], *, within: str) -> None:
    """Refuse verdicts on findings of no or another item: they would be dropped silently."""
    if not findings:
        return
    there = set(turn.revision.findings.values_list("pk", flat=True)) if answer_of(turn) else set()
    unknown = [pk for pk in findings if pk not in there]
    wrong = {f"{within}findings.{pk}": "The item has no such finding." for pk in unknown}
    if twice := len(findings) - len(set(findings)):
        wrong[f"{within}findings"] = f"{twice} of them are judged twice."
    if wrong:
        raise invalid(wrong)


def _refuse_gold_judged(turn: Assignment, answers: ReviewAnswers, labels: Labels) -> None:
    for position in gold_positions(turn.revision):
        if position in answers.option_verdicts:
            field = f"options.{labels.label_at(position)}"
            raise invalid({field: "This is gold: judge it by gold_quality."})


def store_review(turn: Assignment, given: Mapping[str, Any], labels: Labels) -> Review:
    """Store the review; the same form again answers the same review.

    Raises:
        Problem: another review stands (409), the blind answer is missing (409), or it breaks
            rules (422).
    """
    if answer_of(turn) is None:
        words = "Answer blind first: the review comes after it."
        raise Problem(HTTPStatus.CONFLICT, words, code="not_answered")
    answers = read_review(turn, given, labels)
    _refuse_gold_judged(turn, answers, labels)
    try:
        return submit_review(
            assignment=turn, form_key=given["form_key"], answers=answers, now=timezone.now()
        )
    except AlreadySubmitted as submitted:
        raise already(submitted) from submitted
    except ReviewRefused as refused:
        raise invalid(by_shown_names(refused, labels)) from refused


def store_both(turn: Assignment, given: Mapping[str, Any], labels: Labels) -> Unseen:
    """Store a blind answer and the review stated with it.

    Raises:
        Problem: the turn is over (410), another answer or review is stored, or gold is not the
            answer given (409; the blind answer is stored), or something breaks rules (422; the
            blind answer is stored where the review alone is at fault).
    """
    review = given["review"]
    answers = read_review(turn, review, labels, within="review.")
    try:
        stored = answer_and_review(
            assignment=turn,
            blind=read_blind(turn, given["blind"], labels, within="blind."),
            form_key=review["form_key"],
            answers=answers,
            now=timezone.now(),
        )
    except AlreadySubmitted as submitted:
        raise already(submitted) from submitted
    except AnsweredOtherwise as error:
        raise _answered() from error
    except ReviewRefused as refused:
        raise _no_answer(refused, labels, within="blind.") from refused
    if isinstance(stored.refused, ReviewRefused):
        raise invalid(
            {f"review.{name}": why for name, why in by_shown_names(stored.refused, labels).items()}
        )
    if stored.refused:
        words = (
            "Your blind answer is stored. Gold is another, so your approval is not: "
            "read the item in its open phase and send the review alone."
        )
        raise Problem(HTTPStatus.CONFLICT, words, code="gold_differs")
    return stored


def already(submitted: AlreadySubmitted) -> Problem:
    """Return the refusal of a second review."""
    words = "This item has a review of yours already, and it stands."
    return Problem(HTTPStatus.CONFLICT, words, code="already_submitted", review=submitted.review.pk)


def by_shown_names(refused: ReviewRefused, labels: Labels) -> dict[str, str]:
    """Return a refusal's sentences by the fields of the body: options by displayed label."""
    found: dict[str, str] = {}
    for name, why in refused.problems.items():
        kind, _, key = name.partition("_")
        if kind == "option" and key.isdecimal():
            name = f"options.{labels.label_at(int(key))}"
        elif kind == "finding" and key.isdecimal():
            name = f"findings.{key}"
        found[name] = why
    return dict(sorted(found.items()))


def stored_json(review: Review, *, matches_gold: bool) -> dict[str, Any]:
    """Return what storing a review answers."""
    return {"review": review.pk, "is_counted": review.is_counted, "matches_gold": matches_gold}


def labels_for(turn: Assignment) -> Labels:
    """Return the labels under which the turn's reviewer sees the options; one query."""
    return labels_of(turn, len(turn.revision.option_keys))
