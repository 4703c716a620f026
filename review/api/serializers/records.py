"""The shapes of records that leads read, for the OpenAPI document."""

from typing import Any

from rest_framework import serializers

from generation.core.records import Language, Success
from generation.core.subtask import Ability, Scenario
from generation.models import CandidateState, SourceForm
from review.api.serializers.items import (
    AssignmentRowSerializer,
    OwnAnswerSerializer,
    Shape,
    StepSerializer,
)
from review.core.review_answers import FINDING_VERDICTS, OPTION_VERDICTS
from review.models import Decision, Outcome, Purpose, RejectReason, Role, Scope, Validation


def page_shape(row: type[Shape], name: str) -> type[Shape]:
    """Return the shape of a page of such rows."""
    fields: dict[str, Any] = {
        "__doc__": "A page; ``next`` is the address of the following one, null on the last.",
        "results": row(many=True),
        "next": serializers.URLField(allow_null=True),
    }
    return type(name, (serializers.Serializer,), fields)


class ErrorSerializer(Shape):
    """What is wrong with one field; an empty ``field`` means the whole."""

    field = serializers.CharField(allow_blank=True)
    detail = serializers.CharField()


class ProblemSerializer(Shape):
    """A refusal, after RFC 9457. ``code`` is fixed, for programs; sentences may change."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    code = serializers.CharField(required=False)
    errors = ErrorSerializer(many=True, required=False)  # type: ignore[assignment]


class MeSerializer(Shape):
    """The caller: ``scopes`` are the token's, or all that the role has with a session."""

    name = serializers.CharField()
    reviewer = serializers.CharField(help_text="The pseudonym in reviews and agreement.")
    role = serializers.ChoiceField(choices=Role.values)
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=Scope.values))
    token_expires_at = serializers.DateTimeField(allow_null=True)


class SourceSerializer(Shape):
    """An imported record."""

    id = serializers.IntegerField()
    form = serializers.ChoiceField(choices=SourceForm.values)
    kind = serializers.CharField()
    external_id = serializers.CharField()
    digest = serializers.CharField()
    cluster = serializers.CharField()
    language = serializers.ChoiceField(choices=[str(one) for one in Language])
    success = serializers.ChoiceField(choices=[str(one) for one in Success])
    model = serializers.CharField(allow_blank=True)
    licence = serializers.CharField()
    url = serializers.CharField(allow_blank=True)
    place = serializers.CharField()
    imported_at = serializers.DateTimeField()


class SourceDetailSerializer(SourceSerializer):
    """An imported record with its texts; ``steps`` is how many there are."""

    task = serializers.CharField(allow_blank=True)
    system = serializers.CharField(allow_blank=True)
    tools = serializers.ListField(child=serializers.JSONField())
    outcome = serializers.DictField(child=serializers.JSONField())
    notes = serializers.ListField(child=serializers.JSONField())
    steps = serializers.IntegerField()


class StepRowSerializer(StepSerializer):
    """A step of a source, with its arguments as the tool was given them."""

    arguments = serializers.DictField(child=serializers.JSONField())


class CandidateSerializer(Shape):
    """A question: ``revision`` is the number of its current version."""

    id = serializers.IntegerField()
    subtask = serializers.CharField()
    scenario = serializers.ChoiceField(choices=[str(one) for one in Scenario])
    ability = serializers.ChoiceField(choices=[str(one) for one in Ability])
    language = serializers.ChoiceField(choices=[str(one) for one in Language])
    state = serializers.ChoiceField(choices=CandidateState.values)
    source = serializers.IntegerField()  # type: ignore[assignment]
    cut = serializers.IntegerField()
    is_control = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    revision = serializers.IntegerField(allow_null=True)


class FindingSerializer(Shape):
    """What an automatic check says of a revision; ``field`` and offsets as it was checked."""

    id = serializers.IntegerField()
    candidate = serializers.IntegerField()
    revision = serializers.IntegerField(help_text="The revision's number.")
    kind = serializers.CharField()
    severity = serializers.IntegerField()
    field = serializers.CharField()
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    evidence = serializers.CharField(allow_blank=True)
    source_step = serializers.IntegerField(allow_null=True)
    created_at = serializers.DateTimeField()


class RevisionOptionSerializer(Shape):
    """An option with where it came from, under the label that the caller sees it under."""

    label = serializers.CharField()  # type: ignore[assignment]
    text = serializers.CharField(allow_blank=True)
    is_gold = serializers.BooleanField()
    operator = serializers.CharField(allow_blank=True)
    reason = serializers.CharField(allow_blank=True)
    model = serializers.CharField(allow_blank=True)


class RevisionSerializer(Shape):
    """A version of a question; ``gold`` are labels, or the accepted texts of a completion."""

    number = serializers.IntegerField()
    slots = serializers.DictField(child=serializers.JSONField())
    gold = serializers.ListField(child=serializers.CharField(allow_blank=True))
    options = RevisionOptionSerializer(many=True)
    findings = FindingSerializer(many=True)
    note = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()
    checked_at = serializers.DateTimeField(allow_null=True)
    superseded_at = serializers.DateTimeField(allow_null=True)


class CandidateDetailSerializer(CandidateSerializer):
    """A question with all its versions, newest first."""

    revisions = RevisionSerializer(many=True)


class ReviewOptionSerializer(Shape):
    """A verdict on an option, under the label that the caller sees it under."""

    label = serializers.CharField()  # type: ignore[assignment]
    verdict = serializers.ChoiceField(choices=OPTION_VERDICTS)


