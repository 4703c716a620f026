"""Patches in unified format are read: files, expected lines, and where a patch breaks off."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.patches import Hunk, PatchError, lines_with_ends, read_patch

PATCH = """diff --git a/kiln/heat.py b/kiln/heat.py
index 1..2 100644
--- a/kiln/heat.py
+++ b/kiln/heat.py
@@ -3,3 +3,4 @@ def heat():
 one
--- two
+++ three
+four

diff --git a/new.py b/new.py
new file mode 100644
--- /dev/null
+++ b/new.py
@@ -0,0 +1 @@
+x
\\ No newline at end of file
"""


def test_files_and_hunks_by_hand():
    heat, new = read_patch(PATCH)
    assert (heat.old_path, heat.new_path) == ("kiln/heat.py", "kiln/heat.py")
    # Removed and added lines that look like file marks are lines of the hunk.
    assert heat.hunks == (Hunk(3, ("one", "-- two", ""), ("one", "++ three", "four", "")),)
    assert (new.old_path, new.new_path) == ("", "new.py")
    assert new.hunks == (Hunk(0, (), ("x",), new_is_bare=True, trails=False),)


def test_crlf_and_quoted_names_are_read():
    text = '--- "a/b \\303\\251.py"\t2024\r\n+++ "b/b \\303\\251.py"\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n'
    (file,) = read_patch(text)
    assert (file.old_path, file.hunks[0].old) == ("b é.py", ("a",))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("@@ -1 +1 @@\n-a\n+b\n", "line 1: a hunk before any file"),
        ("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n", "the hunk of line 3 breaks off"),
        ("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\nprose\n", "line 5: the hunk of line 3 breaks off"),
    ],
)
def test_a_cut_patch_names_its_line(text, why):
    with pytest.raises(PatchError, match=why):
        read_patch(text)


@given(st.text(alphabet="@-+ ab\n\\/1,", max_size=80))
def test_any_text_is_read_or_refused(text):
    try:
        files = read_patch(text)
    except PatchError:
        return
    assert sum(len(file.hunks) for file in files) <= text.count("@@")


def test_lines_end_at_line_feeds_alone():
    assert lines_with_ends("a\x0b\n\x00b\n\nc") == ["a\x0b\n", "\x00b\n", "\n", "c"]


@given(st.text(alphabet="a\n\r\x00\u2028"))
def test_lines_put_together_are_the_text(text):
    lines = lines_with_ends(text)
    assert "".join(lines) == text
    assert all(line.endswith("\n") for line in lines[:-1])
