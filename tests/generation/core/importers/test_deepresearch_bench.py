"""Queries and reports of DeepResearch-Bench become documents, joined by id with what is known."""

import copy
import hashlib
import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from generation.core.importers.catalogue import IMPORTERS
from generation.core.importers.digest import content_digest
from generation.core.importers.errors import ImportInputError
from generation.core.records import Document, Language, PassedOver, Refusal
from tests.shared_data import DATA, needs_shared

BENCH = IMPORTERS["deepresearch_bench"]
URL = "https://kiln.example/heat"
QUERY = {"id": 3, "topic": "Crafts", "language": "en", "prompt": "How do kilns heat?"}
ARTICLE = f"I'll search for kilns.\n\n# Kilns\n\nThey burn wood. [1]\n\n[1] {URL} - Heat\n"
REPORT = {"id": 3, "prompt": "How do kilns heat?", "article": ARTICLE}
LOG = (
    "Query ID: 3\n=====\n\nQUESTION:\nHow do kilns heat?\n\n=====\n\nRESEARCH TASKS (2 total):\n"
    f"  #1: Find fuels.\n  #2: Find\nflames.\n\n=====\n\nANSWER:\nThey burn wood[[1]]({URL}).\n"
)


def rows(path: Path, *values: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values))
    return path


def text(path: Path, content: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    return path


@pytest.fixture
def bench(tmp_path):
    rows(
        tmp_path / "query.jsonl",
        {**QUERY, "id": 1, "prompt": "窑炉如何加热？", "language": "zh"},
        QUERY,
    )
    rows(tmp_path / "raw_data" / "ada-1.jsonl", REPORT)
    cleaned = [
        {**REPORT, "id": 1, "article": "x"},
        {**REPORT, "article": "# Kilns\n\nThey burn wood."},
    ]
    rows(tmp_path / "cleaned_data" / "ada-1.jsonl", *cleaned)
    scores = {"id": 3, "insight": 0.4, "overall_score": 0.5, "prompt": "x"}
    rows(tmp_path / "race" / "ada-1" / "raw_results.jsonl", scores)
    criterion = {"criterion": "Fuel", "explanation": "Names a fuel.", "weight": 0.7}
    criteria = {
        "id": 3,
        "prompt": "x",
        "dimension_weight": {"insight": 1.0},
        "criterions": {"insight": [criterion]},
    }
    rows(tmp_path / "criteria.jsonl", criteria)
    return tmp_path


def documents(path: Path, **options: Any) -> list[Document]:
    return [each for each in BENCH.read(path, **options) if isinstance(each, Document)]


def test_a_folder_gives_its_queries_and_reports(bench):
    found = {d.provenance.external_id: d for d in BENCH.read(bench) if isinstance(d, Document)}
    assert set(found) == {"query:1", "query:3", "ada-1:3"}
    assert len({found[name].provenance.cluster for name in ("query:3", "ada-1:3")}) == 1
    assert (found["query:1"].language, found["query:3"].language) == (Language.ZH, Language.EN)
    (criterion,) = found["query:3"].of_kind("criterion")
    assert (criterion.title, criterion.text, criterion.is_future) == (
        "insight 1",
        "Fuel\nNames a fuel.",
        True,
    )
    assert found["query:3"].facts["topic"] == "Crafts"


def test_a_report_is_joined_with_its_other_form_and_its_scores(bench):
    (report,) = documents(bench / "raw_data" / "ada-1.jsonl")
    assert [(s.kind, s.title, s.is_future) for s in report.sections] == [
        ("query", "", False),
        ("chatter", "", True),
        ("report", "", False),
        ("citation", URL, False),
        ("reference", URL, False),
        ("cleaned_report", "ada-1", False),
    ]
    body = report.of_kind("report")[0].text
    assert body.startswith("# Kilns")
    citation = report.of_kind("citation")[0]
    assert (citation.text, body[citation.facts["start"] : citation.facts["end"]]) == (
        "They burn wood.",
        "[1]",
    )
    assert report.of_kind("cleaned_report")[0].text == "# Kilns\n\nThey burn wood."
    assert report.facts["race"] == {"insight": 0.4, "overall_score": 0.5}
    assert report.facts["styles"] == ["number"]
    assert (report.provenance.model, report.provenance.licence) == ("ada-1", "Apache-2.0")
    assert body[report.facts["body_end"] :].strip() == f"[1] {URL} - Heat"


def test_cleaned_reports_are_passed_over_where_the_raw_ones_are(bench):
    found = list(BENCH.read(bench / "cleaned_data" / "ada-1.jsonl"))
    alone, joined = found
    assert isinstance(alone, Document)
    assert alone.facts["is_cleaned"]
    assert isinstance(joined, PassedOver)


def test_a_report_log_gives_its_tasks_and_takes_the_cleaned_form(tmp_path):
    path = text(tmp_path / "onyx_report_logs" / "3.md", LOG)
    rows(tmp_path / "cleaned_data" / "onyx.jsonl", {**REPORT, "article": "They burn wood."})
    (document,) = documents(path)
    assert [(s.text, s.title) for s in document.of_kind("research_task")] == [
        ("Find fuels.", "#1"),
        ("Find\nflames.", "#2"),
    ]
    assert document.of_kind("report")[0].text == f"They burn wood[[1]]({URL}).\n"
    assert document.of_kind("cleaned_report")[0].text == "They burn wood."
    assert document.provenance.external_id == "onyx:3"
    assert document.provenance.licence == "MIT"
    assert [type(each) for each in BENCH.read(tmp_path)] == [PassedOver, Document]


def pages_in_rows(folder: Path) -> Path:
    return rows(folder / "pages.jsonl", {"url": f"{URL}/", "text": "Wood burns."})


def pages_of_the_scraper(folder: Path) -> Path:
    return rows(
        folder / "s.jsonl", {"id": 3, "citations_deduped": {URL: {"url_content": "Wood burns."}}}
    )


def pages_in_a_folder(folder: Path) -> Path:
    text(folder / "pages" / f"{quote(URL, safe='')}.txt", "Wood burns.")
    return folder / "pages"


def pages_by_digest(folder: Path) -> Path:
    text(folder / "pages" / f"{hashlib.sha256(URL.encode()).hexdigest()}.md", "Wood burns.")
    return folder / "pages"


@pytest.mark.parametrize(
    "pages", [pages_in_rows, pages_of_the_scraper, pages_in_a_folder, pages_by_digest]
)
def test_the_text_of_cited_pages_follows_and_is_no_other_document(bench, tmp_path_factory, pages):
    path = bench / "raw_data" / "ada-1.jsonl"
    (document,) = documents(path, pages=pages(tmp_path_factory.mktemp("pages")))
    assert [(s.title, s.text) for s in document.of_kind("page")] == [(URL, "Wood burns.")]
    assert content_digest(document) == content_digest(documents(path)[0])


def test_pages_that_are_not_there_are_an_error(bench):
    with pytest.raises(ImportInputError, match="no such file or folder of pages"):
        list(BENCH.read(bench, pages=bench / "none"))


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"id": None}, "field 'id' is missing"),
        ({"id": [3]}, "field 'id' holds a list"),
        ({"article": " "}, "field 'article' is empty"),
        ({"article": 5}, "field 'article' holds a number"),
        ({"article": "x" * 1_000_001}, "field 'article' has 1000001 characters"),
        ({"prompt": ["x"]}, "field 'prompt' holds a list"),
        ({"prompt": None, "id": 77}, "field 'prompt' is missing, and no query.jsonl has id 77"),
    ],
)
def test_a_report_that_lacks_something_is_refused_by_its_field(tmp_path, fields, why):
    path = rows(tmp_path / "ada.jsonl", REPORT, {**REPORT, **fields})
    _first, refusal = BENCH.read(path)
    assert isinstance(refusal, Refusal)
    assert refusal.where == f"{path}:2"
    assert why in refusal.why


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ({"id": 1, "criterions": {}}, "criteria or scores, no report"),
        ({"id": 1, "prompt": "x", "overall_score": 1}, "criteria or scores, no report"),
        ({"id": 1}, "neither a query nor a report"),
        ([1], "no object"),
    ],
)
def test_other_rows_say_what_they_are(tmp_path, row, why):
    with pytest.raises(ImportInputError, match=why):
        list(BENCH.read(rows(tmp_path / "a.jsonl", row)))


