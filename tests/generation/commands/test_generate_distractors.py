"""generate_distractors with models: what it prints, its exits, and that a kill loses nothing."""

import json
import os
import shutil
import subprocess
import sys
import time
from decimal import Decimal
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from generation.models import AuditEvent, GenerationRun, ModelEndpoint
from tests.commands import PROJECT, run_json, run_program
from tests.generation.services.asking import make_draft, make_endpoint
from tests.model_server import hanging, model_server, saying, sending

MAKE = """

from decimal import Decimal
from generation.services.model_endpoints import set_endpoint
from tests.generation.services.asking import make_draft
set_endpoint(
    name="kiln-1", model="kiln-1", base_url="{url}", key_variable="", actor=None,
    input_usd_per_million=Decimal(1), output_usd_per_million=Decimal(2),
)
for _ in range({drafts}):
    make_draft()
"""
LOOK = """
import json
from generation.models import GenerationRun, LLMCall, Option
run = GenerationRun.objects.order_by("pk").last()
print(json.dumps({
    "state": run.state, "spent": str(run.spent_usd), "reserved": str(run.reserved_usd),
    "lost": str(run.lost_usd), "runs": GenerationRun.objects.count(),
    "calls": sorted(LLMCall.objects.values_list("state", flat=True)),
    "attempts": sum(LLMCall.objects.values_list("attempts", flat=True)),
    "paid": str(sum(call.cost_usd or 0 for call in LLMCall.objects.all())),
    "options": Option.objects.filter(llm_call__isnull=False).count(),
}))
"""
LAPSE = """
from django.utils import timezone
from generation.models import LLMCall
LLMCall.objects.filter(state="running").update(leased_until=timezone.now())
"""
SEND = """
from generation.tasks import make_call, sweep_calls
for number in (1, 1, 2):
    make_call.delay(number)
sweep_calls.delay()
"""
ASK = ("generate_distractors", "--model", "kiln-1", "--subtask", "issue_fix_plan")


@pytest.fixture
def server():
    with model_server() as running:
        yield running


@pytest.fixture(scope="module")
def migrated(tmp_path_factory):
    """A folder with an empty database, made once: each test takes a copy."""
    folder = tmp_path_factory.mktemp("migrated")
    assert run_program(folder, "migrate", "--verbosity", "0", DATABASE_URL="").returncode == 0
    return folder


@pytest.fixture
def var_dir(migrated, tmp_path, monkeypatch):
    monkeypatch.delenv("CELERY_BROKER_URL", raising=False)
    monkeypatch.setenv("DATABASE_URL", "")
    return shutil.copytree(migrated, tmp_path / "var")


def shell(var_dir, script):
    done = run_program(var_dir, "shell", "--verbosity", "0", "-c", script)
    assert done.returncode == 0, done.stderr
    return done.stdout


def look(var_dir):
    return json.loads(shell(var_dir, LOOK))


def prepared(var_dir, server, *, drafts=2):
    shell(var_dir, MAKE.format(drafts=drafts, url=server.url))


