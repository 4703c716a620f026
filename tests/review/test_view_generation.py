"""Pages of runs of generation: started, watched, stopped, resumed, every call read as text."""

from decimal import Decimal

import pytest
from django.urls import reverse

from generation.models import CallState, GenerationRun, RunState
from generation.services.generation_runs import work
from review.models import Role
from tests.generation.services.asking import make_draft, make_endpoint, make_run
from tests.make import make_user
from tests.model_server import model_server, saying

pytestmark = pytest.mark.django_db
HOSTILE = "<img src=x onerror=alert(1)></pre><script>alert(2)</script>{{ 7*7 }}"


@pytest.fixture
def server():
    with model_server() as running:
        yield running


@pytest.fixture
def lead(client):
    client.force_login(make_user(role=Role.LEAD), backend="review.authentication.MemberBackend")
    return client


def form(**changes):
    given = {"subtasks": "issue_fix_plan", "endpoints": "kiln-1", "budget": "0.5", "seed": "0"}
    return given | changes


def test_run_is_started_with_what_the_form_says(lead, server):
    make_endpoint(server)
    make_draft()
    response = lead.post(reverse("generation"), form(budget="0.25", seed="7", limit="1"))
    run = GenerationRun.objects.get()
    assert response.headers["Location"] == reverse("generation-run", args=[run.pk])
    assert (run.budget_usd, run.seed, run.calls.count()) == (Decimal("0.25"), 7, 1)
    assert run.started_by is not None


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"budget": "much"}, "Give a budget"),
        ({"budget": "0"}, "Give a budget"),
        ({"budget": "1e30"}, "Give a budget"),
        ({"endpoints": "kiln-9"}, "Choose a model."),
        ({"subtasks": "issue_fix_action"}, "Choose a subtask."),
        ({"seed": "-1"}, "Give a whole number as seed"),
        ({"limit": "0"}, "Give a whole number of drafts"),
        ({}, "There is nothing to ask"),
    ],
)
def test_run_that_can_not_be_started_says_why_and_keeps_what_was_written(
    lead, server, changes, told
):
    make_endpoint(server)
    if changes:
        make_draft()
    response = lead.post(reverse("generation"), form(**changes))
    assert response.status_code == 422
    assert told in response.content.decode()
    for value in changes.values():
        assert value in response.content.decode() or value in {"kiln-9", "issue_fix_action"}
    assert not GenerationRun.objects.exists()


def test_run_page_shows_how_far_it_is_and_asks_for_itself_while_it_runs(lead, server):
    for _ in range(2):
        make_draft()
    run = make_run(make_endpoint(server))
    work(run.calls.order_by("pk")[0].pk)
    page = lead.get(reverse("generation-run", args=[run.pk])).content.decode()
    assert "1 of 2 calls are made" in page
    assert "0.001060 of 1.000000 USD are spent" in page
    assert 'hx-trigger="every 3s"' in page
    part = lead.get(reverse("generation-run", args=[run.pk]), headers={"hx-request": "true"})
    assert "<html" not in part.content.decode()
    assert 'id="progress"' in part.content.decode()


def test_run_page_costs_the_same_queries_however_many_calls(
    lead, server, django_assert_num_queries
):
    endpoint = make_endpoint(server)
    for _ in range(8):
        make_draft()
    run = make_run(endpoint)
    with django_assert_num_queries(6):  # session, user, run, progress, count and page of calls
        lead.get(reverse("generation-run", args=[run.pk]))


def test_run_is_stopped_and_goes_on_with_another_budget(lead, server):
    make_draft()
    run = make_run(make_endpoint(server))
    lead.post(reverse("generation-stop", args=[run.pk]))
    run.refresh_from_db()
    assert run.state == RunState.STOPPED
    lead.post(reverse("generation-resume", args=[run.pk]), {"budget": "2"})
    run.refresh_from_db()
    assert (run.state, run.budget_usd) == ("running", Decimal(2))


@pytest.mark.parametrize("budget", ["", "nothing", "0", "-1", "1e30", "NaN"])
def test_budget_that_is_none_is_refused_on_the_run_page(lead, server, budget):
    make_draft()
    run = make_run(make_endpoint(server))
    lead.post(reverse("generation-stop", args=[run.pk]))
    response = lead.post(reverse("generation-resume", args=[run.pk]), {"budget": budget})
    assert response.status_code == 422
    assert 'role="alert"' in response.content.decode()


def test_call_page_shows_hostile_text_as_text(lead, server):
    make_draft(task=f"The kiln. {HOSTILE}")
    server.moods = [saying(HOSTILE)]
    run = make_run(make_endpoint(server))
    call = run.calls.get()
    work(call.pk)
    call.refresh_from_db()
    assert call.state == CallState.FAILED
    page = lead.get(reverse("generation-call", args=[call.pk])).content.decode()
    assert "<img src=x" not in page
    assert page.count("<script>") == 0
    assert page.count("&lt;img src=x onerror=alert(1)&gt;") >= 2
    assert "{{ 7*7 }}" in page
    assert "the answer holds no JSON" in page


def test_key_stands_on_no_page(lead, server, monkeypatch):
    secret = "sk-kiln-0123456789abcdef"
    monkeypatch.setenv("KILN_API_KEY", secret)
    make_draft()
    run = make_run(make_endpoint(server, key_variable="KILN_API_KEY"))
    call = run.calls.get()
    server.moods = [saying(f"Your key is {secret}")]
    work(call.pk)
    for address in (
        reverse("generation"),
        reverse("generation-run", args=[run.pk]),
        reverse("generation-call", args=[call.pk]),
    ):
        assert secret not in lead.get(address).content.decode()
