"""Stored runs with steps of a test's own."""

from dataclasses import replace
from typing import Any

from generation.models import Source
from generation.services.sources import store_records
from tests.make import make_trajectory


def stored(**fields: Any) -> Source:
    """Store a run with these fields and return its source."""
    trajectory = replace(make_trajectory(), **fields)
    store_records([trajectory])
    return Source.objects.get(external_id=trajectory.provenance.external_id)
