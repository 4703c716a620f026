"""Which commands check a change, and which steps changed the code."""

import pytest

from generation.core.records import Step
from generation.core.verifying import EDITOR, CodeChanges, is_inline, verifies

CREATE = Step("", EDITOR, {"command": "create", "path": "/testbed/show.py"}, "x", "")
TOUCH_UP = Step("", EDITOR, {"command": "str_replace", "path": "/testbed/show.py"}, "x", "")
REPAIR = Step("", EDITOR, {"command": "str_replace", "path": "/testbed/kiln/heat.py"}, "x", "")
VIEW = Step("", EDITOR, {"command": "view", "path": "/testbed/kiln/heat.py"}, "x", "")


def bash(command: str) -> Step:
    return Step("", "bash", {"command": command}, command, "")


def window(action: str) -> Step:
    return Step("", action.split()[0], {}, action, "")


@pytest.mark.parametrize(
    "command",
    [
        "pytest",
        "cd /testbed && python -m pytest tests/test_heat.py -k 'soak or ramp' | tail -5",
        "PYTHONPATH=src timeout 60 python3.11 show.py",
        "python -m unittest -v",
        "python -m nose.core",
        "python manage.py test kiln",
        "uv run pytest -q",
        "coverage run -m pytest",
        "cargo test --all",
        "go test ./...",
        "make -j2 check",
        "npm test",
        "rm show.py && tox -e py311",
        "python -c 'import kiln; kiln.fire()'",
        "python - <<'EOF'\nimport kiln\nEOF",
        "bash scripts/check.sh",
        "./show.sh",
        "./manage.py test",
    ],
)
def test_a_test_run_and_a_script_are_checks(command):
    assert verifies(command)


@pytest.mark.parametrize(
    "command",
    [
        "ls tests",
        "grep -rn pytest .",
        "cat show.py",
        "echo 'python show.py'",
        "pip install pytest",
        "python -m pip install -e .",
        "python setup.py build_ext --inplace",
        "python manage.py migrate",
        "./manage.py migrate",
        "./configure --prefix=/usr",
        "pytest --version",
        "python --version",
        "make build",
        "cargo build",
        "git diff",
        "python show.py 'never closed",
        "",
    ],
)
def test_looking_installing_and_building_are_none(command):
    assert not verifies(command)


@pytest.mark.parametrize(
    ("command", "inline"),
    [
        ("python -c 'import kiln'", True),
        ("python - <<'EOF'\nimport kiln\nEOF", True),
        ("python <<'EOF'\nimport kiln\nEOF", True),
        ("cd a && node -e 'kiln()'", True),
        ("python show.py", False),
        ("pytest -c setup.cfg", False),
        ("bash scripts/check.sh", False),
    ],
)
def test_a_check_whose_code_is_in_the_command(command, inline):
    assert is_inline(command) is inline


@pytest.mark.parametrize(
    ("steps", "changed"),
    [
        ([], False),
        ([VIEW, bash("cat kiln/heat.py")], False),
        ([CREATE], False),
        ([CREATE, TOUCH_UP], False),
        ([CREATE, REPAIR], True),
        ([bash("sed -i 's/a/b/' kiln/heat.py")], True),
        ([bash("sed -n 1,5p kiln/heat.py")], False),
        ([CREATE, bash("sed -i 's/a/b/' /testbed/show.py")], False),
        ([bash("git apply fix.diff")], True),
        ([window("create show.py"), window("edit 1:1\nx = 1\nend_of_edit")], False),
        ([window("create show.py"), window("open heat.py 5"), window("edit 1:1\nx\n")], True),
    ],
)
def test_the_code_is_changed_by_an_edit_of_a_file_that_the_run_did_not_make(steps, changed):
    changes = CodeChanges()
    for step in steps:
        changes.take(step)
    assert changes.any is changed
