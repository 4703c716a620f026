"""Looking several texts up at once gives each what it would get alone."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from generation.core.leakage.first_seen import GRAM_SIZES, NEVER, FirstSeenMap
from generation.core.leakage.looked_up import look_up_texts
from tests.generation.core.leakage.runs import step

SEEN = FirstSeenMap.build(
    task="one two three four five", steps=[step("six seven", "eight nine", "one two three ten")]
)
PIECES = ["one", "two", "three", "ten", " ", "\n", "\t", "\\", "\\u4e", "2d", "\\ud83d", "\\ude00",
          "\\n", "n", "\x1b]0;", "\x1b[", "m", "\x07", "\x00", "\ufb01", "\u200b", "\u0301", "中文", "x" * 40]  # fmt: skip
texts = st.lists(st.lists(st.sampled_from(PIECES), max_size=8).map("".join), min_size=1, max_size=5)


def arrays(looked_up):
    return [
        looked_up.normalised.codes, looked_up.normalised.begins, looked_up.normalised.ends,
        looked_up.tokens.starts, looked_up.tokens.ends, looked_up.tokens.hashes,
        looked_up.tokens.single, looked_up.word_places,
        *(part for size in GRAM_SIZES for part in
          (looked_up.places[size].first, looked_up.places[size].shown, looked_up.places[size].spoken)),
    ]  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(texts)
def test_texts_looked_up_together_come_out_as_each_alone(asked):
    for together, text in zip(look_up_texts(asked, SEEN), asked, strict=True):
        (alone,) = look_up_texts([text], SEEN)
        assert together.original == text
        for ours, theirs in zip(arrays(together), arrays(alone), strict=True):
            assert ours.dtype == theirs.dtype
            assert np.array_equal(ours, theirs)


def test_no_n_gram_reaches_from_one_text_into_the_next():
    first, second = look_up_texts(["one two", "three four"], SEEN)
    assert first.places[3].first.size == second.places[3].first.size == 0
    (whole,) = look_up_texts(["one two three four"], SEEN)
    assert NEVER not in whole.places[3].first.tolist()
