"""What leads set for the whole project: how many reviews, control items, the qualification round."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from generation.models.fields import OrderedJSONField


class Project(models.Model):
    """The project's one row of settings; no row means the defaults.

    ``reviews_wanted`` is how many independent reviews a revision needs (None: the environment's
    figure), ``overlap`` the subtasks that ask for another number, by name. ``control_percent`` is
    the share of control items in everyone's queue, 0 for none. A new reviewer answers
    ``qualification_items`` control items first (0: no qualification round) and passes with
    ``qualification_bar`` percent of them right.
    """

    reviews_wanted = models.PositiveSmallIntegerField(null=True)
    overlap = OrderedJSONField(default=dict)
    control_percent = models.PositiveSmallIntegerField(default=0)
    qualification_items = models.PositiveSmallIntegerField(default=0)
    qualification_bar = models.PositiveSmallIntegerField(default=80)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(name="project_is_one_row", condition=Q(pk=1)),
            models.CheckConstraint(
                name="project_reviews_wanted_1_to_9",
                condition=Q(reviews_wanted=None) | Q(reviews_wanted__gte=1, reviews_wanted__lte=9),
            ),
            models.CheckConstraint(
                name="project_control_percent_0_to_10", condition=Q(control_percent__lte=10)
            ),
            models.CheckConstraint(
                name="project_qualification_bar_is_a_percentage",
                condition=Q(qualification_bar__lte=100),
            ),
        ]

    def __str__(self) -> str:
        return "project settings"
