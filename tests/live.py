"""The project served as in production, on the database of the running test."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from urllib.parse import quote

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.db import connection

from tests.commands import PROJECT
from tests.servers import free_port

_START_SECONDS = 60
_END_SECONDS = 30


def database_url() -> str:
    """Return DATABASE_URL for another process on this test's database."""
    given = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{quote(str(given['NAME']))}"
    user = quote(given["USER"])
    return f"postgresql://{user}:{quote(given['PASSWORD'])}@{given['HOST']}:{given['PORT']}/{given['NAME']}"


def environment() -> dict[str, str]:
    """Return the environment of another process on this test's database, with the same key."""
    inherited = {k: v for k, v in os.environ.items() if k != "DJANGO_SETTINGS_MODULE"}
    return inherited | {
        "APT_DEBUG": "1",
        "APT_SECRET_KEY": settings.SECRET_KEY,
        "DATABASE_URL": database_url(),
    }


@contextmanager
def gunicorn(*, workers: int, threads: int, **variables: str) -> Iterator[int]:
    """Serve the project on a free loopback port and give the port; end it again."""
    port = free_port()
    words = ["--bind", f"127.0.0.1:{port}", "--workers", str(workers), "--threads", str(threads)]
    process = subprocess.Popen(
        [sys.executable, "-m", "gunicorn", *words, "--log-level", "error", "apt_annotate.wsgi"],
        cwd=PROJECT,
        env=environment() | variables,
    )
    try:
        _wait_for(port, process)
        yield port
    finally:
        process.terminate()
        process.wait(timeout=_END_SECONDS)


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while True:
        try:
            served = HTTPConnection("127.0.0.1", port, timeout=_START_SECONDS)
            served.request("GET", "/health")
            served.getresponse().read()
            served.close()
        except ConnectionRefusedError:
            if process.poll() is not None or time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return


def session_of(user: User) -> str:
    """Return the key of a session in which the user is logged in."""
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "review.authentication.MemberBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return str(session.session_key)
