"""Takes a person out of the project: what names them is replaced, what they decided stays."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from generation.management.reporting import REFUSED, WRONG_USE, ReportingCommand
from review.models import Profile
from review.services.members import LastAdmin
from review.services.withdrawal import AlreadyWithdrawn, withdraw


class Command(ReportingCommand):
    """Takes a person out of the project: what names them is replaced, what they decided stays."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the name and the word that confirms it."""
        super().add_arguments(parser)
        parser.add_argument("username")
        parser.add_argument(
            "--confirm", required=True, help="the name once more: this can't be undone"
        )

    def handle(self, *_args: Any, username: str, confirm: str, **options: Any) -> None:
        """Withdraw the person; another name after ``--confirm`` stops it."""
        if confirm != username:
            msg = f"--confirm: {confirm!r} is not {username!r}; nothing was done"
            raise CommandError(msg, returncode=WRONG_USE)
        member = Profile.objects.filter(user__username=username).first()
        if member is None:
            msg = f"there is no member {username!r}"
            raise CommandError(msg, returncode=WRONG_USE)
        try:
            name = withdraw(member=member, actor=None, now=timezone.now())
        except AlreadyWithdrawn as error:
            msg = f"{username} is withdrawn already"
            raise CommandError(msg, returncode=REFUSED) from error
        except LastAdmin as error:
            raise CommandError(str(error), returncode=REFUSED) from error
        self.report(
            {"username": name},
            as_json=options["json"],
            words=f"{username} is now {name}; reviews and decisions stay",
        )
