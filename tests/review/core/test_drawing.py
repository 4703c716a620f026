"""Control items come in the right share, where nobody can tell, and the same each time."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.core.drawing import drawn_control, is_control_place, left_with_controls

PERCENT = st.integers(0, 100)


def places(seed, percent, upto):
    return [at for at in range(upto) if is_control_place(seed, at, percent=percent)]


@given(st.text(max_size=20), PERCENT, st.integers(1, 5))
def test_share_is_exact_over_each_hundred_places(seed, percent, hundreds):
    assert len(places(seed, percent, 100 * hundreds)) == percent * hundreds


@given(st.text(max_size=20), st.integers(1, 10))
def test_each_stretch_holds_one(seed, percent):
    """By hand: with 5 % a stretch is 20 places, with 10 % it is 10."""
    stretches = Counter(at * percent // 100 for at in places(seed, percent, 1000))
    assert set(stretches.values()) == {1}
    assert len(stretches) == 10 * percent


def test_places_repeat_for_one_seed_and_differ_between_people():
    assert places("key:7", 5, 400) == places("key:7", 5, 400)
    seen = {tuple(places(f"key:{person}", 5, 400)) for person in range(50)}
    assert len(seen) == 50


def test_every_place_of_a_stretch_is_drawn():
    first = {places(f"key:{person}", 10, 10)[0] for person in range(300)}
    assert first == set(range(10))


@pytest.mark.parametrize(("place", "percent"), [(-1, 5), (0, -1), (0, 101)])
def test_impossible_places_are_refused(place, percent):
    with pytest.raises(ValueError, match="no place"):
        is_control_place("seed", place, percent=percent)


def test_none_is_drawn_of_none():
    assert drawn_control("seed", []) is None


@given(st.text(max_size=10), st.sets(st.integers(0, 10_000), min_size=1, max_size=30))
def test_control_drawn_is_one_of_those_left_whatever_their_order(seed, controls):
    drawn = drawn_control(seed, sorted(controls))
    assert drawn in controls
    assert drawn == drawn_control(seed, sorted(controls, reverse=True))


@given(st.text(max_size=10), st.sets(st.integers(0, 10_000), min_size=2, max_size=30))
def test_retired_control_moves_no_other(seed, controls):
    drawn = drawn_control(seed, controls)
    other = next(key for key in controls if key != drawn)
    assert drawn_control(seed, controls - {other}) == drawn


@given(
    st.text(max_size=10),
    st.integers(0, 60),
    st.integers(0, 500),
    st.integers(0, 10),
    st.integers(0, 20),
)
def test_number_left_falls_by_one_with_every_item_whatever_it_was(
    seed, work, place, percent, controls
):
    def left():
        return left_with_controls(work, seed=seed, place=place, percent=percent, controls=controls)

    expected = left()
    assert work <= expected <= work + controls
    while work:
        if controls and is_control_place(seed, place, percent=percent):
            controls -= 1
        else:
            work -= 1
        place += 1
        expected -= 1
        assert left() == expected
    assert expected == 0
