"""Finds every subtask: one file in ``generation.core.subtasks``, one ``SUBTASK`` in it."""

import pkgutil
from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType

from generation.core import subtasks
from generation.core.subtask import Subtask


def load_subtasks() -> Mapping[str, Subtask]:
    """Return every ``SUBTASK`` in ``generation.core.subtasks``, keyed and sorted by name.

    Raises:
        ValueError: a file's name differs from its subtask's.
    """
    found: dict[str, Subtask] = {}
    for module in sorted(m.name for m in pkgutil.iter_modules(subtasks.__path__)):
        subtask: Subtask = import_module(f"{subtasks.__name__}.{module}").SUBTASK
        if subtask.name != module:
            msg = f"subtasks/{module}.py defines {subtask.name!r}; name the file after it"
            raise ValueError(msg)
        found[subtask.name] = subtask
    return MappingProxyType(found)


SUBTASKS: Mapping[str, Subtask] = load_subtasks()
