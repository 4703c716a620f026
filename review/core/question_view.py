"""The question's options as one reviewer sees them: shuffled, under displayed labels only."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import dedent

from generation.core.labels import index_of, label_of
from review.core.display import shown
from review.core.edits import patch_marks
from review.core.json_syntax import json_syntax
from review.core.marks import Mark, Segment, segments
from review.core.presentation import shown_order

# An indented line that is no point of a list, a call, a diff.
_CODE = re.compile(r"^(?: {2,}|\t)(?![-*+•>\d])\S|^\{\"|^diff --git |^@@ ", re.MULTILINE)
_LONG = 1_000
_MOST_LINES_OF_CODE = 6
_EXCERPT = 400


@dataclass(frozen=True, slots=True)
class ShownOption:
    """An option under its displayed label; nothing tells where it stands in the given order."""

    label: str
    text: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class Labels:
    """Translates displayed labels to positions in the given order and back."""

    order: tuple[int, ...]

    @classmethod
    def for_reader(cls, *, revision: int, reviewer: int, count: int, secret: str) -> "Labels":
        """Return the order that this person sees for this revision, the same on every page.

        ``secret`` keeps others from working out what letter a person sees an option under: the
        two numbers stand in addresses and exports.
        """
        return cls(shown_order(f"{secret}:{revision}:{reviewer}", count))

    def positions_of(self, labels: Iterable[str]) -> tuple[int, ...]:
        """Return the given-order positions of displayed labels, sorted.

        Raises:
            ValueError: a label is not displayed.
        """
        return tuple(sorted(self.position_of(label) for label in labels))

    def position_of(self, label: str) -> int:
        """Return the given-order position of a displayed label.

        Raises:
            ValueError: the label is not displayed.
        """
        index = index_of(label)
        if index >= len(self.order):
            msg = f"no option {label}: {len(self.order)} are shown"
            raise ValueError(msg)
        return self.order[index]

    def label_at(self, position: int) -> str:
        """Return the displayed label of a given-order position.

        Raises:
            ValueError: there is no such position.
        """
        return label_of(self.order.index(position))

    def shown(
        self, texts: Sequence[str], marks: Mapping[int, Sequence[Mark]] | None = None
    ) -> tuple[ShownOption, ...]:
        """Return the options in displayed order; ``marks`` are by given-order position."""
        by_position = marks or {}
        return tuple(
            ShownOption(label_of(index), _text_of(texts[position], by_position.get(position, ())))
            for index, position in enumerate(self.order)
        )


def _text_of(text: str, marks: Sequence[Mark]) -> tuple[Segment, ...]:
    return segments(text, marks, syntax=json_syntax(text) or patch_marks(text))


def hold_code(texts: Iterable[str]) -> bool:
    """Return whether any of the options reads as code: an indented line, JSON, or a diff.

    All options of a question are then set in one typeface, so that it says nothing of any one.
    """
    return any(_CODE.search(text) for text in texts)


def need_room(texts: Sequence[str]) -> bool:
    """Return whether the options are read in the wide column: one is long, or code of many lines.

    All options of a question are then read there.
    """
    if any(len(text) > _LONG for text in texts):
        return True
    return hold_code(texts) and any(text.count("\n") >= _MOST_LINES_OF_CODE for text in texts)


def excerpts(texts: Sequence[str]) -> tuple[str, ...]:
    """Return what tells long options apart at a glance: 400 characters of each, fit to show.

    Lines with which all of them begin are left out, an ellipsis stands for them.
    """
    lines = [text.strip("\n").split("\n") for text in texts]
    same = 0
    if len(lines) > 1:
        least = min(map(len, lines))
        while same < least - 1 and all(each[same] == lines[0][same] for each in lines):
            same += 1
    lead = "… " if same else ""
    return tuple(
        lead + shown(dedent("\n".join(each[same:]).lstrip("\n")[:_EXCERPT])).text.rstrip()
        for each in lines
    )


def read_gold(gold: Iterable[str], count: int) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Return the positions that gold's labels name, and the labels that name none of the options.

    ``count`` is how many options there are. An imported question may name one that is not there.
    """
    found: list[int] = []
    missing: list[str] = []
    for label in gold:
        try:
            position = index_of(label)
        except ValueError:
            position = count
        if position < count:
            found.append(position)
        else:
            missing.append(label)
    return tuple(found), tuple(missing)
