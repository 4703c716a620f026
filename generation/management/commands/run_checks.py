"""Runs the automatic checks over all complete candidates; complete drafts go on to review."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from generation.core.appearing import TargetExists, appearing_file
from generation.management.reporting import WRONG_USE, ReportingCommand
from generation.services.checks import run_checks
from generation.services.findings import finding_lines


class Command(ReportingCommand):
    """Runs the automatic checks over all complete candidates; complete drafts go on to review."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare ``--out``."""
        super().add_arguments(parser)
        parser.add_argument("--out", type=Path, help="new file: one JSON line a finding")
        parser.add_argument(
            "--queue-imported",
            action="store_true",
            help="send imported rows to review too; without it they wait, checked",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Check, store, and write the findings where asked."""
        out: Path | None = options["out"]
        if out:
            _refuse_unusable(out)
        self.note("checking", verbosity=options["verbosity"])
        checked = run_checks(queue_imported=options["queue_imported"])
        if out:
            _write_lines(out)
        result = {
            "revisions": checked.revisions,
            "queued": checked.queued,
            "waiting": checked.waiting,
            "findings": dict(sorted(checked.findings.items())),
        }
        words = "\n".join(
            [
                f"{checked.revisions} revisions checked, {checked.queued} new in review"
                f", {checked.waiting} imported ones wait (--queue-imported sends them to review)",
                *(f"  {kind}: {count}" for kind, count in sorted(checked.findings.items())),
            ]
        )
        self.report(result, as_json=options["json"], words=words)


def _refuse_unusable(out: Path) -> None:
    """Try the place before the long work, not after it."""
    try:
        with appearing_file(out):
            pass
        out.unlink()
    except TargetExists as error:
        raise CommandError(str(error), returncode=WRONG_USE) from error


def _write_lines(out: Path) -> None:
    try:
        with appearing_file(out) as building, building.open("w", encoding="utf-8") as file:
            for line in finding_lines():
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
    except TargetExists as error:
        raise CommandError(str(error), returncode=WRONG_USE) from error
