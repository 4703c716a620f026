"""Reads reported cases of faults by their name."""

import json
from typing import Any

from tests.shared_data import CASES


def case(name: str) -> dict[str, Any]:
    """Return the case: its ``input`` and what is ``expected``."""
    lines = CASES.read_text(encoding="utf-8").splitlines()
    found: dict[str, Any] = next(c for c in map(json.loads, lines) if c["id"] == name)
    return found
