"""A research question is shown; its plan and what people clicked are future."""

import copy
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.importers.catalogue import IMPORTERS
from generation.core.importers.decompositions import PlanStep, plan_text, read_plan
from generation.core.importers.digest import content_digest
from generation.core.importers.errors import ImportInputError
from generation.core.records import Document, Language, Refusal, Success
from tests.shared_data import DATA, needs_shared

RESEARCHY = IMPORTERS["researchy_questions"]
HEADERS = [["What is a kiln?", ["Who built one?", "How hot is it?"]], ["Why clay?", []]]
PLAN = "1. What is a kiln?\n     - Who built one?\n     - How hot is it?\n2. Why clay?"
WRONG = "1. Why clay?\n2. What is a kiln?"


def question(**fields: Any) -> dict[str, Any]:
    given: dict[str, Any] = {
        "id": "77",
        "question": "why do kilns crack",
        "intrinsic_scores": {"ambiguous": 3},
        "gpt4_decomposition": {"headers": HEADERS, "queries": ["kiln cracks"]},
        "decompositional_score": 0.7,
        "DocStream": [
            {
                "Url": "https://kiln.example/",
                "Title": "All about \ue000kilns\ue001",
                "Snippet": "They \ue000crack\ue001.",
                "UrlLanguage": "en",
                "Click_Cnt": 0.25,
            }
        ],
    }
    return given | fields


def write(path: Path, *rows: Any) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def only(path: Path) -> Document:
    (document,) = RESEARCHY.read(path)
    assert isinstance(document, Document), document
    return document


def test_only_the_question_is_not_future(tmp_path):
    document = only(write(tmp_path / "a.jsonl", question()))
    assert [(s.kind, s.text, s.is_future) for s in document.sections] == [
        ("question", "why do kilns crack", False),
        ("plan", PLAN, True),
        ("search_query", "kiln cracks", True),
        ("result", "All about kilns\nThey crack.", True),
    ]
    assert document.of_kind("plan")[0].facts["steps"] == HEADERS
    assert document.of_kind("result")[0].title == "https://kiln.example/"
    assert document.facts == {"decompositional_score": 0.7, "intrinsic_scores": {"ambiguous": 3}}
    assert (document.success, document.language) == (Success.UNCONFIRMED, Language.EN)
    assert document.provenance.licence == "CDLA-Permissive-2.0"


@pytest.mark.parametrize(
    "held",
    [
        {"headers": HEADERS},
        json.dumps({"headers": HEADERS}),
        {"headers": [["What is a kiln?", "Who built one?", "How hot is it?"], "Why clay?"]},
        {"headers": [{"header": h, "subquestions": q} for h, q in HEADERS]},
        {
            "headers": [
                ["1. What is a kiln?", ["- Who built one?", "How  hot is it?"]],
                ["2. Why clay?"],
            ]
        },
        {
            "headers": [["What is a kiln?"], ["Why clay?"]],
            "subquestions": ["What is a kiln? Who built one?", "What is a kiln?: How hot is it?"],
        },
    ],
)
def test_a_decomposition_in_each_form_gives_one_plan(tmp_path, held):
    document = only(write(tmp_path / "a.jsonl", question(gpt4_decomposition=held)))
    assert document.of_kind("plan")[0].text == PLAN


def test_sub_questions_without_headers_are_the_plan(tmp_path):
    held = {"subquestions": ["What is a kiln?", "Why clay?"]}
    document = only(write(tmp_path / "a.jsonl", question(gpt4_decomposition=held)))
    assert document.of_kind("plan")[0].text == "1. What is a kiln?\n2. Why clay?"


def test_a_row_of_id_and_query_is_the_same_question_without_a_plan(tmp_path):
    bare = only(write(tmp_path / "a.jsonl", {"id": "77", "query": "Why do kilns crack"}))
    full = only(write(tmp_path / "b.jsonl", question(question="Why do kilns crack")))
    assert [s.kind for s in bare.sections] == ["question"]
    assert content_digest(bare) == content_digest(full)


def test_rows_of_a_parquet_file_are_questions(tmp_path):
    table = pa.table({"id": ["77"], "question": ["why do kilns crack"]})
    pq.write_table(table, tmp_path / "a.parquet")
    assert only(tmp_path / "a.parquet").title == "why do kilns crack"


@pytest.mark.parametrize("escaped", [False, True])
def test_lettered_choices_are_degraded_plans(tmp_path, escaped):
    plans = {"A": WRONG, "B": PLAN}
    if escaped:
        plans = {letter: text.replace("\n", "\\n") for letter, text in plans.items()}
    row = {"question": "why do kilns crack", "answer": "B", "plan": plans["B"], "choices": plans}
    document = only(write(tmp_path / "a.jsonl", row))
    assert document.of_kind("plan")[0].text == PLAN
    assert [(s.title, s.text) for s in document.of_kind("degraded_plan")] == [("A", WRONG)]
    assert document.provenance.external_id == "why do kilns crack"


