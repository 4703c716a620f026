"""``issue_fix_locate``: the excerpt of one file that the right patch changes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.operators.patches import touched_lines
from generation.core.operators.snippets import pieces_of
from generation.core.patches import read_patch
from generation.core.registry import SUBTASKS
from generation.core.subtask import Draft, Rejection
from tests.generation.core.subtasks.bug_fix_documents import (
    FIX,
    PATH,
    SOURCE,
    instance,
    patch,
    replaced,
)

LOCATE = SUBTASKS["issue_fix_locate"]


def built(document):
    assert LOCATE.build_document is not None
    (result,) = LOCATE.build_document(document)
    return result


def test_gold_is_the_excerpt_with_the_lines_that_the_fix_changes():
    draft = built(instance())
    assert isinstance(draft, Draft)
    assert draft.cut == 1
    assert draft.slots == {"issue_statement": "Stage five overheats\n\nIt goes over its limit."}
    assert "    if warm > limit_5:\n" in draft.gold
    assert draft.gold in SOURCE
    assert "limit_3" not in draft.gold


def test_a_fix_that_only_adds_is_found_by_the_lines_beside_it():
    added = patch(SOURCE, replaced("    log_7(warm)\n", "    log_7(warm)\n    tell_all()\n"))
    draft = built(instance(added))
    assert isinstance(draft, Draft)
    assert "log_7" in draft.gold


@given(st.integers(5, SOURCE.count("\n")), st.sampled_from(["", "more\n", "other = 1\nmore\n"]))
def test_touched_lines_are_those_that_change_or_stand_beside_what_is_added(number, new):
    rows = SOURCE.splitlines(keepends=True)
    if not rows[number - 1].strip():
        return
    changed = "".join([*rows[: number - 1], new, *rows[number:]])
    (file,) = read_patch(patch(SOURCE, changed))
    assert number in touched_lines(file, SOURCE)
    assert all(abs(line - number) <= 1 for line in touched_lines(file, SOURCE))


TWO_PLACES = SOURCE.replace("limit_1:", "limit_1 + 1:").replace("limit_9:", "limit_9 + 1:")
REFUSED = [
    (instance(files={}), "the text of a changed file is not here: import with --repos"),
    (
        instance(files={PATH: SOURCE.replace("limit_5", "limit_x")}),
        "the right patch does not apply to the files that are here",
    ),
    (
        instance(
            problem="Try `warm >= limit_5 - margin` instead\n\n    if warm>=limit_5 - margin:"
        ),
        "the issue shows the fix",
    ),
    (instance(labels={"solution in description": "Exact patch"}), "the issue shows the fix"),
    (instance(patch(SOURCE, TWO_PLACES)), "the fix changes 2 pieces of the file, not one"),
    (
        instance(FIX + patch("a\n", "b\n", "kiln/x.py"), files={PATH: SOURCE, "kiln/x.py": "a\n"}),
        "the fix changes 2 files, not one that was there",
    ),
    (
        instance("--- /dev/null\n+++ b/kiln/new.py\n@@ -0,0 +1 @@\n+x = 1\n"),
        "the fix changes 1 files, not one that was there",
    ),
]


@pytest.mark.parametrize(("document", "why"), REFUSED)
def test_every_instance_left_out_has_its_reason(document, why):
    assert built(document) == Rejection(1, why)


def test_the_draft_does_not_depend_on_how_the_patch_is_written():
    bare = FIX.split("\n", 1)[1]
    assert built(instance(bare)) == built(instance())


def test_pieces_are_cut_before_the_fix_is_known():
    draft = built(instance())
    assert isinstance(draft, Draft)
    assert draft.gold in {piece.text for piece in pieces_of(SOURCE)}
