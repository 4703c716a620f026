"""Questions on what a page bears out: a report, a page that it cites, six of its statements.

Right are statements that the report cites to the page and whose words the page has, or may have (a
person then says: check ``unclear_support``). Wrong are statements cited to other pages alone,
which this one is not about, and statements cited to the page with a number or relation changed. The
report is shown without marks of citation, and with those same changes, so that neither the
marks nor a comparison of report and statement tells what is right: only the page does.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from types import MappingProxyType

from generation.core.cuts import has_cjk, option_fault
from generation.core.operators.operator import Wrong
from generation.core.operators.statement_edits import false_statement, numbers_in
from generation.core.page_support import PageWords, Support
from generation.core.plain_reports import plain_report
from generation.core.records import Document
from generation.core.selection.cues import length, marks
from generation.core.selection.texts import overlap, words
from generation.core.subtask import Draft, OptionDraft, PoolEntry, Rejection
from generation.core.tokens import count_tokens

STATEMENTS = 6
MOST_RIGHT = 3
MOST_ALTERED = 3
MOST_TOKENS = 24_000
"""Of a report, and of a page: with three worked examples a prompt then stays within 200,000."""
CITED_ELSEWHERE = "cited_elsewhere"
ALTERED = "perturb_facts"
_ELSEWHERE = "The report cites other pages for it, and this one is about something else."
_ALIKE = 0.7
_TRIALS = 24
"""Questions drawn on one page, of which the one nearest to drawn ranks on soft cues is kept."""
_CUES = (length, marks)
_LENGTHS = {False: range(30, 500), True: range(12, 250)}
_MARKUP = re.compile(r"[|#\[\]]|```|^[-*>]")


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of a report, where it stands, and the pages it is cited to."""

    text: str
    start: int
    pages: frozenset[str]


@dataclass(frozen=True, slots=True)
class PageQuestion:
    """A question before it is a draft: right and wrong statements, and the report as shown."""

    golds: tuple[str, ...]
    wrong: tuple[OptionDraft, ...]
    article: str


def page_drafts(document: Document) -> Iterator[Draft | Rejection]:
    """Yield a draft, or why there is none, for each page of a report; ``cut`` is its number."""
    if not document.of_kind("report"):
        yield Rejection(1, "it is a query, no report")
        return
    pages = document.of_kind("page")
    if not pages:
        yield Rejection(1, "no cited page's text is at hand")
        return
    report = CitedReport(document)
    for cut, page in enumerate(pages, start=1):
        question = report.question(cut)
        if isinstance(question, Rejection):
            yield question
        else:
            slots = {"article": question.article, "page": page.text.strip()}
            yield Draft(cut, question.golds[0], slots, question.golds[1:])


def statement_options(
    entries: Sequence[PoolEntry], _seed: int
) -> Mapping[str, tuple[OptionDraft, ...] | Rejection]:
    """Return for each entry's key its six statements, the right ones first, or a rejection.

    They were drawn when the question was built, for the report that it shows goes with them; so
    the seed changes nothing.
    """
    reports: dict[int, CitedReport] = {}
    found: dict[str, tuple[OptionDraft, ...] | Rejection] = {}
    for entry in entries:
        if entry.document is None:
            found[entry.key] = Rejection(entry.draft.cut, "the question is of no report")
            continue
        key = id(entry.document)  # the pages of one report come with one document
        report = reports[key] = reports.get(key) or CitedReport(entry.document)
        found[entry.key] = _options(entry.draft, report.question(entry.draft.cut))
    return MappingProxyType(found)


def _options(
    draft: Draft, question: PageQuestion | Rejection
) -> tuple[OptionDraft, ...] | Rejection:
    if isinstance(question, Rejection):
        return question
    if question.golds != draft.golds or question.article != draft.slots.get("article"):
        return Rejection(draft.cut, "the report is not the one that the question was built from")
    reason = "The report cites the page for it."
    right = (OptionDraft(text, "gold", reason, is_gold=True) for text in question.golds)
    return (*right, *question.wrong)


