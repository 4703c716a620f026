"""Choose the test that shows a bug."""

from collections.abc import Iterator
from functools import partial

from generation.core.bug_fixes import SHOWS_FIX, bug_fix, is_test_path, shows_fix
from generation.core.cuts import option_fault
from generation.core.operators.failed_patches import failed_patches, rewritten
from generation.core.records import Document, Language
from generation.core.subtask import (
    Ability,
    AnswerFormat,
    Draft,
    OfficialTask,
    PromptParts,
    Reader,
    Rejection,
    Scenario,
    Subtask,
)

_INSTRUCTION = """\
Each question gives a bug report and some tests. One test fails as long as the bug is there and
passes once it is repaired. Answer with its letter.

"""

_BLOCK = """\
Bug report:
$problem_statement

Tests:
$options

The test that shows the bug: ("""

_CUT = 1


def build(document: Document) -> Iterator[Draft | Rejection]:
    """Yield the one draft of a bug fix: the tests that came with it, written anew from what they do.

    Left out are issues that show them.
    """
    fix = bug_fix(document, "test_patch")
    if isinstance(fix, str):
        yield Rejection(_CUT, fix)
        return
    if shows_fix(document, fix):
        yield Rejection(_CUT, SHOWS_FIX)
        return
    if not all(is_test_path(file.new_path or file.old_path) for file in fix.patched):
        yield Rejection(_CUT, "the test patch changes files that are no tests")
        return
    gold = rewritten(fix.patch, fix.files)
    if fault := option_fault(gold):
        yield Rejection(_CUT, fault)
        return
    yield Draft(cut=_CUT, gold=gold, slots={"problem_statement": fix.statement})


SUBTASK = Subtask(
    name="issue_fix_test_patch",
    scenario=Scenario.ISSUE_FIX,
    ability=Ability.ATOMIC,
    language=Language.EN,
    answer_format=AnswerFormat.CHOICE,
    reader=Reader.LETTER,
    metrics=("accuracy",),
    prompt=PromptParts(instruction=_INSTRUCTION, block=_BLOCK, answer_end=")"),
    max_new_tokens=10,
    stop=("\n\n",),
    official_max_new_tokens=10,
    choices=range(4, 5),
    shots=3,
    long_context=False,
    official=OfficialTask(dataset="issue_fix", task="test_patch"),
    source_kinds=("swe_bench",),
    wrong_kinds=("predictions",),
    build_document=build,
    make_options=partial(failed_patches, choices=4, is_fit=is_test_path),
    set_name="swe",
)
