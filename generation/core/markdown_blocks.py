"""Takes a Markdown text apart: headings, prose, fenced and indented code, inline code.

Fences as CommonMark has them: three or more backticks or tildes after an indent, list mark or
``>``; closed by as many of the same. Two things differ, since READMEs are written by hand: a
fence with an info string inside an open fence of the same length closes that one, and both that
and a fence that the file's end closes are marked as unclosed.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

_FENCE = re.compile(
    r"(?P<lead>[ \t>]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?[ \t>]*)(?P<fence>`{3,}|~{3,})(?P<info>.*)"
)
_HEADING = re.compile(r"[ ]{0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*")
_UNDERLINE = re.compile(r"[ ]{0,3}(=+|-{2,})[ \t]*")
_HTML_HEADING = re.compile(r"[ ]*<h([1-6])\b[^>]*>(.*?)</h[1-6]>[ ]*", re.IGNORECASE)
_QUOTE_MARKS = re.compile(r"[ ]{0,3}(?:>[ ]?)+")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]")
_INLINE = re.compile(r"(?<!`)(`{1,3})(?!`)(.+?)(?<!`)\1(?!`)")
_LONGEST_PROSE_LINE = 5_000
_TAG = re.compile(r"<[^<>]{1,200}>")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)")


class BlockKind(StrEnum):
    """What a run of lines is."""

    HEADING = "heading"
    PROSE = "prose"
    FENCE = "fence"
    INDENTED = "indented"


@dataclass(frozen=True, slots=True)
class Block:
    """Lines of one kind; ``line`` is the 1-based line of the first of ``lines``.

    ``info`` is the first word of a fence's info string in lower case, ``level`` a heading's.
    """

    kind: BlockKind
    line: int
    lines: tuple[str, ...]
    info: str = ""
    level: int = 0
    is_unclosed: bool = False

    @property
    def text(self) -> str:
        """The lines, joined."""
        return "\n".join(self.lines)


@dataclass(frozen=True, slots=True)
class InlineCode:
    """A code span in prose, and its 1-based line."""

    line: int
    text: str


def read_blocks(text: str) -> list[Block]:
    """Return the blocks of a Markdown text in order; every line but a fence's marks is in one."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    blocks: list[Block] = []
    prose: list[str] = []
    number = 0
    while number < len(lines):
        opening = _opening(lines[number])
        if opening is None:
            prose.append(lines[number])
            number += 1
            continue
        blocks += _prose_blocks(prose, number - len(prose) + 1)
        prose = []
        fence, number = _fence(lines, number, opening)
        blocks.append(fence)
    return blocks + _prose_blocks(prose, number - len(prose) + 1)


def inline_code(block: Block) -> Iterator[InlineCode]:
    """Yield the code spans of a block of prose, one line at a time, in order."""
    for number, line in enumerate(block.lines, start=block.line):
        if len(line) > _LONGEST_PROSE_LINE:
            continue  # unpaired backticks would make the search quadratic
        for found in _INLINE.finditer(line):
            yield InlineCode(number, found[2].strip())


def plain_heading(text: str) -> str:
    """Return a heading's words without links, tags and marks of emphasis."""
    words = _TAG.sub(" ", _LINK.sub(r"\1", text))
    return " ".join(words.replace("**", "").replace("`", "").split()).strip("#: ")


def _opening(line: str) -> re.Match[str] | None:
    found = _FENCE.fullmatch(line)
    # A backtick in the info string makes it a code span: ```ls``` opens nothing.
    if found is None or (found["fence"][0] == "`" and "`" in found["info"]):
        return None
    return found


def _fence(lines: list[str], start: int, opening: re.Match[str]) -> tuple[Block, int]:
    """Return the block that the fence at ``start`` opens, and the index of the line after it."""
    mark, info = opening["fence"], opening["info"].strip()
    indent = len(opening["lead"].expandtabs(4))
    quoted = ">" in opening["lead"]
    body: list[str] = []
    after = start + 1
    is_unclosed = True
    while after < len(lines):
        line = lines[after]
        if quoted and not line.lstrip().startswith(">"):
            break  # the quotation ends, and the fence with it
        inner = _opening(line)
        if inner is not None and inner["fence"][0] == mark[0]:
            if len(inner["fence"]) >= len(mark) and not inner["info"].strip():
                is_unclosed = False
                after += 1
                break
            if len(inner["fence"]) == len(mark) and info != "markdown":
                break
        body.append(_unindented(line, indent, quoted=quoted))
        after += 1
    word = re.split(r"[\s{,:]", info.lstrip("{. "), maxsplit=1)[0].rstrip("}").lower()
    block = Block(BlockKind.FENCE, start + 2, tuple(body), info=word, is_unclosed=is_unclosed)
    return block, after


