"""Settings come from the environment; a wrong one stops the start by its name, in one line."""

import pytest

from tests.commands import run_program


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("APT_DEBUG", "maybe", "1 or 0"),
        ("APT_REVIEWS_WANTED", "two", "a whole number from 1 to 9"),
        ("APT_LEASE_MINUTES", "0", "a whole number from 1 to 1440"),
        ("DATABASE_URL", "mysql://u:secret@h/d", "postgresql://"),
        ("DATABASE_URL", "postgresql://u:secret@h:port/d", "postgresql://"),
        ("DATABASE_URL", "sqlite://nowhere", "sqlite:///FILE"),
    ],
)
def test_wrong_value_is_named_with_what_is_expected(tmp_path, name, value, expected):
    done = run_program(tmp_path, "check", **{name: value})
    assert done.returncode == 2
    assert done.stderr.startswith(f"{name}=")
    assert expected in done.stderr
    assert "Traceback" not in done.stderr
    assert "secret" not in done.stderr


def test_var_dir_that_is_a_file_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    done = run_program(tmp_path / "file", "check")
    assert done.returncode == 2
    assert done.stderr.startswith("APT_VAR_DIR=")


def test_command_on_a_database_without_tables_says_what_to_do(tmp_path):
    done = run_program(tmp_path, "run_checks", DATABASE_URL="")
    assert done.returncode == 2
    assert "manage.py migrate" in done.stderr
    assert "Traceback" not in done.stderr


def test_key_is_made_once_and_kept_where_debug_is_on(tmp_path):
    for _ in range(2):
        assert run_program(tmp_path, "check", APT_DEBUG="1", APT_SECRET_KEY="").returncode == 0
        kept = (tmp_path / "secret_key").read_text()
    assert len(kept) >= 60
    assert (tmp_path / "secret_key").stat().st_mode & 0o077 == 0
    assert (tmp_path / "secret_key").read_text() == kept


def test_web_process_does_not_start_without_a_key(tmp_path):
    script = "import apt_annotate.wsgi"
    done = run_program(tmp_path, "shell", "--no-imports", "-c", script, APT_SECRET_KEY="")
    assert done.returncode != 0
    assert "APT_SECRET_KEY is not set" in done.stderr


@pytest.mark.parametrize("debug", ["0", "1"])
def test_what_goes_wrong_is_logged_once(tmp_path, debug):
    script = "import logging; logging.getLogger('django.request').warning('Not Found: /nowhere')"
    done = run_program(tmp_path, "shell", "--no-imports", "-c", script, APT_DEBUG=debug)
    assert done.stderr.count("Not Found: /nowhere") == 1
