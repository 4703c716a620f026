"""Runs the Celery worker with the project's settings, the schedule included."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from apt_annotate.celery import app


class Command(BaseCommand):
    """See the module docstring."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare ``--concurrency``."""
        parser.add_argument("--concurrency", type=int, default=1, help="tasks at one time")

    def handle(self, *_args: Any, concurrency: int, **_options: Any) -> None:
        """Work until ended; tasks run in threads of this one process."""
        arguments = ["worker", "--beat", "--pool=threads", f"--concurrency={concurrency}"]
        sys.exit(app.worker_main([*arguments, "--loglevel=warning"]))
