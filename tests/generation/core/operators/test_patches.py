"""Patches apply as git would apply them; wrong ones are real, apply, and differ in what they do."""

import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.operators.operator import Context, Unfit, Wrong
from generation.core.operators.patch_edits import failed_prediction
from generation.core.operators.patches import PatchFault, applied, read_patch

FILES = {"kiln.py": "def fire():\n    heat = 900\n    return heat\n"}


def patch(old, new, path="kiln.py"):
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), f"a/{path}", f"b/{path}", lineterm="")  # fmt: skip
    return "\n".join(lines) + "\n"


def changed(new):
    return patch(FILES["kiln.py"], new)


GOLD = changed("def fire():\n    heat = 1000\n    return heat\n")
WRONG = changed("def fire():\n    heat = 800\n    return heat\n")

lines = st.lists(st.sampled_from(["a", "b", "", "-c", "+d", "--- e"]), max_size=12)


@given(old=lines, new=lines)
def test_a_difference_applied_gives_the_new_file(old, new):
    before, after = ("".join(f"{line}\n" for line in some) for some in (old, new))
    made = patch(before, after, "x")
    if made.strip():
        assert applied(made, {"x": before}) == {"x": after}


def test_a_file_is_made_and_removed():
    made = "--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+x = 1\n"
    assert applied(made, {}) == {"new.py": "x = 1\n"}
    gone = "--- a/new.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x = 1\n"
    assert applied(gone, {"new.py": "x = 1\n"}) == {}


def test_a_moved_hunk_goes_where_its_lines_stand_alone():
    assert applied(GOLD, {"kiln.py": "import os\n\n" + FILES["kiln.py"]})["kiln.py"].endswith(
        "heat = 1000\n    return heat\n"
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("no patch", "there is no hunk"),
        ("--- a/x\nno", "line 2: '\\+\\+\\+' is missing"),
        ("--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n-a\n", "other lines than its header says"),
        (GOLD.replace("kiln.py", "oven.py"), r"oven\.py is not there"),
        (GOLD.replace("900", "901"), "stand at 0 places"),
    ],
)
def test_what_does_not_apply_says_why(text, why):
    with pytest.raises(PatchFault, match=why):
        applied(text, FILES)


def test_paths_lose_their_prefix_and_time():
    (file,) = read_patch("--- a/k.py\t2026\n+++ b/k.py\t2026\n@@ -1 +1 @@\n-a\n+b\n")
    assert (file.old_path, file.new_path) == ("k.py", "k.py")


def test_a_failed_patch_that_applies_is_taken():
    context = Context(files=FILES, failed_patches=("no patch", WRONG))
    assert failed_prediction(GOLD, context, 1) == Wrong(
        WRONG, "The tests of the issue fail with this patch."
    )


@pytest.mark.parametrize(
    ("failed", "why"),
    [
        ((), "no failed patch is at hand"),
        ((GOLD,), "does what the right patch does"),
        ((changed("def fire():\n    heat = 900  \n    return heat\n"),), "nothing but blanks"),
        ((WRONG.replace("900", "901"),), "stand at 0 places"),
    ],
)
def test_a_failed_patch_that_is_right_changes_nothing_or_does_not_apply_is_not(failed, why):
    found = failed_prediction(GOLD, Context(files=FILES, failed_patches=failed), 1)
    assert isinstance(found, Unfit)
    assert why in found.why


def test_a_right_patch_that_does_not_apply_is_said_to():
    found = failed_prediction(GOLD, Context(failed_patches=(WRONG,)), 1)
    assert found == Unfit("the right patch does not apply: kiln.py is not there")
