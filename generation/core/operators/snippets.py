"""Snippets of one file for ``issue_fix_locate``: equal in kind, never overlapping.

The file is cut into pieces between its blocks before it is known which piece is right, so that
the right one has no shape of its own. Changes fall into long pieces more often than into short
ones, and into code more often than into imports: so only pieces with code are taken, and of several
choices of wrong ones that is kept which brings the right one nearest to ranks drawn for the soft
cues (length, marks, likeness to the others, rare words, words kept up).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from types import MappingProxyType

from generation.core.selection.soft_ranks import distance, drawn_ranks
from generation.core.subtask import OptionDraft, PoolEntry, Rejection

OPERATOR = "same_file_snippet"
LINES = 24
"""Lines of a piece of a long file, about."""
FEWEST_LINES = 6
"""Lines of a piece of a short file, about."""
_PIECES = 8
"""Pieces that a file is cut into at least, where it is long enough."""
_TRIALS = 24
_FEWEST_STATEMENTS = 3
_NO_CODE = re.compile(r"(?:import\b|from\b.*\bimport\b|#|//|/?\*|@|[\W\d_]*$)")
_BEGINS = re.compile(
    r"(?:@\w|(?:async\s+)?def\s|class\s|function\s|func\s|fn\s|impl\s|public\s|private\s)"
)


@dataclass(frozen=True, slots=True)
class Piece:
    """Lines ``start`` to ``stop`` - 1 (0-based) of a file, blank ones at the ends left out."""

    start: int
    stop: int
    text: str


def pieces_of(source: str, *, lines: int = 0) -> tuple[Piece, ...]:
    """Return the pieces of a file in order; together they hold each line that is not blank.

    A piece has from ``lines`` / 2 to ``lines`` * 2 lines but for the last, and is cut before a
    definition or after a blank line where there is one. Without ``lines`` it has an eighth of the
    file's, ``FEWEST_LINES`` at least and ``LINES`` at most.
    """
    rows = source.replace("\r\n", "\n").split("\n")
    lines = lines or max(FEWEST_LINES, min(LINES, len(rows) // _PIECES))
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


def piece_at(source: str, changed: Sequence[int]) -> Piece | str:
    """Return the only piece of a file that holds some of the lines (1-based), or why there is none."""
    hit = [p for p in pieces_of(source) if any(p.start < n <= p.stop for n in changed)]
    if len(hit) != 1:
        return f"the fix changes {len(hit)} pieces of the file, not one"
    return hit[0] if has_code(hit[0].text) else "the piece that the fix changes holds no code"


def has_code(text: str) -> bool:
    """Return whether a piece has three lines or more that are no imports, comments or marks."""
    lines = [line for line in _code(text) if not _NO_CODE.match(line)]
    return len(lines) >= _FEWEST_STATEMENTS


def snippet_options(
    entries: Sequence[PoolEntry], seed: int, *, choices: int
) -> Mapping[str, tuple[OptionDraft, ...] | Rejection]:
    """Return for each entry's key ``choices`` pieces of the file, gold first, or why there are none.

    The right answer of an entry is a whole piece of one of its document's files. Wrong ones share
    no two neighbouring lines with it or with one another, and leave at least one line of it out. The
    same entries, in any order, and seed give the same options.
    """
    ordered = sorted(entries, key=lambda entry: entry.key)
    random = Random(f"snippets\x1f{seed}")  # noqa: S311 - a choice, not a secret
    ranks = drawn_ranks([entry.key for entry in ordered], choices, random)
    found: dict[str, tuple[OptionDraft, ...] | Rejection] = {}
    for entry in ordered:
        own = Random(f"snippets\x1f{seed}\x1f{entry.key}")  # noqa: S311 - a choice, not a secret
        made = _options(entry, ranks[entry.key], own, choices)
        found[entry.key] = Rejection(entry.draft.cut, made) if isinstance(made, str) else made
    return MappingProxyType(found)


def _options(
    entry: PoolEntry, ranks: Mapping[str, int], random: Random, choices: int
) -> tuple[OptionDraft, ...] | str:
    files = entry.document.of_kind("file") if entry.document else ()
    cut = (pieces_of(file.text) for file in files)
    pieces = next((each for each in cut if any(p.text == entry.draft.gold for p in each)), ())
    gold = next((piece for piece in pieces if piece.text == entry.draft.gold), None)
    if gold is None:
        return "no file of the source holds the right excerpt"
    others = [p for p in pieces if p is not gold and has_code(p.text) and not _overlap(p, gold)]
    sets = [
        wrong
        for _ in range(_TRIALS)
        if (wrong := _apart(random.sample(others, len(others)), choices - 1))
    ]
    if not sets:
        return f"the file has fewer than {choices} pieces with code that share no lines"
    sets = [wrong for wrong in sets if not _covered(gold, wrong)]
    if not sets:
        return "every line of the right piece stands in another one as well"
    best = min(sets, key=lambda wrong: distance([p.text for p in (gold, *wrong)], ranks))
    right = OptionDraft(gold.text, "gold", "The fix changes these lines.", is_gold=True)
    return (right, *(_wrong(piece) for piece in best))


def _apart(pieces: Sequence[Piece], wanted: int) -> list[Piece]:
    """Return the first ``wanted`` pieces that share no lines; none where there are fewer."""
    chosen: list[Piece] = []
    for piece in pieces:
        if not any(_overlap(piece, other) for other in chosen):
            chosen.append(piece)
        if len(chosen) == wanted:
            return chosen
    return []


def _covered(gold: Piece, wrong: Sequence[Piece]) -> bool:
    lines = {line for piece in wrong for line in _code(piece.text)}
    return lines.issuperset(_code(gold.text))


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
