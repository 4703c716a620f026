"""How people and programs get in: invitations by link, tokens of the API.

Only digests of the secrets are stored: who reads the database can't use them.
"""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from generation.models.fields import OrderedJSONField
from review.models.profile import Role


class Invitation(models.Model):
    """A link that makes one member, once, before it expires.

    ``digest`` is the SHA-256 of the link's secret; ``languages`` and ``scenarios`` become the
    profile's.
    """

    digest = models.CharField(max_length=64, unique=True)
    role = models.CharField(max_length=9, choices=Role)
    languages = OrderedJSONField(default=list)
    scenarios = OrderedJSONField(default=list)
    note = models.CharField(max_length=200, blank=True)
    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="invitations"
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    expires_at = models.DateTimeField()
    used_by = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="invitation"
    )
    used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(name="invitation_role_known", condition=Q(role__in=Role.values)),
            models.CheckConstraint(
                name="invitation_used_by_somebody_at_some_time",
                condition=Q(used_by=None, used_at=None)
                | Q(used_by__isnull=False, used_at__isnull=False),
            ),
            models.CheckConstraint(
                name="invitation_used_or_revoked_not_both",
                condition=Q(used_at=None) | Q(revoked_at=None),
            ),
        ]

    def __str__(self) -> str:
        return f"invitation {self.pk} ({self.role})"


class Scope(models.TextChoices):
    """What a token may do; its owner's role still limits it."""

    READ = "read"
    REVIEW = "review"
    LEAD = "lead"


class ApiToken(models.Model):
    """A secret that acts for its owner through the API until it expires or is revoked.

    ``digest`` is the SHA-256 of the secret, ``prefix`` its first characters, to tell tokens apart.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="api_tokens")
    name = models.CharField(max_length=100)
    digest = models.CharField(max_length=64, unique=True)
    prefix = models.CharField(max_length=12)
    scopes = OrderedJSONField(default=list)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(name="api_token_has_a_name", condition=~Q(name="")),
        ]

    def __str__(self) -> str:
        return f"{self.prefix}… of {self.user}"
