"""Markdown is taken apart as it is written: fences, headings, indented code, code spans."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.markdown_blocks import (
    Block,
    BlockKind,
    inline_code,
    plain_heading,
    read_blocks,
)


def fences(text: str) -> list[tuple[str, str]]:
    return [(b.info, b.text) for b in read_blocks(text) if b.kind is BlockKind.FENCE]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("```bash\nls\n```", [("bash", "ls")]),
        ("~~~\nls\n~~~", [("", "ls")]),
        ("````\n```\nls\n````", [("", "```\nls")]),
        ("```\n~~~\n```", [("", "~~~")]),
        ("```sh\nls\n`````\nprose", [("sh", "ls")]),
        ("1. Do:\n   ```bash\n   ls\n     -a\n   ```", [("bash", "ls\n  -a")]),
        ("- ```bash\n  ls\n  ```", [("bash", "ls")]),
        ("> ```bash\n> ls\n> ```\nprose", [("bash", "ls")]),
        ("> ```bash\n> ls\nprose", [("bash", "ls")]),
        ("``` {.bash .numberLines}\nls\n```", [("bash", "ls")]),
        ('```Bash title="x"\nls\n```', [("bash", "ls")]),
        ("```ls``` is inline\n", []),
        ("```bash\r\nls\r\n```\r\n", [("bash", "ls")]),
        ("```\n```\n", [("", "")]),
    ],
)
def test_fences(text, found):
    assert fences(text) == found


def test_a_fence_that_nothing_closes_ends_with_the_file_and_says_so():
    (block,) = read_blocks("```bash\nls\nprose")
    assert (block.is_unclosed, block.text, block.line) == (True, "ls\nprose", 2)


def test_a_fence_that_opens_inside_one_closes_it_and_says_so():
    first, second = read_blocks("```bash\nls\n\nSome prose.\n```sh\ncd a\n```")
    assert (first.is_unclosed, first.text) == (True, "ls\n\nSome prose.")
    assert (second.is_unclosed, second.text, second.info) == (False, "cd a", "sh")


def test_headings_of_all_kinds():
    text = "# One #\n\nTwo\n===\n\nThree\n---\n\n<h2 align='center'>Four <b>x</b></h2>\n#none\n####### no\n"
    found = [(b.level, b.text, b.line) for b in read_blocks(text) if b.kind is BlockKind.HEADING]
    assert found == [(1, "One", 1), (1, "Two", 3), (2, "Three", 6), (2, "Four x", 9)]


def test_a_rule_or_a_table_is_no_heading():
    text = "a\nb\n---\n\n| a | b |\n|---|---|\n\n---\n- item\n---\n"
    assert not [b for b in read_blocks(text) if b.kind is BlockKind.HEADING]


def test_indented_code_stands_after_a_blank_line_and_outside_lists():
    text = "Do:\n\n    make\n\n    make test\n\nThen\n    no code\n\n- item\n\n    of the item\n"
    found = [b.lines for b in read_blocks(text) if b.kind is BlockKind.INDENTED]
    assert found == [("make", "", "make test", "")]


def test_what_an_html_comment_hides_is_not_read():
    assert [b.text.strip() for b in read_blocks("<!-- # no\n\n    make\n-->\nyes")] == ["yes"]
    assert "open" in read_blocks("<!-- never closed\nopen")[0].text


def test_code_spans_with_their_lines():
    block = Block(
        BlockKind.PROSE, 7, ("Run `make a`, ``b ` c``", "or ```d```; `` is none, nor ` alone")
    )
    assert [(s.line, s.text) for s in inline_code(block)] == [(7, "make a"), (7, "b ` c"), (8, "d")]


def test_a_heading_loses_links_tags_and_emphasis():
    assert plain_heading("**Set** `up` [here](x) ![](y) <a name='z'></a>:") == "Set up here"


@given(st.text(alphabet="`~# >-ab\n\t=|<!", max_size=60))
def test_every_line_is_in_one_block_or_marks_a_fence(text):
    blocks = read_blocks(text)
    taken = [block.line + offset for block in blocks for offset in range(len(block.lines))]
    assert len(taken) == len(set(taken))
    assert taken == sorted(taken)
    assert max(taken, default=1) <= text.count("\n") + 1
