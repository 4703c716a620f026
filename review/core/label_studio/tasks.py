"""Tasks of Label Studio: a revision as a reviewer would see it, and reviews as annotations.

The format is that of Label Studio 1.23: https://labelstud.io/guide/task_format
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from html import escape
from typing import Any

from generation.core.labels import index_of, label_of
from generation.core.subtask import AnswerFormat
from review.core.display import shown
from review.core.label_studio import controls
from review.core.label_studio.controls import Phase
from review.core.presentation import shown_order
from review.core.question_view import read_gold
from review.core.render import Content, in_order, render_prompt
from review.core.review_answers import ReviewAnswers

_QUESTIONS = {
    AnswerFormat.CHOICE: "Which option is right?",
    AnswerFormat.CHOICES: "Which of these hold? Choose all that do.",
    AnswerFormat.COMPLETION: "What comes next? Write the answer.",
}


@dataclass(frozen=True, slots=True)
class ShownFinding:
    """A finding that needs a person's word: ``key`` is the same in every database."""

    key: str
    text: str


@dataclass(frozen=True, slots=True)
class Item:
    """A revision to export; ``order`` says which option of the given order stands at each label.

    ``asks_success`` is set where nobody knows yet whether the run solved its task.
    """

    key: str
    content: Content
    order: tuple[int, ...]
    findings: tuple[ShownFinding, ...] = ()
    asks_success: bool = False


@dataclass(frozen=True, slots=True)
class Said:
    """A review with its blind answer; ``key`` is the review's own and never used twice.

    ``reviewer`` is a pseudonym; ``positions`` are in the given order.
    """

    key: str
    reviewer: str
    sent_at: datetime
    positions: tuple[int, ...]
    text: str
    not_determined: bool
    confidence: int
    seconds: float
    answers: ReviewAnswers
    findings: Mapping[str, tuple[str, str]] = field(default_factory=dict)


def revision_key(*, subtask: str, source: str, cut: int, number: int) -> str:
    """Return what a task names its revision by; ``source`` is the digest of its content.

    Nothing in it is of one database: the same import elsewhere gives the same key.
    """
    return f"{subtask}/{source}/{cut}/{number}"


def task_order(key: str, count: int, *, secret: str) -> tuple[int, ...]:
    """Return which option of the given order stands at each label, the same in every export.

    ``secret`` keeps annotators from working the given order out.
    """
    return shown_order(f"{secret}:{key}", count)


def task_of(item: Item, phase: Phase, reviews: Sequence[Said] = ()) -> dict[str, Any]:
    """Return the task; its id is drawn from the key, so that it never changes."""
    content = replace(in_order(replace(item.content, gold=()), item.order), gold=item.content.gold)
    is_choice = not content.is_completion
    gold, missing = read_gold(content.gold, len(content.options)) if is_choice else ((), ())
    labels = sorted(label_of(item.order.index(position)) for position in gold)
    data: dict[str, Any] = {
        controls.KEY: item.key,
        "subtask": content.subtask.name,
        "language": content.source.language,
        "question": _QUESTIONS[content.subtask.answer_format],
        controls.SHOWN: shown(render_prompt(content)).text,
        "options": [_option(index, text) for index, text in enumerate(content.options)],
        "option_texts": list(content.options),
    }
    if phase is not Phase.BLIND:
        data |= {
            "gold": _gold_text(content, labels, missing),
            "gold_labels": labels,
            "findings": _findings_text(item.findings),
            "finding_keys": [finding.key for finding in item.findings],
            "asks_success": item.asks_success,
        }
    annotations = [_annotation(item, each) for each in reviews]
    return {"id": _number(item.key), "data": data, "annotations": annotations}


def _option(index: int, text: str) -> dict[str, str]:
    label = label_of(index)
    return {"value": label, "html": f"<b>{label}</b> {escape(shown(text).text)}"}


def _gold_text(content: Content, labels: Sequence[str], missing: Sequence[str]) -> str:
    if content.is_completion:
        return "\n".join(shown(text).text for text in content.gold)
    texts = [f"({label}) {shown(content.options[index_of(label)]).text}" for label in labels]
    return "\n".join([*texts, *(f"{label}: no option has this label" for label in missing)])


def _findings_text(findings: Sequence[ShownFinding]) -> str:
    lines = (f"{number}. {each.text}" for number, each in enumerate(findings, start=1))
    return "\n".join(lines) or "none"


def _annotation(item: Item, said: Said) -> dict[str, Any]:
    results = [
        _result(said.key, name, kind, value) for name, kind, value in _values(item, said) if value
    ]
    return {
        "id": _number(said.key),
        "created_username": said.reviewer,
        "created_at": said.sent_at.isoformat(),
        "updated_at": said.sent_at.isoformat(),
        "lead_time": round(said.seconds, 1),
        "was_cancelled": False,
        # Label Studio takes an annotation that does not say for ground truth.
        "ground_truth": False,
        "result": results,
    }


def _values(item: Item, said: Said) -> list[tuple[str, str, Any]]:
    """Return (control, kind of control, value) in the order of the configuration."""
    labels = {position: label_of(index) for index, position in enumerate(item.order)}
    answers = said.answers
    is_text = item.content.is_completion
    values: list[tuple[str, str, Any]] = [
        (controls.ANSWER, "text", [said.text])
        if is_text and said.text
        else (controls.ANSWER, "choices", sorted(labels[position] for position in said.positions)),
        (
            controls.NOT_DETERMINED,
            "choices",
            [controls.IS_NOT_DETERMINED] if said.not_determined else [],
        ),
        (controls.CONFIDENCE, "rating", said.confidence),
        (
            controls.SAME_MEANING,
            "choices",
            [controls.MEANS_THE_SAME] if answers.same_meaning else [],
        ),
    ]
    for name in controls.RATINGS:
        explained = getattr(answers, controls.why(name))
        values.append((name, "choices", [str(getattr(answers, name))]))
        values.append((controls.why(name), "text", [explained] if explained else []))
    for position, verdict in sorted(answers.option_verdicts.items(), key=lambda v: labels[v[0]]):
        values.append((controls.option(labels[position]), "choices", [verdict]))
    for number, finding in enumerate(item.findings, start=1):
        verdict, word = said.findings.get(finding.key, ("", ""))
        values.append((controls.finding(number), "choices", [verdict] if verdict else []))
        values.append((controls.finding_word(number), "text", [word] if word else []))
    if answers.source_is_success is not None:
        yes = controls.YES if answers.source_is_success else controls.NO
        values.append((controls.SUCCESS, "choices", [yes]))
    return [
        *values,
        (controls.DECISION, "choices", [answers.decision]),
        (controls.REASON, "choices", [answers.reject_reason] if answers.reject_reason else []),
        (controls.COMMENT, "text", [answers.comment] if answers.comment else []),
        (controls.REVIEWER, "text", [said.reviewer]),
        (controls.REVIEWED_AT, "text", [said.sent_at.isoformat()]),
    ]


def _result(key: str, name: str, kind: str, value: Any) -> dict[str, Any]:
    return {
        "id": f"{key}:{name}",
        "from_name": name,
        "to_name": controls.SHOWN,
        "type": "textarea" if kind == "text" else kind,
        "origin": "manual",
        "value": {kind: value},
    }


def _number(key: str) -> int:
    """Return a number that JavaScript and every database hold whole."""
    return int.from_bytes(sha256(key.encode()).digest()[:6])
