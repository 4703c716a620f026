"""A run of models in the browser: started, watched, stopped, resumed, a call read; nothing of it runs."""

import json

import pytest

from generation.models import GenerationRun, LLMCall, RunState
from generation.services.generation_runs import first_calls, work
from review.models import Role
from tests.browser.pages import arrived, faults_everywhere
from tests.generation.services.asking import make_draft, make_endpoint
from tests.make import make_user
from tests.model_server import model_server, saying

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

HOSTILE = "<img src=x onerror='window.ran=1'></pre><script>window.ran=1</script>{{7*7}}"
WRONG = json.dumps(
    {
        "wrong": [
            {"text": f"Look at the {name} {HOSTILE}"[:140], "flaw": HOSTILE}
            for name in ("amber", "basil", "cedar", "delta", "ember")
        ]
    }
)


def test_lead_starts_watches_stops_resumes_and_reads_what_came_as_text(open_page, log_in):
    with model_server() as server:
        server.usual = saying(WRONG)
        make_endpoint(server)
        for _ in range(3):
            make_draft()
        page = open_page()
        log_in(page, make_user(Role.LEAD))
        page.goto("/generation/")
        assert faults_everywhere(page) == []
        page.check("input[name=subtasks][value=issue_fix_plan]")
        page.check("input[name=endpoints][value=kiln-1]")
        page.fill("#budget", "0.5")
        page.click("text=Start the run")
        arrived(page, "#progress")
        assert "0 of 3 calls are made" in page.inner_text("#progress")
        run = GenerationRun.objects.get()

        work(first_calls(run.pk)[0])
        page.wait_for_selector("#progress:has-text('1 of 3 calls are made')")
        assert "calls a minute" in page.inner_text("#progress")
        assert "of 0.500000 USD are spent" in page.inner_text("#progress")
        assert faults_everywhere(page) == []

        page.click("text=Stop")
        arrived(page, "#progress:has-text('stopped')")
        run.refresh_from_db()
        assert (run.state, first_calls(run.pk)) == (RunState.STOPPED, [])
        page.fill("#budget", "0.000001")
        page.click("text=Go on")
        page.wait_for_selector("[role=alert]:has-text('give a greater one')")
        page.fill("#budget", "1")
        page.click("text=Go on")
        arrived(page, "#progress:has-text('running')")
        while calls := first_calls(run.pk):
            work(calls[0])
        page.wait_for_selector("#progress:has-text('finished')")

        page.click(f"a:text-is('{LLMCall.objects.earliest('pk').pk}')")
        arrived(page, "#came-title")
        assert "onerror='window.ran=1'" in page.inner_text("pre[aria-labelledby=came-title]")
        assert "{{7*7}}" in page.inner_text("pre[aria-labelledby=came-title]")
        assert page.locator("main img, main script").count() == 0
        assert page.evaluate("window.ran") is None
        assert faults_everywhere(page) == []