def _unindented(line: str, indent: int, *, quoted: bool) -> str:
    if quoted:
        marks = _QUOTE_MARKS.match(line)
        return line[marks.end() :] if marks else line.lstrip()
    blanks = len(line) - len(line.lstrip(" \t"))
    return line.expandtabs(4)[indent:] if "\t" in line[:blanks] else line[min(indent, blanks) :]


def _prose_blocks(lines: list[str], first: int) -> list[Block]:
    """Return headings, indented code and the prose between them."""
    runs: list[_Run] = []
    hidden = _hidden_lines(lines)
    in_list = False
    for index, given in enumerate(lines):
        line = "" if index in hidden else given
        number = first + index
        heading = _heading(line)
        if heading is not None:
            in_list = False
            runs.append(_Run(BlockKind.HEADING, number, [heading[1]], heading[0]))
        elif _UNDERLINE.fullmatch(line) and _may_be_underlined(runs):
            title = plain_heading(runs[-1].lines.pop())
            runs[-1:] = [runs[-1]] if runs[-1].lines else []
            runs.append(_Run(BlockKind.HEADING, number - 1, [title], 1 if "=" in line else 2))
        else:
            if line.strip():
                in_list = bool(_ITEM.match(line)) or (in_list and line[0] in " \t")
            kind = _kind_of(line, runs, in_list=in_list)
            if runs and runs[-1].kind is kind:
                runs[-1].lines.append(line)
            else:
                runs.append(_Run(kind, number, [line]))
    return [run.block() for run in runs]


@dataclass(slots=True)
class _Run:
    """A block in the making."""

    kind: BlockKind
    line: int
    lines: list[str]
    level: int = 0

    def block(self) -> Block:
        lines = self.lines
        if self.kind is BlockKind.INDENTED:
            lines = [line.expandtabs(4)[4:] for line in lines]
        return Block(self.kind, self.line, tuple(lines), level=self.level)


def _kind_of(line: str, runs: Sequence[_Run], *, in_list: bool) -> BlockKind:
    """Return whether a line is code by its indent: four blanks after a blank line, in no list."""
    last = runs[-1] if runs else None
    is_indented = line.startswith(("    ", "\t")) and not in_list
    if last is not None and last.kind is BlockKind.INDENTED:
        return BlockKind.INDENTED if is_indented or not line.strip() else BlockKind.PROSE
    opens = last is None or last.kind is BlockKind.HEADING or not last.lines[-1].strip()
    is_code = is_indented and opens and line.strip()
    return BlockKind.INDENTED if is_code else BlockKind.PROSE


def _heading(line: str) -> tuple[int, str] | None:
    found = _HEADING.fullmatch(line)
    if found is not None:
        return len(found[1]), plain_heading(found[2] or "")
    html = _HTML_HEADING.fullmatch(line)
    return (int(html[1]), plain_heading(html[2])) if html is not None else None


def _may_be_underlined(runs: Sequence[_Run]) -> bool:
    last = runs[-1] if runs else None
    if last is None or last.kind is not BlockKind.PROSE:
        return False
    title = last.lines[-1].strip()
    alone = len(last.lines) < 2 or not last.lines[-2].strip()
    return bool(title) and alone and not title.startswith(("|", "-", "*", ">", "+"))


def _hidden_lines(lines: list[str]) -> set[int]:
    """Return the lines that an HTML comment hides, from its first whole line on."""
    hidden: set[int] = set()
    start: int | None = None
    for index, line in enumerate(lines):
        if start is None and line.lstrip().startswith("<!--"):
            start = index
        if start is not None and "-->" in line:
            hidden.update(range(start, index + 1))
            start = None
    return hidden  # a comment that nothing closes hides nothing
