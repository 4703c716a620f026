"""Measures the importers of documents on large files; prints one JSON object.

``python benchmarks/import_documents.py [MEGABYTES]`` repeats the project's own samples of each kind
until the wanted size, as JSON lines (and for SWE-bench as CSV and as one JSON array as well), imports
the file in a process of its own and reports CPU seconds, megabytes a second, and by how much the peak
of resident memory grew over that after a first small file, in megabytes.
"""

import csv
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from generation.core.importers.catalogue import IMPORTERS

MEGABYTE = 1_000_000
PROJECT = Path(__file__).resolve().parents[1]
FIXTURES = PROJECT / "fixtures"
SAMPLES = {
    "deepresearch_bench": "deepresearch_bench/raw_data/sample-reporter.jsonl",
    "github_issues": "github_issues/issues.json",
    "predictions": "predictions/sample-fixer-b/preds.jsonl",
    "researchy_questions": "researchy_questions/questions.jsonl",
    "swe_bench": "swe_bench/instances.jsonl",
}


def rows_of(kind: str) -> list[dict[str, Any]]:
    """Return the sample rows of a kind; an issue comes with ten comments."""
    text = (FIXTURES / SAMPLES[kind]).read_text(encoding="utf-8")
    if kind != "github_issues":
        return [json.loads(line) for line in text.splitlines()]
    comments = json.loads((FIXTURES / "github_issues/comments_gullsight.json").read_text())
    return [{"issue": issue, "comments": comments * 2} for issue in json.loads(text)]


def write_lines(path: Path, rows: list[dict[str, Any]], size: float) -> None:
    """Write rows as JSON lines until the file has the size, in bytes."""
    written = 0
    with path.open("wb") as file:
        for row in cycle(rows):
            written += file.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
            if written >= size:
                return


def write_array(path: Path, rows: list[dict[str, Any]], size: float) -> None:
    """Write rows as one JSON array until the file has the size, in bytes."""
    written = 0
    with path.open("wb") as file:
        for row in cycle(rows):
            written += file.write(b",\n" if written else b"[")
            written += file.write(json.dumps(row, ensure_ascii=False).encode())
            if written >= size:
                file.write(b"]\n")
                return


def write_table(path: Path, rows: list[dict[str, Any]], size: float) -> None:
    """Write rows as CSV until the file has the size, in bytes."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        for row in cycle(rows):
            flat = {k: v if isinstance(v, str) else json.dumps(v) for k, v in row.items()}
            writer.writerow(flat)
            if file.tell() >= size:
                return


CASES: list[tuple[str, str, Callable[[Path, list[dict[str, Any]], float], None]]] = [
    *((kind, "rows.jsonl", write_lines) for kind in SAMPLES),
    ("swe_bench", "rows.json", write_array),
    ("swe_bench", "rows.csv", write_table),
]


def measure(kind: str, small: Path, large: Path) -> dict[str, float]:
    """Import both files in this process and return what the large one took."""
    importer = IMPORTERS[kind]
    for _ in importer.read(small):
        pass
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.process_time()
    records = sum(1 for _ in importer.read(large))
    seconds = time.process_time() - started
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    megabytes = large.stat().st_size / MEGABYTE
    return {
        "records": records,
        "megabytes": round(megabytes, 1),
        "cpu_seconds": round(seconds, 2),
        "megabytes_per_second": round(megabytes / seconds, 1),
        "peak_growth_megabytes": round(grown * 1024 / MEGABYTE, 1),
    }


def main(arguments: list[str]) -> None:
    """Write the files, import each in a process of its own, print what they took."""
    if arguments[:1] == ["--measure"]:
        kind, small, large = arguments[1], Path(arguments[2]), Path(arguments[3])
        sys.stdout.write(json.dumps(measure(kind, small, large)) + "\n")
        return
    wanted = float(arguments[0] if arguments else 100) * MEGABYTE
    results = {}
    for kind, name, write in CASES:
        with tempfile.TemporaryDirectory() as folder:
            small, large = Path(folder, f"small_{name}"), Path(folder, name)
            write(small, rows_of(kind), 1)
            write(large, rows_of(kind), wanted)
            command = [sys.executable, __file__, "--measure", kind, str(small), str(large)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
            results[f"{kind} {name}"] = json.loads(done.stdout)
    sys.stdout.write(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
