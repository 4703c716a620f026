"""Runs of generation: what they queue, that they stop, go on and end, and what drafts get."""

import json
from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from generation.core.records import Step
from generation.core.registry import SUBTASKS
from generation.core.subtask import AnswerFormat
from generation.models import (
    AuditEvent,
    CallState,
    CandidateState,
    GenerationRun,
    LLMCall,
    Option,
    RunState,
)
from generation.services import generation_runs
from generation.services.calls import make_call
from generation.services.generation_runs import (
    AT_ONCE,
    CannotRun,
    Next,
    first_calls,
    result_of,
    resume_run,
    stop_run,
    sweep,
    work,
)
from tests.generation.services.asking import CALL, GOLD, make_draft, make_endpoint, make_run
from tests.make import make_revision, make_user
from tests.model_server import model_server, saying, sending

pytestmark = pytest.mark.django_db


@pytest.fixture
def server():
    with model_server() as running:
        yield running


def drained(run):
    """Do what messages would do until none is left; what is due later is left to the sweep."""
    waiting = first_calls(run.pk)
    while waiting:
        waiting += [turn.call_pk for turn in work(waiting.pop(0)) if turn.seconds == 0]
    run.refresh_from_db()
    return run


def test_run_gives_every_draft_options_that_tell_where_they_come_from(server):
    drafts = [make_draft() for _ in range(6)]
    run = drained(make_run(make_endpoint(server)))
    assert run.state == RunState.FINISHED
    for draft in drafts:
        gold, *wrong = Option.objects.filter(revision=draft)
        assert gold.text == GOLD
        assert len(wrong) == 3
        call = LLMCall.objects.get(target=f"revision:{draft.pk}")
        for option in wrong:
            assert option.reason == "done before"
            assert (option.operator, option.model, option.seed) == ("llm_degrade", "kiln-1", 0)
            assert (option.prompt_version, option.llm_call) == ("wrong_thoughts-en-2", call)
    assert AuditEvent.objects.filter(action="candidate.options_made").count() == 6
    assert run.spent_usd == sum(call.cost_usd for call in run.calls.all())


def test_calls_of_research_runs_are_written_as_their_right_one_is(server):
    draft = make_draft("closed_plan_en")
    drained(make_run(make_endpoint(server), subtasks=[SUBTASKS["closed_plan_en"]]))
    wrong = Option.objects.filter(revision=draft, position__gt=0)
    assert len(wrong) == 5
    for option in wrong:
        written = json.loads(option.text)
        assert written.keys() == json.loads(CALL).keys()
        assert written["execution"]["name"] == "web_search"


def test_call_that_the_tools_do_not_take_is_no_option(server):
    make_draft("closed_plan_en")
    wrong = [
        {"planning": f"Ask the {n} for it", "tool": "ask", "arguments": {"who": n}, "flaw": "f"}
        for n in ("amber", "basil", "cedar", "delta", "ember", "fjord")
    ]
    server.usual = saying(json.dumps({"wrong": wrong}))
    run = drained(make_run(make_endpoint(server), subtasks=[SUBTASKS["closed_plan_en"]]))
    assert Option.objects.count() == 1
    ((_subtask, why),) = result_of(run).left_out
    assert "'ask' is not declared" in why


def test_several_models_each_answer_and_options_come_from_all(server):
    draft = make_draft()
    run = make_run(make_endpoint(server), make_endpoint(server, "kiln-2"))
    for text in ("Sell", "Burn"):
        wrong = [
            {"text": f"{text} the {n} and look for its {n} maker instead", "flaw": "f"}
            for n in ("amber", "basil")
        ]
        server.moods.append(saying(json.dumps({"wrong": wrong}), model=None))
    drained(run)
    models = set(
        Option.objects.filter(revision=draft, position__gt=0).values_list("model", flat=True)
    )
    assert models == {"kiln-1", "kiln-2"}
    assert {request["model"] for request in server.requests} == {"kiln-1", "kiln-2"}


@pytest.mark.parametrize(
    "text",
    [
        GOLD,
        GOLD.upper(),
        GOLD.replace("as told", "as they told"),
        "(A) Paint the kiln red, since red cools faster.",
        "[masked key 1] opens the kiln, so use it first.",
        "As an AI I would look at the paint of the kiln.",
        "Short.",
        "Look at part 4 of kiln now, " * 20,
        "去看看窑炉的温度记录，然后再决定下一步。",
    ],
)
def test_text_that_rules_refuse_is_no_option(server, text):
    make_draft()
    wrong = [{"text": text, "flaw": "f"}, {"text": text + " ", "flaw": "f"}]
    server.usual = saying(json.dumps({"wrong": wrong}))
    drained(make_run(make_endpoint(server)))
    assert Option.objects.count() == 1


def test_draft_that_has_options_and_items_in_review_are_not_asked_about(server):
    make_revision(state=CandidateState.DRAFT)
    make_revision(options=(GOLD,), state=CandidateState.IN_REVIEW)
    with pytest.raises(CannotRun, match="nothing to ask"):
        make_run(make_endpoint(server))
    assert not GenerationRun.objects.exists()


@pytest.mark.parametrize("budget", ["0", "-1", "NaN", "Infinity", "100001"])
def test_budget_that_is_no_amount_is_refused(server, budget):
    make_draft()
    with pytest.raises(CannotRun, match="budget"):
        make_run(make_endpoint(server), budget=budget)


