"""Runs of generation: what is asked of which models, and what may be spent on it."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from generation.models.fields import OrderedJSONField


class RunState(models.TextChoices):
    """Where a run stands."""

    RUNNING = "running"
    STOPPED = "stopped"
    OVER_BUDGET = "over_budget"
    FINISHED = "finished"


class GenerationRun(models.Model):
    """One run over drafts; its calls are rows of their own. Amounts are US dollars.

    ``spent_usd`` is what answers cost, ``reserved_usd`` the most that calls under way can cost,
    ``lost_usd`` the most that calls whose answers never came may have cost: all three count
    against the budget. One service writes them (``generation.services.budgets``). Subtasks,
    operators, endpoints and prompt versions are lists of names.
    """

    subtasks = OrderedJSONField(default=list)
    operators = OrderedJSONField(default=list)
    endpoints = OrderedJSONField(default=list)
    prompt_versions = OrderedJSONField(default=list)
    seed = models.BigIntegerField()
    budget_usd = models.DecimalField(max_digits=12, decimal_places=6)
    spent_usd = models.DecimalField(max_digits=12, decimal_places=6, default=0)
    reserved_usd = models.DecimalField(max_digits=12, decimal_places=6, default=0)
    lost_usd = models.DecimalField(max_digits=12, decimal_places=6, default=0)
    state = models.CharField(
        max_length=11, choices=RunState, default=RunState.RUNNING, db_index=True
    )
    started_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="generation_runs"
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            models.CheckConstraint(
                name="generation_run_state_known", condition=Q(state__in=RunState.values)
            ),
            models.CheckConstraint(
                name="generation_run_has_a_budget", condition=Q(budget_usd__gt=0)
            ),
            models.CheckConstraint(
                name="generation_run_amounts_not_negative",
                condition=Q(spent_usd__gte=0, reserved_usd__gte=0, lost_usd__gte=0),
            ),
            models.CheckConstraint(
                name="generation_run_finished_has_a_time",
                condition=~Q(state=RunState.FINISHED) | Q(finished_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"run {self.pk} {self.state}"