def test_questions_that_a_person_should_look_at_are_noted(tmp_path):
    document = only(write(tmp_path / "a.jsonl", question(question="is a vaccine dangerous")))
    assert [note.kind for note in document.notes] == ["sensitive_topic"]


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"question": None}, "field 'question' is missing"),
        ({"question": "q" * 2001}, "field 'question' has 2001 characters"),
        ({"id": 1.5}, "field 'id' holds a number, not text"),
        ({"gpt4_decomposition": "{"}, "field 'gpt4_decomposition' is no JSON"),
        ({"gpt4_decomposition": [1]}, "field 'gpt4_decomposition' is no object"),
        ({"gpt4_decomposition": {"headers": "x"}}, "field gpt4_decomposition.headers is no list"),
        ({"gpt4_decomposition": {"headers": [[]]}}, "headers[0] is no header"),
        ({"gpt4_decomposition": {"headers": [["a", [1]]]}}, "a sub-question that is no text"),
        ({"gpt4_decomposition": {"queries": [1]}}, "field queries[0] holds a number"),
        ({"DocStream": {}}, "field 'DocStream' is no list"),
        ({"DocStream": [1]}, "field DocStream[0] is no object"),
        ({"DocStream": [{"Url": 1}]}, "DocStream[0]: field 'Url' holds a number"),
        ({"gpt4_decomposition": None, "plan": "no number"}, "field 'plan' has no numbered line"),
        ({"choices": ["A"], "answer": "A"}, "field 'choices' is no object"),
        ({"choices": {"A": WRONG}, "answer": "A"}, "the choice 'A' is not the plan"),
        ({"choices": {"A": WRONG}}, "field 'answer' is missing"),
    ],
)
def test_a_row_with_a_wrong_field_is_refused_by_its_name(tmp_path, fields, why):
    path = write(tmp_path / "a.jsonl", question(), question(**fields))
    _first, refusal = RESEARCHY.read(path)
    assert isinstance(refusal, Refusal), refusal
    assert refusal.where == f"{path}:2"
    assert why in refusal.why


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ({"uuid": "1", "question": "x", "choices": "(A)"}, "a row of APTBench"),
        ({"query": "x", "id": "1", "trajectory": "[]"}, "a run or a report"),
        ({"query": "x"}, "no research question"),
        (5, "no object"),
    ],
)
def test_other_rows_say_what_they_are(tmp_path, row, why):
    with pytest.raises(ImportInputError, match=why):
        list(RESEARCHY.read(write(tmp_path / "a.jsonl", row)))


SPOILT: tuple[Any, ...] = (None, 5, True, "[", "a\x00", [5], [[]], {"a": [1]}, 1.5)


def test_no_spoilt_field_stops_the_import(tmp_path):
    path = tmp_path / "a.jsonl"
    for name in question():
        for value in SPOILT:
            write(path, question(), copy.deepcopy(question()) | {name: value})
            found = list(RESEARCHY.read(path))
            assert len(found) == 2, (name, value)
            if isinstance(found[1], Document):
                content_digest(found[1])


WORDS = st.text(alphabet="abc ?", min_size=1, max_size=8).map(str.strip).filter(bool)


@given(st.lists(st.builds(PlanStep, WORDS, st.lists(WORDS, max_size=3).map(tuple)), max_size=4))
def test_a_plan_is_read_back_from_its_text(steps):
    assert read_plan(plan_text(steps)) == tuple(steps)


@needs_shared
@pytest.mark.shared
def test_every_file_of_the_shared_data_gives_its_questions():
    folder = DATA / "researchy_questions"
    counts = {
        "aptbench_openend_plan_3shot.json": 3,
        "docstream_sample_nodocs.jsonl": 10,
        "researchy_queries_sample_doc_click.jsonl": 600,
    }
    read = {name: list(RESEARCHY.read(folder / name)) for name in counts}
    assert {name: len(found) for name, found in read.items()} == counts
    assert all(isinstance(each, Document) for found in read.values() for each in found)
    # The ten with clicked pages are ten of the six hundred.
    digests = [
        {content_digest(each) for each in found if isinstance(each, Document)}
        for found in read.values()
    ]
    assert digests[1] < digests[2]
    rows = json.loads((folder / "aptbench_openend_plan_3shot.json").read_text())
    for row, document in zip(rows, read["aptbench_openend_plan_3shot.json"], strict=True):
        assert isinstance(document, Document)
        assert document.of_kind("plan")[0].text == row["plan"]
        assert len(document.of_kind("degraded_plan")) == len(row["choices"]) - 1
