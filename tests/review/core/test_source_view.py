import json

import pytest

from generation.core.records import Step
from review.core.chapters import Part, parts_of
from review.core.marks import Mark
from review.core.source_view import Evidence, view_section, view_steps

STEPS = (
    Step("Look.", "bash", {}, "bash ls\nls -a", "kiln.py\n"),
    Step("", "", {}, "", "x" * 9_000 + "END-41"),
)


def texts_of(segments):
    return "".join(segment.text for segment in segments)


def test_step_has_number_tool_line_and_size():
    first, second = view_steps(STEPS, first=3, shown_in_all=2, evidence=Evidence())
    assert (first.number, first.tool, first.line, first.size) == (3, "bash", "ls", "26 B")
    assert [text.part for text in first.texts] == ["thought", "action", "observation"]
    assert (second.number, second.tool, second.line, second.size) == (4, "", "", "9.0 KB")
    assert [text.part for text in second.texts] == ["observation"]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (
            {"url": "https://kiln.example", "question": "How hot?"},
            "https://kiln.example · How hot?",
        ),
        ({}, "Done."),
    ],
)
def test_call_shown_as_json_is_told_by_its_arguments_or_its_thought(arguments, line):
    action = json.dumps({"name": "browse_website", "args": arguments})
    step = Step("Done.", "browse_website", arguments, action, "")
    (view,) = view_steps([step], first=1, shown_in_all=1, evidence=Evidence())
    assert view.line == line


def test_long_text_shows_head_and_tail():
    text = view_steps(STEPS, first=1, shown_in_all=2, evidence=Evidence())[1].texts[0]
    assert text.folded.is_folded
    assert texts_of(text.tail).endswith("xEND-41")
    assert text.folded_size == "3.0 KB"


def test_evidence_is_marked_once_where_it_first_occurs():
    evidence = Evidence({7: "kiln.py", 8: "nowhere", 9: ""})
    steps = view_steps((STEPS[0], STEPS[0]), first=1, shown_in_all=2, evidence=evidence)
    marked = [s for step in steps for text in step.texts for s in text.head if s.key]
    assert [(segment.text, segment.key) for segment in marked] == [("kiln.py", 7)]
    assert evidence.placed == {7: ("step-1", True)}


def test_evidence_in_the_tail_is_marked_there():
    evidence = Evidence({7: "END-41"})
    text = view_steps(STEPS, first=1, shown_in_all=2, evidence=evidence)[1].texts[0]
    assert [(s.text, s.key) for s in text.tail if s.key] == [("END-41", 7)]
    assert evidence.placed == {7: ("step-2", True)}


def test_evidence_in_the_folded_part_has_a_place_that_is_not_in_view():
    evidence = Evidence({7: "NEEDLE"})
    body = "a" * 50_000 + "NEEDLE" + "b" * 50_000
    part = Part("task", "task", "", "", body, limit=40_000)
    section = view_section(part, "Task", evidence=evidence)
    assert evidence.placed == {7: ("section-task", False)}
    assert not [segment for segment in section.text.head + section.text.tail if segment.key]


def test_hidden_characters_of_a_step_are_counted_over_its_texts():
    step = Step("a\u200b", "bash", {}, "\u202eb", "c")
    assert view_steps((step,), first=1, shown_in_all=1, evidence=Evidence())[0].hidden == 2


def test_marks_of_a_whole_text_fall_into_the_chapter_that_holds_them():
    parts = parts_of(
        {"option-A": "# One\n" + "a" * 2_000 + "\n# Two\n" + "b\u200b" * 1_000 + "NEEDLE"}
    )
    assert [part.heading for part in parts] == ["One", "Two"]
    at = sum(len(part.text) for part in parts) - len("NEEDLE")
    evidence = Evidence()
    views = [
        view_section(part, "Option A", evidence=evidence, marks=[Mark(at, at + 6, 7)])
        for part in parts
    ]
    marked = [[s.text for s in view.text.head + view.text.tail if s.key] for view in views]
    assert marked == [[], ["NEEDLE"]]
    assert evidence.placed == {7: ("section-option-A-2", True)}
