"""The questions on search agents' runs, in two languages: whose plan, in which language."""

from dataclasses import replace

import pytest

from generation.core.records import Language, Outcome
from generation.core.registry import SUBTASKS
from generation.core.subtask import Draft, Rejection
from tests.generation.core.runs import in_chinese, qa_run

WRONG = "the plan is in another language than the question"


def results(name, run):
    build = SUBTASKS[name].build
    assert build is not None
    return list(build(run))


@pytest.mark.parametrize("name", ["closed_plan_zh", "closed_answer_zh"])
def test_an_english_question_is_none_of_the_chinese_subtasks(name):
    (only,) = results(name, qa_run(1))
    assert only.why == "the question's language is en"


def test_every_step_planned_in_chinese_is_asked_whatever_its_call_is_written_in():
    found = results("closed_plan_zh", in_chinese(qa_run(1)))
    assert [result.cut for result in found if isinstance(result, Draft)] == [1, 2, 3, 4]
    assert found[-1].gold == (
        '{"planning":"下一步：Enough is known of case 1",'
        '"execution":{"name":"task_complete","args":{}}}'
    )


def test_a_plan_in_another_language_is_left_out():
    run = in_chinese(qa_run(1))
    steps = (replace(run.steps[0], thought="Search for it"), *run.steps[1:])
    assert results("closed_plan_zh", replace(run, steps=steps))[0] == Rejection(1, WRONG)
    english = qa_run(1)
    steps = (replace(english.steps[0], thought="查找"), *english.steps[1:])
    assert results("closed_plan_en", replace(english, steps=steps))[0] == Rejection(1, WRONG)


def test_the_chinese_answer_stands_after_the_whole_run():
    run = replace(in_chinese(qa_run(1)), outcome=Outcome(final_answer=" 灯塔看守人 "))
    assert results("closed_answer_zh", run) == [Draft(cut=5, gold="灯塔看守人", slots={})]


@pytest.mark.parametrize(("answer", "why"), [("", "no short answer"), ("塔" * 97, "budget is 64")])
def test_an_answer_that_can_not_be_written_is_refused(answer, why):
    run = replace(in_chinese(qa_run(1)), outcome=Outcome(final_answer=answer))
    (only,) = results("closed_answer_zh", run)
    assert why in only.why


def test_english_and_chinese_differ_in_wording_alone():
    for ability in ("plan", "answer"):
        english, chinese = SUBTASKS[f"closed_{ability}_en"], SUBTASKS[f"closed_{ability}_zh"]
        assert chinese.language is Language.ZH
        for part in (
            "metrics",
            "max_new_tokens",
            "stop",
            "choices",
            "make_options",
            "source_kinds",
        ):
            assert getattr(english, part) == getattr(chinese, part)
