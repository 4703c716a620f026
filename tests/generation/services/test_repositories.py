"""Files are read from git clones at a commit, and nothing but files."""

import subprocess
from pathlib import Path

import pytest

from generation.services.repositories import files_of_clones


def git(folder: Path, *words: str) -> str:
    named = [
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@kiln.example",
        "-c",
        "init.defaultBranch=main",
    ]
    done = subprocess.run(
        ["git", *named, "-C", str(folder), *words], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.fixture(params=["acme/kiln", "acme__kiln", "kiln", "acme/kiln.git", "kiln.git"])
def clone(request, tmp_path):
    folder = tmp_path / request.param
    folder.mkdir(parents=True)
    git(folder, "init", "-q")
    (folder / "heat.py").write_bytes(b"cold\r\n")
    git(folder, "add", "heat.py")
    git(folder, "commit", "-q", "-m", "first")
    first = git(folder, "rev-parse", "HEAD")
    (folder / "heat.py").write_bytes(b"hot\n")
    git(folder, "commit", "-q", "-a", "-m", "second")
    return first


def test_a_file_is_read_as_it_was_at_the_commit(clone, tmp_path):
    file_at = files_of_clones(tmp_path)
    assert file_at("acme/kiln", clone, "heat.py") == b"cold\r\n"
    assert file_at("acme/kiln", clone[:12], "heat.py") == b"cold\r\n"


@pytest.mark.parametrize(
    ("repository", "commit", "path"),
    [
        ("acme/oven", "", "heat.py"),
        ("../acme/kiln", "", "heat.py"),
        ("acme/..", "", "heat.py"),
        ("-c/kiln", "", "heat.py"),
        ("acme/kiln", "HEAD", "heat.py"),
        ("acme/kiln", "0" * 40, "heat.py"),
        ("acme/kiln", "", "none.py"),
        ("acme/kiln", "", "."),
        ("acme/kiln", "", "../kiln/heat.py"),
        ("acme/kiln", "", ""),
        ("acme/kiln", "", "a\0b"),
    ],
)
@pytest.mark.parametrize("clone", ["acme/kiln"], indirect=True)
def test_what_is_not_there_is_none(clone, tmp_path, repository, commit, path):
    assert files_of_clones(tmp_path)(repository, commit or clone, path) is None


def test_a_file_may_be_laid_out_where_there_is_no_git(tmp_path):
    tree = tmp_path / "acme__kiln@0123abc"
    tree.mkdir()
    (tree / "heat.py").write_bytes(b"hot\n")
    (tree / "out.py").symlink_to("../secret.py")
    (tmp_path / "secret.py").write_bytes(b"s = 1\n")
    file_at = files_of_clones(tmp_path)
    assert file_at("acme/kiln", "0123abc", "heat.py") == b"hot\n"
    assert file_at("acme/kiln", "0123abd", "heat.py") is None
    for path in ("../secret.py", "out.py", ".", "heat.py/x", str(tmp_path / "secret.py")):
        assert file_at("acme/kiln", "0123abc", path) is None
