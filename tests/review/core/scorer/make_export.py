"""Small exports and prediction files, written by hand for the scorer's tests."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any


def make_row(key: str, **fields: Any) -> dict[str, Any]:
    """A choice item with options A to D and gold B, unless ``fields`` say otherwise."""
    row: dict[str, Any] = {
        "id": key,
        "subtask": "env_setup_plan",
        "scenario": "env_setup",
        "ability": "plan",
        "language": "en",
        "format": "choice",
        "reader": "letter",
        "metrics": ["accuracy"],
        "prompt": "Which plan? (",
        "options": [{"label": label, "text": f"plan {label}"} for label in "ABCD"],
        "gold": ["B"],
        "max_new_tokens": 10,
        "stop": ["\n\n"],
        "cluster": key,
        "chars": 13,
        "tokens": 4,
        "tokenizer": "estimate",
        "bucket": "<=4K",
        "long_context": False,
        "source": {"kind": "demo", "id": key, "licence": "MIT"},
        "sha256": "0" * 64,
        "canary": "canary",
    }
    return row | fields


def make_command(key: str, gold: str, **fields: Any) -> dict[str, Any]:
    defaults: dict[str, Any] = {
        "subtask": "env_setup_action",
        "ability": "action",
        "format": "completion",
        "reader": "command",
        "metrics": ["em_strict", "em_norm", "tool_match", "arg_f1"],
        "options": None,
        "gold": [gold],
        "stop": ["```"],
    }
    return make_row(key, **defaults | fields)


def make_answer(key: str, gold: str, **fields: Any) -> dict[str, Any]:
    defaults: dict[str, Any] = {
        "subtask": "closed_answer_en",
        "scenario": "closed_qa",
        "ability": "atomic",
        "format": "completion",
        "reader": "answer",
        "metrics": ["em_strict", "em_norm", "rouge1", "rouge2", "rougeL"],
        "options": None,
        "gold": [gold],
        "stop": ["]", "\n"],
    }
    return make_row(key, **defaults | fields)


def make_choices(key: str, gold: list[str], **fields: Any) -> dict[str, Any]:
    defaults: dict[str, Any] = {
        "subtask": "open_citation_en",
        "scenario": "open_qa",
        "ability": "atomic",
        "format": "choices",
        "reader": "letters",
        "metrics": ["set_accuracy", "jaccard", "option_f1"],
        "gold": gold,
    }
    return make_row(key, **defaults | fields)


def write_export(folder: Path, rows: list[dict[str, Any]], **fields: Any) -> Path:
    """Write a native export of ``rows`` with right digests; ``fields`` replace the manifest's."""
    (folder / "items").mkdir(parents=True)
    by_subtask: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        by_subtask.setdefault(row["subtask"], []).append(row)
    files = []
    for subtask, members in sorted(by_subtask.items()):
        path = f"items/{subtask}.jsonl"
        data = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in members).encode()
        (folder / path).write_bytes(data)
        digest = sha256(data).hexdigest()
        files.append({"path": path, "sha256": digest, "bytes": len(data), "rows": len(members)})
    text = "".join(f"{one['sha256']}  {one['path']}\n" for one in files)
    manifest = {
        "format": "apt-annotate-native-1",
        "name": "demo",
        "version": "1.0",
        "shots": 3,
        "sha256": sha256(text.encode()).hexdigest(),
        "counts": {subtask: len(members) for subtask, members in by_subtask.items()},
        "files": files,
    }
    (folder / "manifest.json").write_text(json.dumps(manifest | fields), encoding="utf-8")
    return folder


def write_predictions(path: Path, outputs: dict[str, Any]) -> Path:
    """Write one line an item; a value is the output, or a dict of the line's other fields."""
    lines = [
        json.dumps({"id": key, **(value if isinstance(value, dict) else {"output": value})})
        for key, value in outputs.items()
    ]
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path
