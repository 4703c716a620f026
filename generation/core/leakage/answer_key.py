"""Fields of a prompt that give the answer or the outcome away by their name."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_FIELD = re.compile(
    r"(?<![\w.])(?P<quote>[\"'`]?)"
    r"(?P<name>next_step|next_action|next_thought|gold|gold_answer|gold_label|gold_option|answer"
    r"|answers|correct_answer|correct_option|reference_answer|query_answer|final_answer|ground_truth"
    r"|expected_answer|golden_answer|golden_patch|gold_patch|test_patch|resolved|is_resolved"
    r"|resolution_status|exit_status|fail_to_pass|pass_to_pass)"
    r"(?P=quote)\s{0,4}[:=]\s{0,4}(?=(?P<value>[^\n]{1,200}))",
    re.ASCII,
)
_OUTCOME_NAMES = frozenset({"exit_status"})
_QUOTED_ONLY = frozenset({"answer", "answers", "gold"})
_PLACEHOLDER = re.compile(
    r"[\"'`]?\s*(?:<|\.\.\.|…|\$|\[\s*(?:\.\.\.|your|\])|\{|your\b|the\b|a\b|an\b|string\b|str\b|null\b|none\b"
    r"|[\"'`]\s*(?:[,}\]]|$)|[,}\])]|_+|\?)"
)
_VALUE = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'|[^\s,;}\])]+(?: [^\s,;}\])]+){0,7}")


@dataclass(frozen=True, slots=True)
class KeyField:
    """A field that tells: normalised offsets of name and value, and what it tells."""

    start: int
    end: int
    kind: str


def answer_fields(text: str, start: int, end: int) -> Iterator[KeyField]:
    """Yield fields such as ``"next_step": ...`` or ``resolved: true`` within ``text[start:end]``.

    ``text`` is normalised. ``answer`` and ``gold`` count only as quoted keys, since prompts end
    with a bare ``Answer:``; a value that is a placeholder never counts.
    """
    for match in _FIELD.finditer(text, start, end):
        name, value = match.group("name"), match.group("value")
        if name in _QUOTED_ONLY and not match.group("quote"):
            continue
        found = _VALUE.match(value)
        if found is None or _PLACEHOLDER.match(value):
            continue
        kind = "outcome" if name in _OUTCOME_NAMES else "answer_key"
        yield KeyField(match.start(), match.start("value") + found.end(), kind)
