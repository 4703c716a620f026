"""ROUGE-1, ROUGE-2 and ROUGE-L as F1, over tokens that also fit Chinese."""

import re
from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import pairwise
from typing import NamedTuple

_HAN_AND_KANA = (
    "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_TOKEN = re.compile(rf"[{_HAN_AND_KANA}]|[^\W_{_HAN_AND_KANA}]+|\S")


class Rouge(NamedTuple):
    """Three F1 values, each in 0..1."""

    rouge1: float
    rouge2: float
    rouge_l: float


def tokens(text: str) -> list[str]:
    """Return lower-cased tokens: a Han or kana character, a run of letters and digits, or a mark."""
    return _TOKEN.findall(text.lower())


def rouge(prediction: str, reference: str) -> Rouge:
    """Return ROUGE-1, ROUGE-2 and ROUGE-L of two texts; two texts without a token score 1."""
    return rouge_of_tokens(tokens(prediction), tokens(reference))


def rouge_of_tokens(prediction: Sequence[str], reference: Sequence[str]) -> Rouge:
    """Return the three F1 values of two token lists.

    Overlap is counted, so a repeated token matches only as often as the other side has it.
    Where neither side has a bigram ROUGE-2 is 0. Source: Lin (2004), ROUGE: A Package for
    Automatic Evaluation of Summaries; equal to the rouge-score package on the same tokens.
    """
    if not prediction or not reference:
        same = float(len(prediction) == len(reference))
        return Rouge(same, same, same)
    total = len(prediction) + len(reference)
    return Rouge(
        2 * _overlap(prediction, reference) / total,
        _bigram_f1(prediction, reference),
        2 * lcs_length(prediction, reference) / total,
    )


def _bigram_f1(prediction: Sequence[str], reference: Sequence[str]) -> float:
    if len(prediction) < 2 or len(reference) < 2:
        return 0.0
    left = list(pairwise(prediction))
    right = list(pairwise(reference))
    return 2 * _overlap(left, right) / (len(left) + len(right))


def _overlap(left: Sequence[Hashable], right: Sequence[Hashable]) -> int:
    if len(set(left)) == len(left):  # nothing repeats on one side: a set says the same, faster
        return len(set(left).intersection(right))
    counted = Counter(right)
    return sum(min(times, counted[token]) for token, times in Counter(left).items())


def lcs_length(left: Sequence[str], right: Sequence[str]) -> int:
    """Return the length of the longest common subsequence.

    One big integer holds a row of the table, one bit per token of the shorter side, so a row costs a few
    machine words per 64 tokens. Source: Hyyrö (2004), Bit-parallel LCS-length computation
    revisited.
    """
    if len(left) > len(right):  # the shorter side gives the bits, whatever length the other has
        left, right = right, left
    places: dict[str, int] = {}
    bit = 1
    for token in left:
        places[token] = places.get(token, 0) | bit
        bit <<= 1
    everything = bit - 1
    row = everything
    for token in right:
        match = places.get(token)
        if match is not None:
            matched = row & match
            row = ((row + matched) | (row - matched)) & everything
    return len(left) - row.bit_count()
