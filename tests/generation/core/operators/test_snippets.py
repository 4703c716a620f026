"""Snippets of one file: of one kind, never overlapping, and none like gold in what tells it."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generation.core.attacks.catalogue import single_cues
from generation.core.attacks.option_set import OptionSet
from generation.core.checks import gold_fully_covered_by_distractors, overlapping_snippet
from generation.core.items import Item
from generation.core.operators.snippets import has_code, piece_at, pieces_of, snippet_options
from generation.core.records import Document, Language, Provenance, Section
from generation.core.registry import SUBTASKS
from generation.core.subtask import Draft, PoolEntry, Rejection

SOURCE = "import kiln\n\n\n" + "\n\n".join(
    f"def fire_{n}(heat):\n" + "\n".join(f"    step_{n}_{m} = heat + {m * n}" for m in range(n % 9 + 3)) + f"\n    return step_{n}_1\n"
    for n in range(40)
)  # fmt: skip
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


def entry(source: str, gold: str, key: str = "k") -> PoolEntry:
    document = Document(
        provenance=Provenance("swe_bench", key, key, "rows:1"),
        language=Language.EN,
        title="Too hot",
        sections=(Section("problem", "Too hot"), Section("file", source, "kiln.py")),
    )
    return PoolEntry(key, key, "acme", Draft(1, gold, {}), (), (), document=document)


GOLDS = [piece.text for piece in pieces_of(SOURCE) if has_code(piece.text)]


@given(gold=st.sampled_from(GOLDS), seed=st.integers(0, 99))
@settings(max_examples=10, deadline=None)
def test_options_are_pieces_of_the_file_that_share_no_lines_with_gold(gold, seed):
    made = snippet_options([entry(SOURCE, gold)], seed, choices=4)["k"]
    assert made == snippet_options([entry(SOURCE, gold)], seed, choices=4)["k"]
    assert not isinstance(made, Rejection)
    texts = [option.text for option in made]
    assert texts[0] == gold
    assert [option.is_gold for option in made] == [True, False, False, False]
    assert all(text in SOURCE and has_code(text) for text in texts)
    assert all(one not in other for one, other in combinations(texts, 2))
    assert all(option.reason for option in made)
    item = Item("1", SUBTASKS["issue_fix_locate"], Language.EN, {}, tuple(texts), ("A",), 10, "c")
    assert [*overlapping_snippet.check(item)] == []
    assert [*gold_fully_covered_by_distractors.check(item)] == []


def test_no_cue_tells_the_right_piece():
    lines = [n for n, row in enumerate(SOURCE.splitlines(), start=1) if row.strip()]
    golds = [piece_at(SOURCE, [line]) for line in lines[::3]]
    pool = [entry(SOURCE, g.text, f"{n:03}") for n, g in enumerate(golds) if not isinstance(g, str)]
    corpus = []
    for made in snippet_options(pool, 3, choices=4).values():
        assert not isinstance(made, Rejection)
        corpus.append(OptionSet(tuple(option.text for option in made), 0, cluster=made[0].text))
    assert len(corpus) >= 90
    assert [r.name for r in single_cues(corpus) if r.accuracy_low > r.chance] == []


@pytest.mark.parametrize(
    ("source", "changed", "why"),
    [
        (SOURCE, [5, SOURCE.count("\n")], "changes 2 pieces"),
        (SOURCE, [], "changes 0 pieces"),
        ("import a\nimport b\n# heat\n", [1], "holds no code"),
    ],
)
def test_a_change_that_is_in_no_piece_alone_says_why(source, changed, why):
    assert why in str(piece_at(source, changed))


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("x = 1\ny = 2\nz = 3\n", "fewer than 4 pieces"),
        ("\n\n".join(["def f():\n    heat = 1\n    return heat"] * 60), "fewer than 4 pieces"),
    ],
)
def test_a_file_that_gives_no_set_says_why(source, why):
    gold = pieces_of(source)[0].text
    made = snippet_options([entry(source, gold)], 1, choices=4)["k"]
    assert isinstance(made, Rejection)
    assert why in made.why


def test_a_gold_that_no_file_holds_is_told():
    made = snippet_options([entry(SOURCE, "something else")], 1, choices=4)["k"]
    assert made == Rejection(1, "no file of the source holds the right excerpt")


def test_short_files_are_cut_into_short_pieces():
    assert max(piece.stop - piece.start for piece in pieces_of(SOURCE[:1200])) <= 12
