"""Reads the prompts that lie beside official rows: ``code/prompts/<dataset>_<task>_3shot.txt``."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from generation.core.importers.aptbench_history import as_text
from generation.core.importers.aptbench_tasks import OFFICIAL_ROWS
from generation.core.official_prompts import (
    OfficialPrompt,
    OfficialPromptError,
    PromptFile,
    read_prompt,
)
from generation.core.records import Refusal

FOLDER = "code/prompts"
_SHOTS = re.compile(r"_([0-9]{1,2})shot\Z")
_TASKS = {f"{dataset}_{task}": rows for (dataset, task), rows in OFFICIAL_ROWS.items()}
_ROWS = {rows.subtask: rows for rows in OFFICIAL_ROWS.values()}


def read_prompts(folder: Path) -> Iterator[PromptFile | Refusal]:
    """Yield the prompts in ``code/prompts`` below a set's folder, by name; none where it is absent.

    A file of no official task, one of two for the same task, and one whose placeholders are not
    those of its task's rows are refused.
    """
    by_task: dict[str, list[Path]] = defaultdict(list)
    for path in sorted((folder / FOLDER).glob("*.txt")):
        by_task[_SHOTS.sub("", path.stem)].append(path)
    for task, paths in sorted(by_task.items()):
        if task not in _TASKS:
            yield from (Refusal(str(path), f"{task} is no official task") for path in paths)
        elif len(paths) > 1:
            why = f"two prompts for {task}: " + ", ".join(path.name for path in paths)
            yield from (Refusal(str(path), why) for path in paths)
        else:
            yield _read(paths[0], _TASKS[task].subtask)


def _read(path: Path, subtask: str) -> PromptFile | Refusal:
    try:
        text = path.read_text(encoding="utf-8")
        official_prompt(subtask, text)
    except OSError as error:
        return Refusal(str(path), error.strerror or str(error))
    except UnicodeDecodeError:
        return Refusal(str(path), "no UTF-8 text")
    except OfficialPromptError as error:
        return Refusal(str(path), str(error))
    return PromptFile(subtask, text, f"{FOLDER}/{path.name}")


def official_prompt(subtask: str, text: str) -> OfficialPrompt:
    """Return the prompt of an official task from its text.

    Raises:
        KeyError: the subtask has no official rows.
        OfficialPromptError: the placeholders are not those of the task's rows.
    """
    return read_prompt(text, _ROWS[subtask].placeholders)


def shots_of(place: str) -> int | None:
    """Return how many worked examples a prompt file's name says it has; None where it is silent."""
    found = _SHOTS.search(Path(place).stem)
    return int(found[1]) if found else None


def prompt_values(subtask: str, row: Mapping[str, Any]) -> dict[str, str]:
    """Return what fills a task's placeholders: fields of the row as they came, never the answer.

    Raises:
        KeyError: the subtask has no official rows.
    """
    placeholders = _ROWS[subtask].placeholders
    return {mark: as_text(row.get(field) or "") for mark, field in placeholders.items()}
