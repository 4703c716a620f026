"""Counts what the importers make of files and folders, kind by kind; stores nothing."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from generation.core.importers.catalogue import IMPORTERS
from generation.core.importers.errors import ImportInputError
from generation.core.importers.tally import Tally, tally
from generation.management.reporting import WRONG_USE, ReportingCommand, progress_bar


class Command(ReportingCommand):
    """Counts what the importers make of files and folders, kind by kind; stores nothing."""

    help = __doc__
    needs_database = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the sources."""
        super().add_arguments(parser)
        parser.add_argument("sources", nargs="+", metavar="KIND=PATH", help="what lies where")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Print a Markdown table, or with ``--json`` the counts of each source."""
        counts: list[tuple[str, Path, Tally]] = []
        with progress_bar("counting", verbosity=options["verbosity"]) as advance:
            for source in options["sources"]:
                kind, path = _parted(source)
                counts.append((kind, path, _count(kind, path)))
                advance()
        rows = [{"kind": kind, "path": str(path)} | _as_json(each) for kind, path, each in counts]
        self.report({"sources": rows}, as_json=options["json"], words=_table(counts))


def _parted(source: str) -> tuple[str, Path]:
    kind, mark, path = source.partition("=")
    if not mark or not path or kind not in IMPORTERS:
        known = ", ".join(sorted(IMPORTERS))
        msg = f"{source!r} is no KIND=PATH; kinds are {known}"
        raise CommandError(msg, returncode=WRONG_USE)
    return kind, Path(path)


def _count(kind: str, path: Path) -> Tally:
    try:
        return tally(IMPORTERS[kind].read(path))
    except ImportInputError as error:
        raise CommandError(str(error), returncode=WRONG_USE) from error


def _as_json(counts: Tally) -> dict[str, Any]:
    return {
        "read": counts.read,
        "distinct": counts.distinct,
        "forms": dict(counts.forms),
        "refused": dict(counts.refused),
        "passed_over": dict(counts.passed_over),
    }


def _table(counts: list[tuple[str, Path, Tally]]) -> str:
    lines = [
        "| kind | read | different | what they are | refused | passed over |",
        "|---|---|---|---|---|---|",
    ]
    for kind, _path, each in counts:
        forms = ", ".join(f"{count} {form}" for form, count in each.forms.most_common())
        cells = [
            f"`{kind}`",
            str(each.read),
            str(each.distinct),
            forms,
            _reasons(each.refused),
            _reasons(each.passed_over),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _reasons(reasons: Any) -> str:
    shown = (f"{count}: {why}" for why, count in reasons.most_common())
    return "; ".join(shown).replace("|", "\\|")
