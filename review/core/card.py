"""Writes the dataset card of a release: what it is, how it was made, how to score on it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from generation.core.registry import SUBTASKS

_FEW = 100
_VERDICTS = {
    "passes": "passes",
    "fails": "**fails**",
    "too_few": "too few to say",
    "no_limit": "no limit",
}


@dataclass(frozen=True, slots=True)
class Audited:
    """What the audit's gate says of a subtask: items, how many are needed, verdict, and why."""

    subtask: str
    items: int
    needed: int
    verdict: str
    reasons: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class CardFacts:
    """What the card states; counts are of test items, shots None where nothing tells them."""

    name: str
    version: str
    frozen_at: str
    validation: str
    shots: int
    canary: str
    counts: Mapping[str, int]
    clusters: Mapping[str, int]
    shot_counts: Mapping[str, int | None]
    licences: Mapping[str, int]
    allowed_licences: Sequence[str] = ()
    blind_correct: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    findings: Mapping[str, int] = field(default_factory=dict)
    left_out: Sequence[tuple[str, str]] = ()
    held_out: Mapping[str, int] = field(default_factory=dict)
    prompts_note: str = ""
    audited: Sequence[Audited] = ()
    despite_audit: str = ""


def render_card(facts: CardFacts) -> str:
    """Return the card as Markdown."""
    parts = [
        f"# {facts.name} {facts.version}",
        _what(facts),
        _composition(facts),
        _validation(facts),
        _audit(facts),
        _limits(facts),
        _licences(facts),
        _how_to_score(),
        f"Canary: `{facts.canary}`. A text that holds it should not be trained on.",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _what(facts: CardFacts) -> str:
    return (
        "Questions cut out of real agent trajectories and documents. They show how far a base\n"
        "language model would come as an agent: multiple choice and text completion on planning,\n"
        f"acting and single skills. Frozen at {facts.frozen_at}; validation: {facts.validation}."
    )


def _composition(facts: CardFacts) -> str:
    rows = [
        f"| {name} | {SUBTASKS[name].scenario.value} | {SUBTASKS[name].ability.value} "
        f"| {SUBTASKS[name].answer_format.value} | {count} | {facts.clusters[name]} "
        f"| {_shots(facts, name)} |"
        for name, count in sorted(facts.counts.items())
    ]
    head = (
        "## Composition\n\n"
        "| subtask | scenario | ability | format | items | clusters | worked examples |\n"
        "|---|---|---|---|---:|---:|---:|"
    )
    note = f"\n\n{facts.prompts_note}" if facts.prompts_note else ""
    return "\n".join([head, *rows]) + note


def _shots(facts: CardFacts, subtask: str) -> str:
    count = facts.shot_counts.get(subtask, 0)
    return "unknown" if count is None else str(count)


def _validation(facts: CardFacts) -> str:
    if facts.blind_correct:
        rows = [
            f"| {name} | {right} of {total} |"
            for name, (right, total) in sorted(facts.blind_correct.items())
        ]
        head = (
            "## Validation\n\n"
            "Each item was answered blind and then judged by independent reviewers; it entered\n"
            "when all approved it, or by a lead's decision on a dispute. Blind answers that\n"
            "matched gold:\n\n| subtask | blind answers right |\n|---|---:|"
        )
        return "\n".join([head, *rows])
    lines = [
        "## Validation",
        "",
        "None: the set was imported as it is. What the automatic checks found in it:",
        "",
        "| finding | count |",
        "|---|---:|",
        *(f"| {kind} | {count} |" for kind, count in sorted(facts.findings.items())),
    ]
    if facts.left_out:
        lines += ["", "Left out, since no answer could be right:", ""]
        lines += [f"- {name}: {why}" for name, why in facts.left_out]
    return "\n".join(lines)


def _audit(facts: CardFacts) -> str:
    """Return what attacks on the options alone say; nothing where no subtask is answered by choice."""
    if not facts.audited:
        return ""
    rows = [
        f"| {one.subtask} | {one.items} | {one.needed} | {_VERDICTS[one.verdict]} |"
        for one in facts.audited
    ]
    lines = [
        "## Can gold be told without the question?",
        "",
        "Some twenty attacks saw the options alone; a set passes where none is right more often",
        "than guessing.",
        "",
        "| subtask | items | needed to say | verdict |",
        "|---|---:|---:|---|",
        *rows,
    ]
    failed = [f"- {one.subtask}: {why}" for one in facts.audited for why in _failing(one)]
    if failed:
        reason = " ".join(facts.despite_audit.split())
        lines += ["", f"Frozen all the same, for this reason: {reason}", "", *failed]
    return "\n".join(lines)


def _failing(one: Audited) -> Sequence[str]:
    return one.reasons if one.verdict == "fails" else ()


def _limits(facts: CardFacts) -> str:
    """Return what a score on this set can't tell."""
    few = sorted(name for name, count in facts.counts.items() if count < _FEW)
    lines = [
        "## Known limits",
        "",
        "- Distractors made by rules are real steps of other work: they are not guessable from",
        "  the options alone, but one who reads the question tells many of them by their topic.",
        "- One right answer is kept for each question; another way to go on may be as good.",
        *(
            f"- {count} approved items were held out: {why}."
            for why, count in facts.held_out.items()
        ),
    ]
    if few:
        lines.append(f"- Fewer than {_FEW} items, so that intervals are wide: {', '.join(few)}.")
    return "\n".join(lines)


def _licences(facts: CardFacts) -> str:
    rows = [f"| {name} | {count} |" for name, count in sorted(facts.licences.items())]
    head = "## Licences of the sources\n\n| licence | items |\n|---|---:|"
    allowed = ", ".join(facts.allowed_licences)
    note = f"\n\nEntered by explicit permission: {allowed}." if allowed else ""
    return "\n".join([head, *rows]) + note


def _how_to_score() -> str:
    return (
        "## How to score\n\n"
        "A prompt is the text of `prompts/<subtask>.txt` followed by the item's `prompt`. Give\n"
        "it to the model at temperature 0 with the item's `max_new_tokens` and `stop`, write one\n"
        'JSON object a line, `{"id": ..., "output": ...}`, and run in this folder:\n\n'
        "    python -m scorer PREDICTIONS\n\n"
        "It needs Python alone. Every item is in the denominator, answered or not."
    )
