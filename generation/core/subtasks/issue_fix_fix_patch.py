"""Choose the patch that repairs a bug."""

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
Each question gives a bug report and some patches. One patch repairs the bug and breaks nothing
else. Answer with its letter.

"""

_BLOCK = """\
Bug report:
$issue_statement

Patches:
$options

The patch that repairs it: ("""

_CUT = 1


def build(document: Document) -> Iterator[Draft | Rejection]:
    """Yield the one draft of a bug fix: the right patch, written anew from what it does.

    Left out are issues that show the fix.
    """
    fix = bug_fix(document, "patch")
    if isinstance(fix, str):
        yield Rejection(_CUT, fix)
        return
    if shows_fix(document, fix):
        yield Rejection(_CUT, SHOWS_FIX)
        return
    if any(is_test_path(file.new_path or file.old_path) for file in fix.patched):
        yield Rejection(_CUT, "the right patch changes tests")
        return
    gold = rewritten(fix.patch, fix.files)
    if fault := option_fault(gold):
        yield Rejection(_CUT, fault)
        return
    yield Draft(cut=_CUT, gold=gold, slots={"issue_statement": fix.statement})


def _is_fit(path: str) -> bool:
    """Return whether a patch that changes a file could be taken for the fix: it is no test."""
    return not is_test_path(path)


SUBTASK = Subtask(
    name="issue_fix_fix_patch",
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
    official=OfficialTask(dataset="issue_fix", task="fix_patch"),
    source_kinds=("swe_bench",),
    wrong_kinds=("predictions",),
    build_document=build,
    make_options=partial(failed_patches, choices=4, is_fit=_is_fit),
    set_name="swe",
)
