"""Finds a known answer (gold, final answer) in a passage, beyond what is visible."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from generation.core.leakage.first_seen import NEVER
from generation.core.leakage.normalise import normalise
from generation.core.leakage.passage import Passage, dilated, runs
from generation.core.leakage.tokens import Tokens, ngram_hashes, tokenise

_WHOLE_WEIGHT = 8
_WHOLE_SHARE = 0.6
_SHORT = 5
_SHORTEST = 10
_PLAIN_WORDS = frozenset(
    [
        "yes",
        "no",
        "true",
        "false",
        "none",
        "null",
        "unknown",
        "male",
        "female",
        "both",
        "neither",
        "left",
        "right",
        "up",
        "down",
        "error",
        "success",
        "failed",
        "passed",
        "submit",
        "answer",
        "terminate",
        "task_complete",
        "web_search",
        "browse_website",
        "是",
        "否",
        "不是",
        "没有",
        "有",
        "无",
        "男",
        "女",
        "正确",
        "错误",
        "不",
        "成功",
        "失败",
        "答案",
    ]
)


@dataclass(frozen=True, slots=True)
class Answer:
    """A known answer, normalised and without blanks around it, and its tokens."""

    text: str
    tokens: Tokens

    @classmethod
    def of(cls, answer: str) -> "Answer":
        """Return the answer that stands in ``answer``."""
        codes = normalise(answer.strip())
        return cls(codes.text.strip(), tokenise(codes.codes))


def occurrences(passage: Passage, answer: Answer, *, one_word: bool) -> Iterator[tuple[int, int]]:
    """Yield the normalised offsets of every place that gives ``answer`` away.

    From five tokens on, a stretch of the answer counts that is not visible and weighs eight words
    or 60 % of the answer. A shorter answer counts only whole, only if nothing visible holds it,
    and only if it is distinctive: two tokens and ten characters (``pytest -q x``, never ``ls -l``
    or ``submit``). With ``one_word`` also a single word of four letters, a number of four digits
    or two Chinese characters count, plain words such as ``yes`` left out: an answer to a question,
    unlike a command, seldom stands in a prompt by chance.
    """
    tokens = answer.tokens
    if tokens.count >= _SHORT:
        yield from _long_occurrences(passage, tokens.hashes, tokens.weight(0, tokens.count))
        return
    if not _is_distinctive(answer.text, tokens.count, one_word=one_word):
        return
    horizon = passage.horizon
    if horizon.seen.holds_sequence(tokens.hashes, stop=horizon.tokens):
        return
    for first in passage.find_sequence(tokens.hashes):
        last = first + tokens.count - 1
        yield int(passage.tokens.starts[first]), int(passage.tokens.ends[last])


def _long_occurrences(
    passage: Passage, answer: np.ndarray[tuple[int], np.dtype[np.uint64]], whole: float
) -> Iterator[tuple[int, int]]:
    grams = np.sort(ngram_hashes(answer, 5))
    asked = ngram_hashes(passage.tokens.hashes, 5)
    near = np.minimum(grams.searchsorted(asked), grams.size - 1)  # isin would sort the prompt too
    places = passage.places[5]
    hidden = (places.first == NEVER) | (places.first >= passage.horizon.tokens)
    marked = dilated((grams[near] == asked) & hidden, 5, passage.tokens.count)
    for first, stop in runs(marked):
        weight = passage.tokens.weight(first, stop)
        exempt = passage.is_exempt(
            int(passage.tokens.starts[first]), int(passage.tokens.ends[stop - 1])
        )
        if not exempt and (weight >= _WHOLE_WEIGHT or weight >= _WHOLE_SHARE * whole):
            yield int(passage.tokens.starts[first]), int(passage.tokens.ends[stop - 1])


def _is_distinctive(answer: str, tokens: int, *, one_word: bool) -> bool:
    if not tokens or answer in _PLAIN_WORDS:
        return False
    compact = re.sub(r"[\W]+", "", answer)
    if tokens >= 2 and len(compact) >= _SHORTEST:
        return True
    if not one_word:
        return False
    if not answer.isascii():
        return len(compact) >= 2
    if compact.isdigit():
        return len(compact) >= 4
    return len(compact) >= 4
