"""The order in which options are shown."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from review.core.presentation import shown_order


@given(st.text(st.characters(exclude_categories=["Cs"])), st.integers(0, 26))
def test_order_is_a_permutation_that_repeats(seed, count):
    order = shown_order(seed, count)
    assert sorted(order) == list(range(count))
    assert order == shown_order(seed, count)


def test_first_option_is_shown_at_every_place_about_equally_often():
    places = Counter(shown_order(f"{n}:7", 4).index(0) for n in range(2000))
    assert all(430 <= places[place] <= 570 for place in range(4))  # 500 ± 3.6 standard errors
