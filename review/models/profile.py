"""Who a user is in the project: the role decides what they may see and do."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from generation.models.fields import OrderedJSONField


class Role(models.TextChoices):
    """The three roles; each may do what those before it may."""

    ANNOTATOR = "annotator"
    LEAD = "lead"
    ADMIN = "admin"


class Profile(models.Model):
    """A user's role, and which items they can judge.

    A user without one may log in and see that they have no work. ``languages`` are language codes
    and ``scenarios`` the kinds of work they can judge; an empty list means all. ``qualified_at``
    is when they passed the qualification round, or when a lead vouched for them.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.PROTECT, related_name="profile")
    role = models.CharField(max_length=9, choices=Role, default=Role.ANNOTATOR)
    languages = OrderedJSONField(default=list)
    scenarios = OrderedJSONField(default=list)
    qualified_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(name="profile_role_known", condition=Q(role__in=Role.values)),
        ]

    def __str__(self) -> str:
        return f"{self.user} ({self.role})"

    @property
    def is_lead(self) -> bool:
        """Whether this person sees everything about items, disputes and releases."""
        return self.role in {Role.LEAD, Role.ADMIN}
