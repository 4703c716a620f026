"""The shapes of imports and builds, and the body that asks for a build."""

from rest_framework import serializers

from generation.models import JobKind, JobState, Left
from review.api.serializers.items import Shape
from review.api.serializers.records import page_shape
from review.api.serializers.strict import Body, Text, Whole


class JobSerializer(Shape):
    """An import or a build: ``order`` is what was asked for, ``result`` what came of it so far.

    ``percent``, ``per_second`` and ``ends_at`` are null while they are not known. ``failure`` is
    fixed, for programs; ``can_go_on`` says whether the job may be resumed.
    """

    id = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=JobKind.values)
    state = serializers.ChoiceField(choices=JobState.values)
    order = serializers.DictField(child=serializers.JSONField())
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    percent = serializers.IntegerField(allow_null=True)
    per_second = serializers.FloatField(allow_null=True)
    ends_at = serializers.DateTimeField(allow_null=True)
    result = serializers.DictField(child=serializers.JSONField())
    failure = serializers.CharField(allow_blank=True)
    failure_detail = serializers.CharField(allow_blank=True)
    can_go_on = serializers.BooleanField()
    asked_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)


class LeftOutSerializer(Shape):
    """What an import left out; ``line`` is 1-based, 0 where the whole file is meant."""

    number = serializers.IntegerField()
    outcome = serializers.ChoiceField(choices=Left.values)
    file = serializers.CharField()
    line = serializers.IntegerField()
    field = serializers.CharField(allow_blank=True)
    why = serializers.CharField()


class BuildRequest(Body):
    """Which candidates to build."""

    subtasks = serializers.ListField(
        child=Text(max_length=100),
        default=list,
        max_length=100,
        help_text="Names of subtasks; none: all that can be built.",
    )
    seed = Whole(min_value=0, max_value=2**63 - 1, default=0)
    limit = Whole(
        min_value=1,
        max_value=10**9,
        default=None,
        allow_null=True,
        help_text="The most candidates of each subtask; null: no limit.",
    )


JobPage = page_shape(JobSerializer, "JobPage")
LeftOutPage = page_shape(LeftOutSerializer, "LeftOutPage")
