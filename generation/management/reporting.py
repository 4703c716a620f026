"""What all commands share: progress on stderr, a result on stdout, exit statuses that tell."""

import json
from argparse import ArgumentParser
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.migrations.executor import MigrationExecutor
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

REFUSED = 1
WRONG_USE = 2


class ReportingCommand(BaseCommand):
    """A command that ends with one result: a JSON object with ``--json``, else words.

    Exit status 0: it ran; 1 (``REFUSED``): what was asked could not be done; 2
    (``WRONG_USE``): wrong use or unreadable input.
    """

    needs_database: ClassVar[bool] = True
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare ``--json``."""
        parser.add_argument("--json", action="store_true", help="one JSON object on stdout")

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run, after making sure that the words are text and the database has its tables.

        A file or folder that the system refuses is an input that can't be read or a place that
        can't be written: one line that names it, exit status 2.
        """
        _refuse_broken_text(options)
        if self.needs_database:
            if settings.DEBUG:  # Django would keep the last 9,000 queries with all their texts
                connections[DEFAULT_DB_ALIAS].queries_log = deque(maxlen=0)
            refuse_without_tables()
        try:
            return super().execute(*args, **options)
        except OSError as error:
            place = f"{error.filename}: " if error.filename else ""
            raise CommandError(f"{place}{error.strerror or error}", returncode=WRONG_USE) from error

    def report(self, result: Mapping[str, Any], *, as_json: bool, words: str) -> None:
        """Print the result: as JSON, or as words for people."""
        self.stdout.write(json.dumps(result, ensure_ascii=False) if as_json else words)

    def note(self, text: str, *, verbosity: int) -> None:
        """Tell how far the work is, on stderr."""
        if verbosity > 0:
            self.stderr.write(text)


def _refuse_broken_text(options: Mapping[str, Any]) -> None:
    """Refuse words of the command line that are no Unicode: they could be stored nowhere."""
    for name, value in options.items():
        for word in value if isinstance(value, list) else [value]:
            if not isinstance(word, str | Path):
                continue
            text = str(word)
            if "\x00" in text or text.encode(errors="replace").decode() != text:
                msg = f"{name}: {text!r} is no text"
                raise CommandError(msg, returncode=WRONG_USE)


def refuse_without_tables() -> None:
    """Stop with a remedy where the database can't be reached or is not migrated.

    Raises:
        CommandError: exit status 2.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    try:
        executor = MigrationExecutor(connection)
    except DatabaseError as error:
        msg = f"the database can't be used: {error}"
        raise CommandError(msg, returncode=WRONG_USE) from error
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        msg = "the database lacks tables of this version: run 'manage.py migrate' first"
        raise CommandError(msg, returncode=WRONG_USE)


@contextmanager
def progress_bar(what: str, *, verbosity: int, total: int | None = None) -> Iterator[Any]:
    """Give a function that moves a bar on stderr by the number of things done.

    There is none where stderr is no terminal: a file of logs would hold its drawing.
    """
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True)
    hidden = verbosity < 1 or not console.is_terminal
    with Progress(*columns, TimeElapsedColumn(), console=console, disable=hidden) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done=1: bar.advance(task, done)


def seed(text: str) -> int:
    """Return the seed that an argument names: a whole number that a database can hold.

    Raises:
        ValueError: another text, or over 2**63 - 1; argparse makes a message of it.
    """
    number = int(text)
    if not 0 <= number < 2**63:
        msg = f"{text} is not from 0 to 2**63 - 1"
        raise ValueError(msg)
    return number