class CitedReport:
    """A report as shown, and its statements with the pages they are cited to; read once."""

    def __init__(self, document: Document) -> None:
        self._name = document.provenance.external_id
        self._pages = document.of_kind("page")
        self._article = plain_report(document)
        self._statements = tuple(_statements(document, self._article))

    def question(self, cut: int) -> PageQuestion | Rejection:
        """Return the question on the page with number ``cut``, 1-based, or why there is none.

        The same report and page always give the same question.
        """
        page = self._pages[cut - 1]
        if not self._statements:
            return Rejection(cut, "no whole sentence of the report is cited to a page")
        for what, text in (("report", self._article), ("page", page.text)):
            if (size := count_tokens(text)) > MOST_TOKENS:
                return Rejection(cut, f"the {what} has {size} tokens, {MOST_TOKENS} at most")
        url = _plain(page.title)
        cited = [each for each in self._statements if url in each.pages]
        if not cited:
            return Rejection(cut, "no whole sentence is cited to the page")
        page_words = PageWords(page.text)
        standing = _apart(e for e in cited if page_words.support(e.text) is not Support.ABSENT)
        if not standing:
            return Rejection(cut, "the page has few words of what is cited to it")
        random = Random(f"{self._name}\x1f{url}")  # noqa: S311 - a choice, not a secret
        count = random.randint(1, min(MOST_RIGHT, (len(standing) + 1) // 2))
        targets = [random.random() for _ in _CUES]
        elsewhere = self._elsewhere(url, page_words, cited)
        drawn = (
            self._draw(random.sample(standing, len(standing)), count, elsewhere, page_words, random)
            for _ in range(_TRIALS)
        )
        fitting = [each for each in drawn if each is not None]
        if not fitting:
            return Rejection(cut, f"fewer than {STATEMENTS} statements that can be told apart")
        return min(fitting, key=lambda each: _distance(each, targets))

    def _draw(
        self,
        standing: Sequence[Statement],
        count: int,
        elsewhere: Sequence[Statement],
        page_words: PageWords,
        random: Random,
    ) -> PageQuestion | None:
        """Return a question whose right statements are the first ``count``; None where it lacks any."""
        golds = sorted(standing[:count], key=lambda each: each.start)
        numbers = numbers_in(self._article)
        altered = _altered(standing[count:], page_words, numbers, random)
        taken = [*golds, *(old for old, _new in altered)]
        near = random.choice(self._statements).start
        others = _in_groups(_apart(elsewhere, taken), len(taken), near)
        wanted = STATEMENTS - len(taken)
        if len(others) < wanted:
            return None
        wrong = [OptionDraft(new.text, ALTERED, new.reason) for _old, new in altered]
        wrong += [OptionDraft(each.text, CITED_ELSEWHERE, _ELSEWHERE) for each in others[:wanted]]
        return PageQuestion(
            golds=tuple(each.text for each in golds),
            wrong=tuple(wrong),
            article=_with_altered(self._article, altered),
        )

    def _elsewhere(
        self, url: str, page_words: PageWords, cited: Sequence[Statement]
    ) -> list[Statement]:
        """Return statements cited to other pages that this one is not about."""
        found = (
            each
            for each in self._statements
            if url not in each.pages and page_words.support(each.text) is Support.ABSENT
        )
        return _apart(found, cited)


def _in_groups(statements: Sequence[Statement], size: int, start: int) -> list[Statement]:
    """Return statements page by page, ``size`` of each as there are of the page asked about.

    Else the statements most like one another would be those of the page. The pages cited nearest
    to ``start`` come first.
    """
    near = sorted(statements, key=lambda each: (abs(each.start - start), each.start))
    groups: dict[str, list[Statement]] = {}
    for each in near:
        groups.setdefault(min(each.pages), []).append(each)
    first = [each for group in groups.values() for each in group[:size]]
    return first + [each for group in groups.values() for each in group[size:]]


def _distance(question: PageQuestion, targets: Sequence[float]) -> float:
    """Return how far the right ones' mean rank on each soft cue is from the one that was drawn."""
    texts = [*question.golds, *(option.text for option in question.wrong)]
    total = 0.0
    for cue, target in zip(_CUES, targets, strict=True):
        scores = cue(texts)
        ranks = [_rank(score, scores) for score in scores[: len(question.golds)]]
        total += abs(sum(ranks) / len(ranks) - target)
    return total


def _rank(score: float, scores: Sequence[float]) -> float:
    """Return the share of the other scores that are higher, 0 to 1; equal ones count half."""
    higher = sum(other > score for other in scores) + sum(other == score for other in scores) / 2
    return (higher - 0.5) / (len(scores) - 1)


def _statements(document: Document, article: str) -> Iterator[Statement]:
    """Yield the whole sentences that are cited to known pages, each once, in the report's order.

    One that goes on after a mark in its middle is left out from there: the mark before may cite
    another page.
    """
    pages: dict[str, set[str]] = {}
    starts: dict[str, int] = {}
    for citation in document.of_kind("citation"):
        pages.setdefault(citation.text, set()).add(_plain(citation.title))
        starts.setdefault(citation.text, int(citation.facts["start"]))
    texts = sorted(pages)
    for text in sorted(starts, key=lambda text: starts[text]):
        goes_on = any(other != text and text.startswith(other) for other in texts)
        is_known = "" not in pages[text]
        if is_known and not goes_on and _is_sentence(text) and _place(text).search(article):
            yield Statement(text, starts[text], frozenset(pages[text]))


def _is_sentence(text: str) -> bool:
    chinese = has_cjk(text)
    if len(text) not in _LENGTHS[chinese] or _MARKUP.search(text) or option_fault(text):
        return False
    if any(text.count(left) != text.count(right) for left, right in ("()", "（）", "“”", "「」")):
        return False
    return chinese or text[0].isupper() or text[0].isdigit() or text[0] in "\"'“"


def _altered(
    statements: Sequence[Statement], page_words: PageWords, numbers: Sequence[str], random: Random
) -> list[tuple[Statement, Wrong]]:
    """Return statements that the page bears out, each with the false one it was made into."""
    found: list[tuple[Statement, Wrong]] = []
    for statement in statements:
        if page_words.support(statement.text) is Support.CONFIRMED and len(found) < MOST_ALTERED:
            wrong = false_statement(statement.text, numbers, random)
            if isinstance(wrong, Wrong):
                found.append((statement, wrong))
    return found


def _with_altered(article: str, altered: Sequence[tuple[Statement, Wrong]]) -> str:
    """Return the report with the false statements in the place of the ones they were made of."""
    for old, new in altered:
        found = _place(old.text).search(article)
        if found:
            article = f"{article[: found.start()]}{new.text}{article[found.end() :]}"
    return article


def _apart(statements: Iterable[Statement], taken: Sequence[Statement] = ()) -> list[Statement]:
    """Return the statements that are like none before them, nor like those taken."""
    found: list[Statement] = []
    for each in statements:
        if not _is_like(each, [*taken, *found]):
            found.append(each)
    return found


def _is_like(statement: Statement, others: Sequence[Statement]) -> bool:
    own = frozenset(words(statement.text))
    return any(overlap(own, frozenset(words(other.text))) >= _ALIKE for other in others)


def _place(text: str) -> re.Pattern[str]:
    """Return a pattern that finds a statement, whose blanks may be line ends in the report."""
    return re.compile(r"\s+".join(re.escape(word) for word in text.split()))


def _plain(url: str) -> str:
    """Return an address without its fragment and a slash at the end: both give the same page."""
    return url.strip().partition("#")[0].rstrip("/")
