"""Runs the Celery worker with the project's settings, the schedule included."""

import os
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand


class Command(BaseCommand):
    """Runs the Celery worker with the project's settings, the schedule included."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare ``--concurrency``."""
        parser.add_argument("--concurrency", type=int, default=1, help="tasks at one time")

    def handle(self, *_args: Any, concurrency: int, **_options: Any) -> None:
        """Become the worker until ended; tasks run in threads of this one process."""
        options = ["--beat", "--pool=threads", f"--concurrency={concurrency}"]
        program = [sys.executable, "-m", "celery", "-A", "apt_annotate.celery", "worker"]
        # The worker takes this process's place, so that a signal reaches it and not a parent.
        os.execv(sys.executable, [*program, *options, "--loglevel=warning"])  # noqa: S606