def test_stopped_run_asks_no_more_and_goes_on_when_resumed(server):
    for _ in range(3):
        make_draft()
    lead = make_user()
    run = make_run(make_endpoint(server))
    work(first_calls(run.pk)[0])
    stop_run(run_pk=run.pk, actor=lead)
    assert first_calls(run.pk) == []
    drained(run)
    assert (run.state, len(server.requests)) == (RunState.STOPPED, 1)
    resume_run(run_pk=run.pk, actor=lead)
    drained(run)
    assert (run.state, len(server.requests)) == (RunState.FINISHED, 3)
    events = AuditEvent.objects.filter(subject="generationrun").order_by("pk")
    assert [(event.action, event.actor) for event in events] == [
        ("generation_run.started", None),
        ("generation_run.stopped", lead),
        ("generation_run.resumed", lead),
        ("generation_run.finished", None),
    ]


def test_run_over_its_budget_goes_on_with_a_greater_one_alone(server):
    for _ in range(6):
        make_draft()
    run = drained(make_run(make_endpoint(server), budget="0.01"))
    asked = len(server.requests)
    assert run.state == RunState.OVER_BUDGET
    with pytest.raises(CannotRun, match="spent"):
        resume_run(run_pk=run.pk, actor=None, budget_usd=run.spent_usd)
    resume_run(run_pk=run.pk, actor=None, budget_usd=Decimal(1))
    drained(run)
    assert (run.state, 0 < asked < 6, len(server.requests)) == (RunState.FINISHED, True, 6)


def test_run_whose_calls_are_all_answered_can_not_be_resumed(server):
    make_draft()
    run = drained(make_run(make_endpoint(server)))
    with pytest.raises(CannotRun, match="answered"):
        resume_run(run_pk=run.pk, actor=None)


def test_new_run_takes_over_what_a_stopped_one_left_and_asks_nothing_twice(server):
    endpoint = make_endpoint(server)
    for _ in range(3):
        make_draft()
    first = make_run(endpoint)
    server.moods = [saying("no idea"), sending(400)]
    for pk in first_calls(first.pk)[:2]:
        work(pk)
    stop_run(run_pk=first.pk, actor=None)
    second = drained(make_run(endpoint))
    assert (second.calls.count(), LLMCall.objects.count()) == (2, 3)
    assert first.calls.get().failure == "not_json"
    with pytest.raises(CannotRun, match="nothing to ask"):
        make_run(endpoint)
    assert make_run(endpoint, seed=1).calls.count() == 1


def test_sweep_sends_for_what_no_message_came_for(server):
    for _ in range(AT_ONCE + 2):
        make_draft()
    run = make_run(make_endpoint(server))
    assert sweep(now=timezone.now()) == first_calls(run.pk)
    assert len(first_calls(run.pk)) == AT_ONCE


def test_sweep_ends_a_run_whose_worker_died_before_it_stored_the_options(server):
    draft = make_draft()
    run = make_run(make_endpoint(server))
    make_call(run.calls.get().pk)
    assert Option.objects.filter(revision=draft).count() == 1
    assert sweep(now=timezone.now()) == []
    run.refresh_from_db()
    assert (run.state, Option.objects.filter(revision=draft).count()) == (RunState.FINISHED, 4)


def test_call_that_is_to_be_tried_later_gives_its_turn_to_the_next(server):
    make_draft()
    make_draft()
    run = make_run(make_endpoint(server))
    server.moods = [sending(429, Retry_After="90")]
    later, following = run.calls.order_by("pk").values_list("pk", flat=True)
    turn, *others = work(later)
    assert turn.call_pk == later
    assert turn.seconds >= 90
    assert others == [Next(following)]
    assert work(later) == []
    assert later not in sweep(now=timezone.now())
    assert later in sweep(now=timezone.now() + timedelta(seconds=100))


def test_options_given_meanwhile_by_rules_stay(server):
    draft = make_draft()
    run = make_run(make_endpoint(server))
    for position in (1, 2, 3):
        Option.objects.create(
            revision=draft, position=position, text=f"by rule {position}", operator="later_step"
        )
    drained(run)
    assert (run.state, Option.objects.filter(llm_call__isnull=False).count()) == ("finished", 0)


def test_answer_that_shows_a_later_observation_is_no_option(server):
    shelf = 'shelves["glaze"].melts_at = Celsius(1187.25)'
    shown = Step("Look at it.", "bash", {"command": "cat a.py"}, "cat a.py", "kiln = Kiln()")
    asked = Step(GOLD, "bash", {"command": "cat b.py"}, "cat b.py", shelf)
    make_draft(steps=(shown, asked), cut=2)
    wrong = [{"text": f"Set {shelf} as {n} does", "flaw": "f"} for n in ("amber", "basil", "cedar")]
    server.usual = saying(json.dumps({"wrong": wrong}))
    run = drained(make_run(make_endpoint(server)))
    assert Option.objects.count() == 1
    ((_subtask, why),) = result_of(run).left_out
    assert "later observation" in why


def test_every_operator_knows_choice_subtasks_alone():
    for subtask in generation_runs.subtasks_of():
        assert subtask.answer_format is AnswerFormat.CHOICE
    with pytest.raises(CannotRun, match="issue_fix_action"):
        generation_runs.subtasks_of(["issue_fix_action"])


def test_call_of_a_run_is_counted_by_state_and_failure(server):
    for _ in range(2):
        make_draft()
    server.moods = [saying("")]
    result = result_of(drained(make_run(make_endpoint(server))))
    assert result.calls == {CallState.DONE: 1, CallState.FAILED: 1}
    assert result.failures == {"empty": 1}
    assert result.candidates == {"issue_fix_plan": 1}
