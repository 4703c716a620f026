"""Runs the project's commands in tests: in this process for results, as a program for exits."""

import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

from django.core.management import call_command

PROJECT = Path(__file__).resolve().parents[1]


def run_json(name: str, *arguments: str | Path) -> dict[str, Any]:
    """Run a command with ``--json`` and return the one object that it prints."""
    out = StringIO()
    words = [str(argument) for argument in arguments]
    call_command(name, *words, "--json", "--verbosity", "0", stdout=out)
    result: dict[str, Any] = json.loads(out.getvalue())
    return result


def run_program(
    var_dir: Path, name: str, *arguments: str | Path, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run ``manage.py`` as a person would, on a database of its own under ``var_dir``."""
    inherited = {k: v for k, v in os.environ.items() if k != "DJANGO_SETTINGS_MODULE"}
    return subprocess.run(
        [sys.executable, "manage.py", name, *map(str, arguments)],
        cwd=PROJECT,
        env=inherited | {"APT_VAR_DIR": str(var_dir)} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
