"""Operators on tool calls: valid by the tools' rules, wrong at this point, never the right call."""

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.operators.call_edits import (
    early_stop,
    later_step,
    off_target_query,
    repeat_done,
    unrelated_url,
    wrong_tool_use,
)
from generation.core.operators.calls import call_of, read_planned_call
from generation.core.operators.operator import Context, Unfit, Wrong
from generation.core.records import Step
from tests.generation.core.runs import QA_TOOLS, qa_run

EVERY = (early_stop, later_step, off_target_query, repeat_done, unrelated_url, wrong_tool_use)
CASES = st.tuples(st.sampled_from(EVERY), st.integers(0, 30), st.integers(0, 6), st.integers(0, 99))


def search(words, thought="Look for it", seen=""):
    return Step(thought, "web_search", {"text": words}, "", seen)


def browse(url, question="When?", thought="Read the page"):
    return Step(thought, "browse_website", {"url": url, "question": question}, "", "")


def stop(thought="Enough is known"):
    return Step(thought, "task_complete", {}, "", "")


def gold(step):
    return call_of(step).written()


SEEN = "Kiln of Delft https://a.example/delft opened.\n" + "Cats sleep. " * 30 + "Ovens of Lyon https://b.example/lyon closed."  # fmt: skip
SHOWN = (search("Delft kiln", seen=SEEN), browse("https://a.example/delft"))


@given(case=CASES)
def test_all_are_valid_calls_that_differ_from_the_right_one_and_are_the_same_again(case):
    operator, number, cut, seed = case
    run = qa_run(number, steps=8)
    others = tuple(gold(qa_run(other, steps=4).steps[-1]) for other in range(40, 44))
    context = Context(run.task, QA_TOOLS, run.steps[:cut], run.steps[cut + 1 :], others)
    right = gold(run.steps[cut])
    wrong = operator(right, context, seed)
    assert wrong == operator(right, context, seed)
    if isinstance(wrong, Unfit):
        assert wrong.why
        return
    call = read_planned_call(wrong.text)
    assert call is not None
    assert call.planning
    assert call.fault(QA_TOOLS) is None
    assert not call.is_same_call(call_of(run.steps[cut]))
    assert wrong.reason.endswith(".")
    for step in run.steps[cut:]:
        assert step.observation not in wrong.text


def test_stopping_early_takes_the_words_of_a_real_ending():
    context = Context(tools=QA_TOOLS, others=(gold(stop("It is 1650")), gold(search("x"))))
    wrong = early_stop(gold(search("Delft kiln")), context, 1)
    assert isinstance(wrong, Wrong)
    assert wrong.text == gold(stop("It is 1650"))
    assert isinstance(early_stop(gold(stop()), context, 1), Unfit)
    assert isinstance(early_stop(gold(search("x")), Context(tools=QA_TOOLS), 1), Unfit)


def test_what_is_done_is_repeated_and_named():
    wrong = repeat_done(gold(stop()), Context(tools=QA_TOOLS, shown=SHOWN[:1]), 1)
    assert wrong == Wrong(gold(SHOWN[0]), "Step 1 has done this already.")
    same = Context(tools=QA_TOOLS, shown=SHOWN[:1])
    assert isinstance(repeat_done(gold(search("Delft  kiln", "Other words")), same, 1), Unfit)


def test_a_later_step_is_asked_too_early_in_the_answer_s_own_form():
    context = Context(tools=QA_TOOLS, later=(stop("All is known"),))
    assert later_step(gold(search("x")), context, 1) == Wrong(
        gold(stop("All is known")), "The run does this only later."
    )
    assert later_step("A thought alone", context, 1) == Wrong(
        "All is known", "The run does this only later."
    )
    assert isinstance(later_step("All is known", context, 1), Unfit)


def test_a_query_misses_the_point_in_plan_and_query_alike():
    context = Context(tools=QA_TOOLS, shown=(search("ovens of Lyon de Bresse in 1720"),))
    wrong = off_target_query(gold(search("Delft kiln", "Search for Delft first")), context, 1)
    assert isinstance(wrong, Wrong)
    call = json.loads(wrong.text)
    assert call["planning"] == "Search for Lyon de Bresse first"
    assert call["execution"]["args"] == {"text": "Lyon de Bresse kiln"}
    assert wrong.reason == "Asks after Lyon de Bresse instead of Delft."
    year = off_target_query(gold(search("kilns in 1650")), context, 1)
    assert isinstance(year, Wrong)
    assert json.loads(year.text)["execution"]["args"] == {"text": "kilns in 1720"}
    assert isinstance(off_target_query(gold(stop()), context, 1), Unfit)


def test_a_query_in_chinese_misses_the_point_too():
    context = Context(tools=QA_TOOLS, shown=(search("帕劳 独立时间"),))
    wrong = off_target_query(gold(search("斐济 人口", "搜索斐济的人口")), context, 1)
    assert isinstance(wrong, Wrong)
    assert wrong.reason in {
        "Asks after 独立时间 instead of 人口.",
        "Asks after 帕劳 instead of 人口.",
    }


def test_the_page_visited_is_one_that_was_shown_and_is_off_the_topic():
    context = Context(tools=QA_TOOLS, shown=SHOWN)
    wrong = unrelated_url(gold(browse("https://c.example/", "Who built the kiln?")), context, 1)
    assert isinstance(wrong, Wrong)
    arguments = json.loads(wrong.text)["execution"]["args"]
    assert arguments == {"url": "https://b.example/lyon", "question": "Who built the kiln?"}
    assert isinstance(unrelated_url(gold(stop()), Context(tools=QA_TOOLS), 1), Unfit)


@pytest.mark.parametrize(
    ("right", "call"),
    [
        (browse("https://c.example/"), ("web_search", {"text": "https://c.example/"})),
        (
            search("Delft 1650"),
            ("browse_website", {"url": "https://a.example/delft", "question": "Delft 1650"}),
        ),
    ],
)
def test_a_tool_is_used_against_its_purpose(right, call):
    wrong = wrong_tool_use(gold(right), Context(tools=QA_TOOLS, shown=SHOWN), 1)
    assert isinstance(wrong, Wrong)
    made = read_planned_call(wrong.text)
    assert made is not None
    assert (made.tool, made.arguments) == call


def test_every_operator_on_calls_makes_something_of_real_runs():
    made = set()
    for number in range(12):
        run = qa_run(number, steps=8)
        others = (gold(stop("So it is")),)
        for cut in range(8):
            context = Context(run.task, QA_TOOLS, (*SHOWN, *run.steps[:cut]), run.steps[cut + 1 :], others)  # fmt: skip
            for operator in EVERY:
                if isinstance(operator(gold(run.steps[cut]), context, Random(cut).randrange(9)), Wrong):  # fmt: skip
                    made.add(operator)
    assert made == set(EVERY)
