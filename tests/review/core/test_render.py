"""Items of a release: stable ids, labels that follow the order, one-pass prompts."""

from dataclasses import replace

import pytest

from generation.core.registry import SUBTASKS
from generation.core.tokens import token_counter
from review.core.canonical import canonical_json, sha256_of
from review.core.render import (
    Content,
    SourceLine,
    answer_text,
    content_id,
    in_order,
    render_head,
    render_item,
    render_prompt,
)

SOURCE = SourceLine("swe_smith", "kiln.pr_1", "MIT", "", "kiln.pr_1", "en")
CHOICE = Content(
    subtask=SUBTASKS["issue_fix_plan"],
    slots={"task": "Fix the kiln.", "history": "[Step 1] …", "thought": "", "tools": ""},
    options=("right", "wrong", "worse"),
    gold=("A",),
    source=SOURCE,
)
COMPLETION = Content(
    subtask=SUBTASKS["issue_fix_action"],
    slots={"task": "Fix the kiln.", "history": "[Step 1] …", "thought": "Look.", "tools": ""},
    options=(),
    gold=("cat kiln.py",),
    source=SOURCE,
)


def render(content: Content, head: str = "") -> dict:
    return render_item(content, item_id="i", head=head, canary="c", counter=token_counter())


def test_id_does_not_depend_on_the_order_of_options():
    moved = in_order(CHOICE, (2, 0, 1))
    assert moved.options == ("worse", "right", "wrong")
    assert moved.gold == ("B",)
    assert content_id(moved) == content_id(CHOICE)


@pytest.mark.parametrize(
    "change",
    [{"gold": ("B",)}, {"options": ("right", "wrong", "other")}, {"slots": {"task": "Other"}}],
)
def test_id_depends_on_the_content(change):
    assert content_id(replace(CHOICE, **change)) != content_id(CHOICE)


def test_slots_that_the_prompt_does_not_show_do_not_change_the_id():
    unused = replace(CHOICE, slots={**CHOICE.slots, "no_such_slot": "x"})
    assert content_id(unused) == content_id(CHOICE)


def test_placeholder_inside_data_stays_text():
    hostile = replace(CHOICE, slots={**CHOICE.slots, "task": "print $options and $history"})
    assert "print $options and $history" in render_prompt(hostile)


def test_example_closes_the_answer_that_the_item_leaves_open():
    head = render_head(CHOICE.subtask, [CHOICE])
    assert head.startswith(CHOICE.subtask.prompt.instruction)
    assert render_prompt(CHOICE).endswith("(")
    assert f"{render_prompt(CHOICE)}A)" in head


def test_digest_covers_the_line_without_itself():
    item = render(CHOICE)
    digest = item.pop("sha256")
    assert digest == sha256_of(canonical_json(item))


def test_choice_line_holds_options_and_labels():
    item = render(CHOICE)
    assert item["options"][1] == {"label": "B", "text": "wrong"}
    assert item["gold"] == ["A"]
    assert answer_text(CHOICE) == "A"


def test_completion_line_holds_text_and_no_options():
    item = render(COMPLETION)
    assert item["options"] is None
    assert item["gold"] == ["cat kiln.py"]
    assert item["stop"]


def test_imported_rows_keep_official_budget_and_no_stop():
    item = render(replace(COMPLETION, is_imported=True))
    assert item["max_new_tokens"] == COMPLETION.subtask.official_max_new_tokens
    assert item["stop"] == []


def test_length_is_that_of_the_whole_prompt():
    alone, with_head = render(CHOICE), render(CHOICE, head="x" * 400)
    assert with_head["chars"] - alone["chars"] == 400
    assert with_head["tokens"] > alone["tokens"]
