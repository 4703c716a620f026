"""What a report cites is found in each of five styles, with the statement and the address."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.importers.chatter import strip_chatter
from generation.core.importers.citations import read_citations, read_references, styles_of
from tests.shared_data import DATA, needs_shared

BENCH = DATA / "deepresearch_bench"
A, B = "https://kiln.example/a", "https://kiln.example/b_(c)"
LIST = f"\n## References\n[1] {A} - How kilns heat\n[2] {B} - Glazes\n"


def cited(report: str) -> list[tuple[str, str, str, int | None]]:
    return [(c.statement, c.url, c.style.value, c.number) for c in read_citations(report)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            f"First. Kilns heat. [1][2] Then more.{LIST}",
            [("Kilns heat.", A, "number", 1), ("Kilns heat.", B, "number", 2)],
        ),
        (
            f"- Kilns **heat** [1, 2].{LIST}",
            [("Kilns heat", A, "number", 1), ("Kilns heat", B, "number", 2)],
        ),
        (
            f"Kilns heat [1-2].{LIST}",
            [("Kilns heat", A, "number", 1), ("Kilns heat", B, "number", 2)],
        ),
        (f"窑炉加热。陶土变硬。 [2]\n{LIST}", [("陶土变硬。", B, "number", 2)]),
        (f"Kilns heat【1†L10-L12】.{LIST}", [("Kilns heat", A, "place", 1)]),
        (f"Kilns heat [2†source].{LIST}", [("Kilns heat", B, "place", 2)]),
        (f"Kilns [heat]({B}). Clay.", [("Kilns heat", B, "link", None)]),
        (f"Kilns heat[[7]]({A}); clay dries.", [("Kilns heat", A, "numbered_link", 7)]),
        (
            f"Kilns heat 1\nClay dries 2.\n{LIST}",
            [("Kilns heat", A, "bare", 1), ("Clay dries", B, "bare", 2)],
        ),
        (f"Kilns heat [9].{LIST}", []),
        ("Kilns heat [1] and no list.", []),
        (f"![picture]({A})", []),
        ("Array[1] and 900 degrees", []),
    ],
    ids=str,
)
def test_each_style_by_hand(text, found):
    assert cited(text) == found


def test_a_number_that_the_list_lacks_has_no_address():
    both = read_citations(f"Kilns heat [1, 9].{LIST}")
    assert [(c.number, c.url) for c in both] == [(1, A), (9, "")]


def test_the_list_of_references_is_cut_where_its_title_stands():
    report = f"Kilns heat [1].\n{LIST}"
    references, start = read_references(report)
    assert [(r.number, r.url, r.title) for r in references] == [
        (1, A, "How kilns heat"),
        (2, B, "Glazes"),
    ]
    assert report[start:].startswith("## References")


@pytest.mark.parametrize(
    "line",
    [f"1. Kiln site: {A}", f"[1]: {A}", f"[1] [Kiln]({A})", f"- [1] Kiln, {A}", f"【1】 {A}"],
)
def test_entries_of_the_list_come_in_many_forms(line):
    ((reference,), _start) = read_references(f"Text [1].\n\n{line}\n")
    assert (reference.number, reference.url) == (1, A)


def test_a_numbered_list_in_the_body_is_no_list_of_references():
    assert read_references(f"1. See {A}\n\nThe end.\n")[0] == ()


@given(st.text(alphabet="[]()【】†12,- .a。\nhtps:/", max_size=120))
def test_marks_stand_where_their_offsets_say_and_in_order(text):
    found = read_citations(text + LIST)
    assert [c.start for c in found] == sorted(c.start for c in found)
    for each in found:
        mark = (text + LIST)[each.start : each.end]
        assert mark
        assert each.number is None or str(each.number)[0] in mark or "-" in mark or "–" in mark


@pytest.mark.parametrize(
    "text", ["[" * 100_000, "[1](" * 30_000, "a [1] " * 20_000, "[1][2]" * 20_000]
)
def test_no_report_takes_long(text):
    started = time.process_time()
    read_citations(text + LIST)
    # What grows with the square of the text takes minutes here.
    assert time.process_time() - started < 15


@pytest.mark.parametrize(
    ("text", "chatter", "begins"),
    [
        (
            "I'll search for kilns.\n\nLet me look further:\n\n# Kilns\n\nHot.",
            "I'll search",
            "# Kilns",
        ),
        (
            "# Kilns\n\nI need to find more data first.\n\n# Kilns\n\nHot.",
            "# Kilns",
            "# Kilns\n\nHot",
        ),
        ("我将搜索窑炉的资料。\n\n# 窑炉\n\n热。", "我将搜索", "# 窑炉"),
        ("# Kilns\n\nHot.\n\n# Clay\n", "", "# Kilns"),
        ("Kilns are hot.\n\n# Kilns\n", "", "Kilns are hot."),
        ("Here is what follows in this report.\n\n# Kilns\n", "", "Here is"),
        ("Let me search.\n\nNo title at all.", "", "Let me search."),
        ("", "", ""),
    ],
)
def test_what_an_agent_says_before_its_report_is_taken_off(text, chatter, begins):
    said, report = strip_chatter(text)
    assert said.startswith(chatter)
    assert bool(said) == bool(chatter)
    assert report.startswith(begins)


@given(st.text(alphabet="# \nIneedtosearch.我搜索", max_size=80))
def test_nothing_of_a_report_is_lost(text):
    said, report = strip_chatter(text)
    assert report in text
    assert text.lstrip("\ufeff \t\r\n").startswith(said)


@needs_shared
@pytest.mark.shared
def test_the_shared_reports_begin_at_their_titles_and_resolve_all_they_cite():
    path = BENCH / "raw_data" / "claude-3-7-sonnet-latest.jsonl"
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    stripped = {row["id"]: strip_chatter(row["article"]) for row in rows}
    assert all(report.startswith("# ") for _said, report in stripped.values())
    assert {number for number, (said, _report) in stripped.items() if said} == {1, 2, 23, 88}
    for _said, report in stripped.values():
        citations = read_citations(report)
        assert styles_of(citations) == ("number",)
        assert len(citations) > 10
        assert all(citation.url for citation in citations)


@needs_shared
@pytest.mark.shared
def test_the_shared_logs_cite_by_numbered_links():
    for path in (BENCH / "onyx_report_logs").glob("*.md"):
        found = read_citations(path.read_text())
        assert styles_of(found) == ("numbered_link",)
        assert len(found) > 100
