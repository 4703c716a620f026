"""Stores what the checks say of a revision, and reads it back."""

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress

from django.db import transaction
from django.db.models import ProtectedError
from django.utils import timezone

from generation.core import items
from generation.models import Finding, Revision
from generation.services.texts import storable


def finding_digest(finding: items.Finding) -> str:
    """Return what makes a finding the same one when a revision is checked again."""
    parts = [
        finding.kind,
        int(finding.severity),
        finding.field,
        finding.start,
        finding.end,
        finding.evidence,
        finding.source_step,
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def store_findings(
    revision_pk: int, findings: Iterable[items.Finding], *, untouched: Collection[str] = ()
) -> None:
    """Make a revision's stored findings those given, in the caller's transaction.

    A finding that people judged stays even where a newer check no longer makes it, and so do
    those of the ``untouched`` kinds.
    """
    rows = {finding_digest(finding): finding for finding in findings}
    stored = Finding.objects.filter(revision=revision_pk).exclude(kind__in=untouched)
    for stale in stored.exclude(digest__in=rows):
        with suppress(ProtectedError), transaction.atomic():
            stale.delete()
    Finding.objects.bulk_create(
        [
            Finding(
                revision_id=revision_pk,
                kind=finding.kind,
                severity=finding.severity,
                field=finding.field,
                start=finding.start,
                end=finding.end,
                evidence=storable(finding.evidence),
                source_step=finding.source_step,
                digest=digest,
            )
            for digest, finding in rows.items()
        ],
        ignore_conflicts=True,
    )
    Revision.objects.filter(pk=revision_pk, checked_at=None).update(checked_at=timezone.now())


def finding_lines() -> Iterator[dict[str, object]]:
    """Yield one object a stored finding of a current revision, in a stable order.

    ``external_id`` is an official row's uuid, or the source's id and the cut of a built item.
    """
    findings = (
        Finding.objects.filter(revision__superseded_at=None)
        .select_related("revision__candidate__source")
        .order_by(
            "revision__candidate__subtask",
            "revision__candidate__source__external_id",
            "revision__candidate__source__place",
            "revision__candidate__cut",
            "kind",
            "field",
            "start",
            "end",
            "digest",
        )
    )
    for finding in findings.iterator(chunk_size=500):
        candidate = finding.revision.candidate
        external_id = candidate.source.external_id
        yield {
            "external_id": f"{external_id}#{candidate.cut}" if candidate.cut else external_id,
            "subtask": candidate.subtask,
            "kind": finding.kind,
            "severity": finding.severity,
            "field": finding.field,
            "evidence": finding.evidence,
        }
