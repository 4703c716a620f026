"""The lines of ``reviews.jsonl``: what people said, under names that say nothing."""

import json

from hypothesis import given
from hypothesis import strategies as st

from review.core.review_lines import Said, blind_accuracy, pseudonyms, review_line

SAID = [Said("ines", "approve", matches_gold=True), Said("tomas", "reject", matches_gold=False)]


def test_line_holds_decisions_by_pseudonym_and_counts():
    line = review_line("i1", SAID, names={"ines": "r2", "tomas": "r1"}, is_adjudicated=False)
    assert json.loads(line) == {
        "id": "i1",
        "reviews": 2,
        "decisions": {"r1": "reject", "r2": "approve"},
        "blind_correct": 1,
        "adjudicated": False,
    }


def test_blind_accuracy_is_over_all_answers():
    assert blind_accuracy([SAID, SAID[:1]]) == (2, 3)
    assert blind_accuracy([]) == (0, 0)


@given(st.sets(st.text(st.characters(exclude_categories=["Cs"])), max_size=20), st.text("abc"))
def test_pseudonyms_are_numbers_that_repeat_for_the_same_people(people, seed):
    names = pseudonyms(people, seed=seed)
    assert sorted(names.values(), key=lambda name: int(name[1:])) == [
        f"r{number}" for number in range(1, len(people) + 1)
    ]
    assert names == pseudonyms(sorted(people, reverse=True), seed=seed)
