"""Tells how far independent reviewers agree, on every measure, with 95 % intervals over items."""

import csv
import json
import os
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from generation.management.reporting import WRONG_USE, ReportingCommand
from review.core.agreement.as_json import agreement_json
from review.core.agreement.bootstrap import RESAMPLES
from review.core.agreement.summary import Agreement
from review.core.agreement.value import Value
from review.services.agreement import RAW_COLUMNS, By, agreements, raw_rows, split
from review.services.votes import Measure, Votes, read_votes

_FORMATS = (".csv", ".jsonl")


class Command(ReportingCommand):
    """See the module docstring."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare ``--by``, ``--table``, ``--seed`` and ``--resamples``."""
        super().add_arguments(parser)
        parser.add_argument("--by", choices=list(By), help="one result for each group")
        parser.add_argument(
            "--table", type=Path, metavar="FILE", help="new .csv or .jsonl file: the raw table"
        )
        parser.add_argument("--seed", type=_whole, default=0, help="of the resamples (default 0)")
        parser.add_argument("--resamples", type=_positive, default=RESAMPLES, help="of items")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Read, measure, write the raw table where asked; names are pseudonyms."""
        table: Path | None = options["table"]
        if table:
            _refuse(table)
        votes = read_votes()
        if table:
            _write(table, votes)
            self.note(f"raw table written to {table}", verbosity=options["verbosity"])
        groups = split(votes, By(options["by"])) if options["by"] else {"": votes}
        found: dict[str, dict[Measure, Agreement]] = {}
        for name, part in groups.items():
            if name:
                self.note(f"measuring {name}", verbosity=options["verbosity"])
            found[name] = agreements(part, seed=options["seed"], resamples=options["resamples"])
        shown = {
            name: {str(measure): agreement_json(one) for measure, one in measures.items()}
            for name, measures in found.items()
        }
        words = "\n\n".join(_words(name, measures) for name, measures in found.items())
        result = shown if options["by"] else shown[""]
        self.report(result, as_json=options["json"], words=words or "No labels yet")


def _whole(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        msg = f"{text!r} is no whole number from 0 on"
        raise ArgumentTypeError(msg)
    return int(text)


def _positive(text: str) -> int:
    if not 1 <= (number := _whole(text)) <= 100_000:
        msg = f"{text} is not from 1 to 100000"
        raise ArgumentTypeError(msg)
    return number


def _refuse(table: Path) -> None:
    if table.suffix not in _FORMATS:
        msg = f"{table} has no known format: its name ends in {' or '.join(_FORMATS)}"
        raise CommandError(msg, returncode=WRONG_USE)
    if table.exists():
        msg = f"{table} exists; it is never overwritten"
        raise CommandError(msg, returncode=WRONG_USE)
    if not table.parent.is_dir():
        msg = f"{table.parent} is no folder"
        raise CommandError(msg, returncode=WRONG_USE)


def _write(table: Path, votes: Votes) -> None:
    """Write to a file beside ``table`` that takes its name at the end, so that it appears whole."""
    building = table.with_name(f".{table.name}.{os.getpid()}")
    try:
        with building.open("w", encoding="utf-8", newline="") as file:
            if table.suffix == ".csv":
                writer = csv.DictWriter(file, RAW_COLUMNS, lineterminator="\n")
                writer.writeheader()
                writer.writerows(map(_flat, raw_rows(votes)))
            else:
                for row in raw_rows(votes):
                    file.write(json.dumps(row, ensure_ascii=False) + "\n")
        building.rename(table)
    finally:
        building.unlink(missing_ok=True)


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with a set's members in one cell, with spaces between them."""
    value = row["value"]
    return {**row, "value": " ".join(value) if isinstance(value, list) else value}


def _words(group: str, measures: Mapping[Measure, Agreement]) -> str:
    silent = [str(measure) for measure, found in measures.items() if not found.n_items]
    lines = [group] if group else []
    for measure, found in measures.items():
        if found.n_items:
            lines += _measure_lines(measure, found)
    if silent:
        lines.append(f"No labels yet: {', '.join(silent)}")
    return "\n".join(lines)


def _measure_lines(measure: Measure, found: Agreement) -> Iterator[str]:
    yield (
        f"{measure}: {found.n_items} items, {found.n_pairable} with 2 or more labels, "
        f"{found.n_raters} reviewers"
    )
    if found.n_pairable:
        yield f"  raw {_shown(found.raw)}; alpha ({found.scale}) {_alpha(found)}"
        yield (
            f"  AC1 {_shown(found.ac1)} (independent raters: {_shown(found.ac1_by_chance)}); "
            f"Fleiss {_shown(found.fleiss)}; Brennan-Prediger {_shown(found.brennan_prediger)}"
        )
        if found.weighted:
            yield (
                f"  quadratic weights: raw {_shown(found.weighted.raw)}; "
                f"AC2 {_shown(found.weighted.ac2)}; Fleiss {_shown(found.weighted.fleiss)}; "
                f"Brennan-Prediger {_shown(found.weighted.brennan_prediger)}"
            )
        for pair in found.pairs:
            kappa = _shown(pair.cohen)
            yield f"  {' and '.join(pair.raters)}: n {pair.n}, raw {_shown(pair.raw)}, kappa {kappa}"
    for warned in found.warnings:
        yield f"  ! {warned.text}"


def _alpha(found: Agreement) -> str:
    interval = found.alpha_interval
    if interval is None or interval.low is None or interval.high is None:
        return _shown(found.alpha)
    missing = f"; {interval.undefined} resamples undefined" if interval.undefined else ""
    return f"{_shown(found.alpha)} ({interval.low:.3f} to {interval.high:.3f}{missing})"


def _shown(value: Value) -> str:
    return f"undefined ({value.reason})" if value.number is None else f"{value.number:.3f}"
