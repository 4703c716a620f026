"""Prompts beside official rows are taken by their names, and refused with why."""

from pathlib import Path

import pytest

from generation.core.importers.aptbench_prompts import (
    official_prompt,
    prompt_values,
    read_prompts,
    shots_of,
)
from generation.core.importers.aptbench_tasks import OFFICIAL_ROWS
from generation.core.official_prompts import PromptFile
from generation.core.records import Refusal

LOCATE = "Which snippet is to be changed?\n\nIssue: $ISSUE$\nSnippets: $CHOICES$\nSnippet ("


def write(folder: Path, **texts: str) -> Path:
    prompts = folder / "code/prompts"
    prompts.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (prompts / f"{name}.txt").write_text(text, encoding="utf-8")
    return folder


def whys(folder: Path) -> list[str]:
    return [each.why for each in read_prompts(folder) if isinstance(each, Refusal)]


def test_folder_without_prompts_gives_none(tmp_path):
    assert list(read_prompts(tmp_path)) == []


def test_prompt_is_that_of_the_task_in_its_name(tmp_path):
    write(tmp_path, issue_fix_locate_3shot=LOCATE)
    place = "code/prompts/issue_fix_locate_3shot.txt"
    assert list(read_prompts(tmp_path)) == [PromptFile("issue_fix_locate", LOCATE, place)]


def test_subtask_may_have_another_name_than_the_task(tmp_path):
    write(tmp_path, deepresearch_openend_quality_zh_2shot="报告?\n$QUERY$\n$CHOICES$\n(")
    [found] = read_prompts(tmp_path)
    assert isinstance(found, PromptFile)
    assert found.subtask == "open_report_zh"


@pytest.mark.parametrize(
    ("texts", "why"),
    [
        ({"issue_fix_tool_call_3shot": "$TRAJ$"}, "issue_fix_tool_call is no official task"),
        ({"issue_fix_locate": "$ISSUE$"}, "placeholder $CHOICES$ is missing"),
        ({"issue_fix_action": "$TRAJ$ $CHOICES$"}, "fills placeholder $CHOICES$"),
    ],
)
def test_prompt_that_no_row_can_fill_is_refused_by_file(tmp_path, texts, why):
    [refusal] = read_prompts(write(tmp_path, **texts))
    assert isinstance(refusal, Refusal)
    assert why in refusal.why
    assert refusal.where == str(tmp_path / f"code/prompts/{next(iter(texts))}.txt")


def test_two_prompts_for_one_task_are_both_refused(tmp_path):
    write(tmp_path, issue_fix_locate_0shot=LOCATE, issue_fix_locate_3shot=LOCATE)
    names = "issue_fix_locate_0shot.txt, issue_fix_locate_3shot.txt"
    assert whys(tmp_path) == [f"two prompts for issue_fix_locate: {names}"] * 2


def test_prompt_that_is_no_text_is_refused(tmp_path):
    write(tmp_path, issue_fix_locate="")
    (tmp_path / "code/prompts/issue_fix_locate.txt").write_bytes(b"$ISSUE$\xff$CHOICES$")
    assert whys(tmp_path) == ["no UTF-8 text"]


def test_folder_with_the_name_of_a_prompt_is_refused(tmp_path):
    (tmp_path / "code/prompts/issue_fix_locate.txt").mkdir(parents=True)
    assert whys(tmp_path) == ["Is a directory"]


@pytest.mark.parametrize(
    ("place", "shots"), [("a_3shot.txt", 3), ("code/a_0shot.txt", 0), ("a_shot.txt", None)]
)
def test_number_of_examples_is_what_the_name_says(place, shots):
    assert shots_of(place) == shots


def test_values_are_the_fields_as_they_came_and_never_the_answer():
    row = {"issue_statement": " Bug ", "choices": "(A) x (B) y", "answer": "B"}
    values = prompt_values("issue_fix_locate", row)
    assert values == {"$ISSUE$": " Bug ", "$CHOICES$": "(A) x (B) y"}
    block = official_prompt("issue_fix_locate", LOCATE).fill(values)
    assert block == "Issue: Bug\nSnippets: (A) x (B) y\nSnippet ("


@pytest.mark.parametrize("rows", OFFICIAL_ROWS.values(), ids=lambda rows: rows.subtask)
def test_every_official_task_shows_its_question_and_not_its_answer(rows):
    shown = set(rows.placeholders.values())
    assert rows.answer_field not in shown
    assert shown >= set(rows.slots.values())
