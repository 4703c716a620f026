"""Gives an issue the set-up of its project, where the project's README was imported as well."""

from dataclasses import replace

from generation.core.records import Document, Section
from generation.core.setup_plan import numbered, setup_plan
from generation.models import Source
from generation.services.documents import load_document

_ISSUES = "github_issues"
_READMES = "readme"


def with_setup(document: Document) -> Document:
    """Return an issue with a section ``setup``: its project's set-up, in words.

    Taken is the first README of the repository that says at least one step; any other document,
    and an issue whose project is not known, comes back as it is.
    """
    repository = document.facts.get("repository")
    if document.provenance.kind != _ISSUES or not isinstance(repository, str):
        return document
    sources = Source.objects.select_related("task").filter(
        kind=_READMES, cluster=repository.casefold(), language=document.language
    )
    for source in sources.order_by("external_id", "pk"):
        if steps := setup_plan(load_document(source)):
            setup = Section("setup", numbered(steps), repository)
            return replace(document, sections=(*document.sections, setup))
    return document
