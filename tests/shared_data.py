"""Where the real files lie, for tests that read them; they are never part of the project."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"
DATA = SHARED / "data"
REFERENCE = SHARED / "reference"
CASES = SHARED / "cases" / "cases.jsonl"

needs_shared = pytest.mark.skipif(
    not SHARED.exists(),
    reason="the shared data folder is absent: tests on real files did not run",
)