class ReviewFindingSerializer(Shape):
    """A verdict on a finding."""

    finding = serializers.IntegerField()
    verdict = serializers.ChoiceField(choices=FINDING_VERDICTS)
    word = serializers.CharField(allow_blank=True)


class ReviewSerializer(Shape):
    """A stored review; ``reviewer`` is a pseudonym, null while a dispute on the item is open."""

    id = serializers.IntegerField()
    reviewer = serializers.CharField(allow_null=True)
    candidate = serializers.IntegerField()
    revision = serializers.IntegerField()
    subtask = serializers.CharField()
    purpose = serializers.ChoiceField(
        choices=Purpose.values, allow_null=True, help_text="For leads alone."
    )
    decision = serializers.ChoiceField(choices=Decision.values)
    well_specified = serializers.IntegerField()
    well_specified_why = serializers.CharField(allow_blank=True)
    gold_quality = serializers.IntegerField()
    gold_quality_why = serializers.CharField(allow_blank=True)
    same_meaning = serializers.BooleanField()
    source_is_success = serializers.BooleanField(allow_null=True)
    reject_reason = serializers.ChoiceField(choices=RejectReason.values, allow_blank=True)
    comment = serializers.CharField(allow_blank=True)
    saw_what_follows = serializers.BooleanField()
    is_counted = serializers.BooleanField()
    active_seconds = serializers.FloatField()
    created_at = serializers.DateTimeField()
    undone_at = serializers.DateTimeField(allow_null=True)
    answer = OwnAnswerSerializer(allow_null=True)
    options = ReviewOptionSerializer(many=True)
    findings = ReviewFindingSerializer(many=True)


class NoteSerializer(Shape):
    """A note on an item."""

    id = serializers.IntegerField()
    text = serializers.CharField()
    created_at = serializers.DateTimeField()


class QuestionSerializer(Shape):
    """A question to a lead and its answer, empty while there is none."""

    id = serializers.IntegerField()
    text = serializers.CharField()
    asked_at = serializers.DateTimeField()
    answer = serializers.CharField(allow_blank=True)
    answered_at = serializers.DateTimeField(allow_null=True)


class NoteListSerializer(Shape):
    """Notes, oldest first."""

    results = NoteSerializer(many=True)


class QuestionListSerializer(Shape):
    """Questions, oldest first."""

    results = QuestionSerializer(many=True)


class ReleaseSerializer(Shape):
    """A frozen release."""

    version = serializers.CharField()
    name = serializers.CharField()
    frozen_at = serializers.DateTimeField()
    validation = serializers.ChoiceField(choices=Validation.values)
    shots = serializers.IntegerField()
    code_version = serializers.CharField()
    digest = serializers.CharField()
    canary = serializers.CharField()


class ReleaseItemSerializer(Shape):
    """An item as the native export writes it; docs/formats.md tells of every field."""

    id = serializers.CharField()
    subtask = serializers.CharField()
    format = serializers.CharField()
    prompt = serializers.CharField()
    gold = serializers.ListField(child=serializers.CharField())
    sha256 = serializers.CharField()


class ReleaseDetailSerializer(ReleaseSerializer):
    """A frozen release with its manifest, and what did not enter it and why."""

    manifest = serializers.DictField(child=serializers.JSONField())
    left_out = serializers.ListField(child=serializers.JSONField())
    files = serializers.DictField(
        child=serializers.CharField(), help_text="Addresses of the files to download, by path."
    )


class DisputeSerializer(Shape):
    """A question that waits for a lead; ``returned`` is how often it went back to the queue."""

    id = serializers.IntegerField()
    candidate = serializers.IntegerField()
    subtask = serializers.CharField()
    language = serializers.ChoiceField(choices=[str(one) for one in Language])
    kind = serializers.CharField()
    about = serializers.CharField(help_text="The disagreement in one line.")
    returned = serializers.IntegerField()
    since = serializers.DateTimeField(allow_null=True)


class AskedSerializer(Shape):
    """What a decision must speak of, as finding ids."""

    blocking = serializers.ListField(child=serializers.IntegerField())
    unsettled = serializers.ListField(child=serializers.IntegerField())
    source_is_unconfirmed = serializers.BooleanField()


class DisputeDetailSerializer(DisputeSerializer):
    """An open dispute with the reviews that count, without names."""

    seen = serializers.CharField(
        help_text="Stands for the reviews read: goes back with a decision."
    )
    asked = AskedSerializer()
    reviews = ReviewSerializer(many=True)


class EditedSerializer(Shape):
    """A stored edit: a reviewer's is a review of theirs, a lead's the revision that it made."""

    review = serializers.IntegerField(allow_null=True)
    revision = serializers.IntegerField(allow_null=True)


class DisputePageSerializer(Shape):
    """All open disputes."""

    results = DisputeSerializer(many=True)


class DecidedSerializer(Shape):
    """A stored decision."""

    id = serializers.IntegerField()
    outcome = serializers.ChoiceField(choices=Outcome.values)
    state = serializers.ChoiceField(choices=CandidateState.values)


AssignmentPage = page_shape(AssignmentRowSerializer, "AssignmentPage")
SourcePage = page_shape(SourceSerializer, "SourcePage")
StepPage = page_shape(StepRowSerializer, "StepPage")
CandidatePage = page_shape(CandidateSerializer, "CandidatePage")
FindingPage = page_shape(FindingSerializer, "FindingPage")
ReviewPage = page_shape(ReviewSerializer, "ReviewPage")
ReleasePage = page_shape(ReleaseSerializer, "ReleasePage")
ItemPage = page_shape(ReleaseItemSerializer, "ItemPage")
