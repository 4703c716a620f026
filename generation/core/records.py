"""What an importer hands on: records of one source, or a refusal that names its place.

Every text in a record is valid Unicode without lone surrogates (they became U+FFFD, with a
``Note``). Nothing else is cleaned: what a tool printed is kept as it was printed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Language(StrEnum):
    """Language of the question, as the benchmark reports it."""

    EN = "en"
    ZH = "zh"


class Success(StrEnum):
    """What is known of a source's success.

    A run known to have failed is never imported; ``FAILED`` is a prediction that serves as a
    wrong option, and as nothing else.
    """

    CONFIRMED = "confirmed"
    UNCONFIRMED = "unconfirmed"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Tool:
    """A declared tool: its name and the arguments it takes.

    ``arguments`` maps each argument's name to its description; ``required`` is a subset of them.
    """

    name: str
    description: str = ""
    arguments: Mapping[str, str] = field(default_factory=dict)
    required: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """Thought, action and observation of one turn.

    ``tool`` and ``arguments`` are the call as structure; ``action`` is the same call as the one
    line or block of text that a prompt shows and a gold answer holds.
    """

    thought: str
    tool: str
    arguments: Mapping[str, Any]
    action: str
    observation: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended. All of it is future for every cut of the run.

    ``reference_answer`` is the answer key of the task where the source carries one.
    """

    final_answer: str = ""
    submission: str = ""
    exit_status: str = ""
    reference_answer: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """Something a person should know of a record that was imported all the same."""

    kind: str
    where: str
    detail: str


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a record comes from and what may be done with it.

    ``where`` is file and line or record, for people; ``licence`` an SPDX identifier or
    ``"unknown"``; ``cluster`` the task behind the record: all runs of one task share it.
    """

    kind: str
    external_id: str
    cluster: str
    where: str
    licence: str = "unknown"
    url: str = ""
    model: str = ""


@dataclass(frozen=True, slots=True)
class Trajectory:
    """One agent run: the task, the tools, the steps, and how it ended.

    ``system`` is what the run's system prompt said, shown before the task where the subtask says so.
    """

    provenance: Provenance
    language: Language
    task: str
    steps: tuple[Step, ...]
    tools: tuple[Tool, ...] = ()
    system: str = ""
    outcome: Outcome = Outcome()
    success: Success = Success.UNCONFIRMED
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A ready-made benchmark row: kept as it is, one record a row, repeated ones too.

    ``slots`` are the texts of the prompt by slot name, ``options`` the option texts in the
    given order (empty for completion), ``gold`` the labels (choice) or texts (completion) as
    given, ``shown_actions`` what the prompt says was already done, ``raw`` the row itself.
    """

    provenance: Provenance
    subtask: str
    language: Language
    slots: Mapping[str, str]
    options: tuple[str, ...]
    gold: tuple[str, ...]
    raw: Mapping[str, Any]
    shown_actions: tuple[str, ...] = ()
    tools: tuple[Tool, ...] = ()
    reference_answer: str = ""
    notes: tuple[Note, ...] = ()


_BESIDE = """
cleaned_report comment criterion degraded_plan file file_list hints imports page plan requirements
result search_query
"""
CONTEXT = frozenset(_BESIDE.split())
"""Kinds of sections that were found beside a record: no part of its identity, they may come later."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a document: its text, what it is, and what is known of it.

    ``kind`` says what it is (``prose``, ``command``, ``comment``, ``patch``, …: the importer's
    page in docs/sources.md lists them), ``title`` the heading, path or address it stands under.
    ``is_future`` marks what was written after the question, or answers it: a prompt never shows
    it, an option may. ``facts`` are JSON values.
    """

    kind: str
    text: str
    title: str = ""
    is_future: bool = False
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Document:
    """One text that is no run: a README, an issue, a bug-fix instance, a report, a question.

    ``title`` is what it is about, in one text: the repository, the issue's title, the query.
    ``facts`` are JSON values of the whole; like a section's they may hold the future.
    """

    provenance: Provenance
    language: Language
    title: str
    sections: tuple[Section, ...]
    facts: Mapping[str, Any] = field(default_factory=dict)
    success: Success = Success.UNCONFIRMED
    notes: tuple[Note, ...] = ()

    def of_kind(self, kind: str) -> tuple[Section, ...]:
        """Return the sections of one kind, in order."""
        return tuple(section for section in self.sections if section.kind == kind)


@dataclass(frozen=True, slots=True)
class PassedOver:
    """Something that is meant to be no record of its own (a pull request among issues)."""

    where: str
    why: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """A record that was not imported: where it stands and why; ``field`` where one is to blame."""

    where: str
    why: str
    field: str = ""


Record = Trajectory | Question | Document
