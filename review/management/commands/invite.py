"""Makes an invitation link for one new member, and prints it once."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandError
from django.urls import reverse
from django.utils import timezone

from generation.management.reporting import REFUSED, WRONG_USE, ReportingCommand
from review.models import Role
from review.services.invitations import DEFAULT_DAYS, InvitationRefused, invite
from review.services.members import LANGUAGES, SCENARIOS


class Command(ReportingCommand):
    """Makes an invitation link for one new member, and prints it once."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare who invites, and what the new member is to be."""
        super().add_arguments(parser)
        parser.add_argument("--by", required=True, help="name of the lead or admin who invites")
        parser.add_argument("--role", choices=Role.values, default=Role.ANNOTATOR)
        parser.add_argument("--languages", nargs="*", choices=LANGUAGES, default=[])
        parser.add_argument("--scenarios", nargs="*", choices=SCENARIOS, default=[])
        parser.add_argument("--note", default="", help="whom it is for")
        parser.add_argument("--days", type=int, default=DEFAULT_DAYS)
        parser.add_argument(
            "--site", default="", help="address of the site, as https://annotate.example.org"
        )

    def handle(self, *_args: Any, by: str, role: str, site: str, **options: Any) -> None:
        """Print the link; its secret is stored nowhere."""
        actor = User.objects.filter(username=by).first()
        if actor is None:
            msg = f"--by: there is no user {by!r}"
            raise CommandError(msg, returncode=WRONG_USE)
        try:
            invitation, secret = invite(
                actor=actor,
                role=Role(role),
                languages=options["languages"],
                scenarios=options["scenarios"],
                note=options["note"],
                days=options["days"],
                now=timezone.now(),
            )
        except InvitationRefused as error:
            raise CommandError(str(error), returncode=REFUSED) from error
        link = site.rstrip("/") + reverse("invitation", args=[secret])
        expires = invitation.expires_at.isoformat(timespec="seconds")
        self.report(
            {"link": link, "role": role, "expires_at": expires},
            as_json=options["json"],
            words=f"{link}\nmakes one {role} until {expires}; it is shown only now",
        )
