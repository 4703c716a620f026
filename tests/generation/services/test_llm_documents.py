"""Plans, patches and reports that models write for drafts made of documents."""

import json

import pytest

from generation.core.records import Document, Language, Provenance, Section, Success
from generation.core.registry import SUBTASKS
from generation.models import LLMCall, Option, Revision, RunState, Source
from generation.services.candidates import build_from
from generation.services.generation_runs import first_calls, result_of, work
from generation.services.sources import store_records
from tests.generation.core.subtasks.bug_fix_documents import FIX, SOURCE, instance, patch, replaced
from tests.generation.services.asking import make_endpoint, make_run
from tests.model_server import model_server, saying, sending

pytestmark = pytest.mark.django_db

OUTLINE = (
    "1. Find out who fired the kilns\n2. Compare their fuels\n3. Date the glazes of each\n"
    "4. Weigh what wood and coal cost\n5. Draw a conclusion"
)
SECTIONS = "\n\n".join(
    f"## Kiln {name}\n\nIt was built in {1850 + n} for {name} ware and holds {n + 3} carts. "
    f"Its {name} glaze melts at {900 + n} degrees, as two potters tell."
    for n, name in enumerate(("amber", "basil", "cedar", "delta"))
)


@pytest.fixture
def server():
    with model_server() as running:
        yield running


def drained(run):
    waiting = first_calls(run.pk)
    while waiting:
        waiting += [turn.call_pk for turn in work(waiting.pop(0)) if turn.seconds == 0]
    run.refresh_from_db()
    return run


def draft_of(document: Document, subtask: str) -> Revision:
    store_records([document])
    build_from(Source.objects.get(), SUBTASKS[subtask])
    return Revision.objects.get()


def document(kind: str, title: str, *sections: Section) -> Document:
    provenance = Provenance(kind, "d-1", "d-1", "rows.jsonl:1")
    return Document(provenance, Language.EN, title, sections, {}, Success.CONFIRMED)


def run_of(subtask: str, *endpoints, **fields):
    return drained(make_run(*endpoints, subtasks=[SUBTASKS[subtask]], **fields))


def wrong_of(draft: Revision):
    return list(Option.objects.filter(revision=draft, position__gt=0).order_by("position"))


def test_plans_are_asked_for_with_the_question_and_stand_as_the_right_one_is_written(server):
    made = document("researchy_questions", "Why did kilns change?", Section("plan", OUTLINE))
    draft = draft_of(made, "open_plan_en")
    steps = [line.partition(". ")[2] for line in OUTLINE.splitlines()]
    plans = [
        {"steps": [*steps[:at], f"Visit the {name} works", *steps[at + 1 :]], "flaw": f"no {name}"}
        for at, name in enumerate(("amber", "basil", "cedar", "delta", "ember"))
    ]
    plans.append({"steps": [*steps, "Sing"], "flaw": "adds only"})
    server.usual = saying(json.dumps({"wrong": plans}))
    run = run_of("open_plan_en", make_endpoint(server))
    assert (run.state, run.operators) == (RunState.FINISHED, ["llm_degrade"])
    wrong = wrong_of(draft)
    assert len(wrong) == 5
    assert all(option.text.startswith("1. ") for option in wrong)
    assert {option.reason for option in wrong} == {
        f"no {n}" for n in ["amber", "basil", "cedar", "delta", "ember"]
    }
    (request,) = server.requests
    asked = request["messages"][1]["content"]
    assert "Why did kilns change?" in asked
    assert "Weigh what wood and coal cost" in asked


def test_patches_of_several_models_stand_together_where_they_apply(server):
    draft = draft_of(instance(), "issue_fix_fix_patch")
    texts = [
        patch(SOURCE, replaced("warm > limit_5:", f"warm > limit_5 + {n}:")) for n in (1, 2, 3)
    ]
    broken = texts[0].replace("log_5", "log_55")
    for text in (texts[0], broken, FIX, texts[1], texts[2]):
        server.moods.append(saying(json.dumps({"patch": text, "idea": "limit"}), model=None))
    run = run_of("issue_fix_fix_patch", *(make_endpoint(server, f"kiln-{n}") for n in range(5)))
    wrong = wrong_of(draft)
    assert (run.operators, len(wrong)) == (["llm_patch"], 3)
    assert {option.model for option in wrong} == {"kiln-0", "kiln-3", "kiln-4"}
    assert {option.operator for option in wrong} == {"llm_patch"}
    assert all("no test was run" in option.reason for option in wrong)
    asked = json.dumps([request["messages"] for request in server.requests])
    assert "margin" not in asked, "the right patch is not shown"


def test_patches_that_do_not_apply_leave_the_draft_and_say_so(server):
    draft = draft_of(instance(), "issue_fix_fix_patch")
    server.usual = saying(json.dumps({"patch": "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b"}))
    run = run_of("issue_fix_fix_patch", make_endpoint(server))
    assert wrong_of(draft) == []
    ((_subtask, why),) = result_of(run).left_out
    assert "does not apply" in why


def report_draft() -> Revision:
    made = document("deepresearch_bench", "Tell of four kilns.", Section("report", SECTIONS))
    return draft_of(made, "open_report_en")


def worse_report(handler, body):
    """Answer with a report in which each respect changes another thing."""
    words = {
        "facts are false": "1750",
        "do not follow": "hence none",
        "hard to follow": "carts, carts",
    }
    asked = body["messages"][1]["content"]
    said = next((word for key, word in words.items() if key in asked), "beside the point")
    report = SECTIONS.replace("holds", f"holds, {said},").replace("tell", f"tell {said} at length")
    saying(json.dumps({"report": report, "flaw": f"now {said}"}))(handler, body)


def test_report_is_asked_about_once_in_each_respect_and_gets_three_worse_ones(server):
    draft = report_draft()
    server.usual = worse_report
    run = run_of("open_report_en", make_endpoint(server))
    assert run.state == RunState.FINISHED
    targets = set(LLMCall.objects.values_list("target", flat=True))
    respects = ("facts", "logic", "readability", "fit")
    assert targets == {f"revision:{draft.pk}:{respect}" for respect in respects}
    wrong = wrong_of(draft)
    assert len(wrong) == 3
    assert len({option.reason.partition(":")[0] for option in wrong} & set(respects)) == 3


def test_report_waits_for_all_respects_and_gets_none_of_too_few(server):
    draft = report_draft()
    server.usual = worse_report
    server.moods = [sending(400), sending(400)]
    run = run_of("open_report_en", make_endpoint(server))
    assert (run.state, wrong_of(draft)) == (RunState.FINISHED, [])
    assert result_of(run).failures == {"request_refused": 2}


def test_answers_of_another_purpose_s_shape_are_a_named_failure(server):
    report_draft()
    server.usual = saying(json.dumps({"wrong": [{"text": "a", "flaw": "b"}]}))
    run = run_of("open_report_en", make_endpoint(server))
    assert result_of(run).failures == {"wrong_shape": 4}


def test_budget_of_a_cent_stops_a_run_over_reports_before_it_is_passed(server):
    report_draft()
    server.usual = worse_report
    run = run_of("open_report_en", make_endpoint(server), budget="0.01")
    assert (run.state, server.requests) == (RunState.OVER_BUDGET, [])