def test_a_markdown_file_that_is_no_log_is_an_error(tmp_path):
    with pytest.raises(ImportInputError, match="no report log"):
        list(BENCH.read(text(tmp_path / "a.md", "# Kilns\n")))


def test_doubts_are_noted(bench):
    article = "Ada says: How do kilns heat? [4](x) [1]. [9]\n\n[1] https://kiln.example/ - K\n"
    rows(bench / "raw_data" / "lovelace-1.jsonl", {**REPORT, "prompt": "Why?", "article": article})
    (document,) = documents(bench / "raw_data" / "lovelace-1.jsonl")
    assert {note.kind for note in document.notes} == {"other_prompt"}
    rows(
        bench / "raw_data" / "kilnbot-1.jsonl", {**REPORT, "article": f"{article}\nKilnbot: [1, 9]"}
    )
    rows(bench / "cleaned_data" / "b.jsonl", {**REPORT, "id": 9, "article": URL})
    (cleaned,) = documents(bench / "cleaned_data" / "b.jsonl")
    assert {note.kind for note in cleaned.notes} == {"cleaned_holds_addresses"}
    (named,) = documents(bench / "raw_data" / "kilnbot-1.jsonl")
    assert {note.kind for note in named.notes} == {"quotes_prompt", "names_agent"}


SPOILT: tuple[Any, ...] = (None, 5, True, "[", "a\x00", [5], {"a": [1]}, 1.5)


def test_no_spoilt_field_stops_the_import(bench):
    for name, row in (
        ("raw_data/x.jsonl", REPORT),
        ("query.jsonl", QUERY),
        ("criteria.jsonl", None),
    ):
        given = row or json.loads((bench / "criteria.jsonl").read_text())
        for field in given:
            for value in SPOILT:
                spoilt = copy.deepcopy(given) | {field: value}
                rows(bench / name, spoilt)
                for found in BENCH.read(bench):
                    if isinstance(found, Document):
                        content_digest(found)


@needs_shared
@pytest.mark.shared
def test_every_file_of_the_shared_data_is_read():
    found = list(BENCH.read(DATA / "deepresearch_bench"))
    reports = [each for each in found if isinstance(each, Document) and each.provenance.model]
    queries = [each for each in found if isinstance(each, Document) and not each.provenance.model]
    assert (len(queries), len(reports)) == (100, 24)
    assert sum(isinstance(each, PassedOver) for each in found) == 4
    assert not [each for each in found if isinstance(each, Refusal)]
    assert sum(bool(each.of_kind("criterion")) for each in queries) == 12
    assert sum(bool(each.facts.get("race")) for each in reports) == 24
    raw = [each for each in reports if not each.facts["is_cleaned"]]
    assert len(raw) == 16
    assert all(each.of_kind("cleaned_report") and each.of_kind("citation") for each in raw)
    (left,) = [
        each for each in reports if any(n.kind == "cleaned_holds_addresses" for n in each.notes)
    ]
    assert left.provenance.external_id == "onyx:23"
