"""Snippets of one file for ``issue_fix_locate``: equal in kind, never overlapping.

The file is cut into pieces between its blocks before it is known which piece is right, so that
the right one has no length or shape of its own.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from generation.core.subtask import OptionDraft, Rejection

OPERATOR = "same_file_snippet"
LINES = 24
"""Lines of a piece, about."""
_BEGINS = re.compile(
    r"(?:@\w|(?:async\s+)?def\s|class\s|function\s|func\s|fn\s|impl\s|public\s|private\s)"
)


@dataclass(frozen=True, slots=True)
class Piece:
    """Lines ``start`` to ``stop`` - 1 (0-based) of a file, blank ones at the ends left out."""

    start: int
    stop: int
    text: str


def pieces_of(source: str, *, lines: int = LINES) -> tuple[Piece, ...]:
    """Return the pieces of a file in order; together they hold each line that is not blank.

    A piece has from ``lines`` / 2 to ``lines`` * 2 lines but for the last, and is cut before a
    definition or after a blank line where there is one.
    """
    rows = source.splitlines()
    cuts = [0]
    while len(rows) - cuts[-1] > lines * 3 // 2:
        first, last = cuts[-1] + lines // 2, min(len(rows) - 1, cuts[-1] + lines * 2)
        aim = cuts[-1] + lines
        cuts.append(min(range(first, last), key=lambda at: (_badness(rows, at), abs(at - aim))))
    return tuple(
        piece
        for start, stop in pairwise([*cuts, len(rows)])
        if (piece := _piece(rows, start, stop))
    )


def snippet_options(
    source: str,
    changed: Sequence[int],
    seed: int,
    *,
    key: str,
    choices: int = 4,
    lines: int = LINES,
) -> tuple[OptionDraft, ...] | Rejection:
    """Return ``choices`` pieces of a file, the one that the fix changes first, or why not.

    Args:
        source: The file at the base commit.
        changed: The lines (1-based) that the gold patch removes or stands beside.
        seed: Of the choice, with ``key``, the question's own.
        key: What tells the question from others.
        choices: Options to return.
        lines: See ``pieces_of``.

    Wrong pieces share no two neighbouring lines with the right one or with one another, and leave
    at least one line of it out.
    """
    pieces = pieces_of(source, lines=lines)
    hit = [piece for piece in pieces if any(piece.start < n <= piece.stop for n in changed)]
    if len(hit) != 1:
        return Rejection(1, f"the fix changes {len(hit)} pieces of the file, not one")
    (gold,) = hit
    random = Random(f"snippets\x1f{seed}\x1f{key}")  # noqa: S311 - a choice, not a secret
    chosen = [gold]
    for piece in random.sample(pieces, len(pieces)):
        if len(chosen) == choices:
            break
        if piece is not gold and not any(_overlap(piece, other) for other in chosen):
            chosen.append(piece)
    if len(chosen) < choices:
        return Rejection(1, f"the file has {len(chosen)} pieces that share no lines")
    covered = {line for piece in chosen[1:] for line in _code(piece.text)}
    if covered.issuperset(_code(gold.text)):
        return Rejection(1, "every line of the right piece stands in another one as well")
    right = OptionDraft(gold.text, "gold", "The fix changes these lines.", is_gold=True)
    return (right, *(_wrong(piece) for piece in chosen[1:]))


def _badness(rows: Sequence[str], at: int) -> int:
    if _BEGINS.match(rows[at]) and not rows[at - 1].strip():
        return 0
    if _BEGINS.match(rows[at].lstrip()) and not rows[at - 1].strip():
        return 1
    return 2 if not rows[at - 1].strip() else 3


def _piece(rows: Sequence[str], start: int, stop: int) -> Piece | None:
    while start < stop and not rows[start].strip():
        start += 1
    while stop > start and not rows[stop - 1].strip():
        stop -= 1
    return Piece(start, stop, "\n".join(rows[start:stop])) if start < stop else None


def _code(text: str) -> list[str]:
    return [line for line in map(str.strip, text.splitlines()) if line]


def _overlap(left: Piece, right: Piece) -> bool:
    """Return whether two pieces share two neighbouring lines, or one is all within the other."""
    pairs = set(pairwise(_code(left.text)))
    if pairs.intersection(pairwise(_code(right.text))):
        return True
    lines, others = set(_code(left.text)), set(_code(right.text))
    return lines <= others or others <= lines


def _wrong(piece: Piece) -> OptionDraft:
    return OptionDraft(
        text=piece.text,
        operator=OPERATOR,
        reason=f"Lines {piece.start + 1} to {piece.stop} of the file; the fix leaves them alone.",
    )
