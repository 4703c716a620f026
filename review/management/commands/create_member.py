"""Adds a person to the project; the password is asked for, or read from standard input."""

import sys
from argparse import ArgumentParser
from getpass import getpass
from typing import Any

from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import CommandError

from generation.management.reporting import REFUSED, WRONG_USE, ReportingCommand
from review.models import Role
from review.services.members import LANGUAGES, SCENARIOS, NameTaken, create_member


class Command(ReportingCommand):
    """Adds a person to the project; the password is asked for, or read from standard input."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the name, ``--role`` and what the person can judge."""
        super().add_arguments(parser)
        parser.add_argument("username")
        parser.add_argument("--role", choices=Role.values, default=Role.ANNOTATOR)
        parser.add_argument(
            "--languages", nargs="*", choices=LANGUAGES, default=[], help="default: all"
        )
        parser.add_argument(
            "--scenarios", nargs="*", choices=SCENARIOS, default=[], help="default: all"
        )

    def handle(self, *_args: Any, username: str, role: str, **options: Any) -> None:
        """Create the user; a weak password or a name that is taken is refused."""
        try:
            User._meta.get_field("username").clean(username, None)
        except ValidationError as error:
            msg = f"username {username!r}: {' '.join(error.messages)}"
            raise CommandError(msg, returncode=WRONG_USE) from error
        asked = sys.stdin.isatty()
        password = getpass("Password: ") if asked else sys.stdin.readline().rstrip("\n")
        if password.encode(errors="replace").decode() != password:
            msg = "password: it is not UTF-8"
            raise CommandError(msg, returncode=WRONG_USE)
        try:
            validate_password(password, User(username=username))
        except ValidationError as error:
            raise CommandError(
                "password: " + " ".join(error.messages), returncode=WRONG_USE
            ) from error
        try:
            create_member(
                username=username,
                password=password,
                role=Role(role),
                languages=options["languages"],
                scenarios=options["scenarios"],
            )
        except NameTaken as error:
            raise CommandError(str(error), returncode=REFUSED) from error
        result = {"username": username, "role": role}
        self.report(result, as_json=options["json"], words=f"{username} may log in as {role}")
