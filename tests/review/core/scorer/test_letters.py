import json
import time
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.core.scorer.letters import LetterStatus, read_choice, read_choices
from tests.shared_data import CASES, needs_shared

OFFERED = ("A", "B", "C", "D")


def choice(output: str, *, stop: Sequence[str] = ()) -> str | None:
    labels = read_choice(output, OFFERED, stop=stop).labels
    return labels[0] if labels else None


@needs_shared
def test_the_published_faults_of_other_scorers_are_absent():
    cases = map(json.loads, CASES.read_text(encoding="utf-8").splitlines())
    case = next(case for case in cases if case["id"] == "CB13")
    given_, expected = case["input"], case["expected"]
    assert [choice(output) for output in given_["outputs"]] == expected["parsed"]
    several = [read_choices(output, OFFERED) for output in given_["multi"]["outputs"]]
    assert [r.labels == ("A", "C") for r in several] == expected["multi_exact"]


@pytest.mark.parametrize(
    "output",
    [
        *(
            "B",
            "(B",
            "B)",
            "(B)",
            "[B]",
            "B.",
            "B:",
            "B,",
            "B;",
            "B。",
            "B、 ",
            "B：",
            "B，",
            "（B）",
        ),
        *(
            "Ｂ",
            "**B**",
            "`B`",
            "$B$",
            " B ",
            "B\nmore text",
            "B )",
            "b)",
            "b",
            "(b)",
            "B) and so on",
        ),
        *("B. Because it works", "B: the second", "**(B)** text", "【B】", "B；"),
    ],
)
def test_a_label_at_the_start_is_read(output):
    assert choice(output) == "B"


@pytest.mark.parametrize(
    "output",
    [
        *("The answer is B", "The answer is (B).", "So the answer is **B**.", "Answer: B"),
        *("Final answer: B", "Final answer is B.", "Conclusion: B", "Conclusion: after all, (B)."),
        *(
            "答案是B",
            "答案：B",
            "答案为B。",
            "选B",
            "故选B。",
            "选择B",
            "应选B",
            "应该选B",
            "正确选项是B",
        ),
        *("正确答案是 B", "不选A，选B", "排除A，选B", "The correct answer is option B"),
        *("The answer is B because A fails", "The best option is B", "Answer:\nB", "answer is b)"),
        "Answer: Let's think. Option (A) fails. The answer is (B).",
        "The answer to the question is B.",
        "I would go with (B)",
        "The answer should be B.",
        "答案是 B 选项",
        "我选择（B），因为它先测试",
        "Eliminated: (A), (C). What stays is (B)",
    ],
)
def test_a_stated_or_only_bracketed_label_is_read(output):
    assert choice(output) == "B"


@pytest.mark.parametrize(
    "output",
    [
        *("A good plan", "A or B", "B 4", "a.", "a good plan", "None of the above", "Let's see"),
        *("I do not know", "I cannot decide", "Answer: I do not know", "Answer: Let's think"),
        *("Answer: None of the above", "A resposta certa", "Answer: A good plan", "Be careful"),
        *("C.g. this", "D.C. is a city", "C:\\Users\\x", "C://x"),
        *(
            "The answer is not A",
            "答案不是A",
            "不选A",
            "选项A不对",
            "Wrong answer: A",
            "错误答案是A",
        ),
        *("Eliminated: (A)", "Option (A) fails.", "Dad", "B2", "Answer: I'm not sure", "?"),
    ],
)
def test_a_letter_that_is_no_answer_gives_no_label(output):
    assert read_choice(output, OFFERED).status is LetterStatus.UNPARSED


@pytest.mark.parametrize("output", ["(A) or (B)", "maybe (A), maybe (C)", "The answer is A or C"])
def test_several_labels_are_ambiguous(output):
    assert read_choice(output, OFFERED).status is LetterStatus.AMBIGUOUS


@pytest.mark.parametrize("output", ["E", "(E)", "Answer: E", "答案是F", "perhaps (G)", "e)"])
def test_a_label_that_was_not_offered_is_out_of_range(output):
    assert read_choice(output, OFFERED).status is LetterStatus.OUT_OF_RANGE


@pytest.mark.parametrize("output", ["", "  \n", "**", "\n\nB"])
def test_nothing_before_the_stop_is_empty(output):
    assert read_choice(output, OFFERED, stop=["\n\n"]).status is LetterStatus.EMPTY


def test_what_follows_a_stop_string_is_not_read():
    assert choice("I wonder\n\nAnswer: B", stop=["\n\n"]) is None


def test_the_first_statement_counts():
    assert choice("Answer: C. No, the answer is D.") == "C"


@pytest.mark.parametrize(
    "output",
    [
        *("A,C)", "C, A", "AC", "A，C", "A、C", "A；C", "A C", "A and C", "A & C", "A/C", "A和C"),
        *("A,A,C", "(A, C)", "(A), (C)", "A,C\nB", "A,C) but not B", "a,c)", "AC.", "A, C: both"),
        *("Answer: A, C", "答案是A、C", "**A, C**", "A, and C", "Ａ，Ｃ"),
    ],
)
def test_a_list_of_labels_is_read_as_a_set(output):
    assert read_choices(output, OFFERED).labels == ("A", "C")


@pytest.mark.parametrize(
    "output", ["A good plan", "A or C", "Act now", "None", "A, I think", "ac", "?", "A and then"]
)
def test_prose_is_no_list(output):
    assert read_choices(output, OFFERED).status is LetterStatus.UNPARSED


@pytest.mark.parametrize("output", ["A,E", "ABE", "E", "Answer: A, F"])
def test_one_label_not_offered_spoils_the_list(output):
    reading = read_choices(output, OFFERED)
    assert (reading.labels, reading.status) == ((), LetterStatus.OUT_OF_RANGE)


pieces = st.lists(
    st.sampled_from(
        [
            *"ABCDEabce",
            "答案是",
            "选",
            "不",
            "Answer",
            ":",
            " ",
            "\n",
            "(",
            ")",
            ".",
            ",",
            "is",
            "、",
        ]
    ),
    max_size=14,
).map("".join)


@given(st.one_of(st.text(), pieces), st.sets(st.sampled_from("ABCDEFG"), min_size=1))
def test_only_offered_labels_are_ever_read_and_nothing_raises(output, offered):
    for read in (read_choice, read_choices):
        reading = read(output, offered)
        assert set(reading.labels) <= offered
        assert bool(reading.labels) == (reading.status is LetterStatus.PARSED)


@given(pieces)
def test_a_label_not_offered_never_becomes_another_one(output):
    everything = read_choice(output, "ABCDE")
    fewer = read_choice(output, "ABCD")
    if everything.labels == ("E",):
        assert fewer.labels == ()


@pytest.mark.parametrize(
    "unit",
    [
        *(
            "(",
            "A ",
            "answer is ",
            "选",
            "A,",
            ".",
            "( ",
            "answer to ",
            "A and ",
            "(A) ",
            "\n ",
            "不",
        ),
        *("final ", " ", ", ", "a.b", "correct ", "a,", "选A或"),
    ],
)
def test_long_hostile_outputs_cost_linear_time(unit):
    def cost(size: int) -> float:
        text = "x" + unit * (size // len(unit))
        start = time.process_time()
        for read in (read_choice, read_choices):
            read(text, OFFERED)
            read(text[1:] + "x", OFFERED)
        return time.process_time() - start

    # a quadratic pattern takes minutes here; the bound is wide so that a busy machine passes
    assert cost(100_000) < 5
