"""Snippets of one file: of one kind, never overlapping, and none like gold in what tells it."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.attacks.catalogue import single_cues
from generation.core.attacks.option_set import OptionSet
from generation.core.checks import gold_fully_covered_by_distractors, overlapping_snippet
from generation.core.items import Item
from generation.core.operators.snippets import pieces_of, snippet_options
from generation.core.records import Language
from generation.core.registry import SUBTASKS
from generation.core.subtask import Rejection

SOURCE = "import kiln\n\n\n" + "\n\n".join(
    f"def fire_{n}(heat):\n" + "\n".join(f"    step_{n}_{m} = heat + {m * n}" for m in range(n % 9 + 3)) + f"\n    return step_{n}_1\n"
    for n in range(40)
)  # fmt: skip
WRITTEN = [n for n, row in enumerate(SOURCE.splitlines(), start=1) if row.strip()]
rows = st.lists(st.sampled_from(["def f():", "    x = 1", "", "    return x", "class A:"]), max_size=200)  # fmt: skip


@given(rows)
def test_pieces_hold_every_line_once_and_never_overlap(lines):
    pieces = pieces_of("\n".join(lines), lines=10)
    held = [n for piece in pieces for n in range(piece.start, piece.stop)]
    assert held == sorted(set(held))
    assert {n for n, line in enumerate(lines) if line.strip()} <= set(held)
    assert all(piece.stop - piece.start <= 20 for piece in pieces)


def test_pieces_begin_at_definitions_where_there_are_some():
    begins = [piece.text.split("\n")[0] for piece in pieces_of(SOURCE)[1:]]
    assert all(line.startswith("def ") for line in begins)


@given(line=st.sampled_from(WRITTEN), seed=st.integers(0, 99))
def test_options_are_pieces_of_the_file_that_share_no_lines_with_gold(line, seed):
    made = snippet_options(SOURCE, [line], seed, key="k")
    assert made == snippet_options(SOURCE, [line], seed, key="k")
    assert not isinstance(made, Rejection)
    texts = [option.text for option in made]
    assert [option.is_gold for option in made] == [True, False, False, False]
    assert all(text in SOURCE for text in texts)
    assert all(one not in other for one, other in combinations(texts, 2))
    assert all(option.reason for option in made)
    item = Item("1", SUBTASKS["issue_fix_locate"], Language.EN, {}, tuple(texts), ("A",), 10, "c")
    assert [*overlapping_snippet.check(item)] == []
    assert [*gold_fully_covered_by_distractors.check(item)] == []


def test_no_cue_tells_the_right_piece():
    corpus = []
    for line in WRITTEN[::2]:
        made = snippet_options(SOURCE, [line], line, key=str(line))
        assert not isinstance(made, Rejection)
        corpus.append(OptionSet(tuple(option.text for option in made), 0, cluster=made[0].text))
    assert [r.name for r in single_cues(corpus) if r.accuracy_low > r.chance] == []


@pytest.mark.parametrize(
    ("source", "changed", "why"),
    [
        ("x = 1\n", [1], "the file has 1 pieces"),
        (SOURCE, [WRITTEN[3], WRITTEN[-3]], "changes 2 pieces"),
        (SOURCE, [], "changes 0 pieces"),
        (
            "\n\n".join(["def f():\n    return 1\n    # end"] * 60),
            [2],
            "pieces that share no lines",
        ),
    ],
)
def test_a_file_that_gives_no_set_says_why(source, changed, why):
    made = snippet_options(source, changed, 1, key="k")
    assert isinstance(made, Rejection)
    assert why in made.why
