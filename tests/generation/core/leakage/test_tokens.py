"""Tokens and their hashes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.leakage.normalise import normalise
from generation.core.leakage.tokens import ngram_hashes, tokenise


def words(text: str) -> list[str]:
    normalised = normalise(text)
    tokens = tokenise(normalised.codes)
    return [normalised.text[s:e] for s, e in zip(tokens.starts, tokens.ends, strict=True)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "return int(re.match(r'[0-9]+', s))",
            ["return", "int", "re", "match", "r", "0", "9", "s"],
        ),
        ("parse_len(s) == 3", ["parse_len", "s", "3"]),
        ("在2024年abc", ["在", "2024", "年", "abc"]),
        ("\U00020000\U00020001x", ["\U00020000", "\U00020001", "x"]),
        ("a" * 70, ["a" * 32, "a" * 32, "a" * 6]),
        ("  ,;", []),
    ],
)
def test_tokens_are_words_and_single_ideographs(text, expected):
    assert words(text) == expected


def test_a_chinese_character_weighs_half_a_word():
    tokens = tokenise(normalise("两个 words 中文").codes)
    assert tokens.weight(0, 5) == 1 + 4 / 2


@given(st.lists(st.sampled_from(["ab", "ba", "a_b", "x1", "中"]), min_size=1, max_size=30))
def test_equal_words_and_only_they_have_equal_hashes(parts):
    text = " ".join(parts)
    hashes = tokenise(normalise(text).codes).hashes
    assert len(set(hashes.tolist())) == len(set(parts))
    assert dict(zip(parts, hashes.tolist(), strict=True)) == {
        part: tokenise(normalise(part).codes).hashes[0] for part in parts
    }


@given(st.lists(st.sampled_from("abc"), max_size=20), st.integers(1, 8))
def test_ngram_hashes_are_equal_exactly_where_the_ngrams_are(letters, n):
    hashes = ngram_hashes(tokenise(normalise(" ".join(letters)).codes).hashes, n).tolist()
    grams = [tuple(letters[i : i + n]) for i in range(len(letters) - n + 1)]
    assert len(hashes) == len(grams)
    assert len(set(hashes)) == len(set(grams)) == len(set(zip(grams, hashes, strict=True)))


def test_a_word_has_the_same_hash_wherever_it_stands():
    text = ("filler " * 20_000) + "needle " + ("filler " * 20_000) + "needle"
    hashes = tokenise(normalise(text).codes).hashes
    assert np.unique(hashes).size == 2
    assert hashes[20_000] == hashes[-1]
