"""Audits whole sets: what guesses that never read the question gain; which operators fail."""

from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from generation.core.attacks.gate import Verdict
from generation.core.attacks.set_audit import SetAudit, as_json
from generation.core.registry import SUBTASKS
from generation.management.reporting import WRONG_USE, ReportingCommand, progress_bar, seed
from generation.services.audits import Origin, audit_sets
from review.models import OptionVerdictValue
from review.services.audit_folders import NotABenchmark, audit_folder
from review.services.operators import OperatorVerdicts, operator_verdicts
from review.services.release_sets import NoSuchRelease, release_orders

_COMPLAINTS = tuple(value for value in OptionVerdictValue if value != OptionVerdictValue.VALID)


class Command(ReportingCommand):
    """See the module docstring."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare ``--subtask``, ``--release``, ``--input`` and ``--seed``."""
        super().add_arguments(parser)
        parser.add_argument("--subtask", action="append", default=[], help="this one; repeatable")
        parser.add_argument(
            "--release", metavar="VERSION", help="the test items of a release, in their order"
        )
        parser.add_argument(
            "--input", type=Path, metavar="DIR", help="an export, or data/ in the official layout"
        )
        parser.add_argument("--seed", type=seed, default=0, help="of every random choice")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Audit what the database holds, a release or a folder; findings change no exit status."""
        unknown = [name for name in options["subtask"] if name not in SUBTASKS]
        if unknown:
            msg = f"no subtask {', '.join(unknown)}: there are {', '.join(SUBTASKS)}"
            raise CommandError(msg, returncode=WRONG_USE)
        if options["release"] and options["input"]:
            msg = "--release and --input: one of them"
            raise CommandError(msg, returncode=WRONG_USE)
        with progress_bar("attacking options", verbosity=options["verbosity"]) as advance:
            try:
                found = _audits(options, lambda _name: advance())
            except (NoSuchRelease, NotABenchmark) as error:
                raise CommandError(str(error), returncode=WRONG_USE) from error
        operators = () if options["input"] else operator_verdicts()
        result = {
            "seed": options["seed"],
            "release": options["release"],
            **({"input": str(options["input"])} if options["input"] else {}),
            "passes": all(
                audit.gate.verdict is not Verdict.FAILS for audit in found[Origin.BUILT].values()
            ),
            **{
                str(origin): {name: as_json(audit) for name, audit in audits.items()}
                for origin, audits in found.items()
            },
            "operators": [_operator(one) for one in operators],
        }
        lines = [
            line
            for origin, audits in found.items()
            for name, audit in audits.items()
            for line in _set_lines(f"{name} ({origin})", audit)
        ]
        words = "\n".join([*(lines or ["No complete questions to audit"]), *_words(operators)])
        self.report(result, as_json=options["json"], words=words)


def _audits(
    options: Mapping[str, Any], advance: Callable[[str], None]
) -> dict[Origin, dict[str, SetAudit]]:
    """Return the audits of what the options name."""
    if options["input"]:
        names = frozenset(options["subtask"])
        return audit_folder(options["input"], subtasks=names, seed=options["seed"], advance=advance)
    orders = release_orders(options["release"]) if options["release"] else None
    return audit_sets(
        subtasks=[SUBTASKS[name] for name in options["subtask"]],
        revisions=orders,
        orders=orders,
        seed=options["seed"],
        advance=advance,
    )


def _operator(one: OperatorVerdicts) -> dict[str, Any]:
    return {
        "operator": one.operator,
        "model": one.model,
        "options": one.options,
        "verdicts": one.verdicts.total(),
        "shares": {str(value): one.share(value) for value in OptionVerdictValue},
    }


def _set_lines(title: str, audit: SetAudit) -> Iterator[str]:
    missing = f", {audit.unanswerable} without a right answer" if audit.unanswerable else ""
    yield f"{title}: {audit.n} questions{missing}; {audit.gate.verdict.replace('_', ' ')}"
    if audit.attacked and audit.attacked.results:
        chance = audit.attacked.results[0].chance
        yield f"  {'attack (chance ' + format(chance, '.3f') + ')':27} right  95 %           p adj."
        for result in sorted(audit.attacked.results, key=lambda result: -result.accuracy):
            yield (
                f"  {result.name:27} {result.accuracy:.3f}  {result.accuracy_low:.3f} to "
                f"{result.accuracy_high:.3f} {result.p_holm:7.2g} {result.detail}".rstrip()
            )
        for name, why in audit.attacked.left_out.items():
            yield f"  {name:27} not made: {why}"
    for rule in audit.completions:
        yield (
            f"  {rule.name:27} {rule.accuracy:.3f}  {rule.accuracy_low:.3f} to "
            f"{rule.accuracy_high:.3f}  {rule.detail[:80]}"
        )
    if audit.positions and audit.positions.p is not None:
        counts = ", ".join(map(str, audit.positions.counts))
        yield (
            f"  position of gold: {counts}; chi-square {audit.positions.chi_square:.1f} on "
            f"{audit.positions.degrees}, p {audit.positions.p:.2g}"
        )
    for reason in audit.gate.reasons:
        yield f"  ! {reason}"


def _words(operators: Sequence[OperatorVerdicts]) -> Iterator[str]:
    for one in operators:
        shares = ", ".join(f"{value} {one.share(value):.2f}" for value in _COMPLAINTS)
        model = f" by {one.model}" if one.model else ""
        yield f"{one.operator}{model}: {one.options} options, {one.verdicts.total()} verdicts: {shares}"
