"""The gold and the distractors of an item, told apart."""

from collections.abc import Iterator

from generation.core.items import Item
from generation.core.labels import index_of
from generation.core.selection.texts import words
from generation.core.subtask import AnswerFormat, Reader

_SHORTEST = 2


def has_options(item: Item) -> bool:
    """Say whether the item is answered by choosing among options."""
    return item.subtask.answer_format is not AnswerFormat.COMPLETION


def option_index(item: Item, label: str) -> int | None:
    """Return the 0-based index of the option that ``label`` names; None when there is none."""
    try:
        index = index_of(label)
    except ValueError:
        return None
    return index if index < len(item.options) else None


def gold_indexes(item: Item) -> frozenset[int]:
    """Return the indexes of the gold options that exist; empty for completion."""
    if not has_options(item):
        return frozenset()
    found = (option_index(item, label) for label in item.gold)
    return frozenset(index for index in found if index is not None)


def distractors(item: Item) -> Iterator[tuple[int, str]]:
    """Yield index and text of every wrong option; nothing where no gold option exists."""
    gold = gold_indexes(item)
    if gold:
        yield from ((index, text) for index, text in enumerate(item.options) if index not in gold)


def gold_texts(item: Item) -> tuple[str, ...]:
    """Return the texts of the right answers: the gold options' or the completion's own."""
    if has_options(item):
        return tuple(item.options[index] for index in sorted(gold_indexes(item)))
    return item.gold


def gold_commands(item: Item) -> tuple[str, ...]:
    """Return the commands that are right, whole; empty where no command is asked for."""
    return item.gold if item.subtask.reader is Reader.COMMAND else ()


def holds_answer(text: str, answer: str) -> bool:
    """Return whether a text holds an answer as whole words, both without case and marks.

    An answer of a single character or digit may stand anywhere by chance: it is never found.
    """
    wanted, held = f" {' '.join(words(answer))} ", f" {' '.join(words(text))} "
    return len(wanted) >= _SHORTEST + 2 and wanted in held
