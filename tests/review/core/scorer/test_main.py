import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import review.core.scorer as package
from review.core.scorer import score
from tests.review.core.scorer.make_export import (
    make_answer,
    make_command,
    make_row,
    write_export,
    write_predictions,
)

HERE = Path(package.__file__).parent


@pytest.fixture
def export(tmp_path: Path) -> Path:
    """An export that carries the scorer, and predictions with Chinese text beside it."""
    rows = [make_row("a"), make_command("b", "make"), make_answer("c", "巴黎")]
    folder = write_export(tmp_path / "e", rows)
    shutil.copytree(HERE, folder / "scorer", ignore=shutil.ignore_patterns("__pycache__"))
    write_predictions(tmp_path / "p.jsonl", {"a": "B)", "b": "make;", "c": "《巴黎》]"})
    return folder


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-S", "-m", "scorer", *arguments],
        cwd=folder,
        env={"LC_ALL": "C", "PYTHONUTF8": "0"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_the_travelling_copy_gives_the_same_numbers_without_site_packages(export):
    for compat in ([], ["--compat", "aptbench"]):
        done = run(export, "../p.jsonl", "--json", *compat)
        assert (done.returncode, done.stderr) == (0, "")
        expected = score(export, export.parent / "p.jsonl", compat=compat[1] if compat else None)
        assert json.loads(done.stdout) == expected


def test_the_table_is_printed_again_and_again(export):
    first, second = run(export, "../p.jsonl"), run(export, "../p.jsonl")
    assert first.returncode == 0
    assert first.stdout.startswith("apt-annotate ")
    assert first.stdout == second.stdout


def test_a_changed_file_leaves_with_1_and_a_bad_prediction_with_2(export):
    (export.parent / "bad.jsonl").write_text('{"id": "zz", "output": ""}\n', encoding="utf-8")
    done = run(export, "../bad.jsonl")
    assert done.returncode == 2
    assert done.stderr == "error: ../bad.jsonl, line 1: field id: 'zz' is not in the benchmark\n"
    (export / "items" / "env_setup_plan.jsonl").write_text("{}", encoding="utf-8")
    done = run(export, "../p.jsonl")
    assert done.returncode == 1
    assert "env_setup_plan.jsonl: has changed" in done.stderr


def test_the_package_needs_the_standard_library_and_itself_alone():
    for path in HERE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [str(node.module)]
            else:
                continue
            assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names, path
