"""Scores a file of predictions on an exported benchmark; touches no database."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from generation.management.reporting import REFUSED, WRONG_USE, ReportingCommand
from review.core.scorer import BenchmarkError, DigestMismatch, PredictionError, report, score


class Command(ReportingCommand):
    """Scores a file of predictions on an exported benchmark; touches no database."""

    help = __doc__
    needs_database = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare where the export and the predictions lie and how the scores are printed."""
        super().add_arguments(parser)
        parser.add_argument("--benchmark", type=Path, required=True, metavar="DIR")
        parser.add_argument("--predictions", type=Path, required=True, metavar="FILE")
        parser.add_argument("--compat", choices=["aptbench"], help="score as the official scripts")

    def handle(
        self,
        *_args: Any,
        benchmark: Path,
        predictions: Path,
        compat: str | None,
        json: bool,
        **_options: Any,
    ) -> None:
        """Print the scores; leave with 1 where a digest does not match, 2 for unreadable input."""
        try:
            scores = score(benchmark, predictions, compat=compat)
        except DigestMismatch as error:
            raise CommandError(str(error), returncode=REFUSED) from error
        except (BenchmarkError, PredictionError) as error:
            raise CommandError(str(error), returncode=WRONG_USE) from error
        self.stdout.write(_as_json(scores) if json else report(scores))


def _as_json(scores: dict[str, Any]) -> str:
    return json.dumps(scores)
