"""Where a model can be asked, at what price; the key itself stays in the environment."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now


class ModelEndpoint(models.Model):
    """A model behind a server that speaks OpenAI's chat protocol, under a name of our own.

    ``model`` is the server's name for it, ``key_variable`` the NAME of the environment variable
    that holds the key ("" for a server that needs none); prices are US dollars for a million
    tokens. An empty ``base_url`` is OPENAI_BASE_URL, else the public address of OpenAI.
    """

    name = models.CharField(max_length=200, unique=True)
    base_url = models.CharField(max_length=500, blank=True)
    model = models.CharField(max_length=200)
    key_variable = models.CharField(max_length=100, blank=True)
    input_usd_per_million = models.DecimalField(max_digits=12, decimal_places=6)
    output_usd_per_million = models.DecimalField(max_digits=12, decimal_places=6)
    is_structured = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering: ClassVar = ["name"]
        constraints: ClassVar = [
            models.CheckConstraint(name="endpoint_has_a_model", condition=~Q(model="")),
            models.CheckConstraint(
                name="endpoint_prices_not_negative",
                condition=Q(input_usd_per_million__gte=0, output_usd_per_million__gte=0),
            ),
        ]

    def __str__(self) -> str:
        return self.name
