"""Operators on reports: facts, logic, readability and fit to the request made worse, by rule.

Length and layout stay: headings, lists and paragraphs are where they were, and what comes in is as
long as what goes. So it takes reading to tell a worse report from a good one.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from generation.core.operators.operator import Context, Unfit, Wrong, seeded
from generation.core.selection.texts import normalise, overlap, words

_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.,/-])"
    r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
    r"(?![A-Za-z0-9_/-]|[.,]\d)"
)
_SENTENCE = re.compile(r"\S(?:.*?(?:[.!?](?=\s+[A-Z0-9\[(\"“]|\s*\Z)|[。！？]+[”」』）]*)|.*\S)")
_HEADING = re.compile(r"(#{1,6})\s+\S")
_NUMBERING = re.compile(
    r"#{1,6}\s+((?:\d{1,2}(?:\.\d{1,2})*(?:[.、)]|(?=\s))|[IVX]{1,5}\.|[（(]?[一二三四五六七八九十]{1,3}[）)]?、?)\s*)?"
)
_BEFORE_TEXT = re.compile(r"\s*(?:(?:[-*+>]|\d{1,3}[.)、])\s+)?")
_TABLE = re.compile(r"\s*(?:\||```|~~~)")
_FEWEST_FACTS = 3
_NEAREST = 3
_FEWEST_SECTIONS = 3
_EXCHANGED = 4
"""Of so many sentences one is exchanged where logic is broken."""
_LENGTHS = (0.5, 2.0)
_SECTION_LENGTHS = (0.6, 1.6)


def perturb_facts(report: str, _context: Context, seed: int) -> Wrong | Unfit:
    """Return the report with half of its numbers exchanged for others of its own.

    The numbers are real and of the right size; they stand at the wrong things. Those of lists,
    headings and citations are left alone.
    """
    places = [match for match in _NUMBER.finditer(report) if _is_fact(report, match)]
    values = sorted({match.group() for match in places})
    if len(places) < _FEWEST_FACTS or len(values) < 2:
        return Unfit(f"the report gives fewer than {_FEWEST_FACTS} numbers that could be changed")
    random = seeded("perturb_facts", report, seed)
    count = max(2, len(places) // 2)
    changes = {}
    for match in random.sample(places, count):
        old = match.group()
        near = sorted((v for v in values if v != old), key=lambda v: (*_unlike(v, old), v))
        changes[match.start()] = (old, random.choice(near[:_NEAREST]))
    text = report
    for start in sorted(changes, reverse=True):
        old, new = changes[start]
        text = f"{text[:start]}{new}{text[start + len(old) :]}"
    if text == report:
        return Unfit("the exchanged numbers are equal")
    told = ", ".join(f"{new} for {old}" for _, (old, new) in sorted(changes.items())[:3])
    return Wrong(text, f"{count} numbers are false, such as {told}.")


def _unlike(number: str, old: str) -> tuple[bool, int, float]:
    """Return how unlike two numbers are: year or not, in form, in size."""
    values = [float(each.replace(",", "")) for each in (number, old)]
    years = [len(each) == 4 and each.isdigit() and each[0] in "12" for each in (number, old)]
    forms = len(number) - len(old), ("." in number) - ("." in old)
    return years[0] is not years[1], sum(map(abs, forms)), abs(values[0] - values[1])


def break_logic(report: str, _context: Context, seed: int) -> Wrong | Unfit:
    """Return the report with sentences of different sections exchanged, so that none follows."""
    sentences = _sentences(report)
    random = seeded("break_logic", report, seed)
    drawn = random.sample(sentences, len(sentences))
    wanted = max(1, len(drawn) // (2 * _EXCHANGED))
    texts: dict[int, str] = {}
    pairs = 0
    for place, one in enumerate(drawn):
        if pairs == wanted:
            break
        other = next((o for o in drawn[place + 1 :] if _can_exchange(one, o, texts)), None)
        if one.start not in texts and other is not None:
            texts |= {one.start: other.text, other.start: one.text}
            pairs += 1
    if not pairs:
        return Unfit("no two paragraphs have sentences that could be exchanged")
    text = _with_texts(report, sentences, texts)
    return Wrong(text, f"{pairs} pairs of sentences stand in one another's paragraphs.")


def harm_readability(report: str, _context: Context, seed: int) -> Wrong | Unfit:
    """Return the report with the sentences of half of its sections in a mixed-up order."""
    sentences = _sentences(report)
    by_section: dict[int, list[_Sentence]] = defaultdict(list)
    for sentence in sentences:
        by_section[sentence.section].append(sentence)
    random = seeded("harm_readability", report, seed)
    texts: dict[int, str] = {}
    sections = [section for section in by_section.values() if len(section) > 1]
    for section in random.sample(sections, (len(sections) + 1) // 2):
        order = random.sample(range(len(section)), len(section))
        if order == sorted(order):
            order = order[1:] + order[:1]
        mixed = [section[place].text for place in order]
        texts |= {slot.start: text for slot, text in zip(section, mixed, strict=True)}
    text = _with_texts(report, sentences, texts)
    if len(sentences) < _FEWEST_FACTS or normalise(text) == normalise(report):
        return Unfit("no section has sentences that could be mixed up")
    return Wrong(text, "Within half of its sections one sentence does not lead to the next.")


def miss_request(report: str, context: Context, seed: int) -> Wrong | Unfit:
    """Return the report with the sections nearest to the request replaced by others' sections.

    They are sections of reports on other requests, of about the same length.
    """
    sections = sections_of(report)
    if len(sections) < _FEWEST_SECTIONS or not context.task:
        return Unfit(f"it has fewer than {_FEWEST_SECTIONS} sections, or no request is known")
    wanted = frozenset(words(context.task))
    ranked = sorted(
        range(1, len(sections)),
        key=lambda place: (-overlap(frozenset(words(sections[place])), wanted), place),
    )
    strange = sorted({part for other in context.others for part in sections_of(other)[1:]})
    own = set(map(normalise, sections))
    strange = [part for part in strange if normalise(part) not in own]
    random = seeded("miss_request", report, seed)
    lost: list[str] = []
    for place in ranked[: max(1, (len(sections) - 1) // 3)]:
        old = sections[place]
        low, high = _SECTION_LENGTHS
        near = [part for part in strange if low <= len(part) / len(old) <= high]
        near.sort(key=lambda part: (abs(len(part) - len(old)), part))
        if near:
            new = random.choice(near[:_NEAREST])
            strange.remove(new)
            sections[place] = _under_number(new, old)
            lost.append(_title(old))
    if not lost:
        return Unfit("no section of another report is about as long as one of these")
    text = "\n\n".join(section for section in sections if section)
    return Wrong(text, f"Instead of {', '.join(map(repr, lost))} it treats what was not asked.")


def sections_of(report: str) -> list[str]:
    """Return what stands before the first section, then each section with its heading.

    Sections begin at headings of the highest level that occurs twice or more.
    """
    lines = report.splitlines()
    levels = [len(found[1]) if (found := _HEADING.match(line)) else 0 for line in lines]
    level = next((n for n in range(1, 7) if levels.count(n) > 1), 0)
    sections = [""]
    for line, own in zip(lines, levels, strict=True):
        if own and own == level:
            sections.append(line)
        else:
            sections[-1] = f"{sections[-1]}\n{line}" if sections[-1] else line
    return [section.strip("\n") for section in sections]


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence and where it stands; ``paragraph`` and ``section`` are counted from 0."""

    start: int
    text: str
    paragraph: int
    section: int


