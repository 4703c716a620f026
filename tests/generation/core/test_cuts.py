"""Which steps can be asked for, and the reason where one can not."""

from dataclasses import replace

import pytest

from generation.core.cuts import (
    call_fault,
    command_fault,
    has_cjk,
    is_diff,
    option_fault,
    prefix_before,
    repeat_fault,
    same_call,
    thought_fault,
    turn_fault,
)
from generation.core.records import Language, Outcome, Step
from generation.core.registry import SUBTASKS
from generation.core.subtask import Draft, Rejection
from tests.generation.core.runs import PATCH, QA_TOOLS, qa_run, swe_run


def bash(command: str, thought: str = "Do it") -> Step:
    return Step(thought, "bash", {"command": command}, command, "")


def why(name: str, run) -> dict[int, str]:
    build = SUBTASKS[name].build
    assert build is not None
    return {result.cut: result.why for result in build(run) if isinstance(result, Rejection)}


def test_a_prefix_holds_the_steps_before_the_cut_and_no_others():
    run = swe_run(1)
    prefix = prefix_before(run, 4)
    assert prefix.steps == run.steps[:3]
    assert (prefix.cut, prefix.thought, prefix.task) == (4, "", run.task)
    assert prefix_before(run, 4, shows_thought=True).thought == run.steps[3].thought
    assert prefix_before(run, 9, shows_thought=True).steps == run.steps


@pytest.mark.parametrize("cut", [0, 10])
def test_a_cut_outside_the_run_is_refused(cut):
    with pytest.raises(ValueError, match="8 steps"):
        prefix_before(swe_run(1), cut)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (PATCH, True),
        ("diff --git a/x b/x\n", True),
        ("\n--- a/lib/len.py\n+++ b/lib/len.py\n", True),
        ("\r\n--- a/x\r\n+++ b/x\r\n", True),
        ("flag{not-a-patch}", False),
        ("--- a heading\ntext", False),
        ("", False),
    ],
)
def test_what_is_a_patch(text, expected):
    assert is_diff(text) is expected


def test_a_run_that_submitted_a_flag_is_refused_for_both_repair_subtasks():
    run = swe_run(1, submission="flag{1}")
    for name in ("issue_fix_plan", "issue_fix_action"):
        assert why(name, run) == {1: "the run's submission is no patch"}


def test_calls_are_the_same_whatever_the_blanks():
    assert same_call(bash("ls  -l ")) == same_call(bash("ls -l"))
    assert same_call(bash("ls -l")) != same_call(bash("ls -a"))
    submit = Step("x", "submit", {}, "submit", "")
    assert same_call(submit) == same_call(replace(submit, thought="y"))


def test_an_error_turn_makes_no_call():
    assert turn_fault(Step("x", "", {}, "", "")) is not None
    assert turn_fault(Step("x", "exit", {}, "exit_format", "")) is not None
    assert turn_fault(bash("ls")) is None


def test_an_empty_thought_is_no_plan_but_may_be_an_action():
    run = swe_run(1)
    steps = (replace(run.steps[0], thought=" \n"), *run.steps[1:])
    assert thought_fault(steps[0]) == "the thought is empty"
    assert 1 in why("issue_fix_plan", replace(run, steps=steps))
    assert 1 not in why("issue_fix_action", replace(run, steps=steps))


def test_option_labels_in_a_text_would_parse_two_ways():
    assert option_fault("either (A) this or (B) that") is not None
    assert option_fault("f(A1), g(a)") is None


@pytest.mark.parametrize(
    ("tool", "arguments", "fault"),
    [
        ("web_search", {"text": "x"}, None),
        ("web_search", {"query": "x"}, "takes no argument 'query'"),
        ("web_search", {}, "lacks its argument 'text'"),
        ("web_search", {"text": "  "}, "lacks its argument 'text'"),
        ("websearch", {"text": "x"}, "'websearch' is not declared"),
        ("task_complete", {}, None),
    ],
)
def test_a_call_is_held_against_the_declared_tools(tool, arguments, fault):
    found = call_fault(Step("x", tool, arguments, "x", ""), QA_TOOLS)
    assert found is None if fault is None else fault in str(found)
    assert call_fault(Step("x", tool, arguments, "x", ""), ()) is None


def test_a_repeated_call_names_the_step_that_made_it():
    shown = (bash("ls"), bash("make test"))
    assert repeat_fault(bash("make  test"), shown) == "step 2 already made this call"
    assert repeat_fault(bash("make"), shown) is None


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        ("make test", None),
        ("cat <<'X'\npath/to <your name>\nX", None),
        ("python -c 'print(1)' > out.txt < in.txt", None),
        ("pip install -e .[dev]", None),
        ("wandb login <your_token>", "does not parse"),
        ("pip install [package]", "placeholder"),
        ("wandb login {API_KEY}", "placeholder"),
        ("cd path/to", "placeholder"),
        ("export KEY=your_key", "placeholder"),
        ("import widget", "another language"),
        ("x = 3", "another language"),
        ('python -c "import widget', "does not parse"),
        ("cat <<X\n```\nX", "stop string"),
        ("echo " + "word " * 600, "the budget is 512"),
    ],
)
def test_a_command_that_can_be_a_right_answer(command, fault):
    found = command_fault(bash(command), max_new_tokens=512, stop=("\n```",))
    assert found is None if fault is None else fault in str(found)


def test_a_call_that_only_keeps_a_thought_is_no_command():
    step = Step("Hm.", "think", {"thought": "x"}, "think --thought x", "")
    found = command_fault(step, max_new_tokens=512, stop=("\n```",))
    assert found == "the step keeps a thought and runs nothing"


def test_a_command_done_before_is_not_asked_again():
    run = swe_run(1)
    again = replace(run, steps=(*run.steps, replace(run.steps[3], thought="Run it once more")))
    assert why("issue_fix_action", again) == {9: "step 4 already made this call"}


def test_only_english_questions_go_to_the_english_subtasks():
    chinese = replace(qa_run(1), language=Language.ZH)
    assert why("closed_plan_en", chinese) == {1: "the question's language is zh"}
    assert why("closed_answer_en", chinese) == {5: "the question's language is zh"}
    assert has_cjk("查找")
    assert not has_cjk("naïve café")


def test_the_plan_and_call_of_a_search_agent_are_one_line_of_json():
    build = SUBTASKS["closed_plan_en"].build
    assert build is not None
    draft = list(build(qa_run(1)))[-1]
    assert draft == Draft(
        cut=4,
        gold='{"planning":"Enough is known of case 1",'
        '"execution":{"name":"task_complete","args":{}}}',
        slots={},
    )


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        ("", "no short answer"),
        ("[1] x", "stop string"),
        ("one\ntwo", "stop string"),
        ("word " * 70, "the budget is 64"),
    ],
)
def test_an_answer_that_can_not_be_written_is_refused(answer, fault):
    run = replace(qa_run(1), outcome=Outcome(final_answer=answer))
    assert fault in why("closed_answer_en", run)[5]


def test_the_short_answer_is_asked_after_the_whole_run():
    build = SUBTASKS["closed_answer_en"].build
    assert build is not None
    assert list(build(qa_run(1))) == [Draft(cut=5, gold="Ada Lovelace", slots={})]
