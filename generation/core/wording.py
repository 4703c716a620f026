"""What an edit may change of a question, and the rules that the new wording must keep."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from generation.core.labels import index_of
from generation.core.prompts import slot_names
from generation.core.subtask import AnswerFormat, Subtask

LONGEST = 200_000
"""Characters of the longest text that can be edited; a longer one stays as it is."""

_NOT_TEXTS = frozenset({"options", "history"})


@dataclass(frozen=True, slots=True)
class Wording:
    """The texts of a question that people can change.

    ``slots`` are the prompt's texts by slot name, ``options`` the option texts in the given
    order, ``gold`` labels of options (choice formats) or accepted texts (completion).
    """

    slots: Mapping[str, str]
    options: tuple[str, ...]
    gold: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rules:
    """What a wording is held to: the subtask's rules, and how many options there were.

    An imported question may have another number of options than its subtask allows: it may
    keep it. Its answers are read without stop strings.
    """

    subtask: Subtask
    before: Wording
    imported: bool = False

    def allows(self, count: int) -> bool:
        """Return whether a question may have that many options."""
        allowed = self.subtask.choices
        return count == len(self.before.options) or (allowed is not None and count in allowed)

    @property
    def most(self) -> int:
        """The highest number of options that the question may have, 0 for completion."""
        allowed = self.subtask.choices
        return max(len(self.before.options), allowed[-1]) if allowed else 0


def editable_slots(subtask: Subtask, slots: Mapping[str, str], *, all_own: bool) -> dict[str, str]:
    """Return the texts that can be edited, in the prompt's order, of all that a prompt shows.

    ``all_own``: the question holds all its texts itself. Else its history is its run's. Options
    are edited by themselves. Texts of more than ``LONGEST`` characters are left out, and so is
    what would make the whole longer than twice that.
    """
    names = [name for name in slot_names(subtask.prompt.block) if name in slots]
    if all_own:
        names += [name for name in slots if name not in names]
    left = 2 * LONGEST
    found: dict[str, str] = {}
    for name in names:
        is_text = name not in _NOT_TEXTS or (all_own and name == "history")
        if is_text and len(slots[name]) <= min(LONGEST, left):
            found[name] = slots[name]
            left -= len(slots[name])
    return found


def line_ends_unified(text: str) -> str:
    """Return a text with every line end as a newline: forms send them as pairs."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def kept_or_new(before: str, sent: str) -> str:
    """Return the text as it was where the sent one differs in line ends alone, else the sent one."""
    unified = line_ends_unified(sent)
    return before if unified == line_ends_unified(before) else unified


def problems(wording: Wording, rules: Rules) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a wording, as field and sentence.

    Fields are ``slot_<name>``, ``option_<position>`` (0-based, given order), ``options``,
    ``gold`` and ``gold_<index>``; ``""`` is the whole.
    """
    yield from _slot_problems(wording, rules)
    if rules.subtask.answer_format is AnswerFormat.COMPLETION:
        yield from _written_gold_problems(wording, rules)
    else:
        yield from _option_problems(wording, rules)
    if wording == rules.before:
        yield "", "Nothing is changed: the text is the same as before."


def _slot_problems(wording: Wording, rules: Rules) -> Iterator[tuple[str, str]]:
    for name, text in wording.slots.items():
        if len(text) > LONGEST:
            yield f"slot_{name}", "This text is longer than 200,000 characters."
        elif not text.strip() and rules.before.slots.get(name, "").strip():
            yield f"slot_{name}", "This text can't be empty."


def _option_problems(wording: Wording, rules: Rules) -> Iterator[tuple[str, str]]:
    for position, text in enumerate(wording.options):
        if len(text) > LONGEST:
            yield f"option_{position}", "This text is longer than 200,000 characters."
    if not rules.allows(len(wording.options)):
        yield "options", "The subtask wants another number of options."
    if any(index_of(label) >= len(wording.options) for label in wording.gold):
        yield "gold", "Gold must be one of the options."
    if not wording.gold:
        yield "gold", "Say which option is gold."
    elif rules.subtask.answer_format is AnswerFormat.CHOICE and len(wording.gold) > 1:
        yield "gold", "Only one option can be gold."


def _written_gold_problems(wording: Wording, rules: Rules) -> Iterator[tuple[str, str]]:
    if not wording.gold:
        yield "gold", "Write at least one accepted text."
    for index, text in enumerate(wording.gold):
        if len(text) > LONGEST:
            yield f"gold_{index}", "This text is longer than 200,000 characters."
        elif not rules.imported and any(stop in text for stop in rules.subtask.stop):
            yield f"gold_{index}", "It holds what ends a model's answer, so no model could give it."
