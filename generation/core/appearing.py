"""Files and folders that appear whole or not at all, whatever ends the process that writes them.

What is being written bears the name of the target and of the writing process. A writer that was
killed leaves it behind; the next writer of the same target takes it away.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class TargetExists(Exception):
    """What was to be made is there already; nothing is overwritten."""

    def __init__(self, target: Path) -> None:
        super().__init__(f"{target} exists; it is never overwritten")


@contextmanager
def appearing_folder(target: Path) -> Iterator[Path]:
    """Give a temporary folder beside ``target`` that becomes ``target`` at the end, or goes away.

    Raises:
        TargetExists: ``target`` is there, at the start or at the end.
        OSError: a folder or file can't be written.
    """
    refuse_existing(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    _take_away_what_the_dead_left(target)
    building = _building(target)
    building.mkdir()
    try:
        yield building
        refuse_existing(target)
        building.rename(target)
    finally:
        shutil.rmtree(building, ignore_errors=True)


@contextmanager
def appearing_file(target: Path) -> Iterator[Path]:
    """Give a temporary file beside ``target`` that takes its name at the end, or goes away.

    Raises:
        TargetExists: ``target`` is there, at the start or at the end.
        OSError: the file can't be written.
    """
    refuse_existing(target)
    _take_away_what_the_dead_left(target)
    building = _building(target)
    building.touch(exist_ok=False)
    try:
        yield building
        try:
            target.hardlink_to(building)  # unlike a rename, it never takes another file's place
        except FileExistsError as error:
            raise TargetExists(target) from error
    finally:
        building.unlink(missing_ok=True)


def refuse_existing(target: Path) -> None:
    """Do nothing where ``target`` is free; a link that points nowhere is not.

    Raises:
        TargetExists: something is there.
    """
    if target.exists() or target.is_symlink():
        raise TargetExists(target)


def _building(target: Path) -> Path:
    return target.with_name(f".{target.name}.{os.getpid()}.part")


def _take_away_what_the_dead_left(target: Path) -> None:
    for path in target.parent.glob(f".{_literal(target.name)}.*.part"):
        writer = path.name.removesuffix(".part").rpartition(".")[2]
        if writer.isdecimal() and not _is_running(int(writer)):
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)


def _literal(name: str) -> str:
    return "".join(f"[{c}]" if c in "*?[" else c for c in name)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
