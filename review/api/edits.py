"""Reads edits that programs send, and passes their refusals back under displayed labels."""

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.http import Http404

from generation.core.items import Finding
from generation.core.labels import index_of, label_of
from generation.core.subtask import AnswerFormat
from generation.core.wording import Wording, kept_or_new
from generation.models import Revision
from generation.services.revisions import Editing, read_for_editing
from review.api.problems import Problem, invalid
from review.core.question_view import read_gold
from review.services.editing import Edit, EditConflict, EditRefused, LookFirst, NotEditable
from review.services.labels import labels_for

NO_LABELS: tuple[str, ...] = ()
EDIT_PROBLEMS = (EditRefused, LookFirst, EditConflict, NotEditable)


@dataclass(frozen=True, slots=True)
class SentEdit:
    """An edit as sent; ``shown`` are the displayed labels of the new options, in given order."""

    editing: Editing
    edit: Edit
    shown: tuple[str, ...]


def read_edit(candidate_pk: int, given: Mapping[str, Any], *, reader: int) -> SentEdit:
    """Return the edit that a body holds, of the revision that it names.

    Raises:
        Http404: the candidate has no such revision.
        Problem: a text is named that there is not (422).
    """
    revisions = Revision.objects.with_content().filter(candidate=candidate_pk)
    revision = revisions.filter(number=given["revision"]).first()
    if revision is None:
        raise Http404
    editing = read_for_editing(revision)
    before = editing.before
    unknown = sorted(set(given["slots"]) - set(before.slots))
    if unknown:
        raise invalid({f"slots.{name}": "There is no such text to edit." for name in unknown})
    slots = {
        name: kept_or_new(text, given["slots"].get(name, text))
        for name, text in before.slots.items()
    }
    if editing.rules.subtask.answer_format is AnswerFormat.COMPLETION:
        wording, shown = _written(before, slots, given), NO_LABELS
    else:
        wording, shown = _chosen(editing, slots, given, reader=reader)
    edit = Edit(
        wording,
        given["note"],
        seen=given["seen"],
        confirmed=given["seen"] if given["confirmed"] else "",
    )
    return SentEdit(editing, edit, shown)


def _written(before: Wording, slots: Mapping[str, str], given: Mapping[str, Any]) -> Wording:
    if given["options"]:
        raise invalid({"options": "The answer is written: there are no options."})
    return Wording(slots, (), tuple(given["gold"] if given["gold"] is not None else before.gold))


def _chosen(
    editing: Editing, slots: Mapping[str, str], given: Mapping[str, Any], *, reader: int
) -> tuple[Wording, tuple[str, ...]]:
    """Return the wording of a choice, and the labels of its options in the given order."""
    before = editing.before
    labels = labels_for(revision=editing.revision.pk, reader=reader, count=len(before.options))
    letters = {p: labels.label_at(p) for p in range(len(before.options))}
    texts = dict(enumerate(before.options))
    for label, text in given["options"].items():
        index = _index(label, f"options.{label}", most=editing.rules.most)
        position = labels.order[index] if index < len(labels.order) else index
        letters[position] = label
        texts[position] = kept_or_new(texts.get(position, ""), text)
    kept = [position for position in sorted(texts) if texts[position].strip()]
    right = set(read_gold(before.gold, len(before.options))[0])
    if given["gold"] is not None:
        indexes = [_index(label, "gold", most=editing.rules.most) for label in given["gold"]]
        right = {labels.order[i] if i < len(labels.order) else i for i in indexes}
    if not right <= set(kept):
        raise invalid({"gold": "Gold must be one of the options."})
    gold = tuple(label_of(index) for index, position in enumerate(kept) if position in right)
    if set(gold) == set(before.gold):
        gold = before.gold
    options = tuple(texts[position] for position in kept)
    return Wording(slots, options, gold), tuple(letters[position] for position in kept)


def _index(label: str, field: str, *, most: int) -> int:
    try:
        index = index_of(label)
    except ValueError as error:
        raise invalid({field: "A label is one letter from A to Z."}) from error
    if index >= most:
        raise invalid({field: f"The question has at most {most} options."})
    return index


def edit_problem(error: Exception, sent: SentEdit) -> Problem:
    """Return the refusal of an edit: 422 for rules, 409 for what must be looked at first."""
    match error:
        case EditRefused():
            return invalid({_field(name, sent): why for name, why in error.problems.items()})
        case LookFirst():
            words = (
                "Checks find something new in this text: look at it, then send the edit again "
                "with `seen`, and with `confirmed` where it blocks a release."
            )
            return Problem(
                HTTPStatus.CONFLICT,
                words,
                code="look_first",
                seen=error.look.digest,
                blocks=error.look.blocks,
                findings=[_finding(finding, sent) for finding in error.look.new],
            )
        case EditConflict():
            words = "The text has been edited since: read it again and edit that."
            number = error.current.number
            return Problem(HTTPStatus.CONFLICT, words, code="conflict", revision=number)
    return Problem(HTTPStatus.CONFLICT, str(error), code="not_editable")


def _field(name: str, sent: SentEdit) -> str:
    kind, _, key = name.partition("_")
    if kind == "option" and key.isdecimal() and int(key) < len(sent.shown):
        return f"options.{sent.shown[int(key)]}"
    return f"{kind}s.{key}" if kind == "slot" else name.replace("gold_", "gold.")


def _finding(finding: Finding, sent: SentEdit) -> dict[str, Any]:
    field, _, position = finding.field.partition(":")
    if position.isdecimal() and int(position) < len(sent.shown):
        field = f"{field}:{sent.shown[int(position)]}"
    return {
        "kind": finding.kind,
        "severity": int(finding.severity),
        "field": field,
        "evidence": finding.evidence,
        "source_step": finding.source_step,
    }
