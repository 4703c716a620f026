"""Questions on what a page bears out: which statements are right, which are wrong, what is shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.cited_pages import STATEMENTS, CitedReport, page_drafts, statement_options
from generation.core.page_support import PageWords, Support
from generation.core.records import Language
from generation.core.registry import SUBTASKS
from generation.core.subtask import Draft, OptionDraft, Rejection
from tests.generation.core.documents import document_pool, report

MILL = {
    "https://x.example/mill": "The floating mill was built in 1749 on two barges of oak. It ground "
    "900 kilograms of rye on a good day. Each spring it was towed to a new place in the current.",
    "https://x.example/lock": "The lock of 1902 slowed the current by a third. It was widened in "
    "1959 for barges of 1,200 tons.",
    "https://x.example/fire": "On 2 June 1934 a fire destroyed the mill within two hours.",
    "https://x.example/inn": "The garden of the inn holds the wheel, which children climb.",
}
MARKS = {url: f"[{number}]" for number, url in enumerate(MILL, start=1)}
TEXT = """\
# The mill

The floating mill was built in 1749 on two barges of oak. [1] It ground 900 kilograms of rye on a good day. [1] Each spring it was towed to a new place in the current. [1]

The lock of 1902 slowed the current by a third. [2] The lock was widened in 1959 for barges of 1,200 tons. [2]

A fire destroyed the mill on 2 June 1934 within two hours. [3] Children climb on the wheel in the garden of the inn. [4] The copy opened in 2012. [5]

## References
""" + "\n".join(f"{mark} {url}" for url, mark in MARKS.items())
CHINESE = """\
# 桥

青石渡桥建成于1908年，全长146米。[1] 桥墩用的是上游采石场的青石。[1]

设计者韩砚秋是铁路工程师，早年修过三座隧道。[2] 他坚持把桥面抬高两米以避开洪水。[2]

1931年的洪水淹没了下游的全部码头。[3] 水利站此后每年夏季在桥上设岗观测。[3] 最高水位距桥面四十厘米。[3]

参考资料
[1] https://x.example/qiao
[2] https://x.example/han
[3] https://x.example/shui
"""
BRIDGE = {"https://x.example/qiao": "青石渡桥建成于1908年，全长146米，桥墩用上游采石场的青石。"}


def questions(document):
    return [each for each in page_drafts(document) if isinstance(each, Draft)]


def test_right_statements_are_cited_to_the_page_and_wrong_ones_are_not_or_are_altered():
    document = report(TEXT, pages=MILL)
    cited = {s.text: s.title for s in document.of_kind("citation")}
    drafts = questions(document)
    assert [draft.cut for draft in drafts] == [1, 2, 3, 4]
    for draft in drafts:
        url = list(MILL)[draft.cut - 1]
        question = CitedReport(document).question(draft.cut)
        assert not isinstance(question, Rejection)
        assert len(question.golds) + len(question.wrong) == STATEMENTS
        assert all(cited[gold] == url for gold in draft.golds)
        for option in question.wrong:
            if option.operator == "cited_elsewhere":
                assert cited[option.text] != url
                assert PageWords(MILL[url]).support(option.text) is Support.ABSENT
            else:
                assert option.text not in cited
                assert option.text in draft.slots["article"]


def test_neither_marks_nor_a_comparison_with_the_report_give_the_right_ones_away():
    document = report(TEXT, pages=MILL)
    for draft in questions(document):
        question = CitedReport(document).question(draft.cut)
        assert not isinstance(question, Rejection)
        article = draft.slots["article"]
        assert "[" not in article
        assert "https://" not in article
        for text in (*draft.golds, *(option.text for option in question.wrong)):
            assert article.count(text) == 1


def test_a_page_about_something_else_and_pages_not_at_hand_give_no_question():
    (only,) = page_drafts(report(TEXT))
    assert only == Rejection(1, "no cited page's text is at hand")
    (other,) = page_drafts(report(TEXT, pages={"https://x.example/mill": "Opening hours: 9 to 5."}))
    assert other == Rejection(1, "the page has few words of what is cited to it")
    (uncited,) = page_drafts(report(TEXT, pages={"https://y.example": "The mill."}))
    assert uncited == Rejection(1, "no whole sentence is cited to the page")
    short = "\n".join(line for line in TEXT.splitlines() if not line.startswith("The lock"))
    few = next(page_drafts(report(short, pages=MILL)))
    assert few == Rejection(1, "fewer than 6 statements that can be told apart")


def test_a_statement_without_a_known_page_is_neither_right_nor_wrong():
    document = report(TEXT, pages=MILL)
    for draft in questions(document):
        question = CitedReport(document).question(draft.cut)
        assert not isinstance(question, Rejection)
        assert not any("The copy opened" in option.text for option in question.wrong)


def test_a_long_page_is_refused_with_its_size():
    pages = {"https://x.example/mill": "The floating mill was built of oak. " * 4000}
    (only,) = page_drafts(report(TEXT, pages=pages))
    assert isinstance(only, Rejection)
    assert "24000 at most" in only.why


@pytest.mark.parametrize(
    ("text", "pages", "language"),
    [(TEXT, MILL, Language.EN), (CHINESE, BRIDGE, Language.ZH)],
)
def test_options_are_six_with_the_right_ones_first_and_the_seed_changes_nothing(
    text, pages, language
):
    subtask = SUBTASKS[f"open_citation_{language}"]
    pool = document_pool(subtask, [report(text, pages=pages, language=language)])
    assert pool
    made = statement_options(pool, 1)
    assert made == statement_options(pool[::-1], 2)
    for entry in pool:
        options = made[entry.key]
        assert not isinstance(options, Rejection)
        assert len(options) == len({option.text for option in options}) == STATEMENTS
        golds = len(entry.draft.golds)
        assert [o.is_gold for o in options] == [True] * golds + [False] * (STATEMENTS - golds)
        assert tuple(o.text for o in options[:golds]) == entry.draft.golds
        assert all(isinstance(o, OptionDraft) and o.reason for o in options)


def test_a_report_that_changed_since_gives_no_options():
    subtask = SUBTASKS["open_citation_en"]
    pool = document_pool(subtask, [report(TEXT, pages=MILL)])
    changed = report(TEXT.replace("1749", "1750"), pages=MILL)
    entries = [type(e)(e.key, e.cluster, "", e.draft, (), (), changed) for e in pool]
    made = statement_options(entries, 1)
    assert any(isinstance(options, Rejection) for options in made.values())


@given(st.text(alphabet="The mill [1].\n# 年12", max_size=120))
def test_any_report_is_survived(text):
    for each in page_drafts(report(f"{text}\n[1] https://x.example/mill\n", pages=MILL)):
        assert isinstance(each, Draft | Rejection)
