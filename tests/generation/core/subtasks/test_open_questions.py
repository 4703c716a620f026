"""Questions on research outlines and reports: what is asked, and what is left out and why."""

from dataclasses import replace

import pytest

from generation.core.operators.plan_text import read_plan
from generation.core.records import Language
from generation.core.registry import SUBTASKS
from generation.core.report_drafts import report_drafts
from generation.core.subtask import Draft, Rejection
from tests.generation.core.documents import document_pool, report, research_question
from tests.generation.core.operators.test_report_star import written

PLAN = SUBTASKS["open_plan_en"]
_ASKED = ("ferries", "tides", "lamps", "wool", "glass", "trams", "mills", "herring")


def outline(topic: str):
    parts = [
        (f"What are {topic}?", (f"When did {topic} begin?",)),
        (f"Who needs {topic}?", (f"Do towns need {topic}?", f"Do islands need {topic}?")),
        (f"What do {topic} cost?", ()),
        (f"What would replace {topic}?", (f"Has anybody given up {topic}?",)),
    ]
    return research_question(f"are {topic} worth it", *parts)


def built(document):
    assert PLAN.build_document is not None
    return list(PLAN.build_document(document))


def test_an_outline_is_asked_as_it_came():
    (draft,) = built(outline("ferries"))
    assert draft == Draft(
        cut=1,
        gold="1. What are ferries?\n     - When did ferries begin?\n"
        "2. Who needs ferries?\n     - Do towns need ferries?\n     - Do islands need ferries?\n"
        "3. What do ferries cost?\n"
        "4. What would replace ferries?\n     - Has anybody given up ferries?",
        slots={"question": "are ferries worth it"},
    )


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ((), "no plan came with the question"),
        ((("A?", ()), ("B?", ())), "the plan has fewer than 3 parts"),
        ((("A?", ()), ("B?", ()), ("a", ())), "two parts of the plan are the same"),
    ],
)
def test_an_outline_that_can_not_be_asked_has_its_reason(parts, why):
    assert built(research_question("why", *parts)) == [Rejection(1, why)]


def test_wrong_outlines_are_written_as_the_right_one_is():
    entries = document_pool(PLAN, [outline(topic) for topic in _ASKED])
    assert PLAN.make_options is not None
    made = PLAN.make_options(entries, 1)
    assert len(made) == len(_ASKED)
    for options in made.values():
        assert not isinstance(options, Rejection)
        assert len(options) == 7
        gold = sorted(read_plan(options[0].text).steps)
        for option in options:
            plan = read_plan(option.text)
            assert plan.numbered
            assert plan.written(plan.steps) == option.text
            assert option.is_gold or sorted(plan.steps) != gold


def test_a_report_is_asked_without_its_marks():
    document = report(written(1) + " [1]\n\n## References\n[1] https://x.example/a\n")
    (draft,) = report_drafts(document)
    assert isinstance(draft, Draft)
    assert draft.gold == written(1)
    assert draft.slots == {"query": "What of the mill?"}


def test_a_report_that_can_not_be_asked_has_its_reason():
    def why(document):
        (only,) = report_drafts(document)
        assert isinstance(only, Rejection)
        return only.why

    assert why(report("# A\n\nIt is short.")) == "the report has fewer than 3 sections"
    assert "10000 at most" in why(report(written(1, sections=400)))
    assert "(A)" in why(report(written(1) + " See (A) above."))
    named = written(1).replace("the kiln", "Orrery's kiln")
    assert why(report(named, model="orrery-2")).endswith("wrote it: orrery")
    asked = report(named, model="orrery-2", query="Who is Orrery?")
    assert isinstance(next(report_drafts(asked)), Draft)
    chinese = report(written(1), language=Language.ZH)
    assert why(chinese) == "the report is in another language than its request"
    query = replace(chinese, sections=chinese.sections[:1])
    assert why(query) == "it is a query, no report"
