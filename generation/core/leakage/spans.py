"""Verbatim stretches of the future in a passage, merged and extended to their full length."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generation.core.items import Severity
from generation.core.leakage.atoms import is_usual_path
from generation.core.leakage.first_seen import FirstSeenMap, Origin
from generation.core.leakage.looked_up import windows_touching
from generation.core.leakage.passage import Passage, dilated, runs
from generation.core.leakage.tokens import word_character

STRONG_WEIGHT = 8
"""Words (a Chinese character counts half) from which a verbatim stretch is severity 2."""

WEAK_WEIGHT = 5
"""Words from which a verbatim stretch is severity 1."""

SHORTEST_PIECE = 24
"""Characters, blanks not counted, from which fewer but longer words are severity 1."""

KIND_OF_ORIGIN = {
    Origin.TASK: "future_step",
    Origin.THOUGHT: "future_step",
    Origin.ACTION: "future_step",
    Origin.OBSERVATION: "future_observation",
    Origin.OUTCOME: "final_answer",
}

_IMPORT_LINE = re.compile(
    r"[>+\s]{0,8}(?:\d{1,6}[:\s]\s{0,8})?"
    r"(?:from\s+[\w.]+\s+import\b|import\s+[\w.{*\"'(]|export\s+\w+\s+from\b|#\s?include\b"
    r"|using\s+[\w.:]+;?$|use\s+[\w:]+|package\s+[\w.]+;?$|(?:const|var|let)\s+\w+\s*=\s*require\b)"
)
_LONGEST_EDGE = 64
_LONGEST_LINE = 400
_SHORTEST_BEYOND = 4
_CLOSING = ",.;:!?)]}>，。；：！？）】"  # ends what stands before the stretch


@dataclass(frozen=True, slots=True)
class Span:
    """A verbatim stretch: normalised offsets in the passage, the text it comes from, severity."""

    start: int
    end: int
    source_text: int
    severity: Severity


def verbatim_spans(passage: Passage) -> Iterator[Span]:
    """Yield the stretches of the future that a passage holds, in order.

    A stretch is made of 5-grams first seen after the cut; what weighs is the longest part of it
    made of such 8-grams, since only these prove a single source. An 8-gram counts where one of
    its 5-grams does. A stretch whose characters the visible part holds, cut at other words, is
    none. Import lines and usual paths are boilerplate: severity 0.
    """
    count = passage.tokens.count
    short, seeds = passage.leaking(5), passage.leaking(3)
    if not (seeds.any() or short.any()):
        return
    long = passage.leaking(8)
    long = long & windows_touching(short, 4)[: long.size]
    proven = dilated(long, 8, count)
    marked = proven | dilated(short, 5, count)
    done = np.zeros(count, dtype=np.bool_)
    found: list[Span] = []
    for first, stop in runs(marked):
        weight = passage.tokens.weight(first, stop)
        strongest = max(
            (
                passage.tokens.weight(first + low, first + high)
                for low, high in runs(proven[first:stop])
            ),
            default=0.0,
        )
        if weight < WEAK_WEIGHT:
            continue
        severity = Severity.NEEDS_PERSON if strongest >= STRONG_WEIGHT else Severity.NOTE
        span = _full_span(passage, first, stop, severity)
        if not passage.horizon.shows_text(passage.normalised.text[span.start : span.end]):
            found.append(span)
        low = np.searchsorted(passage.tokens.ends, span.start, side="right")
        done[low : np.searchsorted(passage.tokens.starts, span.end)] = True
    found.extend(_pieces(passage, seeds, done))
    yield from sorted(found, key=lambda span: span.start)


def _pieces(passage: Passage, seeds: NDArray[np.bool_], done: NDArray[np.bool_]) -> Iterator[Span]:
    """Yield stretches of few but long words, cut ones at the ends included."""
    reached = 0
    for first, stop in runs(seeds & ~windows_touching(done, 3)):
        if int(passage.tokens.starts[first]) < reached:
            continue
        span = _full_span(passage, first, stop + 2, Severity.NOTE)
        text = passage.normalised.text[span.start : span.end]
        reached = span.end
        long_enough = len("".join(text.split())) >= SHORTEST_PIECE
        if long_enough and not passage.horizon.shows_text(text):
            yield span


def _full_span(passage: Passage, first: int, stop: int, severity: Severity) -> Span:
    """Extend tokens first..stop-1 to all that is equal around their source."""
    seen = passage.horizon.seen
    head, tail = _source_at(passage, first), _source_before(passage, stop)
    start = _extended_left(passage, seen, first, head)
    end = _extended_right(passage, seen, stop, tail)
    text = passage.normalised.text
    if _is_import(text, start, end) or is_usual_path(text[start:end]):
        severity = Severity.INFORMATION
    return Span(start, end, _main_source(passage, first, stop), severity)


def _main_source(passage: Passage, first: int, stop: int) -> int:
    """Return the text that most of the stretch's n-grams come from, the earliest if equal."""
    for size in (8, 5, 3):
        part = slice(first, max(stop - size + 1, first))
        sources = passage.sources(size)[part][passage.leaking(size)[part]]
        if sources.size:
            texts, counts = np.unique(passage.horizon.seen.texts_of(sources), return_counts=True)
            return int(texts[counts.argmax()])
    msg = f"tokens {first} to {stop} hold no n-gram of the future"
    raise ValueError(msg)


