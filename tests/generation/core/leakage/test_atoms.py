"""Which single facts are worth looking for, and when a text holds one."""

import pytest

from generation.core.leakage.answer_key import answer_fields
from generation.core.leakage.atoms import Atom, holds_whole, unusual_atoms
from generation.core.leakage.normalise import normalise


def atoms(text: str) -> list[tuple[str, str]]:
    folded = normalise(text).text
    found = list(unusual_atoms(folded, 0, len(folded)))
    assert all(folded[atom.start : atom.end] == atom.text for atom in found)
    return [(atom.kind, atom.text) for atom in found]


@pytest.mark.parametrize(
    ("text", "kind", "found"),
    [
        ("see https://a.org/x?y=1).", "url", "https://a.org/x?y=1"),
        ("网址 https://a.org/x。后", "url", "https://a.org/x"),
        ("commit 7fe21c09ab here", "hash", "7fe21c09ab"),
        ("on 2031-07-19 at", "date", "2031-07-19"),
        ("on March 4, 1987", "date", "march 4, 1987"),
        ("于2029年4月17日重", "date", "2029年4月17日"),
        ("took 3541.27 s", "number", "3541.27"),
        ("took 0.31s", "number", "0.31"),
        ("48,213 rows", "number", "48,213"),
        ("48213 rows", "number", "48213"),
        ("in tests/test_len.py:3", "path", "tests/test_len.py"),
        ("numpy 1.26.4 is", "version", "1.26.4"),
        ("call parse_unit_length", "identifier", "parse_unit_length"),
    ],
)
def test_unusual_facts_are_found_whole(text, kind, found):
    assert atoms(text) == [(kind, found)]


@pytest.mark.parametrize(
    "text",
    ["3 or 12", "0.5", "1000", "in 1999", "port 8080", "Python 3.11", "/usr/bin/python3", "and/or",
     "src/main.py", "tests/__init__.py", "deadbeef", "2048", "true/false", "plain words"],
)  # fmt: skip
def test_what_any_text_may_hold_is_left_out(text):
    assert atoms(text) == []


@pytest.mark.parametrize(
    ("kind", "needle", "text", "place"),
    [
        ("number", "0.31", "in 0.31s", 3),
        ("number", "0.31", "in 0.312", -1),
        ("number", "1234", "91234 1,234", -1),
        ("number", "1234", "at 12345 and 1234.", 13),
        ("hash", "7fe21c0", "id 7fe21c09ab", 3),
        ("hash", "7fe21c0", "a7fe21c09ab", -1),
        ("path", "tests/a_1.py", "/x/tests/a_1.py", 3),
        ("path", "tests/a_1.py", "mytests/a_1.py", -1),
    ],
)
def test_a_fact_inside_a_longer_one_is_not_held(kind, needle, text, place):
    assert holds_whole(text, Atom(kind, 0, len(needle), needle), 0, len(text)) == place


@pytest.mark.parametrize(
    ("text", "kind", "found"),
    [
        ('{"next_step": "open the file"}', "answer_key", '"next_step": "open the file"'),
        ("acme resolved: true, ok", "answer_key", "resolved: true"),
        ("exit_status: submitted", "outcome", "exit_status: submitted"),
        ('"answer": "paris"', "answer_key", '"answer": "paris"'),
        ("reference_answer = 42", "answer_key", "reference_answer = 42"),
    ],
)
def test_fields_that_tell_are_found(text, kind, found):
    fields = list(answer_fields(text, 0, len(text)))
    assert [(field.kind, text[field.start : field.end]) for field in fields] == [(kind, found)]


@pytest.mark.parametrize(
    "text",
    ["answer: b", "the answer: (", '"answer": "<your answer>"', '"answer": "..."', "next_step:",
     '{"answer": ""}', "the issue was resolved by hand"],
)  # fmt: skip
def test_placeholders_and_bare_answers_are_no_key(text):
    assert list(answer_fields(text, 0, len(text))) == []
