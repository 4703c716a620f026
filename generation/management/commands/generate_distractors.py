"""Gives drafts their distractors by rules; drafts that have them already stay as they are."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from generation.management.reporting import WRONG_USE, ReportingCommand, progress_bar, seed
from generation.services.candidates import buildable
from generation.services.options import make_rule_options


class Command(ReportingCommand):
    """Gives drafts their distractors by rules; drafts that have them already stay as they are."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare ``--subtask``, ``--seed`` and ``--rules-only``."""
        super().add_arguments(parser)
        parser.add_argument("--subtask", action="append", default=[], help="this one; repeatable")
        parser.add_argument("--seed", type=seed, default=0, help="of every random choice")
        parser.add_argument(
            "--rules-only", action="store_true", required=True, help="by rules, without a model"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Choose over the whole pool of each subtask."""
        try:
            subtasks = buildable(options["subtask"])
        except ValueError as error:
            raise CommandError(str(error), returncode=WRONG_USE) from error
        candidates: dict[str, int] = {}
        operators: dict[str, int] = {}
        rows = []
        with progress_bar("choosing distractors", verbosity=options["verbosity"]) as advance:
            for subtask in (s for s in subtasks if s.make_options):
                made = make_rule_options(subtask, seed=options["seed"])
                candidates[subtask.name] = made.candidates[subtask.name]
                for name, count in sorted(made.operators.items()):
                    operators[name] = operators.get(name, 0) + count
                rows += [
                    {"subtask": name, "why": why, "drafts": count}
                    for (name, why), count in sorted(made.rejections.items())
                ]
                advance()
        words = "\n".join(
            [
                *(f"{name}: {count} drafts got distractors" for name, count in candidates.items()),
                *(f"  {row['subtask']}: {row['drafts']} got none: {row['why']}" for row in rows),
            ]
        )
        result = {"candidates": candidates, "operators": operators, "left_out": rows}
        self.report(result, as_json=options["json"], words=words)