def start(var_dir, *words, **environment):
    inherited = {k: v for k, v in os.environ.items() if k != "DJANGO_SETTINGS_MODULE"}
    return subprocess.Popen(
        [sys.executable, "manage.py", *words],
        cwd=PROJECT,
        env=inherited | {"APT_VAR_DIR": str(var_dir)} | environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def wait_until(true, *, seconds=60):
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, f"nothing happened for {seconds} s"
        time.sleep(0.1)


def test_killed_in_the_middle_of_a_call_nothing_is_lost_or_paid_twice(var_dir, server):
    prepared(var_dir, server)
    server.moods = [hanging]
    killed = start(var_dir, *ASK, "--budget", "1", "--wait")
    wait_until(lambda: server.requests)
    killed.kill()
    killed.wait()
    seen = look(var_dir)
    assert (seen["calls"], seen["spent"]) == (["queued", "running"], "0.000000")
    assert float(seen["reserved"]) > 0
    shell(var_dir, LAPSE)
    done = run_program(var_dir, *ASK, "--budget", "1", "--wait", "--json", "--verbosity", "0")
    assert done.returncode == 0, done.stderr
    seen = look(var_dir)
    assert (seen["state"], seen["runs"], seen["calls"]) == ("finished", 1, ["done", "done"])
    assert seen["spent"] == seen["paid"] == "0.002120"
    assert (seen["reserved"], seen["options"], seen["attempts"]) == ("0.000000", 6, 3)
    assert float(seen["lost"]) > 0


def test_worker_does_what_messages_were_lost_or_came_twice_for(var_dir, server):
    prepared(var_dir, server, drafts=3)
    down = {"CELERY_BROKER_URL": "redis://127.0.0.1:9/0"}
    done = run_program(var_dir, *ASK, "--budget", "1", "--json", **down)
    assert done.returncode == 0, done.stderr
    assert "the broker can't be reached" in done.stderr
    assert "Traceback" not in done.stderr
    assert json.loads(done.stdout)["calls"] == {"queued": 3}
    shell(var_dir, SEND)
    worker = start(var_dir, "worker", "--concurrency", "2")
    try:
        wait_until(lambda: len(server.requests) >= 3, seconds=200)
        wait_until(lambda: look(var_dir)["state"] == "finished", seconds=100)
    finally:
        worker.terminate()
        worker.wait(timeout=60)
    seen = look(var_dir)
    assert (seen["attempts"], seen["options"], len(server.requests)) == (3, 9, 3)
    assert seen["spent"] == seen["paid"] == "0.003180"


def asked(*words):
    return run_json("generate_distractors", "--model", "kiln-1", *words)


@pytest.mark.django_db
def test_waiting_for_a_run_prints_what_became_of_it(server):
    make_endpoint(server)
    for _ in range(3):
        make_draft()
    server.moods = [sending(500), saying("no idea")]
    result = asked("--budget", "1", "--subtask", "issue_fix_plan", "--wait")
    assert result["state"] == "finished"
    assert result["calls"] == {"done": 2, "failed": 1}
    assert result["failures"] == {"not_json": 1}
    assert result["candidates"] == {"issue_fix_plan": 2}
    why = "fewer than 3 options could stand"
    assert result["left_out"] == [{"subtask": "issue_fix_plan", "why": why, "drafts": 1}]
    assert result["spent_usd"] == "0.003180"
    assert len(server.requests) == 4


@pytest.mark.django_db
def test_budget_of_a_cent_stops_the_run_and_says_so(server):
    make_endpoint(server)
    for _ in range(8):
        make_draft()
    out = StringIO()
    words = ("--model", "kiln-1", "--budget", "0.01", "--wait", "--verbosity", "0")
    call_command("generate_distractors", *words, stdout=out)
    assert "over budget" in out.getvalue()
    run = GenerationRun.objects.get()
    answered = run.calls.filter(state="done")
    assert 0 < run.spent_usd == sum(call.cost_usd or 0 for call in answered) <= Decimal("0.01")
    assert len(server.requests) == answered.count() < 8


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (("--model", "kiln-1"), 2, "--budget"),
        (("--model", "kiln-9", "--budget", "1"), 2, "no model 'kiln-9': there are kiln-1"),
        (("--model", "kiln-1", "--budget", "-1"), 1, "budget -1"),
        (
            ("--model", "kiln-1", "--budget", "1", "--subtask", "issue_fix_action"),
            2,
            "models write no options",
        ),
        (("--model", "kiln-1", "--budget", "1"), 1, "nothing to ask"),
        (("--model", "kiln-1", "--budget", "1", "--limit", "0"), 2, "--limit 0"),
        (("--model", "kiln-1", "--budget", "much"), 1, "budget"),
        ((), 1, "--rules-only"),
        (("--rules-only", "--model", "kiln-1"), 1, "not allowed"),
        (("--rules-only", "--limit", "3"), 2, "--limit: for models alone"),
        (("--rules-only", "--budget", "0"), 2, "--budget: for models alone"),
        (("--rules-only", "--wait"), 2, "--wait: for models alone"),
        (("--model", "kiln-1", "--budget", "NaN"), 1, "budget NaN"),
        (("--model", "kiln-1", "--budget", "1e999"), 1, "budget"),
    ],
)
def test_wrong_use_has_its_exit_and_one_line(server, words, status, told):
    make_endpoint(server)
    with pytest.raises(CommandError, match=told) as refused:
        call_command("generate_distractors", *words)
    assert refused.value.returncode == status  # the parser's own errors end a program with 2


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--base-url", "ftp://host"), "expected an address"),
        (("--base-url", "http://"), "expected an address"),
        (("--base-url", "http://ann:pw@host/v1"), "password"),
        (("--key-variable", "APT_SECRET_KEY"), "_API_KEY"),
        (("--key-variable", "sk-123"), "_API_KEY"),
        (("--input-price=-1",), "price -1"),
        (("--input-price", "NaN"), "price NaN"),
    ],
)
def test_model_that_can_not_be_kept_is_refused(words, told):
    prices = ("--input-price", "1", "--output-price", "1")
    with pytest.raises(CommandError, match=told) as refused:
        call_command("set_model", "kiln-1", *prices, *words)
    assert refused.value.returncode == 2


@pytest.mark.django_db
def test_model_is_set_changed_and_switched_off_each_with_an_event():
    prices = ("--input-price", "0.15", "--output-price", "0.6")
    assert run_json("set_model", "kiln-1", *prices) == {"model": "kiln-1", "is_active": True}
    assert run_json("set_model", "kiln-1", *prices, "--off")["is_active"] is False
    endpoint = ModelEndpoint.objects.get()
    assert (endpoint.model, endpoint.key_variable) == ("kiln-1", "OPENAI_API_KEY")
    assert AuditEvent.objects.filter(action="endpoint.set").count() == 2
