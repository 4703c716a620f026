"""What holds of every subtask, without anybody asking."""

from dataclasses import replace

import pytest

from generation.core.prompts import render_block, slot_names
from generation.core.records import Language, Outcome, Step
from generation.core.registry import SUBTASKS
from generation.core.subtask import AnswerFormat, Draft, Reader, Rejection, Subtask
from generation.core.tokens import count_tokens
from tests.generation.core.runs import in_chinese, pool_of, qa_run, swe_run

EVERY = pytest.mark.parametrize("subtask", SUBTASKS.values(), ids=SUBTASKS)
BUILT = pytest.mark.parametrize(
    "subtask", [s for s in SUBTASKS.values() if s.build], ids=lambda subtask: subtask.name
)
MADE_OF_RUNS = {"task", "system", "tools", "history", "thought", "options"}
OURS = {"issue_fix_verify"}
IMPORTED_SLOTS = {
    "env_setup_plan": {"repo_info", "options"},
    "env_setup_action": {"execution_plan", "executed_commands", "command_prefix"},
    "env_setup_error": {"setup_instruct", "issue_title", "issue_body", "options"},
    "issue_fix_locate": {"issue_statement", "options"},
    "issue_fix_fix_patch": {"issue_statement", "options"},
    "issue_fix_test_patch": {"problem_statement", "options"},
    "issue_fix_plan": {"task", "history", "options"},
    "issue_fix_action": {"task", "history", "thought"},
    "issue_fix_verify": {"task", "history"},
    "closed_plan_en": {"task", "tools", "history", "options"},
    "closed_plan_zh": {"task", "tools", "history", "options"},
    "closed_answer_en": {"task", "history"},
    "closed_answer_zh": {"task", "history"},
    "open_plan_en": {"question", "options"},
    "open_citation_en": {"article", "page", "options"},
    "open_citation_zh": {"article", "page", "options"},
    "open_report_en": {"query", "options"},
    "open_report_zh": {"query", "options"},
}
OPENINGS = {
    Reader.LETTER: ("(", ")"),
    Reader.LETTERS: ("(", ")"),
    Reader.COMMAND: ("```bash\n", "\n```"),
    Reader.ANSWER: ("[", "]"),
}


def runs_for(subtask: Subtask):
    runs = [swe_run(1), qa_run(1), swe_run(2, steps=1), qa_run(2, steps=2)]
    return [in_chinese(run) for run in runs] if subtask.language is Language.ZH else runs


def drafts(subtask: Subtask, run):
    assert subtask.build is not None
    return [draft for draft in subtask.build(run) if isinstance(draft, Draft)]


def test_all_subtasks_are_there():
    assert set(SUBTASKS) == set(IMPORTED_SLOTS)


def test_official_names_are_unique_and_only_ours_have_none():
    official = [subtask.official for subtask in SUBTASKS.values() if subtask.official]
    assert len(set(official)) == len(official)
    assert {name for name, subtask in SUBTASKS.items() if not subtask.official} == OURS


@EVERY
def test_the_block_fills_exactly_the_slots_it_is_known_for(subtask):
    assert set(slot_names(subtask.prompt.block)) == IMPORTED_SLOTS[subtask.name]
    assert slot_names(subtask.prompt.instruction) == ()


@EVERY
def test_the_prompt_ends_right_before_the_answer(subtask):
    opening, end = OPENINGS[subtask.reader]
    slots = dict.fromkeys(slot_names(subtask.prompt.block), "text")
    assert render_block(subtask.prompt, slots, ("one", "two")).endswith(opening)
    assert subtask.prompt.answer_end == end


@EVERY
def test_format_reader_and_budget_belong_together(subtask):
    choice = subtask.answer_format is not AnswerFormat.COMPLETION
    assert (subtask.choices is not None) == choice
    assert choice == (subtask.reader in {Reader.LETTER, Reader.LETTERS})
    assert choice == ("options" in slot_names(subtask.prompt.block))
    assert subtask.max_new_tokens >= subtask.official_max_new_tokens
    assert subtask.stop
    assert all(mark not in subtask.prompt.block[-1:] for mark in subtask.stop if mark != "\n")


