"""What is written appears whole or not at all, and what a killed writer left goes away."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from generation.core.appearing import TargetExists, appearing_file, appearing_folder


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def dead_process() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_folder_appears_with_its_content(tmp_path):
    with appearing_folder(tmp_path / "deep/out") as folder:
        (folder / "a").write_text("x")
        assert not (tmp_path / "deep/out").exists()
    assert (tmp_path / "deep/out/a").read_text() == "x"
    assert names(tmp_path / "deep") == ["out"]


def test_file_appears_with_its_content(tmp_path):
    with appearing_file(tmp_path / "out") as file:
        file.write_text("x")
    assert (tmp_path / "out").read_text() == "x"
    assert names(tmp_path) == ["out"]


@pytest.mark.parametrize("appearing", [appearing_file, appearing_folder])
def test_failure_leaves_nothing(tmp_path, appearing):
    with pytest.raises(ValueError, match="halfway"), appearing(tmp_path / "out"):
        raise ValueError("halfway")
    assert names(tmp_path) == []


@pytest.mark.parametrize("appearing", [appearing_file, appearing_folder])
@pytest.mark.parametrize("there", ["file", "folder", "dangling link"])
def test_what_is_there_is_kept(tmp_path, appearing, there):
    target = tmp_path / "out"
    if there == "file":
        target.write_text("precious")
    elif there == "folder":
        target.mkdir()
    else:
        target.symlink_to(tmp_path / "nowhere")
    with pytest.raises(TargetExists, match="never overwritten"), appearing(target):
        pass
    assert names(tmp_path) == ["out"]


@pytest.mark.parametrize("appearing", [appearing_file, appearing_folder])
def test_what_came_in_between_is_kept(tmp_path, appearing):
    target = tmp_path / "out"
    with pytest.raises(TargetExists), appearing(target):
        target.write_text("precious")
    assert target.read_text() == "precious"
    assert names(tmp_path) == ["out"]


def test_leftovers_of_the_dead_go_and_those_of_the_living_stay(tmp_path):
    dead, living = dead_process(), os.getppid()
    (tmp_path / f".out[1].{dead}.part").mkdir()
    (tmp_path / f".out[1].{living}.part").mkdir()
    (tmp_path / f".other.{dead}.part").mkdir()
    with appearing_folder(tmp_path / "out[1]"):
        pass
    assert names(tmp_path) == [
        f".other.{dead}.part",
        f".out[1].{living}.part",
        "out[1]",
    ]
