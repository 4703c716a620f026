"""Takes off what an agent says to itself before its report: plans to search, a title said too early."""

import re
from collections.abc import Sequence

_HEADING = re.compile(r"[ ]{0,3}(#{1,6})[ \t]+(.*\S)[ \t#]*")
_SELF_TALK = re.compile(
    r"\b(?:I|I'll|I'd|I've|I'm|let me|let's|allow me)\b.{0,120}?\b(?:search\w*|look\w*|gather\w*|find\w*"
    r"|research\w*|need\w*|start\w*|begin\w*|explor\w*|check\w*|investigat\w*|collect\w*|continu\w*"
    r"|provid\w*|creat\w*|writ\w*|prepar\w*|compil\w*|conduct\w*|help\w*|analy\w*|now have|dig\w*|get|do)\b"
    r"|^(?:based on|now|next|finally|first|great|okay|ok|sure|certainly|here(?:'s| is))\b.{0,200}"
    r"|(?:我|让我|接下来|现在|首先|最后|然后|下面).{0,60}(?:搜索|查找|查询|检索|需要|获取|了解|为您|撰写|收集|提供|研究|整理|分析|继续)"
    r"|(?:需要|进一步|继续).{0,40}(?:了解|搜索|查找|获取|收集|检索)"
    r"|(?:基于|根据).{0,30}(?:搜索|信息|资料).{0,40}(?:我|为您|报告)",
    re.IGNORECASE | re.DOTALL,
)
# Without a word of searching it is an opening: a report may begin by saying what follows.
_SEARCHING = re.compile(
    r"\b(?:search\w*|look(?:ing)? for|gather\w*|find\w*|need\w*|research\w*|collect\w*|explor\w*|check\w*)\b"
    r"|搜索|查找|查询|检索|获取|收集|需要",
    re.IGNORECASE,
)
_MOST_CHATTER = 8_000
_LONGEST_PARAGRAPH = 1_200


def strip_chatter(report: str) -> tuple[str, str]:
    """Return what an agent said before its report, and the report.

    The report begins at the last title (heading of level 1, or of the first level that occurs) that
    has nothing but self-talk and other such titles before it. A report that begins with prose that
    is no self-talk is left as it is.
    """
    text = report.lstrip("\ufeff \t\r\n")
    lines = text.splitlines(keepends=True)
    begins = 0
    offset = 0
    level = _first_level(lines)
    for line in lines:
        heading = _HEADING.fullmatch(line.rstrip("\r\n"))
        if heading is not None:
            if len(heading[1]) != level:
                break
            if not _is_self_talk(text[begins:offset]):
                break
            begins = offset
        offset += len(line)
        if offset - begins > _MOST_CHATTER:
            break
    if not _SEARCHING.search(text[:begins]):
        return "", text
    return text[:begins].strip(), text[begins:]


def _first_level(lines: Sequence[str]) -> int:
    found = (_HEADING.fullmatch(line.rstrip("\r\n")) for line in lines)
    levels = [len(heading[1]) for heading in found if heading is not None]
    return 1 if 1 in levels else (levels[0] if levels else 1)


def _is_self_talk(text: str) -> bool:
    """Say whether every paragraph is self-talk, a title or a rule; nothing at all is, too."""
    paragraphs = [each.strip() for each in re.split(r"\n[ \t]*\n", text) if each.strip()]
    for paragraph in paragraphs:
        if _HEADING.fullmatch(paragraph) or re.fullmatch(r"[-*_= ]{3,}", paragraph):
            continue
        if len(paragraph) > _LONGEST_PARAGRAPH or not _SELF_TALK.search(paragraph):
            return False
    return True
