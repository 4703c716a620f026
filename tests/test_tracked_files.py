"""What the project keeps names no package index: what is installed comes from the machine's own."""

import re
import subprocess
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]
INDEX = re.compile(
    rb"index-url[\s=]+.?https?:|find-links[\s=]+.?https?:"
    rb"|https?://(?:[\w-]+\.)*(?:pypi|pythonhosted|npmjs|download\.pytorch|anaconda)\.",
    re.IGNORECASE,
)


def tracked() -> list[Path]:
    done = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, capture_output=True, check=False)
    if done.returncode:
        pytest.skip("no git repository: nothing says which files are kept")
    return [PROJECT / name for name in done.stdout.decode().split("\0") if name]


def test_no_tracked_file_names_a_package_index():
    files = [path for path in tracked() if path.is_file() and path != Path(__file__)]
    assert len(files) > 500
    assert [path for path in files if INDEX.search(path.read_bytes())] == []


@pytest.mark.parametrize(
    "line",
    [
        b"pip install torch --index-url https://wheels.example/cu121",
        b"extra-index-url=https://wheels.example/simple",
        b"https://files.pythonhosted.org/packages/x.whl",
        b"https://registry.npmjs.org/htmx",
    ],
)
def test_addresses_of_indexes_are_known(line):
    assert INDEX.search(line)
