"""Colours of code: by name, never a guess; stretches lie where their characters are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.records import Step
from review.core.colours import KINDS, colours, file_in, language_named, language_of
from review.core.languages import (
    language_of_action,
    language_of_observation,
    language_of_options,
    may_have_colours,
)

CODE = 'def fire(kiln):\n    # hot\n    return "fire" + 7\n'


def words(text, language):
    return [(KINDS[s.kind], text[s.start : s.end]) for s in colours(text, language)]


def test_kinds_of_a_small_program():
    assert words(CODE, "python") == [
        ("keyword", "def"),
        ("name", "fire"),
        ("comment", "# hot"),
        ("keyword", "return"),
        ("string", '"fire"'),
        ("number", "7"),
    ]


def test_numbers_before_lines_are_no_code():
    text = "     1\tdef fire():\n     2\t    '''one\n     3\t    two'''\n     4\t    return 7\n"
    assert words(text, "python") == [
        ("keyword", "def"),
        ("name", "fire"),
        ("string", "'''one"),
        ("string", "    two'''"),
        ("keyword", "return"),
        ("number", "7"),
    ]


def test_fences_are_coloured_by_the_language_they_name():
    text = "See:\n```python\nreturn 7\n```\nand\n```\nreturn 8\n```\nand return 9"
    assert words(text, "") == [("keyword", "return"), ("number", "7")]


@given(st.text(max_size=300), st.sampled_from(["python", "bash", "json", ""]))
def test_stretches_are_in_order_and_inside(text, language):
    at = 0
    for each in colours(text, language):
        assert at <= each.start < each.end <= len(text)
        at = each.end


def test_text_above_200_kb_is_plain():
    assert colours("x = 1\n" * 40_000, "python") == ()


@pytest.mark.parametrize(
    ("path", "language"),
    [("a/b.py", "python"), ("Makefile", "make"), ("x.unknown", ""), ("", ""), ("notes.txt", "")],
)
def test_language_is_told_by_the_name_of_a_file(path, language):
    assert language_of(path) == language


def test_fence_may_name_a_language_any_way():
    assert [language_named(word) for word in ("Python", "sh", "nonsense")] == ["python", "bash", ""]


@pytest.mark.parametrize(
    ("tool", "arguments", "action", "expected"),
    [
        ("bash", {}, "cat src/kiln.py", "python"),
        ("bash", {}, "cd /testbed && sed -n 1,40p src/kiln.js", "javascript"),
        ("bash", {}, "cat src/kiln.py | wc -l", ""),
        ("bash", {}, "cat > kiln.py <<EOF", ""),
        ("bash", {}, "python kiln.py", ""),
        ("str_replace_editor", {"command": "view", "path": "/a/kiln.py"}, "", "python"),
        ("str_replace_editor", {"command": "create", "path": "/a/kiln.py"}, "", ""),
    ],
)
def test_observation_is_code_where_a_step_reads_a_file(tool, arguments, action, expected):
    assert language_of_observation(Step("", tool, arguments, action, "")) == expected


def test_command_of_a_shell_is_code_and_a_json_call_is_not():
    assert language_of_action(Step("", "bash", {}, "ls", "")) == "bash"
    assert language_of_action(Step("", "bash", {}, '{"command": "ls"}', "")) == ""
    assert language_of_action(Step("", "web_search", {}, "kilns", "")) == ""


def test_options_are_in_the_language_named_most_often():
    assert language_of_options(["Fails in a.py and b.py, not in c.js."]) == "python"
    assert language_of_options(["It fails."]) == ""


def test_last_file_of_a_command_is_what_it_reads():
    assert file_in("sed -n 1,9p src/a.py") == "src/a.py"
    assert file_in("ls") == ""


def test_prose_without_fences_has_no_colours():
    assert not may_have_colours("Look at the kiln.", "")
    assert may_have_colours("```python\n1\n```", "")
    assert not may_have_colours("", "python")
