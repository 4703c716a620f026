"""A baseline predictor: answers from the item's surface alone, for a floor to compare with."""

from collections.abc import Mapping
from typing import Any


def predict(item: Mapping[str, Any]) -> str:
    """Return an output for an item line: the longest option, else a fixed guess.

    A choice closes its bracket as a model would; a command is the one that most often opens a
    look at a project.
    """
    if item["options"]:
        longest = max(item["options"], key=lambda option: len(option["text"]))
        return f"{longest['label']})"
    return "ls\n```" if item["reader"] == "command" else "unknown]"
