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

from django.core.management.base import CommandError

from generation.core.items import Finding
from generation.core.leakage.case import Case, CaseError, case_report, check_case, read_case
from generation.management.reporting import WRONG_USE, ReportingCommand

_MOST_SHOWN = 80
_LARGEST_IN_MEMORY = 64 * 1024 * 1024


class Command(ReportingCommand):
    """Say what the prompts and options of items show of the future of their runs.

    Reads one case a line and needs no database. A line that is no case stops the command before
    anything is printed.
    """

    help = __doc__
    needs_database = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare ``--input`` and ``--json``."""
        super().add_arguments(parser)
        parser.add_argument(
            "--input",
            type=Path,
            required=True,
            metavar="FILE",
            help="cases, one JSON object a line",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Read every line first, so that a bad one leaves no half answer.

        The input is copied once, since a pipe can't be read twice.
        """
        path: Path = options["input"]
        shown = _as_json if options["json"] else _as_text
        with SpooledTemporaryFile(_LARGEST_IN_MEMORY) as copy:
            with path.open("rb") as file:
                shutil.copyfileobj(file, copy)
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
            raise CommandError(msg, returncode=WRONG_USE) from error


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
