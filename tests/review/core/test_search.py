"""Search: by case and width alike, with places that hold, and nothing to fear from a query."""

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.core.folding import fold, piece
from review.core.search import (
    LONGEST_QUERY,
    MOST_HITS,
    FoldedText,
    Place,
    QueryTooLongError,
    search,
)

LETTERS = st.text(
    st.sampled_from("aAéＡßİŉ灯ｶﾞ\u0301\u0323\u3099각ᄀ\u1161\u11a8ﬁ😀 \n"), max_size=40
)


def place(text, *, limit=100_000, step=7):
    return Place(f"step-{step}", step, "", "observation", text, limit)


def hits(query, *texts):
    return search(query, [place(text, step=n) for n, text in enumerate(texts, start=1)]).hits


def marked(query, text):
    return [text[hit.start : hit.end] for hit in hits(query, text)]


@pytest.mark.parametrize(
    ("query", "text", "found"),
    [
        ("NEEDLE-7431", "row 1 needle-7431.", ["needle-7431"]),
        ("strasse", "Hauptstraße 5", ["straße"]),
        ("ABC", "x ＡＢＣ y", ["ＡＢＣ"]),
        ("ガス", "半角ｶﾞｽ管", ["ｶﾞｽ"]),
        ("café", "a cafe\u0301!", ["cafe\u0301"]),
        ("fi", "ﬁx ﬁ", ["ﬁ", "ﬁ"]),
        ("i", "ﬁ", ["ﬁ"]),
        ("灯河节", "问：灯河节由谁发起", ["灯河节"]),
        ("각", "\u1100\u1161\u11a8 x", ["\u1100\u1161\u11a8"]),
        ("aa", "aaaaa", ["aa", "aa"]),
        ("  kiln \n", "the kiln", ["kiln"]),
        ("a.*b", "a.*b aXXb", ["a.*b"]),
        ("(?P<x>[", "see (?P<x>[ there", ["(?P<x>["]),
        ("é", "plain", []),
    ],
)
def test_letters_are_found_whatever_their_case_and_width(query, text, found):
    assert marked(query, text) == found


def test_hit_tells_step_part_and_the_words_around_it_on_its_line():
    text = "first line\n    before the NEEDLE and after it   \nlast line"
    (hit,) = hits("needle", "nothing", text)
    assert (hit.place.step, hit.place.part) == (2, "observation")
    assert (hit.before, hit.match, hit.after) == ("before the ", "NEEDLE", " and after it")
    assert hit.piece is None


def test_line_that_is_long_is_cut_around_the_hit():
    (hit,) = hits("needle", "x" * 5_000 + "needle" + "y" * 5_000)
    assert (hit.before, hit.after) == ("x" * 24, "y" * 56)


@pytest.mark.parametrize("query", ["", "   ", "\n"])
def test_empty_query_has_no_hits(query):
    assert hits(query, "a   b\n") == ()


def test_query_that_is_too_long_is_refused_with_its_length():
    assert hits("x" * LONGEST_QUERY, "y") == ()
    with pytest.raises(QueryTooLongError, match="201 characters"):
        hits("x" * (LONGEST_QUERY + 1), "y")


def test_what_the_page_shows_is_found_and_what_it_does_not_show_is_not():
    text = "a\x00b \x1b[31mred\x1b[0m \u202eevil"
    assert len(hits("a\x00b", text)) == 1
    assert len(hits("a␀b red ⟪u+202e⟫", text)) == 1
    assert hits("[31m", text) == ()


def test_hundred_hits_are_listed_and_more_are_said_to_be():
    exactly = search("a", [place("a" * MOST_HITS)])
    assert (len(exactly.hits), exactly.count) == (100, "100")
    more = search("a", [place("a" * MOST_HITS), place("a")])
    assert (len(more.hits), more.count) == (100, "100+")


@pytest.mark.parametrize("line", [3, 700, 4_000, 6_900])
def test_hit_in_a_folded_text_names_the_piece_that_holds_it(line):
    text = "".join(f"line {n} <\n" for n in range(7_000))
    (hit,) = search(f"line {line} <", [place(text, limit=2_000)]).hits
    folded = fold(text, limit=2_000)
    if hit.piece is None:
        assert f"line {line} <" in folded.head + folded.tail
    else:
        held = piece(text, limit=2_000, number=hit.piece)
        assert held
        assert held.text[hit.start - held.start : hit.end - held.start] == f"line {line} <"


@given(LETTERS, LETTERS)
def test_text_is_found_in_itself_between_others(before, query):
    text = f"{before}\n{query}\n{before}"
    query = query.strip()
    found = hits(query, text)
    assert not query or any(
        FoldedText(text[hit.start : hit.end]).text.find(FoldedText(query).text) >= 0
        for hit in found
    )
    assert all(first.start <= second.start for first, second in pairwise(found))


@given(LETTERS)
def test_every_offset_of_the_folded_text_lies_in_the_character_it_came_from(text):
    folded = FoldedText(text)
    for at in range(len(folded.text)):
        start, end = folded.start_of(at), folded.end_of(at + 1)
        assert start < end
        assert folded.text[at] in FoldedText(text[start:end]).text


@pytest.mark.parametrize(
    "text",
    ["a" * 4_000_000, "灯" * 4_000_000, "\u0301\u0323" * 1_000_000, "é\u0323" * 1_000_000],
    ids=["ascii", "chinese", "marks", "accents"],
)
def test_four_million_characters_take_linear_time(text):
    began = time.process_time()
    search("needle é", [place(text, limit=6_000)])
    search(text[:2], [place(text, limit=6_000)])
    assert time.process_time() - began < 6
