"""The digest that says whether two records are the same content."""

import hashlib
from typing import Any

import orjson

from generation.core.records import CONTEXT, Document, Question, Record, Section, Step, Trajectory


def content_digest(record: Record) -> str:
    """Return the SHA-256 (64 hexadecimal digits) of a record's normalised content.

    A trajectory is its task, its steps and its answers: where it comes from, how its success is
    known, its declared tools, system prompt and notes stay out, and line ends, blanks around
    texts and runs of blanks in actions do not count, so that one run written in two formats is
    one content. A question is its row and its place (file and line): repeated rows are kept.
    A document is its kind, its title and its sections' texts; facts and what was found beside it
    (``CONTEXT``) stay out, so that a count of reactions that grew makes no second document.
    """
    # surrogates never reach a record, so every text encodes
    return hashlib.sha256(orjson.dumps(_content(record), option=orjson.OPT_SORT_KEYS)).hexdigest()


def _content(record: Record) -> dict[str, Any]:
    if isinstance(record, Question):
        return _of_question(record)
    if isinstance(record, Document):
        return _of_document(record)
    return _of_trajectory(record)


def _of_document(document: Document) -> dict[str, Any]:
    return {
        "is": "document",
        "kind": document.provenance.kind,
        "cluster": document.provenance.cluster,
        "language": str(document.language),
        "title": _plain(document.title),
        "sections": [
            _of_section(section) for section in document.sections if section.kind not in CONTEXT
        ],
    }


def _of_section(section: Section) -> list[str]:
    return [section.kind, _plain(section.title), _plain(section.text)]


def _of_question(question: Question) -> dict[str, Any]:
    return {
        "is": "question",
        "where": question.provenance.where,
        "subtask": question.subtask,
        "row": dict(question.raw),
    }


def _of_trajectory(trajectory: Trajectory) -> dict[str, Any]:
    return {
        "is": "trajectory",
        "language": str(trajectory.language),
        "task": _plain(trajectory.task),
        "steps": [_of_step(step) for step in trajectory.steps],
        "final_answer": _plain(trajectory.outcome.final_answer),
        "reference_answer": _plain(trajectory.outcome.reference_answer),
    }


def _of_step(step: Step) -> list[str]:
    return [
        _plain(step.thought),
        step.tool,
        " ".join(step.action.split()),
        _plain(step.observation),
    ]


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").strip()
