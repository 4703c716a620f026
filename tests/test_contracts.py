"""Each import contract bites: a planted violation breaks the contract that forbids it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]
PACKAGES = ("apt_annotate", "review", "generation")

PLANTED = {
    "apps: project -> review -> generation, never back": (
        "generation/services/planted.py",
        "import review.models\n",
    ),
    "core is pure Python": ("generation/core/planted.py", "import django\n"),
    "the scorer travels alone: standard library and itself": (
        "review/core/scorer/planted.py",
        "import numpy\n",
    ),
    "inside an app: outer rooms call inner rooms": (
        "review/models/planted.py",
        "import review.services.queue\n",
    ),
    "one door to the models' vendor": ("generation/services/planted.py", "import openai\n"),
    "subtasks do not know each other": (
        "generation/core/subtasks/planted.py",
        "import generation.core.subtasks.issue_fix_plan\n",
    ),
    "no cycles between siblings": (
        "review/core/consensus.py",
        "import review.core.baseline\n",
    ),
}


@pytest.fixture
def copied_project(tmp_path):
    for package in PACKAGES:
        shutil.copytree(
            PROJECT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    shutil.copy(PROJECT / "pyproject.toml", tmp_path)
    return tmp_path


def lint(folder: Path) -> str:
    program = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [program, "--no-cache"], cwd=folder, capture_output=True, text=True, check=False
    )
    return done.stdout


@pytest.mark.parametrize("contract", PLANTED)
def test_planted_violation_breaks_its_contract(copied_project, contract):
    path, text = PLANTED[contract]
    planted = copied_project / path
    planted.write_text(text + (planted.read_text() if planted.exists() else ""))
    if contract == "no cycles between siblings":
        other = copied_project / "review/core/baseline.py"
        other.write_text("import review.core.consensus\n" + other.read_text())
    assert f"{contract} BROKEN" in lint(copied_project)
