"""Stores the prompts that came with a set, and says which are in use."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.db.models.functions import Now

from generation.core.importers.aptbench_prompts import official_prompt, prompt_values, shots_of
from generation.core.official_prompts import OfficialPrompt, PromptFile
from generation.models import PromptTemplate, Revision
from generation.services import audit
from generation.services.texts import storable, store_texts


@dataclass(frozen=True, slots=True)
class PromptInUse:
    """A subtask's imported prompt: ``shots`` is what its file's name says, None where silent."""

    prompt: OfficialPrompt
    digest: str
    place: str
    shots: int | None


@transaction.atomic
def store_prompts(files: Iterable[PromptFile]) -> int:
    """Store the prompts that are new and return their number; all of them are in use then."""
    files = list(files)
    latest = _latest()
    texts = store_texts({file.text for file in files})
    stored = 0
    for file in files:
        text = texts[file.text]
        before = latest.get(file.subtask)
        if before and before.digest == text.digest:
            continue
        template, is_new = PromptTemplate.objects.get_or_create(
            subtask=file.subtask,
            digest=text.digest,
            defaults={"text": text, "place": storable(file.place)},
        )
        stored += is_new
        if not is_new:
            # An earlier prompt came again: from now on it is the one in use.
            PromptTemplate.objects.filter(pk=template.pk).update(imported_at=Now())
        audit.record(
            "prompt.imported",
            template,
            before=before.digest if before else None,
            after=template.digest,
        )
    return stored


def prompts_in_use() -> dict[str, PromptInUse]:
    """Return the imported prompt of every subtask that has one, by subtask."""
    return {
        subtask: PromptInUse(
            prompt=official_prompt(subtask, template.text.body),
            digest=template.digest,
            place=template.place,
            shots=shots_of(template.place),
        )
        for subtask, template in _latest().items()
    }


def official_values(revision: Revision) -> dict[str, str]:
    """Return what fills the official prompt of an imported row: the row's fields as they came.

    Raises:
        KeyError: the subtask has no official rows.
    """
    candidate = revision.candidate
    return prompt_values(candidate.subtask, candidate.source.raw)


def _latest() -> dict[str, PromptTemplate]:
    templates = PromptTemplate.objects.select_related("text").order_by("imported_at", "pk")
    return {template.subtask: template for template in templates}
