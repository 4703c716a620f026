"""Writes the validation report of the project to a new folder: HTML, Markdown and pictures."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from generation.core.appearing import TargetExists
from generation.management.reporting import WRONG_USE, ReportingCommand
from review.models import Release
from review.services.validation_report import write_report


class Command(ReportingCommand):
    """See the module docstring."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare ``--out`` and ``--release``."""
        super().add_arguments(parser)
        parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="new folder")
        parser.add_argument(
            "--release", metavar="VERSION", help="this release; else the newest, if there is one"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Gather and write; a folder that is there is refused."""
        release = _release(options["release"])
        out: Path = options["out"]
        try:
            files = write_report(
                out,
                release,
                report=lambda name: self.note(name, verbosity=options["verbosity"]),
            )
        except TargetExists as error:
            raise CommandError(str(error), returncode=WRONG_USE) from error
        result = {
            "report_dir": str(out),
            "release": release.version if release else None,
            "files": files,
        }
        words = f"report written to {out}: open {out / 'report.html'} or {out / 'report.md'}"
        self.report(result, as_json=options["json"], words=words)


def _release(version: str | None) -> Release | None:
    newest = Release.objects.order_by("frozen_at", "pk").last()
    if version is None:
        return newest
    found = Release.objects.filter(version=version).first()
    if found is None:
        known = ", ".join(Release.objects.order_by("pk").values_list("version", flat=True))
        msg = f"no release {version}: there are {known or 'none yet'}"
        raise CommandError(msg, returncode=WRONG_USE)
    return found
