"""Calls of language models: a call is a row with a lease, the message only names it."""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from generation.models.fields import OrderedJSONField
from generation.models.generation_run import GenerationRun
from generation.models.model_endpoint import ModelEndpoint


class CallState(models.TextChoices):
    """Where a call stands."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class LLMCall(models.Model):
    """One request to a model and what came back; written once per target, operator, model, seed.

    ``target`` names what the call is for (a candidate's key), ``failure`` is a named state such
    as ``refusal`` or ``cut`` and ``failure_detail`` what was seen, for people; costs are in US
    dollars. ``run`` is the run that pays, ``model`` its endpoint's name, ``cached_from`` the call
    of the same request whose answer was taken over.
    """

    run = models.ForeignKey(GenerationRun, models.PROTECT, null=True, related_name="calls")
    endpoint = models.ForeignKey(ModelEndpoint, models.PROTECT, null=True, related_name="+")

    target = models.CharField(max_length=200)
    operator = models.CharField(max_length=40)
    model = models.CharField(max_length=200)
    seed = models.BigIntegerField()
    prompt_version = models.CharField(max_length=40)
    request = OrderedJSONField(default=dict)
    request_digest = models.CharField(max_length=64, db_index=True)
    response = OrderedJSONField(null=True)
    state = models.CharField(max_length=7, choices=CallState, default=CallState.QUEUED)
    failure = models.CharField(max_length=40, blank=True)
    failure_detail = models.TextField(blank=True)
    cached_from = models.ForeignKey("self", models.PROTECT, null=True, related_name="+")
    attempts = models.PositiveSmallIntegerField(default=0)
    leased_until = models.DateTimeField(null=True)
    not_before = models.DateTimeField(null=True)
    prompt_tokens = models.PositiveIntegerField(null=True)
    completion_tokens = models.PositiveIntegerField(null=True)
    reserved_usd = models.DecimalField(max_digits=12, decimal_places=6, default=0)
    cost_usd = models.DecimalField(max_digits=12, decimal_places=6, null=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(
                name="calls_waiting",
                fields=["state", "not_before"],
                condition=Q(state__in=[CallState.QUEUED, CallState.RUNNING]),
            ),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="call_result_once", fields=["target", "operator", "model", "seed"]
            ),
            models.CheckConstraint(
                name="call_state_known", condition=Q(state__in=CallState.values)
            ),
            models.CheckConstraint(
                name="call_failed_with_a_name",
                condition=~Q(state=CallState.FAILED) | ~Q(failure=""),
            ),
            models.CheckConstraint(
                name="call_finished_after_it_was_made",
                condition=Q(finished_at=None) | Q(finished_at__gte=F("created_at")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.operator} {self.model} {self.state}"
