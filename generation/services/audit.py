"""Writes the audit trail: one event for every state change."""

import hashlib
import json
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Model

from generation.models import AuditEvent
from generation.services.texts import storable


def state_digest(state: Any) -> str:
    """Return the sha256 of a JSON-able state, empty for None."""
    if state is None:
        return ""
    text = json.dumps(state, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def event(
    action: str,
    subject: Model,
    *,
    actor: User | None = None,
    before: Any = None,
    after: Any = None,
    detail: str = "",
) -> AuditEvent:
    """Return an unsaved event: who did ``action`` to ``subject``, and its state before and after."""
    return AuditEvent(
        actor=actor,
        action=action,
        subject=subject._meta.model_name or "",
        subject_id=subject.pk,
        before=state_digest(before),
        after=state_digest(after),
        detail=storable(detail),
    )


def record(
    action: str,
    subject: Model,
    *,
    actor: User | None = None,
    before: Any = None,
    after: Any = None,
    detail: str = "",
) -> None:
    """Write one event in the caller's transaction."""
    event(action, subject, actor=actor, before=before, after=after, detail=detail).save()
