"""Builds candidate questions from the stored runs and documents; building again adds nothing."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from generation.management.reporting import WRONG_USE, ReportingCommand, progress_bar, seed
from generation.services.candidates import build_from, buildable, sources_for


class Command(ReportingCommand):
    """Builds candidate questions from the stored runs and documents; building again adds nothing."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare ``--subtask``, ``--limit`` and ``--seed``."""
        super().add_arguments(parser)
        parser.add_argument("--subtask", action="append", default=[], help="this one; repeatable")
        parser.add_argument("--limit", type=int, help="most candidates a subtask gets")
        parser.add_argument("--seed", type=seed, default=0, help="of which runs a limit takes")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Build source by source, each in its own transaction."""
        limit = options["limit"]
        if limit is not None and limit < 1:
            msg = f"--limit {limit}: at least 1"
            raise CommandError(msg, returncode=WRONG_USE)
        try:
            subtasks = buildable(options["subtask"])
        except ValueError as error:
            raise CommandError(str(error), returncode=WRONG_USE) from error
        candidates: dict[str, int] = {}
        rejected: dict[tuple[str, str], int] = {}
        with progress_bar("building", verbosity=options["verbosity"]) as advance:
            for subtask in subtasks:
                made = 0
                for source in sources_for(subtask, seed=options["seed"]):
                    left = None if limit is None else limit - made
                    if left == 0:
                        break
                    built = build_from(source, subtask, limit=left)
                    made += built.candidates[subtask.name]
                    for why, count in built.rejections.items():
                        rejected[why] = rejected.get(why, 0) + count
                    advance()
                candidates[subtask.name] = made
        rows = [
            {"subtask": subtask, "why": why, "cuts": count}
            for (subtask, why), count in sorted(rejected.items())
        ]
        words = "\n".join(
            [
                *(f"{name}: {count} new candidates" for name, count in candidates.items()),
                *(f"  {row['subtask']}: {row['cuts']} cuts left out: {row['why']}" for row in rows),
            ]
        )
        result = {"candidates": candidates, "left_out": rows}
        self.report(result, as_json=options["json"], words=words)
