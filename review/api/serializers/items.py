"""The shape of an item as its reviewer sees it, for the OpenAPI document.

``review.api.item`` writes it by hand, since an item is served more often than all else; a test
holds the two against each other.
"""

from typing import Any

from rest_framework import serializers

from generation.core.records import Success
from generation.core.subtask import Ability, AnswerFormat, Scenario
from review.services.empty_queue import REASONS

Shape = serializers.Serializer[Any]
_LANGUAGES = ["en", "zh"]


class SectionSerializer(Shape):
    """A text that the prompt shows beside the steps."""

    name = serializers.CharField()
    text = serializers.CharField(allow_blank=True)


class StepSerializer(Shape):
    """A step of the run."""

    number = serializers.IntegerField()
    thought = serializers.CharField(allow_blank=True)
    tool = serializers.CharField(allow_blank=True)
    action = serializers.CharField(allow_blank=True)
    observation = serializers.CharField(allow_blank=True)


class PromptSerializer(Shape):
    """What the model sees, in the prompt's order: sections, steps, sections."""

    before = SectionSerializer(many=True)
    steps = StepSerializer(many=True)
    after = SectionSerializer(many=True)


class OptionSerializer(Shape):
    """An option under the label that this reviewer sees it under; others see other labels."""

    label = serializers.CharField()  # type: ignore[assignment]
    text = serializers.CharField(allow_blank=True)
    is_gold = serializers.BooleanField(required=False, help_text="In the open phase alone.")
    reason = serializers.CharField(
        required=False, allow_blank=True, help_text="In the open phase alone: why it is there."
    )


class GoldSerializer(Shape):
    """The answer that is held to be right."""

    labels = serializers.ListField(child=serializers.CharField())
    texts = serializers.ListField(child=serializers.CharField(allow_blank=True))
    missing = serializers.ListField(
        child=serializers.CharField(), help_text="Labels of an imported key that name no option."
    )


class OwnAnswerSerializer(Shape):
    """The reviewer's stored blind answer."""

    labels = serializers.ListField(child=serializers.CharField())
    text = serializers.CharField(allow_blank=True)
    not_determined = serializers.BooleanField()
    confidence = serializers.IntegerField()
    matches_gold = serializers.BooleanField()


class ItemFindingSerializer(Shape):
    """What an automatic check says of the item; ``field`` names an option by displayed label."""

    id = serializers.IntegerField()
    kind = serializers.CharField()
    severity = serializers.IntegerField(min_value=0, max_value=3)
    field = serializers.CharField()
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    evidence = serializers.CharField(allow_blank=True)
    source_step = serializers.IntegerField(allow_null=True)
    must_be_judged = serializers.BooleanField()


class OutcomeSerializer(Shape):
    """How the run ended: shown so that a run of unknown success can be judged."""

    success = serializers.ChoiceField(choices=[str(one) for one in Success])
    final_answer = serializers.CharField(allow_blank=True)
    reference_answer = serializers.CharField(allow_blank=True)


class AssignmentSerializer(Shape):
    """A turn of one's own: the item in the phase it is in, and where to send what comes next.

    ``gold``, ``answer``, ``findings`` and ``outcome`` are null until the blind answer is stored;
    ``prompt`` and ``options`` are empty once the turn is over.
    """

    id = serializers.IntegerField()
    phase = serializers.ChoiceField(choices=["blind", "open", "submitted", "skipped"])
    leased_until = serializers.DateTimeField()
    given_at = serializers.DateTimeField()
    revision = serializers.IntegerField(help_text="The number of the item's version.")
    subtask = serializers.CharField()
    scenario = serializers.ChoiceField(choices=[str(one) for one in Scenario])
    ability = serializers.ChoiceField(choices=[str(one) for one in Ability])
    language = serializers.ChoiceField(choices=_LANGUAGES)
    format = serializers.ChoiceField(choices=[str(one) for one in AnswerFormat])
    prompt = PromptSerializer()
    options = OptionSerializer(many=True)
    gold = GoldSerializer(allow_null=True)
    answer = OwnAnswerSerializer(allow_null=True)
    findings = ItemFindingSerializer(many=True, allow_null=True)
    outcome = OutcomeSerializer(allow_null=True)
    saw_what_follows = serializers.BooleanField()
    draft = serializers.DictField(child=serializers.JSONField())
    links = serializers.DictField(child=serializers.CharField())


class AssignmentRowSerializer(Shape):
    """A turn of one's own in brief."""

    id = serializers.IntegerField()
    phase = serializers.ChoiceField(choices=["blind", "open", "submitted", "skipped"])
    subtask = serializers.CharField()
    language = serializers.ChoiceField(choices=_LANGUAGES)
    given_at = serializers.DateTimeField()
    leased_until = serializers.DateTimeField()
    submitted_at = serializers.DateTimeField(allow_null=True)


class EmptySerializer(Shape):
    """Why there is no next item."""

    reason = serializers.ChoiceField(choices=REASONS)
    until = serializers.DateTimeField(allow_null=True)


class NextSerializer(Shape):
    """The next item, or why there is none: one of the two is null."""

    item = AssignmentSerializer(allow_null=True)
    empty = EmptySerializer(allow_null=True)


class StoredSerializer(Shape):
    """What storing a review answers."""

    review = serializers.IntegerField()
    is_counted = serializers.BooleanField(
        help_text="False for one that came late, when the place was taken: kept, counts nowhere."
    )
    matches_gold = serializers.BooleanField(help_text="Whether the blind answer was gold.")


class LeaseSerializer(Shape):
    """When the lease ends."""

    leased_until = serializers.DateTimeField()


class FollowingSerializer(Shape):
    """What lies behind the cut: the asked step and all after it."""

    steps = StepSerializer(many=True)
