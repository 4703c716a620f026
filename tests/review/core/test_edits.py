"""Edits as removed and added lines; patches with their lines marked."""

import time
from difflib import unified_diff
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.core.edits import LARGEST, Block, Change, edit_of, line_diff, patch_marks

LINES = st.lists(st.sampled_from(["a", "b", "", "- c", "+d", "@@ -1 +1 @@"]), max_size=12)
EDITOR = "str_replace_editor"


def call(**arguments):
    return edit_of(EDITOR, {"path": "/a.py", **arguments}, limit=1_000)


def blocks(edit):
    return [(block.change.value, list(block.lines)) for block in edit.blocks]


def kinds(text):
    return [(mark.kind, text[mark.start : mark.end]) for mark in patch_marks(text)]


def test_replacement_shows_what_goes_and_comes_between_what_stays():
    edit = call(
        command="str_replace", old_str="def f():\n    x = 1\n", new_str="def f():\n    x = 2\n"
    )
    assert (edit.command, edit.path, edit.left_out) == ("str_replace", "/a.py", 0)
    assert blocks(edit) == [(" ", ["def f():"]), ("-", ["    x = 1"]), ("+", ["    x = 2"])]


def test_replacement_by_nothing_only_removes():
    assert blocks(call(command="str_replace", old_str="a\nb")) == [("-", ["a", "b"])]


def test_created_file_and_insertion_only_add():
    assert blocks(call(command="create", file_text="a\n\nb\n")) == [("+", ["a", "", "b"])]
    edit = call(command="insert", insert_line=12, new_str="import re\n")
    assert (edit.path, blocks(edit)) == ("/a.py:12", [("+", ["import re"])])


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("bash", {"command": "create", "path": "/a", "file_text": "x"}),
        (EDITOR, {}),
        (EDITOR, {"command": "view", "path": "/a"}),
        (EDITOR, {"command": "create", "path": "/a"}),
        (EDITOR, {"command": "create", "path": "/a", "file_text": ["x"]}),
        (EDITOR, {"command": "create", "path": None, "file_text": "x"}),
        (EDITOR, {"command": ["create"], "path": "/a", "file_text": "x"}),
        (EDITOR, {"command": "create", "path": "/a", "file_text": "x" * 2_000}),
        (EDITOR, {"command": "create", "path": "/a", "file_text": "x\n" * (LARGEST // 2 + 1)}),
    ],
)
def test_call_that_edits_nothing_or_is_no_reading_has_no_edit(tool, arguments):
    assert edit_of(tool, arguments, limit=1_000) is None


def test_lines_beyond_the_limit_are_counted():
    edit = edit_of(EDITOR, {"command": "create", "path": "/a", "file_text": "abc\n" * 10}, limit=10)
    assert edit is not None
    assert (blocks(edit), edit.left_out) == ([("+", ["abc", "abc"])], 8)


def test_hostile_text_in_an_edit_is_made_fit_to_show():
    edit = call(command="create", path="/\u202ea", file_text="\x1b[31mred\u202e")
    assert (edit.path, blocks(edit)) == ("/⟪U+202E⟫a", [("+", ["red⟪U+202E⟫"])])


@given(LINES, LINES)
def test_kept_and_removed_lines_are_the_old_text_kept_and_added_the_new(old, new):
    found = list(line_diff(old, new))
    assert [line for b in found if b.change != Change.ADDED for line in b.lines] == old
    assert [line for b in found if b.change != Change.REMOVED for line in b.lines] == new
    assert all(block.lines for block in found)


def test_text_with_too_many_lines_to_match_goes_and_comes_whole_between_its_ends():
    old, new = ["same", *"ab" * 100, "end"], ["same", *"cd" * 100, "end"]
    assert list(line_diff(old, new)) == [
        Block(Change.KEPT, ("same",)),
        Block(Change.REMOVED, tuple("ab" * 100)),
        Block(Change.ADDED, tuple("cd" * 100)),
        Block(Change.KEPT, ("end",)),
    ]


@given(LINES, LINES)
def test_marks_of_a_patch_are_its_removed_and_added_lines(old, new):
    lines = [f"{line}\n" for line in old], [f"{line}\n" for line in new]
    diff = list(unified_diff(*lines, "a/x", "b/x"))
    patch = "diff --git a/x b/x\n" + "".join(diff)
    for kind, sign in (("removed", "-"), ("added", "+")):
        marked = "".join(text for name, text in kinds(patch) if name == kind)
        assert marked == "".join(line for line in diff[2:] if line[0] == sign)


def test_lines_around_a_patch_and_its_headers_are_plain():
    patch = "$ git diff\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@ def f\n-old\n+new\n same\n+ not of it\n- nor this"
    assert kinds(patch) == [
        ("hunk", "@@ -1,2 +1,2 @@ def f\n"),
        ("removed", "-old\n"),
        ("added", "+new\n"),
    ]


def test_hunk_that_is_cut_off_ends_at_the_next_line_that_can_not_be_its():
    assert kinds("@@ -1,9 +1,9 @@\n-a\n\\ No newline at end of file\n+b\n$ ls\n- c\n")[1:] == [
        ("removed", "-a\n"),
        ("added", "+b\n"),
    ]


@pytest.mark.parametrize("text", ["", "-a\n+b\n", "@@ nothing", "a @@ -1 +1 @@", "@@ -1 +1"])
def test_text_without_a_hunk_has_no_marks(text):
    assert patch_marks(text) == ()


def test_other_line_ends_within_a_line_do_not_part_it():
    assert kinds("@@ -1 +1 @@\n-a\x0cb\u2028c\n+d\n")[1:] == [
        ("removed", "-a\x0cb\u2028c\n"),
        ("added", "+d\n"),
    ]


def test_large_and_hostile_texts_take_little_time():
    letters = Random("edits")
    old, new = ("\n".join(letters.choices("ab", k=140)) for _ in range(2))
    began = time.process_time()
    for _ in range(20):
        call(command="str_replace", old_str=old, new_str=new)
    call(command="str_replace", old_str="a\n" * 50_000, new_str="b\n" * 50_000)
    assert patch_marks("@@ -1,99999 +1,99999 @@\n" + "-a\n+b\n" * 30_000) == ()
    patch_marks("@@ -1 +1 @@\n" * 15_000)
    assert time.process_time() - began < 2
