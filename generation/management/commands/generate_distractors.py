"""Gives drafts their distractors, by rules or by models; drafts that have them stay as they are."""

import time
from argparse import ArgumentParser
from decimal import Decimal
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone
from kombu.exceptions import OperationalError

from generation.core.subtask import Subtask
from generation.management.commands.set_model import amount
from generation.management.reporting import (
    REFUSED,
    WRONG_USE,
    ReportingCommand,
    progress_bar,
    seed,
)
from generation.models import CallState, GenerationRun, ModelEndpoint, RunState
from generation.services import generation_runs
from generation.services.candidates import buildable
from generation.services.generation_runs import CannotRun
from generation.services.model_endpoints import UnusableEndpoint, usable_endpoints
from generation.services.options import make_rule_options
from generation.tasks import make_call

_LOOK = 1.0
"""Seconds between looks at a run whose calls are all under way or to be tried later."""


class Command(ReportingCommand):
    """Gives drafts their distractors, by rules or by models; drafts that have them stay as they are."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what is asked, of whom, and what may be spent."""
        super().add_arguments(parser)
        parser.add_argument("--subtask", action="append", default=[], help="this one; repeatable")
        parser.add_argument("--seed", type=seed, default=0, help="of every random choice")
        who = parser.add_mutually_exclusive_group(required=True)
        who.add_argument("--rules-only", action="store_true", help="by rules, without a model")
        who.add_argument(
            "--model", action="append", default=[], help="a model of set_model; repeatable"
        )
        parser.add_argument("--budget", type=amount, metavar="USD", help="the most to spend")
        parser.add_argument("--limit", type=int, help="the most drafts of each subtask")
        parser.add_argument(
            "--wait", action="store_true", help="work on the run here until it ends"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Choose over the whole pool of each subtask, or start a run of models."""
        if options["rules_only"]:
            self._by_rules(**options)
        else:
            self._by_models(**options)

    def _by_rules(self, **options: Any) -> None:
        _refuse_words_of_runs(options)
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
        result = {"candidates": candidates, "operators": operators, "left_out": rows}
        self.report(result, as_json=options["json"], words=_words(candidates, rows))

    def _by_models(self, **options: Any) -> None:
        budget: Decimal | None = options["budget"]
        if budget is None:
            msg = "--budget: models cost money, say how much at most (0.01 is a cent)"
            raise CommandError(msg, returncode=WRONG_USE)
        if options["limit"] is not None and options["limit"] < 1:
            msg = f"--limit {options['limit']}: at least 1"
            raise CommandError(msg, returncode=WRONG_USE)
        try:
            endpoints = usable_endpoints(options["model"])
            subtasks = generation_runs.subtasks_of(options["subtask"])
        except (UnusableEndpoint, CannotRun) as error:
            raise CommandError(str(error), returncode=WRONG_USE) from error
        try:
            run = self._run(subtasks, endpoints, budget, options["seed"], options["limit"])
        except CannotRun as error:
            raise CommandError(str(error), returncode=REFUSED) from error
        if options["wait"]:
            self._work(run, verbosity=options["verbosity"])
        else:
            self._send(run, verbosity=options["verbosity"])
        run.refresh_from_db()
        self._report(run, as_json=options["json"])

    def _run(
        self,
        subtasks: list[Subtask],
        endpoints: list[ModelEndpoint],
        budget: Decimal,
        seed: int,
        limit: int | None,
    ) -> GenerationRun:
        """Return the run that was begun before with the same words, or a new one."""
        begun = generation_runs.unfinished_run(subtasks=subtasks, endpoints=endpoints, seed=seed)
        if begun is not None:
            return generation_runs.resume_run(run_pk=begun.pk, actor=None, budget_usd=budget)
        return generation_runs.start_run(
            subtasks=subtasks,
            endpoints=endpoints,
            budget_usd=budget,
            seed=seed,
            limit=limit,
            actor=None,
        )

    def _send(self, run: GenerationRun, *, verbosity: int) -> None:
        """Tell the worker; where the broker is down, its sweep takes the run up later."""
        try:
            for call_pk in generation_runs.first_calls(run.pk):
                make_call.apply_async((call_pk,), retry=False)
        except OperationalError as error:
            self.note(
                f"the broker can't be reached ({error}): it will begin later", verbosity=verbosity
            )

    def _work(self, run: GenerationRun, *, verbosity: int) -> None:
        """Make the calls in this process until the run ends, beside any worker."""
        total = run.calls.count()
        done = 0
        with progress_bar("asking models", verbosity=verbosity, total=total) as advance:
            while True:
                due = generation_runs.sweep(now=timezone.now())
                for call_pk in due[:1]:
                    generation_runs.work(call_pk)
                run.refresh_from_db()
                open_calls = run.calls.exclude(state__in=[CallState.DONE, CallState.FAILED]).count()
                advance(total - open_calls - done)
                done = total - open_calls
                if run.state != RunState.RUNNING:
                    return
                if not due:
                    time.sleep(_LOOK)

    def _report(self, run: GenerationRun, *, as_json: bool) -> None:
        made = generation_runs.result_of(run)
        rows = [
            {"subtask": name, "why": why, "drafts": count}
            for (name, why), count in sorted(made.left_out.items())
        ]
        result = {
            "run": run.pk,
            "state": run.state,
            "calls": dict(sorted(made.calls.items())),
            "failures": dict(sorted(made.failures.items())),
            "candidates": dict(sorted(made.candidates.items())),
            "left_out": rows,
            "budget_usd": str(run.budget_usd),
            "spent_usd": str(run.spent_usd),
            "lost_usd": str(run.lost_usd),
        }
        calls = ", ".join(f"{count} {state}" for state, count in sorted(made.calls.items()))
        words = [
            f"run {run.pk} is {run.get_state_display().lower()}: {calls}",
            f"  spent {run.spent_usd} of {run.budget_usd} USD"
            + (f", {run.lost_usd} perhaps spent on lost answers" if run.lost_usd else ""),
            *(f"  {count} calls: {name}" for name, count in sorted(made.failures.items())),
        ]
        self.report(
            result, as_json=as_json, words="\n".join([*words, _words(made.candidates, rows)])
        )


def _refuse_words_of_runs(options: dict[str, Any]) -> None:
    """Refuse what only a run of models heeds, rather than leave it out of account."""
    for name in ("budget", "limit", "wait"):
        if options[name] is not None and options[name] is not False:
            msg = f"--{name}: for models alone, not beside --rules-only"
            raise CommandError(msg, returncode=WRONG_USE)


def _words(candidates: Any, rows: list[dict[str, Any]]) -> str:
    return "\n".join(
        [
            *(f"{name}: {count} drafts got distractors" for name, count in candidates.items()),
            *(f"  {row['subtask']}: {row['drafts']} got none: {row['why']}" for row in rows),
        ]
    )
