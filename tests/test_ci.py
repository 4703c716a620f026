"""What the checks do where a program is missing: CI fails by its name, a person is told loudly.

Each test runs the tests or the server program as a program, with a PATH that lacks what is asked.
"""

import os
import re
import subprocess
import sys

import pytest

from tests.commands import PROJECT

GROUPS = {
    "chromium": "tests/browser",
    "redis-server": "tests/test_worker.py::test_worker_ends_leases_that_nobody_renewed[redis]",
}


@pytest.fixture
def run(tmp_path):
    """Return a function that runs a Python module where no program is to be found."""
    nowhere = tmp_path / "nowhere"
    nowhere.mkdir()
    ours = ("CI", "DATABASE_URL", "DJANGO_SETTINGS_MODULE")
    kept = {k: v for k, v in os.environ.items() if k not in ours and "PYTEST" not in k}
    missing = {"PATH": str(nowhere), "POSTGRESQL_VERSIONS": str(nowhere)}

    def run(*words: str, ci: bool) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", *words],
            cwd=PROJECT,
            env=kept | missing | ({"CI": "true"} if ci else {}),
            capture_output=True,
            text=True,
            check=False,
        )

    return run


@pytest.mark.parametrize("ci", [True, False])
def test_groups_whose_program_is_missing_fail_in_ci_and_are_else_skipped_loudly(run, ci):
    done = run("pytest", "-p", "no:cacheprovider", "-rs", *GROUPS.values(), ci=ci)
    assert done.returncode == (1 if ci else 0)
    counts = re.findall(r"\d+ ([a-z]+)", done.stdout.splitlines()[-1].partition(" in ")[0])
    # what needs no program passes all the same
    assert [word for word in counts if word != "passed"] == ["errors" if ci else "skipped"]
    for program in GROUPS:
        assert f"{program} is not installed: run `make install-system`" in done.stdout


@pytest.mark.parametrize(("ci", "status"), [(True, 1), (False, 0)])
def test_tests_on_postgresql_fail_in_ci_and_are_else_passed_over_loudly(run, ci, status):
    ran = "import sys; sys.exit('the command ran')"
    words = ("tests.servers", "postgresql", "--", sys.executable, "-c", ran)
    done = run(*words, ci=ci)
    assert done.returncode == status
    assert "SKIPPED the tests on PostgreSQL" in done.stderr
    assert "PostgreSQL is not installed: run `make install-system`" in done.stderr
    assert "the command ran" not in done.stderr


def test_command_beside_the_server_gets_its_address_and_gives_its_status():
    """What the passing-over above is told apart from: here the command runs."""
    script = "import os, sys; sys.exit(7 * os.environ['DATABASE_URL'].startswith('postgresql://'))"
    words = ["-m", "tests.servers", "postgresql", "--", sys.executable, "-c", script]
    done = subprocess.run([sys.executable, *words], cwd=PROJECT, capture_output=True, check=False)
    if b"SKIPPED" in done.stderr and os.environ.get("CI") != "true":
        pytest.skip(done.stderr.decode())
    assert done.returncode == 7
