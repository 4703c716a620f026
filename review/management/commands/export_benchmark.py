"""Writes a frozen release to a new folder; the same release gives the same bytes."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from generation.core.appearing import TargetExists
from generation.management.reporting import REFUSED, WRONG_USE, ReportingCommand
from review.core.export.native import ExportError
from review.models import Release
from review.services.exports import export_native


class Command(ReportingCommand):
    """Writes a frozen release to a new folder; the same release gives the same bytes."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare version, ``--out`` and ``--format``."""
        super().add_arguments(parser)
        parser.add_argument("release_version", metavar="VERSION")
        parser.add_argument("--out", type=Path, required=True, help="folder to create")
        parser.add_argument("--format", choices=["native"], default="native")

    def handle(self, *_args: Any, out: Path, verbosity: int, **options: Any) -> None:
        """Refuse to overwrite; write everything or nothing."""
        version = options["release_version"]
        release = Release.objects.filter(version=version).first()
        if release is None:
            known = ", ".join(Release.objects.order_by("pk").values_list("version", flat=True))
            msg = f"no release {version}: there are {known or 'none yet'}"
            raise CommandError(msg, returncode=WRONG_USE)
        try:
            export_native(release, out, progress=lambda path: self.note(path, verbosity=verbosity))
        except TargetExists as error:
            raise CommandError(str(error), returncode=WRONG_USE) from error
        except ExportError as error:
            raise CommandError(str(error), returncode=REFUSED) from error
        manifest = release.manifest
        result = {
            "version": version,
            "export_dir": str(out),
            "sha256": manifest["sha256"],
            "items": sum(manifest["counts"].values()),
            "files": len(manifest["files"]),
        }
        words = f"{result['items']} items written to {out}, sha256 {result['sha256']}"
        self.report(result, as_json=options["json"], words=words)
