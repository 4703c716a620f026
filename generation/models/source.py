"""Imported records: sources, the steps of their trajectories, the sections of their documents."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from generation.core.records import Language, Success
from generation.models.fields import OrderedJSONField
from generation.models.text import Text


class SourceForm(models.TextChoices):
    """What a source is made of."""

    TRAJECTORY = "trajectory"
    QUESTION = "question"
    DOCUMENT = "document"


LANGUAGES = [(language.value, language.name) for language in Language]
SUCCESSES = [(success.value, success.name.lower()) for success in Success]


class Source(models.Model):
    """One imported record, unique by the digest of its normalised content.

    ``outcome`` (how the run ended) is future or answer and never reaches a prompt. ``raw`` (an
    official row as it came, or a document's facts) holds the answer too: only the fields that its
    task's official prompt shows ever reach one. ``task`` of a document is its title.
    """

    form = models.CharField(max_length=10, choices=SourceForm)
    kind = models.CharField(max_length=30)
    external_id = models.TextField()
    digest = models.CharField(max_length=64, unique=True)
    cluster = models.CharField(max_length=500, db_index=True)
    language = models.CharField(max_length=2, choices=LANGUAGES)
    task = models.ForeignKey(Text, models.PROTECT, related_name="+")
    system = models.ForeignKey(Text, models.PROTECT, related_name="+", null=True)
    tools = OrderedJSONField(default=list)
    outcome = OrderedJSONField(default=dict)
    raw = OrderedJSONField(default=dict)
    success = models.CharField(max_length=11, choices=SUCCESSES)
    model = models.TextField(blank=True)
    licence = models.TextField()
    url = models.TextField(blank=True)
    place = models.TextField()
    notes = OrderedJSONField(default=list)
    imported_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                name="source_form_known", condition=Q(form__in=SourceForm.values)
            ),
            models.CheckConstraint(
                name="source_language_known", condition=Q(language__in=list(Language))
            ),
            models.CheckConstraint(
                name="source_success_known", condition=Q(success__in=list(Success))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.external_id}"


class Step(models.Model):
    """One turn of a trajectory; the observation's text is stored once by content."""

    source = models.ForeignKey(Source, models.PROTECT, related_name="steps")
    number = models.PositiveIntegerField()
    thought = models.TextField(blank=True)
    tool = models.TextField(blank=True)
    arguments = OrderedJSONField(default=dict)
    action = models.TextField(blank=True)
    observation = models.ForeignKey(Text, models.PROTECT, related_name="+")

    class Meta:
        ordering: ClassVar = ["source", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="step_number_once", fields=["source", "number"]),
            models.CheckConstraint(name="step_numbers_from_one", condition=Q(number__gte=1)),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.tool}"


class Section(models.Model):
    """One part of a document; its text is stored once by content.

    ``is_future`` marks what answers the question or came after it: no prompt ever shows it.
    """

    source = models.ForeignKey(Source, models.PROTECT, related_name="sections")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=30)
    title = models.TextField(blank=True)
    text = models.ForeignKey(Text, models.PROTECT, related_name="+")
    is_future = models.BooleanField(default=False)
    facts = OrderedJSONField(default=dict)

    class Meta:
        ordering: ClassVar = ["source", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="section_number_once", fields=["source", "number"]),
            models.CheckConstraint(name="section_numbers_from_one", condition=Q(number__gte=1)),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.kind}"
