"""Patches apply as git would apply them; wrong ones are real, apply, and differ in what they do."""

import difflib
import os
import subprocess

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generation.core.operators.operator import Context, Unfit, Wrong
from generation.core.operators.patch_edits import failed_prediction
from generation.core.operators.patches import applied
from generation.core.patches import PatchError

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


def test_a_moved_hunk_goes_to_the_nearest_place_where_its_lines_stand():
    rows = [f"row {number}\n" for number in range(9)]
    made = patch("".join(rows), "".join([*rows[:4], "new\n", *rows[5:]]), "x")
    longer = "".join(["first\n", "second\n", *rows])
    assert applied(made, {"x": longer}) == {"x": longer.replace("row 4", "new")}


def test_a_hunk_at_the_start_of_its_file_goes_nowhere_else():
    with pytest.raises(PatchError, match="do not stand there"):
        applied(GOLD, {"kiln.py": "import os\n\n" + FILES["kiln.py"]})


some_lines = st.lists(st.sampled_from("aab"), max_size=9)
some_bare = st.booleans()


@given(old=some_lines, new=some_lines, other=some_lines, bare=some_bare, newly_bare=some_bare)
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_git_says_the_same(old, new, other, bare, newly_bare, tmp_path):
    before, after, there = ("".join(f"{line}\n" for line in some) for some in (old, new, other))
    before, after = before[: -bare or None], after[: -newly_bare or None]
    made = "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        for line in difflib.unified_diff(
            before.splitlines(keepends=True), after.splitlines(keepends=True), "a/x", "b/x"
        )
    )
    if not made or not before or not after:
        return
    alone = {"PATH": os.environ["PATH"], "GIT_CEILING_DIRECTORIES": str(tmp_path)}
    (tmp_path / "made.patch").write_text(made)
    for text in (before, there, before + there, there + before):
        (tmp_path / "x").write_text(text)
        done = subprocess.run(
            ["git", "apply", "made.patch"], cwd=tmp_path, env=alone, capture_output=True
        )
        try:
            ours = applied(made, {"x": text})["x"]
        except PatchError:
            ours = None
        gits = (tmp_path / "x").read_text() if done.returncode == 0 else None
        # A line without an end matches one with an end for git, and not here.
        assert ours == gits or ("No newline" in made and ours is None)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("no patch", "there is no hunk"),
        ("--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n-a\n", "the hunk of line 3 breaks off"),
        (GOLD.replace("kiln.py", "oven.py"), r"oven\.py is not there"),
        (GOLD.replace("900", "901"), "do not stand there"),
        ("--- /dev/null\n+++ b/kiln.py\n@@ -0,0 +1 @@\n+x\n", "is there already"),
        ("--- a/kiln.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-def fire():\n", "do not stand there"),
    ],
)
def test_what_does_not_apply_says_why(text, why):
    with pytest.raises(PatchError, match=why):
        applied(text, FILES)


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
        ((WRONG.replace("900", "901"),), "do not stand there"),
    ],
)
def test_a_failed_patch_that_is_right_changes_nothing_or_does_not_apply_is_not(failed, why):
    found = failed_prediction(GOLD, Context(files=FILES, failed_patches=failed), 1)
    assert isinstance(found, Unfit)
    assert why in found.why


def test_a_right_patch_that_does_not_apply_is_said_to():
    found = failed_prediction(GOLD, Context(failed_patches=(WRONG,)), 1)
    assert found == Unfit("the right patch does not apply: kiln.py is not there")
