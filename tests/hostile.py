"""Text that wants to run, to hide and to break the page, in every text field of the database.

The fields are found in the models: a new one is filled unasked. Words that the code itself reads
(kinds, digests, states) can't be anybody's text and stand in ``WORDS_OF_THE_CODE``.
"""

from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, models, transaction
from django.db.models import Model

from generation.models import Revision
from generation.models.fields import OrderedJSONField
from generation.models.triggers import (
    statements_that_allow_changes,
    statements_that_refuse_changes,
)
from generation.services.texts import storable
from tests.conftest import IMMUTABLE

RUNS = "<img src=x onerror=alert(1)>"
"""What would open a dialog; the first word of every hostile text, short enough for all columns."""
HOSTILE = (
    RUNS + "</pre></script></textarea></title><script>alert(2)</script><svg onload=alert(3)>"
    "\" onfocus=alert(4) autofocus x=\"' onclick='alert(5)' {{7*7}}{% debug %}{#"
    " [a](javascript:alert(6)) ![b](x) <javascript:alert(7)> ```<b>``` &lt;script&gt;"
    " \x1b[31mred\x1b[0m \x1b]8;;javascript:alert(8)\x07link\x1b]8;;\x07 \x9b2J \x08\x7f"
    " \u202egpj.exe\u202c \u2066a\u2069 \u200b\u200d\ufeff\u00ad \ufffe \x00 \U000e0041"
    " כבשן חם מאוד فرن ساخن جدا 窑很热 e\u0301\u0301\u0301 \r 10 %\r 90 %\r\n=1+1\n\n"
    + "W"
    * 10_000
)
WORDS_OF_THE_CODE = {
    "AuditEvent.before": "a digest",
    "AuditEvent.after": "a digest",
    "AuditEvent.action": "a name that services give",
    "AuditEvent.subject": "a name that services give",
    "BulkAction.asked": "what the form gave, by the code's keys",
    "BulkAction.query": "an address that the site made",
    "BulkItem.before": "states",
    "BulkItem.after": "states",
    "GenerationRun.subtasks": "names of subtasks",
    "GenerationRun.operators": "names of operators",
    "GenerationRun.endpoints": "names of endpoints, kept as text there",
    "GenerationRun.prompt_versions": "digests by name",
    "Job.order": "kinds and languages",
    "Job.result": "counts by name",
    "Job.folder": "a random name",
    "LLMCall.operator": "the name of an operator",
    "LLMCall.request_digest": "a digest",
    "LLMCall.prompt_version": "a digest",
    "ModelEndpoint.name": "the primary key of prices",
    "Text.digest": "a digest",
    "Source.digest": "a digest",
    "Source.kind": "the name of an importer",
    "Section.kind": "what an importer calls a section",
    "Section.facts": "numbers and names by the importer",
    "Option.operator": "the name of an operator",
    "Option.prompt_version": "a digest",
    "Finding.kind": "the name of a check",
    "Finding.field": "the name of a field",
    "Finding.digest": "a digest",
    "PromptTemplate.digest": "a digest",
    "Profile.languages": "languages",
    "Profile.scenarios": "scenarios",
    "Invitation.digest": "a digest",
    "Invitation.languages": "languages",
    "Invitation.scenarios": "scenarios",
    "ApiToken.digest": "a digest",
    "ApiToken.prefix": "made at random",
    "ApiToken.scopes": "scopes",
    "BlindAnswer.positions": "numbers",
    "GuidelineVersion.language": "a language",
    "Measurement.name": "the name of a measure",
    "Measurement.data": "numbers by name, computed from the rows",
    "Measurement.seen": "what was counted",
    "Project.overlap": "numbers by subtask",
    "Release.digest": "a digest",
    "ReleaseItem.subtask": "the name of a subtask",
    "ReleaseItem.sha256": "a digest",
    "ReleaseItem.review": "JSON by the code's keys",
    "Release.manifest": "numbers and digests by the code's keys",
    "Release.files": "names of files that the export gave",
    "Release.left_out": "reasons by their code, and counts",
}


def text_fields() -> Iterator[tuple[type[Model], models.Field[Any, Any]]]:
    """Yield every column of both apps that holds text or JSON of no closed set."""
    for app in ("generation", "review"):
        for model in apps.get_app_config(app).get_models():
            for field in model._meta.concrete_fields:
                is_text = isinstance(field, models.CharField | models.TextField | models.JSONField)
                if is_text and not field.choices:
                    yield model, field


def name_of(model: type[Model], field: models.Field[Any, Any]) -> str:
    return f"{model._meta.object_name}.{field.name}"


def mark_of(name: str) -> str:
    """Return what begins a field's text, visible where it is shown as text and nowhere else."""
    return f"<i>{name}</i>"


def fill_every_text() -> dict[str, int]:
    """Overwrite every free text of the database; return how many rows of each field hold it now."""
    vendor = connection.vendor
    for table in IMMUTABLE:
        _execute(statements_that_allow_changes(vendor, table))
    filled = {
        name_of(model, field): sum(_fill(row, field) for row in model._base_manager.all())
        for model, field in text_fields()
        if name_of(model, field) not in WORDS_OF_THE_CODE
    }
    for table, keys in IMMUTABLE.items():
        _execute(statements_that_refuse_changes(vendor, table, "immutable", keys))
    for user in User.objects.all():
        user.username = f"{user.pk}{RUNS}\u202eevil"
        user.save(update_fields=["username"])
    return filled


def _fill(row: Model, field: models.Field[Any, Any]) -> bool:
    """Overwrite one text; return whether the table took it."""
    before = getattr(row, field.attname)
    after = _hostile_value(row, field, before)
    if after == before:
        return False
    try:
        with transaction.atomic():
            type(row)._base_manager.filter(pk=row.pk).update(**{field.attname: after})
    except IntegrityError:
        assert not before  # the table demands that it is empty in such a row
        return False
    return True


def _hostile_value(row: Model, field: models.Field[Any, Any], before: Any) -> Any:
    name = name_of(type(row), field)
    if isinstance(row, Revision) and name == "Revision.gold" and row.options.exists():
        return before  # letters
    if isinstance(field, OrderedJSONField):
        return _with_hostile_leaves(before, mark_of(name) + HOSTILE)
    if name == "Text.body":
        return mark_of(name) + storable(HOSTILE) + before  # what folds still folds
    text = storable(HOSTILE) if field.max_length else mark_of(name) + storable(HOSTILE)
    return (f"{row.pk}{text}" if field.unique else text)[: field.max_length]


def _with_hostile_leaves(value: Any, text: str) -> Any:
    """Return the value with every string in it replaced; keys are the code's."""
    if isinstance(value, dict):
        return {key: _with_hostile_leaves(each, text) for key, each in value.items()}
    if isinstance(value, list):
        return [_with_hostile_leaves(each, text) for each in value]
    return text if isinstance(value, str) else value


def _execute(statements: list[str]) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
