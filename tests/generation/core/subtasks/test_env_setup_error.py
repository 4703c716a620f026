"""``env_setup_error``: the solution that a closed issue's readers liked best, as steps."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.records import Document, Language, Note, Provenance, Section
from generation.core.registry import SUBTASKS
from generation.core.setup_answers import solution_steps
from generation.core.subtask import Draft, Rejection

ERROR = SUBTASKS["env_setup_error"]
ANSWER = """\
Thanks for the report. Two packages bring the same library:

1. Uninstall `kiln-gl`.
2. Delete the folder `build`, then install `kiln-headless` with pip.

```bash
# check it
$ python -c "import kiln"
```

Does it work now?
"""


def comment(text: str = ANSWER, score: int = 5, **facts) -> Section:
    return Section("comment", text, "c", is_future=True, facts={"score": score, **facts})


def issue(*comments: Section, notes: tuple[str, ...] = (), body: str = "It fails.", **facts):
    return Document(
        provenance=Provenance("github_issues", "acme/kiln#7", "acme__kiln-7", "issues.json:1"),
        language=Language.EN,
        title="ImportError after pip install",
        sections=(Section("body", body), *comments),
        facts={"state": "closed", "repository": "acme/kiln", **facts},
        notes=tuple(Note(kind, "body", "seen") for kind in notes),
    )


def built(document: Document):
    assert ERROR.build_document is not None
    (result,) = ERROR.build_document(document)
    return result


def test_the_best_liked_answer_is_the_plan_and_no_comment_is_shown():
    draft = built(issue(comment("Same here.", 1), comment(), comment("Try `kiln --safe`.", 4)))
    assert isinstance(draft, Draft)
    assert draft.gold.splitlines() == [
        "1. Uninstall `kiln-gl`",
        "2. Delete the folder `build`",
        "3. Install `kiln-headless` with pip",
        '4. Run `python -c "import kiln"`',
    ]
    assert draft.slots == {
        "setup_instruct": "Nothing is known but its name: acme/kiln.",
        "issue_title": "ImportError after pip install",
        "issue_body": "It fails.",
    }


def test_the_set_up_is_shown_where_it_is_known():
    document = issue(comment(), Section("setup", "1. Go into the folder kiln", "acme/kiln"))
    draft = built(document)
    assert isinstance(draft, Draft)
    assert draft.slots["setup_instruct"] == "1. Go into the folder kiln"


@pytest.mark.parametrize(
    ("document", "why"),
    [
        (issue(comment(), state="open"), "the issue is not closed"),
        (issue(comment(), state_reason="not_planned"), "the issue was closed as not_planned"),
        (issue(comment(score=2)), "no answer has 3 likes more than dislikes"),
        (issue(comment(is_bot=True)), "no answer has 3 likes more than dislikes"),
        (issue(comment(), comment("Do so.")), "two answers are liked equally"),
        (issue(comment("Install `kiln` anew.")), "the answer has fewer than 2 steps"),
        (issue(comment(ANSWER + "\n- Install 安装")), "another language"),
        (issue(comment(), notes=("body_tells_outcome",)), "own text says how it ended"),
        (issue(comment(), notes=("incomplete_thread",)), "comments are missing"),
        (issue(comment(), body="I did: Uninstall `kiln-gl`"), "holds a step of the answer"),
        (issue(comment(ANSWER.replace("`build`", "(A)"))), "option labels"),
        (issue(comment("\n".join(f"- Run `make t{n}`" for n in range(13)))), "more than 12 steps"),
    ],
)
def test_every_issue_left_out_has_its_reason(document, why):
    result = built(document)
    assert isinstance(result, Rejection)
    assert why in result.why


def test_an_issue_about_something_else_is_left_out():
    document = issue(comment())
    other = Document(
        document.provenance,
        document.language,
        "Colours look odd",
        document.sections,
        document.facts,
    )
    assert built(other) == Rejection(1, "the issue does not speak of setting something up")


def test_what_explains_thanks_or_asks_is_no_step():
    assert solution_steps("CUDA 11.3 is too old. Thanks! Which card is it? Install 11.8.") == (
        "Install 11.8",
    )
    assert solution_steps("> Install it\n\nPlease set `A=1`; then run it") == (
        "Please set `A=1`",
        "Run it",
    )


def test_code_is_never_cut():
    one = 'Run `python -c "import a; print(a). B"`, then check `x; y`. Stop `z`?'
    assert solution_steps(one) == ('Run `python -c "import a; print(a). B"`', "Check `x; y`")


@given(st.text(alphabet="abI `\0\n.-1)#>:;$", max_size=120))
def test_any_answer_is_read_and_its_steps_are_lines_of_their_own(text):
    steps = solution_steps(text)
    assert all(step and "\n" not in step for step in steps)
    assert len(set(steps)) == len(steps)
