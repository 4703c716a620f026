"""Freezes approved revisions, or an imported set, as an immutable release."""

import re
from argparse import ArgumentParser
from datetime import UTC, datetime
from itertools import count
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from generation.core.registry import SUBTASKS
from generation.management.reporting import REFUSED, WRONG_USE, ReportingCommand, progress_bar
from generation.services.texts import storable
from review.core.scorer.intervals import wilson_interval
from review.services.release_contents import states_left_out
from review.services.release_gate import Judged, as_json
from review.services.release_plan import FreezeOrder, Plan, plan_release
from review.services.releases import FreezeRefused, freeze

_NAME = re.compile(r"[^\W_](?:[^\n\r]{0,98}\S)?")
_SHORTEST_REASON = 10
_VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,59}")


def _half_width(items: int) -> float:
    """Return half the 95 % interval of an accuracy of one half over ``items``."""
    low, high = wilson_interval(0.5, items)
    return (high - low) / 2


_ITEMS_FOR_FIVE_POINTS = next(n for n in count(1) if _half_width(n) <= 0.05)


class Command(ReportingCommand):
    """Freezes approved revisions, or an imported set, as an immutable release."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the version and how to freeze it."""
        super().add_arguments(parser)
        parser.add_argument("release_version", metavar="VERSION", help="new; never reused")
        parser.add_argument("--name", default="apt-annotate", help="name of the benchmark")
        parser.add_argument("--subtasks", nargs="+", default=[], metavar="SUBTASK")
        parser.add_argument("--shots", type=int, default=3, help="worked examples a prompt")
        parser.add_argument("--dry-run", action="store_true", help="say what would happen")
        parser.add_argument("--as-imported", action="store_true", help="an unreviewed set as it is")
        parser.add_argument("--allow-licence", action="append", default=[], metavar="LICENCE")
        parser.add_argument(
            "--despite-audit", metavar="REASON", default="", help="freeze where the audit fails"
        )
        parser.add_argument("--at", help="time of freezing, ISO 8601; default now")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Freeze, or list every reason why not; exit status 1 where refused."""
        order = _order(options)
        with progress_bar("attacking options", verbosity=options["verbosity"]) as advance:
            if options["dry_run"]:
                plan = plan_release(order, advance=lambda _subtask: advance())
            else:
                self.note("freezing", verbosity=options["verbosity"])
                try:
                    release = freeze(order, advance=lambda _subtask: advance())
                except FreezeRefused as error:
                    raise CommandError(str(error), returncode=REFUSED) from error
        if options["dry_run"]:
            self.report(_outlook(plan), as_json=options["json"], words=_outlook_words(plan))
            return
        manifest = release.manifest
        result = {
            "version": release.version,
            "sha256": manifest["sha256"],
            "counts": manifest["counts"],
            "left_out": release.left_out,
            "audit": manifest["audit"],
        }
        total = sum(manifest["counts"].values())
        words = f"{release} frozen: {total} items, sha256 {manifest['sha256']}"
        self.report(result, as_json=options["json"], words=words)


def _order(options: dict[str, Any]) -> FreezeOrder:
    if not _VERSION.fullmatch(options["release_version"]):
        msg = (
            f"version {options['release_version']!r}: letters, digits and . _ + - are taken, "
            "at most 60, the first a letter or digit"
        )
        raise CommandError(msg, returncode=WRONG_USE)
    unknown = [name for name in options["subtasks"] if name not in SUBTASKS]
    if unknown:
        msg = f"no subtask {', '.join(unknown)}: there are {', '.join(SUBTASKS)}"
        raise CommandError(msg, returncode=WRONG_USE)
    if not _NAME.fullmatch(options["name"]):
        msg = f"--name {options['name']!r}: one line of 1 to 100 characters"
        raise CommandError(msg, returncode=WRONG_USE)
    if not 0 <= options["shots"] <= 10:
        msg = f"--shots {options['shots']}: from 0 to 10"
        raise CommandError(msg, returncode=WRONG_USE)
    reason = options["despite_audit"].strip()
    if options["despite_audit"] and len(reason) < _SHORTEST_REASON:
        msg = f"--despite-audit: say why, in {_SHORTEST_REASON} characters or more"
        raise CommandError(msg, returncode=WRONG_USE)
    return FreezeOrder(
        name=options["name"],
        version=options["release_version"],
        at=_time(options["at"]),
        subtasks=tuple(sorted(set(options["subtasks"]))),
        shots=options["shots"],
        as_imported=options["as_imported"],
        allowed_licences=tuple(sorted(set(options["allow_licence"]))),
        despite_audit=storable(reason),
    )


def _time(text: str | None) -> datetime:
    """Return a time in UTC, whole seconds; one without a zone is taken as UTC."""
    if text is None:
        return timezone.now().astimezone(UTC).replace(microsecond=0)
    try:
        time = datetime.fromisoformat(text)
        return _in_utc(time)
    except (ValueError, OverflowError) as error:
        msg = f"--at {text}: expected a time such as 2026-01-31T12:00:00Z"
        raise CommandError(msg, returncode=WRONG_USE) from error


def _in_utc(time: datetime) -> datetime:
    aware = time if time.tzinfo else time.replace(tzinfo=UTC)
    return aware.astimezone(UTC).replace(microsecond=0)


def _outlook(plan: Plan) -> dict[str, Any]:
    """Return what would enter with the interval each subtask would have, and what not."""
    subtasks = {}
    for name, ids in plan.test_by_subtask.items():
        subtasks[name] = {
            "items": len(ids),
            "worked_examples": len(plan.split.shots.get(name, ())),
            "interval_half_width": round(_half_width(len(ids)), 4),
            "items_missing_for_5_points": max(0, _ITEMS_FOR_FIVE_POINTS - len(ids)),
        }
    return {
        "version": plan.order.version,
        "would_enter": subtasks,
        "left_out": [{"item": item, "why": why} for item, why in plan.left_out],
        "not_approved": states_left_out(plan.order.subtasks, as_imported=plan.order.as_imported),
        "audit": as_json(plan.judged, despite=plan.order.despite_audit),
        "refused": plan.reasons,
    }


def _outlook_words(plan: Plan) -> str:
    outlook = _outlook(plan)
    lines = [
        f"{name}: {row['items']} items, {row['worked_examples']} worked examples, interval "
        f"± {row['interval_half_width']:.3f} at one half; {row['items_missing_for_5_points']} "
        "more for ± 0.05"
        for name, row in outlook["would_enter"].items()
    ]
    lines += [f"left out: {row['item']}: {row['why']}" for row in outlook["left_out"]]
    lines += [f"not approved: {count} {state}" for state, count in outlook["not_approved"].items()]
    lines += [f"audit: {one.subtask}: {_verdict(one)}" for one in plan.judged]
    lines += [f"refused: {reason}" for reason in plan.reasons]
    return "\n".join(lines) or "nothing would enter"


def _verdict(one: Judged) -> str:
    words = one.verdict.replace("_", " ")
    return f"{words}: {one.reasons[0]}" if one.reasons else words
