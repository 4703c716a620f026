"""Prints where the demo is served and who may log in."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from review.services.demo import LOGINS


class Command(BaseCommand):
    """Prints where the demo is served and who may log in."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare ``--port``."""
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, *_args: Any, port: int, **_options: Any) -> None:
        """Print the address, then a line an account."""
        self.stdout.write(f"\nThe demo is at http://127.0.0.1:{port}/ (Ctrl-C ends it)\n")
        for login in LOGINS:
            self.stdout.write(f"  {login.role:<10} {login.username}  {login.password}")
