"""Runs the automatic checks over all complete candidates; complete drafts go on to review."""

import json
import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from generation.management.reporting import WRONG_USE, ReportingCommand
from generation.services.checks import finding_lines, run_checks


class Command(ReportingCommand):
    """Runs the automatic checks over all complete candidates; complete drafts go on to review."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare ``--out``."""
        super().add_arguments(parser)
        parser.add_argument("--out", type=Path, help="new file: one JSON line a finding")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Check, store, and write the findings where asked."""
        out: Path | None = options["out"]
        if out and out.exists():
            msg = f"{out} exists; it is never overwritten"
            raise CommandError(msg, returncode=WRONG_USE)
        if out and not out.parent.is_dir():
            msg = f"{out.parent} is no folder"
            raise CommandError(msg, returncode=WRONG_USE)
        self.note("checking", verbosity=options["verbosity"])
        checked = run_checks()
        if out:
            _write_lines(out)
        result = {
            "revisions": checked.revisions,
            "queued": checked.queued,
            "findings": dict(sorted(checked.findings.items())),
        }
        words = "\n".join(
            [
                f"{checked.revisions} revisions checked, {checked.queued} new in review",
                *(f"  {kind}: {count}" for kind, count in sorted(checked.findings.items())),
            ]
        )
        self.report(result, as_json=options["json"], words=words)


def _write_lines(out: Path) -> None:
    """Write to a file beside ``out`` that takes its name at the end, so that it appears whole."""
    building = out.with_name(f".{out.name}.{os.getpid()}")
    try:
        with building.open("w", encoding="utf-8", newline="\n") as file:
            for line in finding_lines():
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
        building.rename(out)
    finally:
        building.unlink(missing_ok=True)
