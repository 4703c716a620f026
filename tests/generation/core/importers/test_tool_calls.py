"""A tool call is one text, however it was written."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.importers.tool_calls import (
    TOOLS,
    parse_action,
    parse_fenced_call,
    parse_tagged_action,
    parse_xml_call,
    render_call,
    same_but_for_blanks,
)

TEXT = st.text(alphabet="ab 'c\"\n`<>/=", max_size=30)


@pytest.mark.parametrize(
    ("tool", "arguments", "text"),
    [
        ("bash", {"command": "ls -la | head"}, "ls -la | head"),
        ("submit", {}, "submit"),
        (
            "str_replace_editor",
            {"command": "view", "path": "/a.py", "view_range": [3, -1]},
            "str_replace_editor view /a.py --view_range 3 -1",
        ),
        (
            "str_replace_editor",
            {"new_str": "it's", "command": "insert", "path": "/a.py", "insert_line": 4},
            "str_replace_editor insert /a.py --new_str 'it'\"'\"'s' --insert_line 4",
        ),
        ("find_file", {"name": "a b.py"}, "find_file --name 'a b.py'"),
    ],
)
def test_a_call_is_rendered_as_its_shell_text(tool, arguments, text):
    assert render_call(tool, arguments) == text


def test_blanks_count_once_only():
    assert same_but_for_blanks("view /a  --x 1", "view /a --x 1")
    assert not same_but_for_blanks("view /a", "view /b")


@given(TEXT, TEXT)
def test_an_edit_is_read_back_from_its_shell_text(old, new):
    arguments = {"command": "str_replace", "path": "/a.py", "old_str": old, "new_str": new}
    text = render_call("str_replace_editor", arguments)
    assert shlex.split(text)[4] == old
    assert parse_action(text) == ("str_replace_editor", arguments)


@given(TEXT, TEXT)
def test_an_edit_is_read_back_from_a_fence_whatever_it_holds(old, new):
    arguments = {"command": "str_replace", "path": "/a.py", "old_str": old, "new_str": new}
    text = render_call("str_replace_editor", arguments)
    found = parse_fenced_call(f"Now the fix.\n\n```\n{text}\n```")
    assert found == ("Now the fix.", "str_replace_editor", arguments)


def test_a_file_that_holds_fences_is_read_whole():
    text = "str_replace_editor create /a.md --file_text '# A\n```\nls\n```\n'"
    found = parse_fenced_call(f"See:\n```\nx\n```\n\n```\n{text}\n```")
    assert found is not None
    thought, tool, arguments = found
    assert (thought, tool) == ("See:\n```\nx\n```", "str_replace_editor")
    assert arguments["file_text"] == "# A\n```\nls\n```\n"


def test_tags_inside_a_value_do_not_end_it():
    content = (
        "Write it.\n\n<function=str_replace_editor>\n<parameter=command>create</parameter>\n"
        "<parameter=path>/a</parameter>\n<parameter=file_text>\n<parameter=path>no</parameter>\n"
        "<b></function>\n</parameter>\n</function>"
    )
    found = parse_xml_call(content)
    assert found is not None
    thought, tool, arguments = found
    assert (thought, tool) == ("Write it.", "str_replace_editor")
    assert arguments == {
        "command": "create",
        "path": "/a",
        "file_text": "<parameter=path>no</parameter>\n<b></function>",
    }


def test_a_tagged_action_may_hold_the_opening_tag():
    assert parse_tagged_action("Go.\n<command>\necho '<command>'\n</command>\n") == (
        "Go.",
        "echo '<command>'",
    )


@pytest.mark.parametrize(
    "content", ["no tag", "<command>ls", "ls</command>", "<command>ls</command> and then"]
)
def test_a_message_that_does_not_end_in_a_tagged_action_makes_none(content):
    assert parse_tagged_action(content) is None


def test_ranges_and_line_numbers_are_numbers():
    content = (
        "<function=str_replace_editor>\n<parameter=command>view</parameter>\n"
        "<parameter=path>/a</parameter>\n<parameter=view_range>[1, 20]</parameter>\n</function>"
    )
    found = parse_xml_call(content)
    assert found is not None
    assert found[2]["view_range"] == [1, 20]
    assert parse_action("str_replace_editor view /a --view_range 1 20")[1]["view_range"] == [1, 20]


@pytest.mark.parametrize("content", ["no call", "```\nopen", "<function=bash> never closed", ""])
def test_what_holds_no_call_gives_none(content):
    assert parse_xml_call(content) is None
    assert parse_fenced_call(content) is None


@pytest.mark.parametrize("text", ["str_replace_editor view", "str_replace_editor create /a 'open"])
def test_a_malformed_call_of_the_editor_is_a_command_of_the_shell(text):
    assert parse_action(text) == ("bash", {"command": text})


def test_every_declared_tool_requires_only_what_it_declares():
    assert all(set(tool.required) <= set(tool.arguments) for tool in TOOLS)
