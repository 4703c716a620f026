"""Reads the settings that come from the environment; a wrong value is refused by its name."""

import os
import secrets
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

_YES = frozenset({"1", "true", "yes", "on"})
_NO = frozenset({"", "0", "false", "no", "off"})


def refuse(name: str, value: str, expected: str) -> ImproperlyConfigured:
    """Return the error for a setting: its name, what was given, what is expected."""
    return ImproperlyConfigured(f"{name}={value!r} is not usable: expected {expected}")


def flag(name: str) -> bool:
    """Return a yes/no variable; absent is no.

    Raises:
        ImproperlyConfigured: the value is neither a yes nor a no.
    """
    value = os.environ.get(name, "").strip().lower()
    if value in _YES:
        return True
    if value in _NO:
        return False
    raise refuse(name, value, "1 or 0")


def whole_number(name: str, default: int, *, low: int, high: int) -> int:
    """Return a whole number in ``low``..``high``, ``default`` where the variable is absent.

    Raises:
        ImproperlyConfigured: not a whole number, or out of range.
    """
    value = os.environ.get(name, "").strip()
    if not value:
        return default
    if not value.isdecimal() or not low <= int(value) <= high:
        raise refuse(name, value, f"a whole number from {low} to {high}")
    return int(value)


def words(name: str, default: tuple[str, ...] = ()) -> list[str]:
    """Return a comma-separated variable as a list without blanks."""
    value = os.environ.get(name, "")
    return [word.strip() for word in value.split(",") if word.strip()] or list(default)


def directory(name: str, default: Path) -> Path:
    """Return a folder, made where it does not exist yet.

    Raises:
        ImproperlyConfigured: the path is a file, or the folder can't be made.
    """
    value = os.environ.get(name, "").strip()
    path = Path(value).expanduser().resolve() if value else default
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refuse(name, str(path), f"a folder that can be written ({error.strerror})") from error
    return path


def secret_key(var_dir: Path, *, debug: bool) -> str:
    """Return APT_SECRET_KEY, or one made once and kept in ``var_dir`` where debug is on.

    Empty where neither holds: commands that sign nothing still run, and the web server refuses
    to start (``apt_annotate.wsgi``).
    """
    given = os.environ.get("APT_SECRET_KEY", "")
    if given or not debug:
        return given
    kept = var_dir / "secret_key"
    if not kept.exists():
        fresh = var_dir / f"secret_key.{os.getpid()}"
        fresh.touch(mode=0o600)
        fresh.write_text(secrets.token_urlsafe(48), encoding="utf-8")
        try:
            kept.hardlink_to(fresh)  # fails where another process was first: theirs is used
        except FileExistsError:
            pass
        finally:
            fresh.unlink()
    return kept.read_text(encoding="utf-8")


def database(var_dir: Path) -> dict[str, Any]:
    """Return Django's settings of the database that DATABASE_URL names.

    SQLite runs in WAL mode with IMMEDIATE transactions and a busy timeout, so that writers wait
    for each other instead of failing with "database is locked".

    Raises:
        ImproperlyConfigured: the address is of no known form.
    """
    url = os.environ.get("DATABASE_URL", "").strip()
    parts = urlsplit(url)
    expected = "sqlite:///FILE or postgresql://USER:PASSWORD@HOST:PORT/NAME"
    if not url or parts.scheme == "sqlite":
        if url and (parts.netloc or len(parts.path) < 2):
            raise refuse("DATABASE_URL", url, expected)
        name = Path(unquote(parts.path[1:])) if url else var_dir / "apt_annotate.sqlite3"
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": name,
            "CONN_MAX_AGE": 60,
            "OPTIONS": {
                "timeout": 30,
                "transaction_mode": "IMMEDIATE",
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
            },
        }
    if parts.scheme not in {"postgres", "postgresql"} or len(parts.path) < 2:
        raise refuse("DATABASE_URL", _without_password(url), expected)
    try:
        port = parts.port
    except ValueError as error:
        raise refuse("DATABASE_URL", _without_password(url), expected) from error
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path[1:]),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or ""),
        "PORT": str(port or ""),
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": dict(parse_qsl(parts.query)),
    }


def _without_password(url: str) -> str:
    head, at, tail = url.rpartition("@")
    return f"{head.partition('://')[0]}://…{at}{tail}" if at else url


def broker_url() -> str:
    """Return CELERY_BROKER_URL; absent, the broker that needs no server (files under var)."""
    return os.environ.get("CELERY_BROKER_URL", "").strip() or "filesystem://"


def broker_options(url: str, var_dir: Path) -> dict[str, Any]:
    """Return the transport options that the broker of ``url`` needs.

    Redis: a killed worker's message comes back after 12 s with these, after 107 s without.
    """
    if url.startswith("filesystem"):
        folder = var_dir / "broker"
        for name in ("messages", "processed", "control"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        return {
            "data_folder_in": str(folder / "messages"),
            "data_folder_out": str(folder / "messages"),
            "processed_folder": str(folder / "processed"),
            "control_folder": str(folder / "control"),
            "store_processed": False,
        }
    if url.startswith("redis"):
        return {"unacked_restore_interval": 1, "unacked_restore_throttle": 1}
    return {}
