"""The worker on real brokers, files and Redis: it marks the leases that have ended."""

import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
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
DATABASE = "apt_annotate.sqlite3"
SEND = "from review.tasks import end_leases; end_leases.delay()"


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


def expired_at(var_dir: Path) -> str | None:
    """Return when the lease was marked as ended; read without a program, which takes seconds."""
    with closing(sqlite3.connect(var_dir / DATABASE)) as database:
        row = database.execute("SELECT expired_at FROM review_assignment").fetchone()
    return str(row[0]) if row[0] else None


@pytest.fixture(scope="module")
def with_a_lease(tmp_path_factory):
    """A folder whose database has the tables, and one lease that has ended."""
    folder = tmp_path_factory.mktemp("worker")
    assert run_program(folder, "migrate", "--verbosity", "0", DATABASE_URL="").returncode == 0
    shell(folder, MAKE)
    return folder


@pytest.fixture
def var_dir(tmp_path, broker, with_a_lease):
    with (
        closing(sqlite3.connect(with_a_lease / DATABASE)) as made,
        closing(sqlite3.connect(tmp_path / DATABASE)) as own,
    ):
        made.backup(own)
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
    assert expired_at(var_dir) is None
    shell(var_dir, SEND)
    deadline = time.monotonic() + 60
    while expired_at(var_dir) is None:
        assert time.monotonic() < deadline, "the worker did nothing for a minute"
        assert worker.poll() is None, "the worker ended"
        time.sleep(0.1)
    assert (var_dir / "broker").exists() is (broker == "files")
