"""Starts the servers that tests need, on free loopback ports, and ends them again.

``python -m tests.servers postgresql -- COMMAND…`` runs a command with DATABASE_URL set.
"""

import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NoReturn

import pytest
from redis import ConnectionError as NotListening
from redis import Redis

_START_SECONDS = 30


class Missing(Exception):
    """A program that tests need is not installed."""


def is_ci() -> bool:
    """Return whether what is missing fails instead of being skipped."""
    return os.environ.get("CI") == "true"


def skip_or_fail(missing: Missing) -> NoReturn:
    """Skip the running test with the reason; where CI=true fail it."""
    if is_ci():
        pytest.fail(str(missing))
    pytest.skip(str(missing))


def free_port() -> int:
    """Return a loopback port that nobody listens on at this moment."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def postgresql_programs() -> Path:
    """Return the folder of the newest installed PostgreSQL's programs.

    POSTGRESQL_VERSIONS names the folder with a folder a version, where it is not Debian's.

    Raises:
        Missing: there is none.
    """
    versions = Path(os.environ.get("POSTGRESQL_VERSIONS") or "/usr/lib/postgresql")
    found = [path.parent for path in versions.glob("*/bin/initdb")]
    on_path = shutil.which("initdb")
    if not found and on_path:
        found = [Path(on_path).parent]
    if not found:
        msg = "PostgreSQL is not installed: run `make install-system`"
        raise Missing(msg)
    return max(found, key=lambda folder: [int(p) for p in folder.parts if p.isdecimal()])


@contextmanager
def postgresql() -> Iterator[str]:
    """Give the address of a fresh PostgreSQL server; initdb refuses root, so another user runs it."""
    programs, port = postgresql_programs(), free_port()
    folder = Path(tempfile.mkdtemp(prefix="apt-annotate-postgresql-"))
    user = None
    if os.geteuid() == 0:
        user = "postgres" if _user_exists("postgres") else "nobody"
        shutil.chown(folder, user)
    data = folder / "data"
    try:
        _quietly([programs / "initdb", "-D", data, "-U", "apt", "-A", "trust", "-E", "UTF8"], user)
        options = (
            f"-c listen_addresses=127.0.0.1 -p {port} -k {folder} -c fsync=off "
            "-c synchronous_commit=off -c full_page_writes=off -c max_connections=200"
        )
        control: list[str | Path] = [programs / "pg_ctl", "-D", data, "-w"]
        _quietly([*control, "-l", folder / "log", "-o", options, "start"], user)
        try:
            yield f"postgresql://apt@127.0.0.1:{port}/postgres"
        finally:
            _quietly([*control, "-m", "immediate", "stop"], user)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def redis() -> Iterator[str]:
    """Give the address of a fresh Redis server that keeps nothing.

    Raises:
        Missing: redis-server is not installed.
    """
    program = shutil.which("redis-server")
    if program is None:
        msg = "redis-server is not installed: run `make install-system`"
        raise Missing(msg)
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="apt-annotate-redis-") as folder:
        log = Path(folder) / "log"
        process = subprocess.Popen(
            [program, "--port", str(port), "--bind", "127.0.0.1", "--dir", folder,
             "--save", "", "--appendonly", "no", "--logfile", str(log)],
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            _wait_for_redis(port, process, log)
            yield f"redis://127.0.0.1:{port}/0"
        finally:
            process.terminate()
            process.wait(timeout=_START_SECONDS)


def _wait_for_redis(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + _START_SECONDS
    with closing(Redis(port=port)) as client:
        while True:
            try:
                client.ping()
            except NotListening as error:
                if process.poll() is not None or time.monotonic() > deadline:
                    msg = f"redis-server did not start: {log.read_text(encoding='utf-8')}"
                    raise RuntimeError(msg) from error
                time.sleep(0.05)
            else:
                return


def _user_exists(name: str) -> bool:
    return any(entry.pw_name == name for entry in pwd.getpwall())


def _quietly(command: list[str | Path], user: str | None) -> None:
    subprocess.run(command, user=user, check=True, stdout=subprocess.DEVNULL, cwd="/")


def main() -> int:
    """Run the command after ``--`` beside a server and return its exit status."""
    split = sys.argv.index("--")
    if sys.argv[1:split] != ["postgresql"]:
        sys.stderr.write("usage: python -m tests.servers postgresql -- COMMAND…\n")
        return 2
    try:
        with postgresql() as url:
            environment = os.environ | {"DATABASE_URL": url}
            return subprocess.run(sys.argv[split + 1 :], env=environment, check=False).returncode
    except Missing as error:
        sys.stderr.write(f"SKIPPED the tests on PostgreSQL: {error}\n")
        return 1 if is_ci() else 0


if __name__ == "__main__":
    sys.exit(main())
