"""Operators on reports: facts, logic, readability and fit to the request made worse, by rule."""

import re

from generation.core.operators.operator import Context, Unfit, Wrong, seeded
from generation.core.selection.texts import normalise, overlap, tokens

_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.,/-])"
    r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
    r"(?![A-Za-z0-9_/-]|[.,]\d)"
)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\[(\"“])|(?<=[。！？])")
_HEADING = re.compile(r"#{1,6}\s+\S")
_MARKS = re.compile(r"^\s*(?:#{1,6}|[-*+>]|\d{1,3}[.)])\s+", re.MULTILINE)
_EMPHASIS = re.compile(r"\*\*|__|`")
_FEWEST_FACTS = 3


def perturb_facts(report: str, _context: Context, seed: int) -> Wrong | Unfit:
    """Return the report with a third of its numbers exchanged for others of its own.

    The numbers are real and of the right size; they stand at the wrong things. Those of lists,
    headings and citations are left alone.
    """
    places = [match for match in _NUMBER.finditer(report) if _is_fact(report, match)]
    values = sorted({match.group() for match in places})
    if len(places) < _FEWEST_FACTS or len(values) < 2:
        return Unfit(f"the report gives fewer than {_FEWEST_FACTS} numbers that could be changed")
    random = seeded("perturb_facts", report, seed)
    count = max(2, len(places) // 3)
    changes = {}
    for match in random.sample(places, count):
        old = match.group()
        near = sorted((v for v in values if v != old), key=lambda v: abs(len(v) - len(old)))
        changes[match.start()] = (old, random.choice(near[: max(1, len(near) // 2)]))
    text = report
    for start in sorted(changes, reverse=True):
        old, new = changes[start]
        text = f"{text[:start]}{new}{text[start + len(old) :]}"
    if text == report:
        return Unfit("the exchanged numbers are equal")
    told = ", ".join(f"{new} for {old}" for _, (old, new) in sorted(changes.items())[:3])
    return Wrong(text, f"{count} numbers are false, such as {told}.")


def break_logic(report: str, _context: Context, seed: int) -> Wrong | Unfit:
    """Return the report with sentences of different paragraphs exchanged, so that none follows."""
    blocks = report.split("\n\n")
    long = [
        (place, sentences)
        for place, block in enumerate(blocks)
        if not _HEADING.match(block) and len(sentences := _sentences(block)) > 1
    ]
    if len(long) < 2:
        return Unfit("fewer than two paragraphs have two sentences or more")
    random = seeded("break_logic", report, seed)
    random.shuffle(long)
    exchanged = 0
    for (_, mine), (_, theirs) in zip(long[::2], long[1::2], strict=False):
        one, other = random.randrange(len(mine)), random.randrange(len(theirs))
        if normalise(mine[one]) != normalise(theirs[other]):
            mine[one], theirs[other] = theirs[other], mine[one]
            exchanged += 1
    for place, sentences in long:
        between = "" if re.search(r"[。！？]", blocks[place]) else " "
        blocks[place] = between.join(sentence.strip() for sentence in sentences)
    text = "\n\n".join(blocks)
    if not exchanged or normalise(text) == normalise(report):
        return Unfit("the paragraphs say the same")
    return Wrong(text, f"{exchanged} pairs of sentences stand in one another's paragraphs.")


def harm_readability(report: str, _context: Context, seed: int) -> Wrong | Unfit:
    """Return the report as one block: headings, lists and emphasis gone, some sentences twice."""
    plain = _EMPHASIS.sub("", _MARKS.sub("", report))
    sentences = [" ".join(part.split()) for part in _sentences(plain)]
    if len(sentences) < _FEWEST_FACTS:
        return Unfit(f"the report has fewer than {_FEWEST_FACTS} sentences")
    random = seeded("harm_readability", report, seed)
    for place in sorted(random.sample(range(len(sentences)), len(sentences) // 3), reverse=True):
        sentences.insert(place + 1, sentences[place])
    text = " ".join(sentences)
    return Wrong(text, "It is one block without headings or lists, and repeats sentences.")


def miss_request(report: str, context: Context, seed: int) -> Wrong | Unfit:
    """Return the report without its sections nearest to the request, or one on another request.

    Another request's report is taken where this one has fewer than three sections.
    """
    sections = [section for section in _sections(report) if section.strip()]
    if len(sections) >= 3 and context.task:
        wanted = frozenset(tokens(context.task))
        ranked = sorted(
            range(1, len(sections)),
            key=lambda place: (-overlap(frozenset(tokens(sections[place])), wanted), place),
        )
        gone = set(ranked[: max(1, len(ranked) // 3)])
        text = "\n\n".join(s for place, s in enumerate(sections) if place not in gone)
        lost = sections[min(gone)].split("\n", 1)[0].lstrip("# ").strip()
        return Wrong(
            text, f"Leaves out what was asked for: {len(gone)} sections, such as {lost!r}."
        )
    others = sorted({o for o in context.others if normalise(o) != normalise(report)})
    if not others:
        return Unfit("it has fewer than three sections, and no other report is at hand")
    other = seeded("miss_request", report, seed).choice(others)
    return Wrong(other, "It answers another request.")


def _sentences(text: str) -> list[str]:
    return [part for part in _SENTENCE_END.split(text) if part.strip()]


def _is_fact(report: str, match: re.Match[str]) -> bool:
    line_start = report.rfind("\n", 0, match.start()) + 1
    before = report[line_start : match.start()]
    is_list_number = not before.strip() and report[match.end() : match.end() + 1] in {".", ")"}
    is_citation = before.rstrip().endswith("[")
    return not (is_list_number or is_citation or _HEADING.match(before))


def _sections(report: str) -> list[str]:
    """Return what stands before the first heading, then each heading with what is under it."""
    sections = [""]
    for line in report.splitlines():
        if _HEADING.match(line):
            sections.append(line)
        else:
            sections[-1] = f"{sections[-1]}\n{line}" if sections[-1] else line
    return [section.strip("\n") for section in sections]
