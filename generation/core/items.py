"""What a check sees and what it says: ``Item`` in, ``Finding`` out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum

from generation.core.records import Language, Tool
from generation.core.subtask import Subtask


class Severity(IntEnum):
    """How much a finding weighs."""

    INFORMATION = 0
    NOTE = 1
    NEEDS_PERSON = 2
    BLOCKS_RELEASE = 3


@dataclass(frozen=True, slots=True)
class Finding:
    """What an automatic check says about a revision.

    ``field`` is ``"prompt"``, ``"gold"``, ``"option:<i>"`` (0-based, given order), ``"trajectory"``
    or ``"row"``; ``start`` and ``end`` are character offsets into that field's text (0, 0: the
    whole); ``evidence`` is the offending text or a sentence; ``source_step`` the 1-based later
    step it came from.
    """

    kind: str
    severity: Severity
    field: str
    evidence: str
    start: int = 0
    end: int = 0
    source_step: int | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """A revision as the checks see it; nothing in it comes from the database.

    ``gold`` holds labels (``"A"`` is option 0) for choice formats and texts for completion;
    ``shown_actions`` the commands or calls that the prompt says were already done; ``slots`` the
    prompt's texts by slot name, the history included; ``imported`` rows keep official budgets.
    """

    key: str
    subtask: Subtask
    language: Language
    slots: Mapping[str, str]
    options: tuple[str, ...]
    gold: tuple[str, ...]
    max_new_tokens: int
    cluster: str
    shown_actions: tuple[str, ...] = ()
    tools: tuple[Tool, ...] = ()
    reference_answer: str = ""
    imported: bool = False
    extra: Mapping[str, str] = field(default_factory=dict)