@EVERY
def test_the_prompt_is_in_the_subtask_s_language(subtask):
    chinese = any("\u4e00" <= character <= "\u9fff" for character in subtask.prompt.instruction)
    assert chinese == (subtask.language is Language.ZH)


@EVERY
def test_what_is_built_can_be_completed(subtask):
    if subtask.build_document is not None:
        assert subtask.build is None
        assert subtask.source_kinds
    elif subtask.build is None:
        assert not subtask.source_kinds
    else:
        assert subtask.source_kinds
        assert set(slot_names(subtask.prompt.block)) <= MADE_OF_RUNS
        assert (subtask.make_options is None) == (subtask.choices is None)


def test_long_context_is_what_the_reports_leave_out():
    long = {name for name, subtask in SUBTASKS.items() if subtask.long_context}
    assert long == {
        "issue_fix_plan",
        "issue_fix_action",
        "issue_fix_verify",
        "open_citation_en",
        "open_citation_zh",
        "open_report_en",
        "open_report_zh",
    }


@BUILT
def test_a_run_without_steps_gives_nothing(subtask):
    for run in runs_for(subtask):
        assert list(subtask.build(replace(run, steps=()))) == []


@BUILT
def test_a_run_of_one_step_is_survived(subtask):
    for run in runs_for(subtask):
        assert list(subtask.build(replace(run, steps=run.steps[:1])))


@BUILT
def test_every_gold_is_there_and_can_be_written(subtask):
    found = [draft for run in runs_for(subtask) for draft in drafts(subtask, run)]
    assert found
    for draft in found:
        assert draft.gold.strip()
        if subtask.answer_format is AnswerFormat.COMPLETION:
            assert count_tokens(draft.gold) <= subtask.max_new_tokens
            assert not any(mark in draft.gold for mark in subtask.stop)


@BUILT
def test_every_cut_is_answered_once_drafted_or_refused_with_a_reason(subtask):
    for run in runs_for(subtask):
        results = list(subtask.build(run))
        cuts = [result.cut for result in results]
        assert len(set(cuts)) == len(cuts)
        assert all(1 <= cut <= len(run.steps) + 1 for cut in cuts)
        assert all(result.why for result in results if isinstance(result, Rejection))


@BUILT
def test_a_builder_does_not_see_what_comes_after_the_cut(subtask):
    garbage = Step("zzz", "bash", {"command": "zzz"}, "zzz", "zzz")
    seen = 0
    for run in runs_for(subtask):
        for draft in drafts(subtask, run):
            if draft.cut > len(run.steps):
                continue
            asked = replace(run.steps[draft.cut - 1], observation="zzz")
            later = (garbage,) * (len(run.steps) - draft.cut)
            outcome = Outcome(submission=run.outcome.submission, exit_status="zzz")
            other = replace(
                run, steps=(*run.steps[: draft.cut - 1], asked, *later), outcome=outcome
            )
            assert draft in list(subtask.build(other))
            seen += 1
    assert seen or subtask.name.startswith("closed_answer_")


@BUILT
def test_options_are_as_many_as_declared_gold_first_and_all_different(subtask):
    if subtask.make_options is None:
        return
    runs = [swe_run(n) for n in range(8)] if subtask.set_name == "swe" else []
    runs = runs or [qa_run(n) for n in range(12)]
    runs = [in_chinese(run) for run in runs] if subtask.language is Language.ZH else runs
    made = subtask.make_options(pool_of(subtask, runs), 1)
    options = [texts for texts in made.values() if not isinstance(texts, Rejection)]
    assert options
    for one in options:
        assert len(one) in subtask.choices
        assert [option.is_gold for option in one] == [True] + [False] * (len(one) - 1)
        assert len({option.text for option in one}) == len(one)
        assert all(option.operator and option.reason for option in one)
