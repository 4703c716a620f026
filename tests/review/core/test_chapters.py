"""Chapters: a long text is cut at its own headings, and nothing of it is lost."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.core.chapters import chapters, parts_of

BODY = "word " * 400
LINES = st.lists(
    st.sampled_from(
        ["# Title", "## Use", "File: a/b.py", "[start of a.py]", "[Step 3]", "```", "<code>", BODY]
    )
)


def titles(text):
    return [chapter.title for chapter in chapters(text)]


@given(LINES)
def test_chapters_are_the_whole_text(lines):
    text = "\n".join(lines)
    found = chapters(text)
    assert found[0].start == 0
    assert found[-1].end == len(text)
    assert all(one.end == two.start for one, two in pairwise(found))


@given(LINES)
def test_parts_have_names_of_their_own_and_together_are_the_texts(lines):
    texts = {"task": "\n".join(lines) or "x", "page": BODY}
    parts = parts_of(texts)
    assert len({part.name for part in parts}) == len(parts)
    for slot, text in texts.items():
        assert "".join(part.text for part in parts if part.slot == slot) == text


def test_short_text_is_one_chapter():
    assert titles("# A\nb\n# C\nd") == [""]


def test_markdown_is_cut_at_headings_but_not_at_comments_in_code():
    text = f"intro\n# Install\n{BODY}\n```sh\n# a comment\n```\n## Use **it**\n{BODY}"
    assert titles(text) == ["Install", "Use **it**"]


def test_files_are_cut_where_each_starts_however_short():
    text = (
        "<issue>\nIt breaks where it is hot, and cools.\n</issue>\n<code>\n"
        "[start of a/b.py]\n# no heading\nx = 1\n[end of a/b.py]\n"
        "[start of c.md]\n# Title\n[end of c.md]\n"
    )
    found = chapters(text)
    assert [chapter.title for chapter in found] == ["issue", "a/b.py", "c.md"]
    assert [chapter.file for chapter in found] == ["", "a/b.py", "c.md"]


def test_tag_alone_begins_nothing():
    assert titles("<details>\n" + BODY * 3) == [""]


def test_written_out_run_is_cut_at_its_steps():
    text = "[Step 1]\nThought: # look\n\n[Step 2]\nThought: go"
    assert titles(text) == ["Step 1", "Step 2"]


def test_short_chapters_are_joined_to_the_one_before():
    text = "".join(f"## Part {n}\n{'x' * 400}\n" for n in range(20))
    assert titles(text)[:2] == ["Part 0", "Part 4"]


def test_chapters_are_at_most_120():
    text = "".join(f"[Step {n}]\nThought: {n}\n" for n in range(5_000))
    assert 60 < len(chapters(text)) <= 121


@pytest.mark.parametrize(("count", "limit"), [(1, 40_000), (40, 15_000), (120, 5_000)])
def test_the_more_parts_the_less_each_shows(count, limit):
    text = "".join(f"[Step {n}]\nThought: {n} {BODY}\n" for n in range(count))
    assert {part.limit for part in parts_of({"history": text})} == {limit}


def test_empty_texts_are_left_out():
    assert [part.name for part in parts_of({"task": " \n", "page": "x"})] == ["page"]
