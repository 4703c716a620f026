import tomllib
from pathlib import Path

from review.core.scorer import READER_VERSIONS, VERSION


def test_the_scorer_has_the_project_s_version():
    root = Path(__file__).resolve().parents[4]
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == VERSION


def test_every_reader_has_a_version():
    assert READER_VERSIONS == {"letter": "letter-1", "command": "cmd-1", "answer": "ans-1"}
