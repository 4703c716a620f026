"""Annotations as answers and judgements."""

import pytest

from generation.core.subtask import AnswerFormat
from review.core.label_studio.answers import (
    BlindSaid,
    blind_of,
    is_blind,
    judgement_of,
    order_of,
    strangers,
)
from review.core.label_studio.reading import Annotation, Task, UnreadableTask
from review.core.review_answers import ReviewAnswers

OPTIONS = ("Fix.", "Sell.", "Paint.")
TASK = Task("1", "k", ("Paint.", "Fix.", "Sell."), ("f1", "f2"), ())
ORDER = (2, 0, 1)


def said(**values):
    each = {name: [value] if isinstance(value, str) else value for name, value in values.items()}
    return Annotation("1", "1", 12.5, "", each)


def test_the_texts_say_which_option_a_label_is():
    assert order_of(TASK, OPTIONS) == ORDER


def test_equal_texts_are_taken_one_by_one():
    assert order_of(Task("1", "k", ("b", "a", "a"), (), ()), ("a", "b", "a")) == (1, 0, 2)


@pytest.mark.parametrize(
    "texts", [("Fix.", "Sell."), ("Fix.", "Sell.", "Paint!"), ("Fix.", "Fix.", "Sell.")]
)
def test_options_that_are_not_the_revision_s_are_refused(texts):
    with pytest.raises(UnreadableTask, match="option_texts"):
        order_of(Task("1", "k", texts, (), ()), OPTIONS)


def test_an_answer_is_a_position_of_the_given_order():
    annotation = said(answer="A", confidence="4")
    assert is_blind(annotation)
    expected = BlindSaid((2,), "", not_determined=False, confidence=4, seconds=12.5)
    assert blind_of(annotation, form=AnswerFormat.CHOICE, order=ORDER) == expected


def test_several_options_may_be_right_where_the_subtask_says_so():
    annotation = said(answer=["A", "C"], confidence="1")
    assert blind_of(annotation, form=AnswerFormat.CHOICES, order=ORDER).positions == (1, 2)
    with pytest.raises(UnreadableTask, match="2 options where one is right"):
        blind_of(annotation, form=AnswerFormat.CHOICE, order=ORDER)


def test_a_completion_is_text_or_not_determined():
    written = blind_of(
        said(answer=" ls -l ", confidence="2"), form=AnswerFormat.COMPLETION, order=()
    )
    assert (written.text, written.positions) == ("ls -l", ())
    annotation = said(not_determined="not determined by the prompt", confidence="2")
    assert is_blind(annotation)
    assert blind_of(annotation, form=AnswerFormat.COMPLETION, order=()).not_determined


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"answer": "D", "confidence": "4"}, "answer"),
        ({"answer": "A"}, "confidence"),
        ({"answer": "A", "confidence": "6"}, "confidence"),
        ({"answer": "A", "confidence": "4", "not_determined": "maybe"}, "not_determined"),
    ],
)
def test_an_answer_that_can_not_be_is_refused_by_its_control(values, field):
    with pytest.raises(UnreadableTask) as refused:
        blind_of(said(**values), form=AnswerFormat.CHOICE, order=ORDER)
    assert refused.value.field == field


def test_what_is_answer_and_judgement_at_once_may_not_have_been_blind():
    with pytest.raises(UnreadableTask, match="nobody knows"):
        is_blind(said(answer="A", decision="approve"))
    with pytest.raises(UnreadableTask, match="neither"):
        is_blind(said(comment="x"))
    assert not is_blind(said(decision="approve"))


JUDGED = {
    "decision": "reject",
    "reject_reason": "wrong_gold",
    "well_specified": "0",
    "gold_quality": "2",
    "gold_quality_why": "another option is as good as gold",
    "option_A": "also_correct",
    "option_C": "valid",
    "finding_2": "dismissed",
    "finding_2_word": "harmless",
    "comment": "see A",
    "source_is_success": "no",
}


def judge(**changes):
    annotation = said(**(JUDGED | changes))
    findings = {"f1": 11, "f2": 12}
    return judgement_of(annotation, TASK, order=ORDER, gold=(0,), findings=findings)


def test_a_judgement_is_a_review_s_answers():
    assert judge() == ReviewAnswers(
        decision="reject",
        well_specified=0,
        gold_quality=2,
        gold_quality_why="another option is as good as gold",
        source_is_success=False,
        reject_reason="wrong_gold",
        comment="see A",
        active_seconds=12.5,
        option_verdicts={2: "also_correct", 1: "valid"},
        finding_verdicts={12: ("dismissed", "harmless")},
    )


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"option_B": "valid"}, "option_B"),
        ({"option_D": "valid"}, "option_D"),
        ({"option_A": "fine"}, "option_A"),
        ({"finding_3": "confirmed"}, "finding_3"),
        ({"finding_1": "maybe"}, "finding_1"),
        ({"decision": "edit"}, "decision"),
        ({"well_specified": []}, "well_specified"),
        ({"gold_quality": "4"}, "gold_quality"),
        ({"source_is_success": "perhaps"}, "source_is_success"),
    ],
)
def test_a_judgement_that_can_not_be_is_refused_by_its_control(changes, field):
    with pytest.raises(UnreadableTask) as refused:
        judge(**changes)
    assert refused.value.field == field


def test_a_finding_that_is_gone_is_refused():
    with pytest.raises(UnreadableTask, match="no finding of the revision any more"):
        judgement_of(said(**JUDGED), TASK, order=ORDER, gold=(0,), findings={"f1": 11})


def test_controls_that_somebody_added_are_named():
    assert strangers(said(answer="A", mood="fine", empty=[])) == ["mood"]
