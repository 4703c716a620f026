"""A real small model goes the way of any model: set, asked for wrong options, evaluated, scored.

``python .ci/demo_model.py`` on a loaded demo; the last line is one JSON object. Options so: the
model is asked about drafts that rules gave none, with other seeds until some draft gets options
that the rules let stand. Evaluated are the shortest English items, since the model knows little else; the score
tells how many have no prediction.
"""

import contextlib
import http.client
import json
import os
import subprocess
import sys
import urllib.parse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parent.parent
NAME = "smollm2"
SUBTASK = "issue_fix_plan"
VERSION = "demo-1"
_SEEDS = range(12)
_DRAFTS = "3"
_ITEMS = 2
_LONGEST_PROMPT = 10_000
"""Characters; beyond, a small model on one thread takes minutes for an answer."""
_SECONDS = 600


def note(text: str) -> None:
    """Tell a person how far it is."""
    sys.stderr.write(f"{text}\n")


def manage(*words: str, allowed: tuple[int, ...] = (0,)) -> Any:
    """Return what a command prints with ``--json``; None where it left with another allowed status.

    Raises:
        SystemExit: it left with a status that is not allowed.
    """
    done = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "manage.py", *words, "--json"],
        cwd=PROJECT,
        env={**os.environ, "APT_LLM_TIMEOUT": str(_SECONDS)},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode not in allowed:
        sys.exit(f"{words[0]} left with {done.returncode}")
    return json.loads(done.stdout) if done.returncode == 0 else None


@contextlib.contextmanager
def model_server() -> Iterator[tuple[str, int]]:
    """Give the address and the process of a server with the model; it ends with the block."""
    program = [sys.executable, str(PROJECT / ".ci" / "serve_model.py")]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as server:  # noqa: S603 - our own
        try:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            if not address:
                sys.exit("the model's server did not start")
            yield address, server.pid
        finally:
            server.terminate()


def ask_for_options(address: str) -> dict[str, Any]:
    """Set the model and have it write wrong options; return what its runs came to."""
    manage(
        *("set_model", NAME, "--model", "smollm2-135m-instruct", "--base-url", f"{address}/v1"),
        *("--key-variable", "", "--input-price", "0.01", "--output-price", "0.02", "--structured"),
    )
    runs = []
    for seed in _SEEDS:
        note(f"asking {NAME} for wrong options of {SUBTASK}, seed {seed}")
        run = manage(
            *("generate_distractors", "--subtask", SUBTASK, "--model", NAME, "--limit", _DRAFTS),
            *("--seed", str(seed), "--budget", "0.01", "--wait"),
            allowed=(0, 1),  # 1: all was asked with this seed before
        )
        if run is None:
            continue
        runs.append(run)
        if run["candidates"]:
            break
    return {
        "runs": [run["run"] for run in runs],
        "calls": sum(sum(run["calls"].values()) for run in runs),
        "drafts_with_options": sum(sum(run["candidates"].values()) for run in runs),
        "spent_usd": [run["spent_usd"] for run in runs],
        "left_out": [row for run in runs for row in run["left_out"]],
    }


def answer(address: str, item: dict[str, Any], prompt: str) -> str:
    """Return what the model writes on after a prompt."""
    body = {
        "prompt": prompt,
        "max_tokens": item["max_new_tokens"],
        "stop": item["stop"],
        "temperature": 0,
    }
    host = urllib.parse.urlsplit(address).netloc
    connection = http.client.HTTPConnection(host, timeout=_SECONDS)
    kind = {"Content-Type": "application/json"}
    with contextlib.closing(connection):
        connection.request("POST", "/v1/completions", json.dumps(body), kind)
        came = connection.getresponse()
        said = came.read()
    if came.status != http.HTTPStatus.OK:
        sys.exit(f"the model's server answered {came.status}: {said[:300]!r}")
    return str(json.loads(said)["choices"][0]["text"])


def evaluate(address: str, export: Path) -> Path:
    """Write the model's answers to the shortest items beside an export, and return the file."""
    file = export.with_name(f"{export.name}-{NAME}.jsonl")
    lines = []
    for path in sorted((export / "items").glob("*.jsonl")):
        head = (export / "prompts" / f"{path.stem}.txt").read_text(encoding="utf-8")
        items = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        items.sort(key=lambda item: (len(item["prompt"]), item["id"]))
        fitting = [
            item
            for item in items
            if item["language"] == "en" and len(head) + len(item["prompt"]) <= _LONGEST_PROMPT
        ][:_ITEMS]
        if fitting:
            note(f"evaluating {path.stem}: {len(fitting)} of {len(items)} items")
        for item in fitting:
            output = answer(address, item, head + item["prompt"])
            lines.append(json.dumps({"id": item["id"], "output": output, "model": NAME}))
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return file


def main() -> None:
    """Go the whole way and print what came of it."""
    sys.path.insert(0, str(PROJECT))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "apt_annotate.settings")
    from django.conf import settings

    export = settings.VAR_DIR / "exports" / VERSION
    with model_server() as (address, server_pid):
        options = ask_for_options(address)
        predictions = evaluate(address, export)
    scores = manage("score", "--benchmark", str(export), "--predictions", str(predictions))
    came = {
        "server_pid": server_pid,
        "options": options,
        "predictions": str(predictions),
        "score": {"signature": scores["signature"], "averages": scores["averages"]},
    }
    sys.stdout.write(f"{json.dumps(came, ensure_ascii=False)}\n")


if __name__ == "__main__":
    main()
