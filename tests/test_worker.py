"""The worker on real brokers, files and Redis: it marks the leases that have ended."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.commands import PROJECT, run_program
from tests.servers import Missing, redis, skip_or_fail

MAKE = """
from datetime import timedelta
from django.utils import timezone
from tests.make import make_assignment
make_assignment(now=timezone.now() - timedelta(hours=1))
"""
SEND = "from review.tasks import end_leases; end_leases.delay()"
LOOK = "from review.models import Assignment; print(Assignment.objects.get().expired_at)"


def shell(var_dir: Path, script: str) -> str:
    done = run_program(var_dir, "shell", "--verbosity", "0", "-c", script, DATABASE_URL="")
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(params=["files", "redis"])
def broker(request, monkeypatch):
    """The broker that every program of the test is told of."""
    if request.param == "files":
        monkeypatch.delenv("CELERY_BROKER_URL", raising=False)
        yield request.param
        return
    try:
        with redis() as url:
            monkeypatch.setenv("CELERY_BROKER_URL", url)
            yield request.param
    except Missing as missing:
        skip_or_fail(missing)


@pytest.fixture
def var_dir(tmp_path, broker):
    assert run_program(tmp_path, "migrate", "--verbosity", "0", DATABASE_URL="").returncode == 0
    shell(tmp_path, MAKE)
    return tmp_path


@pytest.fixture
def worker(var_dir, monkeypatch):
    monkeypatch.setenv("APT_VAR_DIR", str(var_dir))
    monkeypatch.setenv("DATABASE_URL", "")
    monkeypatch.delenv("DJANGO_SETTINGS_MODULE", raising=False)
    process = subprocess.Popen(
        [sys.executable, "manage.py", "worker"],
        cwd=PROJECT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    yield process
    process.send_signal(signal.SIGTERM)
    _out, errors = process.communicate(timeout=30)
    assert "Traceback" not in errors


def test_worker_ends_leases_that_nobody_renewed(var_dir, broker, worker):
    assert shell(var_dir, LOOK).strip() == "None"
    shell(var_dir, SEND)
    deadline = time.monotonic() + 60
    while shell(var_dir, LOOK).strip() == "None":
        assert time.monotonic() < deadline, "the worker did nothing for a minute"
        assert worker.poll() is None, "the worker ended"
        time.sleep(0.5)
    assert (var_dir / "broker").exists() is (broker == "files")