def _sentences(report: str) -> list[_Sentence]:
    return list(_read_sentences(report))


def _read_sentences(report: str) -> Iterator[_Sentence]:
    """Yield the sentences of paragraphs and list items; headings, tables and fences have none."""
    offset = section = 0
    for paragraph, line in enumerate(report.splitlines(keepends=True)):
        if _HEADING.match(line):
            section += 1
        elif not _TABLE.match(line):
            before = _BEFORE_TEXT.match(line)
            begins = before.end() if before else 0
            for found in _SENTENCE.finditer(line.rstrip(), begins):
                yield _Sentence(offset + found.start(), found.group(), paragraph, section)
        offset += len(line)


def _can_exchange(one: _Sentence, other: _Sentence, taken: dict[int, str]) -> bool:
    is_apart = one.paragraph != other.paragraph and other.start not in taken
    ratio = len(one.text) / len(other.text)
    is_alike = _LENGTHS[0] <= ratio <= _LENGTHS[1]
    return is_apart and is_alike and normalise(one.text) != normalise(other.text)


def _with_texts(report: str, sentences: Sequence[_Sentence], texts: dict[int, str]) -> str:
    """Return the report with other sentences in the places that ``texts`` names by their start."""
    for sentence in reversed(sentences):
        if sentence.start in texts:
            end = sentence.start + len(sentence.text)
            report = f"{report[: sentence.start]}{texts[sentence.start]}{report[end:]}"
    return report


def _under_number(new: str, old: str) -> str:
    """Return a section whose heading has the level and number of the one it replaces."""
    mine, theirs = _NUMBERING.match(old), _NUMBERING.match(new)
    if mine is None or theirs is None:
        return new
    return f"{old[: mine.end()]}{new[theirs.end() :]}"


def _title(section: str) -> str:
    return section.split("\n", 1)[0].lstrip("# ").strip()


def _is_fact(report: str, match: re.Match[str]) -> bool:
    line_start = report.rfind("\n", 0, match.start()) + 1
    before = report[line_start : match.start()]
    is_list_number = not before.strip() and report[match.end() : match.end() + 1] in {".", ")"}
    is_citation = before.rstrip().endswith("[")
    return not (is_list_number or is_citation or _HEADING.match(before))
