"""``python -m scorer PREDICTIONS [--json] [--compat aptbench]``, run inside an export."""

import json
import sys
from argparse import ArgumentParser
from io import TextIOWrapper
from pathlib import Path

from . import BenchmarkError, DigestMismatch, PredictionError, report, score
from .compat import NAME


def main(arguments: list[str] | None = None) -> int:
    """Print the scores of the export that this package lies in.

    Returns: 0 when it ran, 1 when a file of the export was changed, 2 for unreadable input.
    """
    parser = ArgumentParser(
        prog="python -m scorer", description="Score predictions on this export."
    )
    parser.add_argument("predictions", type=Path, help="JSON lines with id and output")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    parser.add_argument("--compat", choices=[NAME], help="score as the official scripts do")
    options = parser.parse_args(arguments)
    folder = Path(__file__).resolve().parent.parent
    try:
        scores = score(folder, options.predictions, compat=options.compat)
    except DigestMismatch as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except (BenchmarkError, PredictionError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    print(json.dumps(scores) if options.json else report(scores), end="\n" if options.json else "")
    return 0


if __name__ == "__main__":
    sys.exit(main())
