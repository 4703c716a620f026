"""Fills a database with made-up sources, items and reviews, to measure how fast things are at scale."""

from argparse import ArgumentParser
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from generation.management.reporting import REFUSED, ReportingCommand, progress_bar, seed
from review.services.synthetic import Size, SyntheticRefused, make_synthetic


class Command(ReportingCommand):
    """See the module docstring."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the size, the seed, the time that history ends at, and what lets real items be."""
        super().add_arguments(parser)
        parser.add_argument("--items", type=int, default=50_000)
        parser.add_argument("--reviewers", type=int, default=30)
        parser.add_argument("--reviews", type=int, default=150_000, help="all of them together")
        parser.add_argument("--seed", type=seed, default=0)
        parser.add_argument(
            "--at", type=_time, help="when history ends (ISO 8601; default: now); weeks lie before"
        )
        parser.add_argument(
            "--beside-real-items", action="store_true", help="even where there are real items"
        )

    def handle(self, *_args: Any, verbosity: int, **options: Any) -> None:
        """Store it all in one transaction; nothing stays of a run that is killed."""
        try:
            size = Size(options["items"], options["reviewers"], options["reviews"])
            with progress_bar("items", verbosity=verbosity, total=size.items) as bar:
                made = make_synthetic(
                    size=size,
                    seed=options["seed"],
                    now=options["at"] or timezone.now(),
                    beside_real=options["beside_real_items"],
                    done=bar,
                )
        except SyntheticRefused as error:
            raise CommandError(str(error), returncode=REFUSED) from error
        words = ", ".join(f"{n} {name}" for name, n in made.items())
        self.report(made, as_json=options["json"], words=words)


def _time(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
