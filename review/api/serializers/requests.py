"""The bodies that the API takes."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from generation.core.wording import LONGEST
from review.api.serializers.strict import Body, Flag, Key, OneOf, Seconds, Text, Whole
from review.core.review_answers import DECISIONS, FINDING_VERDICTS, OPTION_VERDICTS
from review.models import RejectReason
from review.services.disputes import OFFERED

MOST_VERDICTS = 300
_LABEL = r"^[A-Z]\Z"


def read(body: type[Body], request: Request) -> dict[str, Any]:
    """Return the validated body of a request.

    Raises:
        ValidationError: it breaks rules; by field.
    """
    given = body(data=request.data)
    given.is_valid(raise_exception=True)
    return dict(given.validated_data)


class BlindRequest(Body):
    """The answer before gold is shown: labels as displayed, or a text."""

    labels = serializers.ListField(
        child=serializers.RegexField(_LABEL),
        default=list,
        max_length=26,
        help_text="Displayed labels of the chosen options; none for a completion item.",
    )
    text = Text(default="", help_text="The answer to a completion item.")
    not_determined = Flag(
        default=False, help_text="Completion: the prompt does not determine an answer."
    )
    confidence = Whole(min_value=1, max_value=5, help_text="How sure, from 1 to 5.")
    active_seconds = Seconds(help_text="Time spent on the blind phase.")


class FindingVerdictRequest(Body):
    """What the reviewer says of one automatic finding."""

    finding = Whole(min_value=1, max_value=2**63 - 1, help_text="The finding's id.")
    verdict = OneOf(choices=FINDING_VERDICTS)
    word = Text(default="", max_length=2_000)


class ReviewRequest(Body):
    """The judgement of an item; the rules of reviews are checked when it is stored."""

    form_key = Key(help_text="Made up by the caller: the same key stores one review.")
    decision = OneOf(choices=DECISIONS)
    well_specified = Whole(
        min_value=0, max_value=3, help_text="Problem with the question: 0 (none) to 3 (unusable)."
    )
    well_specified_why = Text(default="")
    gold_quality = Whole(
        min_value=0, max_value=3, help_text="Problem with gold: 0 (none) to 3 (unusable)."
    )
    gold_quality_why = Text(default="")
    same_meaning = Flag(default=False, help_text="The own answer says gold in other words.")
    source_is_success = Flag(
        default=None, allow_null=True, help_text="Whether a run of unknown success succeeded."
    )
    reject_reason = OneOf(choices=RejectReason.values, default="", allow_blank=True)
    comment = Text(default="")
    options = serializers.DictField(
        child=OneOf(choices=OPTION_VERDICTS),
        default=dict,
        help_text="A verdict for each distractor, by displayed label.",
    )
    findings = serializers.ListField(
        child=FindingVerdictRequest(), default=list, max_length=MOST_VERDICTS
    )
    active_seconds = Seconds(help_text="Time spent on the open phase.")


class SubmitRequest(Body):
    """The blind answer and the review of it at once, both stated without sight of gold."""

    blind = BlindRequest()
    review = ReviewRequest()


class DraftRequest(Body):
    """Unsent work, as the review page keeps it: the values of each field of its form."""

    phase = OneOf(choices=["blind", "open"])
    fields = serializers.DictField(  # type: ignore[assignment]
        child=serializers.ListField(child=Text(), max_length=30)
    )


class SkipRequest(Body):
    """Why an item is given back."""

    reason = Text(allow_blank=False, max_length=500)


class UndoRequest(Body):
    """Which review is taken back."""

    review = Whole(min_value=1, max_value=2**63 - 1, help_text="The id that storing it answered.")


class TextRequest(Body):
    """A note, or a question to a lead."""

    text = Text(allow_blank=False)


class EditRequest(Body):
    """A new wording: only what changes is sent."""

    revision = Whole(
        min_value=1, max_value=1_000_000, help_text="The number of the revision edited."
    )
    slots = serializers.DictField(
        child=Text(max_length=LONGEST), default=dict, help_text="Texts of the prompt by name."
    )
    options = serializers.DictField(
        child=Text(max_length=LONGEST),
        default=dict,
        help_text="Options by displayed label; a new label adds one, an empty text removes it.",
    )
    gold = serializers.ListField(
        child=Text(max_length=LONGEST, allow_blank=False),
        default=None,
        allow_null=True,
        max_length=26,
        help_text="Labels, or the accepted texts of a completion; left out where it stays.",
    )
    note = Text(help_text="Why, for those who review the new text.")
    seen = Text(default="", max_length=64, help_text="From `look_first`: you have looked.")
    confirmed = Flag(default=False, help_text="Save although a new finding blocks a release.")


class TurnEditRequest(EditRequest):
    """A new wording, with what you say of the text before."""

    form_key = Key(help_text="Made up by the caller: the same key stores one edit.")
    well_specified = Whole(min_value=0, max_value=3)
    gold_quality = Whole(min_value=0, max_value=3)
    active_seconds = Seconds()


class DecisionRequest(Body):
    """A lead's decision on a dispute."""

    outcome = OneOf(choices=[str(outcome) for outcome in OFFERED])
    note = Text(allow_blank=False)
    reject_reason = OneOf(choices=RejectReason.values, default="", allow_blank=True)
    findings = serializers.ListField(
        child=FindingVerdictRequest(), default=list, max_length=MOST_VERDICTS
    )
    sees_success = Flag(default=False, help_text="A run of unknown success solves its task.")
    seen = Text(allow_blank=False, max_length=64, help_text="`seen` of the dispute as read.")
