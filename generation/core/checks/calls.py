"""Tool calls as they stand in options and histories: a plan with its execution, in JSON."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Call:
    """A tool's name and its arguments; ``arguments`` is whatever stood there, valid or not."""

    name: str
    arguments: object

    @property
    def normalised(self) -> str:
        """The call as one text, so that two spellings of one call are equal."""
        return json.dumps(
            [self.name.strip(), _folded_values(self.arguments)], sort_keys=True, ensure_ascii=False
        )


def read_call(text: str) -> Call | None:
    """Return the call in ``text``; None where it holds no JSON object with a named tool.

    Read are ``{"execution": {"name", "args"}}`` and the execution alone; ``arguments`` is
    taken for ``args``, and arguments left out are None.
    """
    if not text.lstrip().startswith("{"):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    execution = value.get("execution", value)
    if not isinstance(execution, Mapping) or not isinstance(execution.get("name"), str):
        return None
    return Call(execution["name"], execution.get("args", execution.get("arguments")))


def _folded_values(value: Any) -> Any:
    match value:
        case str():
            return " ".join(value.split())
        case Mapping():
            return {str(name): _folded_values(inner) for name, inner in value.items()}
        case list():
            return [_folded_values(inner) for inner in value]
        case _:
            return value
