"""A question or a gold step that the prompt's own examples show is found, escaped or not."""

import time

import pytest

from generation.core.checks import gold_step_in_fewshot_prompt, query_in_fewshot_prompt
from generation.core.checks.fewshot import EXTRA
from generation.core.items import Severity
from tests.generation.core.checks.make import CHOICE, answer, choice, command

STEP = 'Open the lid of the kiln with "tongs".\nThen wait for an hour.'
ESCAPED = r"open the lid of the kiln with \\\"tongs\\\".\\nThen wait for an hour."


def found(check, item) -> list[tuple[str, str]]:
    return [(finding.field, finding.evidence) for finding in check.check(item)]


def asked(query: str, examples: str, slot: str = "task"):
    return choice("a", "b", slots={slot: query}, extra={EXTRA: examples})


def test_question_of_an_example_is_found():
    [finding] = query_in_fewshot_prompt.check(
        asked("Why does the kiln cool?", "Question: why does  the kiln\ncool?\nAnswer: (A)\n\n")
    )
    assert (finding.kind, finding.severity) == (
        "query_in_fewshot_prompt",
        Severity.BLOCKS_RELEASE,
    )
    assert finding.field == "prompt"
    assert finding.evidence == "an example of the prompt has this task: Why does the kiln cool?"


@pytest.mark.parametrize("slot", ["issue_statement", "repo_info", "question", "article"])
def test_question_is_found_in_whatever_slot_it_has(slot):
    assert found(query_in_fewshot_prompt, asked("Why does the kiln cool?", "Why does the kiln cool?", slot))  # fmt: skip


def test_title_alone_is_no_question():
    item = asked("The kiln cools too fast", "The kiln cools too fast", "issue_title")
    assert not found(query_in_fewshot_prompt, item)


@pytest.mark.parametrize(
    ("query", "examples"),
    [
        ("Why does the kiln cool?", ""),
        ("Why does the kiln cool?", "Why does the kiln glow?"),
        ("Why so?", "Why so?"),
        ("窑为何冷?", "窑为何冷?"),
    ],
)
def test_other_or_short_question_is_not_found(query, examples):
    assert not found(query_in_fewshot_prompt, asked(query, examples))


def test_half_as_many_chinese_characters_are_enough():
    assert found(query_in_fewshot_prompt, asked("这座窑为什么会变冷?", "问: 这座窑为什么会变冷?"))


def test_gold_option_is_found_though_the_example_escapes_it():
    item = choice("Wait.", STEP, gold="B", extra={EXTRA: f"Steps: (A) {ESCAPED}"})
    [finding] = gold_step_in_fewshot_prompt.check(item)
    assert (finding.kind, finding.severity) == (
        "gold_step_in_fewshot_prompt",
        Severity.BLOCKS_RELEASE,
    )
    assert finding.field == "gold"
    assert finding.evidence == f"an example of the prompt shows it: {STEP}"


def test_distractor_in_an_example_is_no_finding():
    item = choice("Wait.", STEP, gold="A", extra={EXTRA: f"Steps: (A) {STEP}"})
    assert not found(gold_step_in_fewshot_prompt, item)


def test_command_is_found_unless_everyone_types_it():
    own = "python train.py --kiln large --hours 12 --out fired"
    usual = "pip install -r requirements.txt"
    examples = f"```bash\n{own}\n```\n\n```bash\n{usual}\n```\n\n"
    assert found(gold_step_in_fewshot_prompt, command(own, extra={EXTRA: examples}))
    assert not found(gold_step_in_fewshot_prompt, command(usual, extra={EXTRA: examples}))


def test_answer_is_no_step():
    text = "the orchestra of the old opera house of the city"
    assert not found(gold_step_in_fewshot_prompt, answer(text, extra={EXTRA: text}))


def test_gold_label_without_option_is_no_finding_here():
    item = choice(STEP, gold="C", subtask=CHOICE, extra={EXTRA: STEP})
    assert not found(gold_step_in_fewshot_prompt, item)


def test_a_million_backslashes_take_no_time():
    item = asked("Why does the kiln cool?", "\\" * 1_000_000)
    started = time.perf_counter()
    assert not found(query_in_fewshot_prompt, item)
    assert time.perf_counter() - started < 5
