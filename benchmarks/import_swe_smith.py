"""Measures the SWE-smith importer on a large file of rows; prints one JSON object.

``python benchmarks/import_swe_smith.py ROWS.jsonl [MEGABYTES]`` repeats the rows of a file
(default: rows of its own making) until the wanted size, imports them and reports CPU seconds,
megabytes a second, and by how much the peak of resident memory grew, in megabytes.
"""

import json
import resource
import sys
import tempfile
import time
from itertools import cycle
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from generation.core.importers.catalogue import IMPORTERS

MEGABYTE = 1_000_000


def own_rows() -> list[bytes]:
    """Return rows with 30 steps each: long observations, edits and commands, like real ones."""
    rows = []
    for number in range(3):
        messages: list[dict[str, object]] = [
            {"role": "system", "content": "You fix code."},
            {"role": "user", "content": "Make the parser accept lengths with a unit. " * 60},
        ]
        for step in range(30):
            calls = (
                ("bash", {"command": f"cd /repo && sed -n '{step},90p' lib/length.py | head"}),
                (
                    "str_replace_editor",
                    {
                        "command": "str_replace",
                        "path": "/repo/lib/length.py",
                        "old_str": "    return int(text)\n" * 10,
                        "new_str": "    return int(text.removesuffix('cm'))\n" * 10,
                    },
                ),
            )
            name, arguments = calls[step % 2]
            function = {"name": name, "arguments": json.dumps(arguments)}
            call = {"id": f"call{step}", "type": "function", "function": function}
            thought = f"Step {step}: look at the next part of the parser."
            answer = "OBSERVATION:\n" + f"{step:5}\tdef parse_length(text):\r\n" * 90
            messages += [
                {"role": "assistant", "content": thought, "tool_calls": [call]},
                {"role": "tool", "tool_call_ids": [f"call{step}"], "content": answer},
            ]
        row = {
            "instance_id": f"lengths.{number}",
            "traj_id": f"lengths.{number}.run",
            "resolved": True,
            "model": "none",
            "messages": json.dumps(messages),
            "patch": "--- a/lib/length.py\n+++ b/lib/length.py\n",
        }
        rows.append(json.dumps(row).encode() + b"\n")
    return rows


def peak_megabytes() -> float:
    """Return the highest resident memory of this process so far, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / MEGABYTE


def main(arguments: list[str]) -> None:
    """Write the large file, import it, print what it took."""
    wanted = float(arguments[1] if len(arguments) > 1 else 300) * MEGABYTE
    rows = Path(arguments[0]).read_bytes().splitlines(True) if arguments else own_rows()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "rows.jsonl")
        written = 0
        with path.open("wb") as file:
            for row in cycle(rows):
                written += file.write(row)
                if written >= wanted:
                    break
        before, started, records = peak_megabytes(), time.process_time(), 0
        for _ in IMPORTERS["swe_smith"].read(path):
            records += 1
        seconds = time.process_time() - started
    report = {
        "records": records,
        "megabytes": round(written / MEGABYTE, 1),
        "cpu_seconds": round(seconds, 2),
        "megabytes_per_second": round(written / MEGABYTE / seconds, 1),
        "peak_growth_megabytes": round(peak_megabytes() - before, 1),
    }
    sys.stdout.write(json.dumps(report) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
