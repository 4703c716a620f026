"""Say what the prompts and options of items show of the future of their runs.

Reads one case a line and needs no database. A line that is no case stops the command before
anything is printed.
"""

import json
import shutil
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from django.core.management.base import BaseCommand, CommandError

from generation.core.items import Finding
from generation.core.leakage.case import Case, CaseError, case_report, check_case, read_case

_MOST_SHOWN = 80
_LARGEST_IN_MEMORY = 64 * 1024 * 1024


class Command(BaseCommand):
    """Say what the prompts and options of items show of the future of their runs.

    Reads one case a line and needs no database. A line that is no case stops the command before
    anything is printed.
    """

    help = __doc__
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare ``--input`` and ``--json``."""
        parser.add_argument(
            "--input",
            type=Path,
            required=True,
            metavar="FILE",
            help="cases, one JSON object a line",
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object a case")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Read every line first, so that a bad one leaves no half answer.

        The input is copied once, since a pipe can't be read twice.
        """
        path: Path = options["input"]
        shown = _as_json if options["json"] else _as_text
        with SpooledTemporaryFile(_LARGEST_IN_MEMORY) as copy:
            try:
                with path.open("rb") as file:
                    shutil.copyfileobj(file, copy)
            except OSError as error:
                msg = f"{path}: {error.strerror or error}"
                raise CommandError(msg, returncode=2) from error
            for _ in _cases(path, copy):
                pass
            for case in _cases(path, copy):
                self.stdout.write(shown(case, check_case(case)))


def _cases(path: Path, copy: IO[bytes]) -> Iterator[Case]:
    copy.seek(0)
    for number, line in enumerate(copy, start=1):
        text = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
        if not text.strip():
            continue
        try:
            yield read_case(text)
        except CaseError as error:
            msg = f"{path}, line {number}: {error}"
            raise CommandError(msg, returncode=2) from error


def _as_json(case: Case, findings: list[Finding]) -> str:
    return json.dumps(case_report(case, findings))


def _as_text(case: Case, findings: list[Finding]) -> str:
    if not findings:
        return f"{case.id}: nothing"
    lines = [f"{case.id}: {len(findings)} finding{'s' if len(findings) > 1 else ''}"]
    for finding in findings:
        evidence = " ".join(finding.evidence.split())
        if len(evidence) > _MOST_SHOWN:
            evidence = evidence[: _MOST_SHOWN - 1] + "…"
        source = "" if finding.source_step is None else f"step {finding.source_step}"
        place = f"{finding.field} {finding.start}-{finding.end}"
        lines.append(
            f"  {int(finding.severity)}  {finding.kind:<20}  {place:<24}  {source:<9}  {evidence}"
        )
    return "\n".join(lines)
