import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.tokens import (
    LONGEST_TOKEN,
    TokenFileError,
    bucket_of,
    count_tokens,
    estimate_tokens,
    fewest_tokens,
    token_counter,
)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("中", 1), ("中文字", 2), ("abcd中文字", 3)],
)
def test_the_estimate_is_four_ascii_or_one_and_a_half_other_characters_a_token(text, tokens):
    assert estimate_tokens(text) == tokens
    assert count_tokens(text) == tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("pip install -r requirements.txt", 6),  # pip| install| -|r| requirements|.txt
        ("1234567", 3),
        ("don't", 1),
        ("a_b", 2),
        ("e\u0301te\u0301", 1),
        ("²³", 1),
        (" " * LONGEST_TOKEN, 1),
        (" " * (LONGEST_TOKEN + 1), 2),
    ],
)
def test_the_least_count_is_that_of_the_pieces_that_are_never_joined(text, tokens):
    assert fewest_tokens(text) == tokens


@given(st.text(max_size=80))
def test_the_least_count_never_exceeds_the_bytes(text):
    assert fewest_tokens(text) <= len(text.encode())


@given(st.text(st.characters(max_codepoint=127), min_size=1))
def test_a_text_of_ascii_takes_at_least_one_token(text):
    assert fewest_tokens(text) >= 1


@given(st.text(st.sampled_from("aB1_-. '\n/é²中\u0301\u00a0"), max_size=12))
def test_the_least_count_never_exceeds_what_the_splitting_rule_of_o200k_makes(text):
    regex = pytest.importorskip("regex", reason="regex is absent: the bound was not compared")
    from generation.core.tokens import _O200K_PATTERN

    assert fewest_tokens(text) <= len(regex.findall(_O200K_PATTERN, text))


def test_without_a_file_the_counter_says_that_it_counts_characters(tmp_path):
    assert token_counter().name == "characters"
    absent = token_counter(tmp_path / "o200k_base.tiktoken")
    assert (absent.name, absent.count("abcde")) == ("characters", 2)


def test_with_a_rank_file_tiktoken_counts(tmp_path):
    pytest.importorskip("tiktoken", reason="tiktoken is absent: its counter was not tried")
    ranks = tmp_path / "o200k_base.tiktoken"
    lines = [b"%s %d" % (base64.b64encode(bytes([n])), n) for n in range(256)]
    lines.append(b"%s 256" % base64.b64encode(b"ab"))
    ranks.write_bytes(b"\n".join(lines) + b"\n")
    counter = token_counter(ranks)
    assert counter.name == "o200k_base"
    assert count_tokens("abab cd", by=counter) == 5  # ab ab, then blank c d, byte by byte


def test_a_file_that_is_no_rank_file_is_refused_with_its_line(tmp_path):
    pytest.importorskip("tiktoken", reason="tiktoken is absent: its counter was not tried")
    ranks = tmp_path / "o200k_base.tiktoken"
    ranks.write_bytes(b"YQ== 0\nnot base64 at all\n")
    with pytest.raises(TokenFileError, match="line 2"):
        token_counter(ranks)


@pytest.mark.parametrize(
    ("tokens", "bucket"),
    [
        (0, "<=4K"),
        (4096, "<=4K"),
        (4097, "4-16K"),
        (16384, "4-16K"),
        (32768, "16-32K"),
        (131072, "32-128K"),
        (131073, ">128K"),
    ],
)
def test_buckets_hold_their_upper_end(tokens, bucket):
    assert bucket_of(tokens) == bucket


def test_a_negative_count_has_no_bucket():
    with pytest.raises(ValueError, match="-1"):
        bucket_of(-1)
