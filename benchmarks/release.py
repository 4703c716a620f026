"""Times freezing, exporting and scoring of a made-up release, and prints JSON.

``python -m benchmarks.release [ITEMS] [KILOBYTES]``: 600 items with prompts of 170 KB unless told
otherwise, on an SQLite database of its own that goes away again. Memory is growth of the peak.
"""

import json
import os
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


def _measured(work: Callable[[], Any]) -> dict[str, float]:
    """Run ``work`` and return its CPU seconds and by how many MB the peak memory grew."""
    peak, start = _peak_mb(), time.process_time()
    work()
    return {
        "cpu_seconds": round(time.process_time() - start, 2),
        "peak_growth_mb": round(_peak_mb() - peak, 1),
    }


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _text(number: int, kilobytes: int) -> str:
    """Return text that compresses about as well as what tools print."""
    draw = random.Random(number)  # noqa: S311  made-up text, the same every time
    words = [f"{draw.randrange(4000):x}" for _ in range(400)]
    lines = (" ".join(draw.choices(words, k=12)) for _ in range(kilobytes * 1024 // 45))
    return "\n".join(lines)


def main() -> None:
    """Make the release in a temporary folder, measure, print."""
    items = int(sys.argv[1]) if len(sys.argv) > 1 else 600
    kilobytes = int(sys.argv[2]) if len(sys.argv) > 2 else 170
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"APT_VAR_DIR": folder, "DATABASE_URL": "", "APT_DEBUG": "0"}
        os.environ["DJANGO_SETTINGS_MODULE"] = "apt_annotate.settings"
        import django

        django.setup()
        sys.stdout.write(json.dumps(_figures(Path(folder), items, kilobytes)) + "\n")


def _figures(folder: Path, items: int, kilobytes: int) -> dict[str, Any]:
    from datetime import UTC, datetime

    from django.core.management import call_command

    from generation.core.records import Language, Provenance, Question
    from generation.services.sources import store_records
    from review.core.baseline import predict
    from review.core.scorer import score
    from review.models import Release
    from review.services.exports import export_native
    from review.services.release_plan import FreezeOrder
    from review.services.releases import freeze

    call_command("migrate", verbosity=0)
    for number in range(items):
        provenance = Provenance("aptbench", f"u{number}", f"task {number}", f"rows.jsonl:{number}")
        question = Question(
            provenance=provenance,
            subtask="issue_fix_fix_patch",
            language=Language.EN,
            slots={"issue_statement": _text(number, kilobytes)},
            options=("- a\n+ b", "- c\n+ d", "- e\n+ f", "- g\n+ h"),
            gold=("ABCD"[number % 4],),
            raw={},
        )
        store_records([question])
    order = FreezeOrder("made-up", "1", datetime(2026, 1, 1, tzinfo=UTC), as_imported=True)
    out = folder / "out"
    figures: dict[str, Any] = {"items": items, "kilobytes": kilobytes}
    figures["freeze"] = _measured(lambda: freeze(order))
    release = Release.objects.get()
    figures["export"] = _measured(lambda: export_native(release, out, progress=lambda _path: None))
    size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file()) / 2**20
    figures["export"]["mb_per_cpu_second"] = round(size / figures["export"]["cpu_seconds"], 1)
    predictions = folder / "predictions.jsonl"
    with predictions.open("w", encoding="utf-8") as file:
        for line in (out / "items/issue_fix_fix_patch.jsonl").open(encoding="utf-8"):
            item = json.loads(line)
            file.write(json.dumps({"id": item["id"], "output": predict(item)}) + "\n")
    figures["score"] = _measured(lambda: score(out, predictions))
    return figures


if __name__ == "__main__":
    main()
