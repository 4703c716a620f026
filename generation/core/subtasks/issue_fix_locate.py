"""Choose the code excerpt that holds the bug."""

from collections.abc import Iterator
from functools import partial

from generation.core.bug_fixes import SHOWS_FIX, bug_fix, shows_fix
from generation.core.cuts import option_fault
from generation.core.operators.patches import touched_lines
from generation.core.operators.snippets import piece_at, snippet_options
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
Each question gives a bug report and some excerpts of the project's code. The fix changes the code
of one excerpt. Answer with the letter of that excerpt.

"""

_BLOCK = """\
Bug report:
$issue_statement

Excerpts:
$options

The excerpt to change: ("""

_CUT = 1


def build(document: Document) -> Iterator[Draft | Rejection]:
    """Yield the one draft of a bug fix: the excerpt of the file that the right patch changes.

    The file is cut into excerpts by rule, before it is known where the change is.
    """
    fix = bug_fix(document, "patch")
    if isinstance(fix, str):
        yield Rejection(_CUT, fix)
        return
    (path, text), *others = fix.files.items() if fix.files else (("", ""),)
    if others or len(fix.patched) != 1 or not path:
        yield Rejection(_CUT, f"the fix changes {len(fix.patched)} files, not one that was there")
        return
    if shows_fix(document, fix):
        yield Rejection(_CUT, SHOWS_FIX)
        return
    piece = piece_at(text, touched_lines(fix.patched[0], text))
    fault = piece if isinstance(piece, str) else option_fault(piece.text)
    if fault or isinstance(piece, str):
        yield Rejection(_CUT, fault or "")
        return
    yield Draft(cut=_CUT, gold=piece.text, slots={"issue_statement": fix.statement})


SUBTASK = Subtask(
    name="issue_fix_locate",
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
    official=OfficialTask(dataset="issue_fix", task="locate"),
    source_kinds=("swe_bench",),
    build_document=build,
    make_options=partial(snippet_options, choices=4),
    set_name="swe",
)
