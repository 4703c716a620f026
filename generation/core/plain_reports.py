"""A research report as a question shows it: without marks of citation, addresses and references."""

import re

from generation.core.records import Document

_LINK = re.compile(r"!?\[([^\[\]\n]*)\]\(\s*https?://[^\s()]*(?:\([^\s()]*\)[^\s()]*)*\s*\)")
_ADDRESS = re.compile(r"<?https?://[^\s<>()\[\]，。；）】]+>?")
_TITLE = re.compile(r"^# \S", re.MULTILINE)
_LONGEST_TRY = 4_000
_LOOSE_MARK = re.compile(r"[ \t]*(?:\[\^?\d{1,3}\]|【\d{1,3}】)(?![(\[])")
_BLANK_BEFORE = re.compile(r"[ \t]+\Z")
_CLOSES = re.compile(r"[\s.,;:!?)\]。，；：！？）】]|\Z")
_BLANK_INSIDE = re.compile(r"(?<=[。！？；，、：])[ \t]+(?=[\u3400-\u9fff\d“（《])")
_BLANK_ENDS = re.compile(r"[ \t]+$", re.MULTILINE)
_BLANK_LINES = re.compile(r"\n{3,}")


def plain_report(document: Document) -> str:
    """Return a report's text without what it cites; empty where the document holds no report.

    Marks go, those too that the list of references does not explain; the words of links stay; the
    list of references at the end goes, and so do addresses and bold type. What the agent said
    before its report is no part of it. A form without citations that came with the report is not
    used: it may begin with what the agent said.
    """
    reports = document.of_kind("report")
    if not reports:
        return ""
    text = reports[0].text
    end = document.facts.get("body_end")
    body = text[:end] if isinstance(end, int) else text
    spans = {
        (int(each.facts["start"]), int(each.facts["end"]))
        for each in document.of_kind("citation")
        if each.facts.get("style") != "link"
    }
    for start, stop in sorted(spans, reverse=True):
        rest = body[stop:]
        before = body[:start]
        body = (_BLANK_BEFORE.sub("", before) if _CLOSES.match(rest) else before) + rest
    return _from_last_title(without_addresses(_LOOSE_MARK.sub("", body) if spans else body))


def _from_last_title(text: str) -> str:
    """Return a report from its title on where an earlier try at it stands before.

    Agents write a title, search on, and begin anew: then a second heading of the first level comes early.
    """
    titles = [found.start() for found in _TITLE.finditer(text)]
    is_early = len(titles) > 1 and titles[-1] <= min(_LONGEST_TRY, len(text) // 3)
    return text[titles[-1] :] if is_early else text


def without_addresses(text: str) -> str:
    """Return a text with the words of its links, without addresses, bold type and loose blanks."""
    plain = _ADDRESS.sub("", _LINK.sub(r"\1", text)).replace("**", "")
    plain = _BLANK_INSIDE.sub("", _BLANK_ENDS.sub("", plain))
    return _BLANK_LINES.sub("\n\n", plain).strip()
