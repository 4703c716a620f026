"""Writes what is under review as tasks of Label Studio, with a labelling configuration."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandError

from generation.core.appearing import TargetExists
from generation.core.registry import SUBTASKS
from generation.management.reporting import REFUSED, WRONG_USE, ReportingCommand, progress_bar
from generation.models import CandidateState
from review.authentication import is_lead
from review.core.label_studio.controls import Phase
from review.services.label_studio_export import NothingToExport, Wanted, export_tasks

_STATES = (
    CandidateState.IN_REVIEW,
    CandidateState.DISPUTED,
    CandidateState.APPROVED,
    CandidateState.REJECTED,
)


class Command(ReportingCommand):
    """Writes what is under review as tasks of Label Studio, with a labelling configuration."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare ``--out``, ``--phase``, ``--by``, ``--subtasks`` and ``--states``."""
        super().add_arguments(parser)
        parser.add_argument("--out", type=Path, required=True, help="folder to create")
        parser.add_argument(
            "--phase",
            choices=list(Phase),
            default=Phase.BLIND,
            help="blind: answers, without gold; open: judgements by those who answered; "
            "reviews: all that was said, to look at",
        )
        parser.add_argument("--by", metavar="NAME", help="the lead who asks to see gold")
        parser.add_argument("--subtasks", nargs="+", default=[], choices=list(SUBTASKS))
        parser.add_argument(
            "--states", nargs="+", default=[CandidateState.IN_REVIEW], choices=_STATES
        )

    def handle(self, *_args: Any, out: Path, **options: Any) -> None:
        """Refuse to overwrite; write everything or nothing."""
        phase = Phase(options["phase"])
        wanted = Wanted(phase, options["states"], options["subtasks"])
        lead = _lead(options["by"]) if options["by"] or phase is not Phase.BLIND else None
        try:
            with progress_bar("writing tasks", verbosity=options["verbosity"]) as advance:
                counts = export_tasks(wanted, out, lead=lead, progress=advance)
        except TargetExists as error:
            raise CommandError(str(error), returncode=WRONG_USE) from error
        except NothingToExport as error:
            states = ", ".join(options["states"])
            msg = f"nothing to export: no item is {states}"
            raise CommandError(msg, returncode=REFUSED) from error
        result = {"out": str(out), "phase": str(phase), "tasks": counts}
        words = ", ".join(f"{count} {form}" for form, count in counts.items())
        self.report(result, as_json=options["json"], words=f"tasks written to {out}: {words}")


def _lead(name: str | None) -> User:
    """Return the lead of that name.

    Raises:
        CommandError: none is named, or who is named is no lead.
    """
    if not name:
        msg = "tasks that show gold are for leads: name the one who asks, with --by NAME"
        raise CommandError(msg, returncode=WRONG_USE)
    user = User.objects.select_related("profile").filter(username=name, is_active=True).first()
    if user is None or not is_lead(user):
        msg = f"--by {name}: no lead has this name"
        raise CommandError(msg, returncode=WRONG_USE)
    return user