def _source_at(passage: Passage, first: int) -> int:
    """Return the source token of the longest future n-gram that begins at a token."""
    for size in (8, 5, 3):
        leaking = passage.leaking(size)
        if first < leaking.size and leaking[first]:
            return int(passage.sources(size)[first])
    msg = f"no n-gram of the future begins at token {first}"
    raise ValueError(msg)


def _source_before(passage: Passage, stop: int) -> int:
    """Return the source token that follows the longest future n-gram that ends at a token."""
    for size in (8, 5, 3):
        leaking, place = passage.leaking(size), stop - size
        if 0 <= place < leaking.size and leaking[place]:
            return int(passage.sources(size)[place]) + size
    msg = f"no n-gram of the future ends at token {stop}"
    raise ValueError(msg)


def _extended_right(passage: Passage, seen: FirstSeenMap, stop: int, source: int) -> int:
    limit = seen.token_end(seen.text_of_token(source - 1) + 1)
    asked, held = passage.tokens, seen.tokens
    length = min(asked.count - stop, limit - source)
    equal = asked.hashes[stop : stop + length] == held.hashes[source : source + length]
    more = length if equal.all() else int(equal.argmin())
    text = passage.normalised.text
    line_end = text.rfind("\n", int(asked.ends[stop - 1]), int(asked.ends[stop + more - 1]))
    if line_end >= 0 and int(asked.ends[stop + more - 1]) - line_end <= _SHORTEST_BEYOND:
        more = int(np.searchsorted(asked.starts, line_end)) - stop  # a chance word, as (A)
    return _right_edge(
        text,
        int(asked.ends[stop + more - 1]),
        seen.normalised.text,
        int(held.ends[source + more - 1]),
    )


def _extended_left(passage: Passage, seen: FirstSeenMap, first: int, source: int) -> int:
    begin = seen.token_end(seen.text_of_token(source))
    asked, held = passage.tokens, seen.tokens
    length = min(first, source - begin)
    equal = (
        asked.hashes[first - length : first][::-1] == held.hashes[source - length : source][::-1]
    )
    more = length if equal.all() else int(equal.argmin())
    return _left_edge(
        passage.normalised.text,
        int(asked.starts[first - more]),
        seen.normalised.text,
        int(held.starts[source - more]),
    )


def _right_edge(asked: str, place: int, held: str, other: int) -> int:
    """Go on over equal characters, to the end of the line or of a word cut short.

    A word counts only if the asked text has it whole, and beyond the line only if it is no short
    one: else the equality is chance.
    """
    start, safe, word, line_ended = place, place, 0, False
    while place < len(asked) and place - start < _LONGEST_EDGE:
        if asked[place].isspace():
            line_ended |= asked[place] == "\n"
            place, word = place + 1, 0
            continue
        while other < len(held) and held[other].isspace():
            other += 1
        if other == len(held) or held[other] != asked[place] or held[other] == "\x00":
            break
        place, other = place + 1, other + 1
        word = word + 1 if word_character(ord(asked[place - 1])) else 0
        whole = not (place < len(asked) and word_character(ord(asked[place])))
        if word and whole and (not line_ended or word >= _SHORTEST_BEYOND):
            safe, line_ended = place, False
        elif not word and not line_ended:
            safe = place
    return safe


def _left_edge(asked: str, place: int, held: str, other: int) -> int:
    """Go back as ``_right_edge`` goes on; what only ends an earlier text is left out."""
    start, safe, word, line_ended = place, place, 0, False
    while place > 0 and start - place < _LONGEST_EDGE:
        if asked[place - 1].isspace():
            line_ended |= asked[place - 1] == "\n"
            place, word = place - 1, 0
            continue
        while other > 0 and held[other - 1].isspace():
            other -= 1
        if other == 0 or held[other - 1] != asked[place - 1] or held[other - 1] == "\x00":
            break
        place, other = place - 1, other - 1
        word = word + 1 if word_character(ord(asked[place])) else 0
        whole = not (place > 0 and word_character(ord(asked[place - 1])))
        if word and whole and (not line_ended or word >= _SHORTEST_BEYOND):
            safe, line_ended = place, False
        elif not word and not line_ended:
            safe = place
    while safe < start and (asked[safe] in _CLOSING or asked[safe].isspace()):
        safe += 1
    return safe


def _is_import(text: str, start: int, end: int) -> bool:
    """Return whether every line that the stretch touches, or its part of it, is an import."""
    place = start
    while place < end:
        line_start = text.rfind("\n", max(place - _LONGEST_LINE, 0), place) + 1
        line_end = text.find("\n", place, end)
        line_end = end if line_end < 0 else line_end
        if text[place:line_end].strip() and not any(
            _IMPORT_LINE.match(text, begin, line_end) for begin in (line_start, place)
        ):
            return False
        place = line_end + 1
    return True
