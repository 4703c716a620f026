"""Audits a benchmark that lies in a folder: one exported from here, or one in the official layout."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from generation.core.attacks.completion import Completion
from generation.core.attacks.option_set import OptionSet
from generation.core.attacks.set_audit import SetAudit, audit_choices, audit_completions
from generation.core.community import community_of
from generation.core.importers.catalogue import IMPORTERS
from generation.core.importers.errors import ImportInputError
from generation.core.labels import label_of
from generation.core.records import Question, Refusal
from generation.core.registry import SUBTASKS
from generation.core.subtask import AnswerFormat
from generation.services.audits import Origin, option_set
from review.core.scorer import BenchmarkError, read_benchmark

ONLY_RULE = "most_frequent_gold"
"""Of the rules for completions the one that an export allows: what was done last stands in prompts."""


class NotABenchmark(ValueError):
    """The folder holds neither an export nor the official layout; the message says what is wrong."""


@dataclass(slots=True)
class _Sets:
    """The questions of one subtask."""

    choices: list[OptionSet] = field(default_factory=list)
    completions: list[Completion] = field(default_factory=list)
    unanswerable: int = 0
    rules_only: bool = True

    def add(self, options: list[str], gold: list[str], *, cluster: str, community: str) -> None:
        """Add a question to be answered by choice."""
        question = option_set(options, gold, cluster=cluster, community=community)
        if question is None:
            self.unanswerable += 1
        else:
            self.choices.append(question)


def audit_folder(
    folder: Path,
    *,
    subtasks: frozenset[str] = frozenset(),
    seed: int = 0,
    advance: Callable[[str], None] = lambda _name: None,
) -> dict[Origin, dict[str, SetAudit]]:
    """Return the audit of each subtask in a folder, of those named or all, by the set's origin.

    The numbers are those that the database gives for the same release or rows with one seed. The
    questions of an export are all of one origin, that of the release.

    Raises:
        NotABenchmark: the folder can't be read as a benchmark.
    """
    is_export = (folder / "manifest.json").is_file()
    origin, sets = _exported(folder) if is_export else (Origin.IMPORTED, _official(folder))
    found: dict[Origin, dict[str, SetAudit]] = {each: {} for each in Origin}
    for name in SUBTASKS:
        if name in sets and (not subtasks or name in subtasks):
            audit = _audit(sets[name], seed, partial(advance, name))
            found[origin][name] = _without_last_actions(audit) if is_export else audit
    return found


def _audit(sets: _Sets, seed: int, advance: Callable[[], None]) -> SetAudit:
    if sets.completions:
        return audit_completions(sets.completions)
    return audit_choices(
        sets.choices,
        unanswerable=sets.unanswerable,
        ordered=True,
        rules_only=sets.rules_only,
        seed=seed,
        advance=advance,
    )


def _without_last_actions(audit: SetAudit) -> SetAudit:
    return replace(audit, completions=tuple(c for c in audit.completions if c.name == ONLY_RULE))


def _exported(folder: Path) -> tuple[Origin, dict[str, _Sets]]:
    try:
        benchmark = read_benchmark(folder)
    except BenchmarkError as error:
        raise NotABenchmark(str(error)) from error
    sets: dict[str, _Sets] = defaultdict(_Sets)
    for item in _items(folder):
        if item["subtask"] not in SUBTASKS:
            msg = f"{folder}: no subtask {item['subtask']!r} is known here"
            raise NotABenchmark(msg)
        own = sets[item["subtask"]]
        if item["options"] is None:
            own.completions.append(Completion(tuple(item["gold"]), cluster=item["cluster"]))
            continue
        labels = [option["label"] for option in item["options"]]
        own.add(
            [option["text"] for option in item["options"]],
            [label_of(labels.index(label)) for label in item["gold"]],
            cluster=item["cluster"],
            community=community_of(item["source"]["kind"], item["cluster"], item["language"]),
        )
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    for one in (manifest.get("audit") or {}).get("subtasks", ()):
        if one["subtask"] in sets:
            sets[one["subtask"]].rules_only = one.get("rules_only") is not False
    imported = str(benchmark.validation).startswith("none")
    return Origin.IMPORTED if imported else Origin.BUILT, dict(sets)


def _items(folder: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the lines of a folder's items, whose digests and shape were checked."""
    for path in sorted((folder / "items").glob("*.jsonl")):
        with path.open(encoding="utf-8") as file:
            yield from map(json.loads, file)


def _official(folder: Path) -> dict[str, _Sets]:
    sets: dict[str, _Sets] = defaultdict(_Sets)
    try:
        for found in IMPORTERS["aptbench"].read(folder):
            if isinstance(found, Question):
                _add(sets[found.subtask], found)
            elif isinstance(found, Refusal):
                msg = f"{found.where}: {found.why}"
                raise NotABenchmark(msg)
    except ImportInputError as error:
        msg = f"{error}; a folder with a manifest.json, or with data/ in the official layout"
        raise NotABenchmark(msg) from error
    return dict(sets)


def _add(sets: _Sets, row: Question) -> None:
    cluster = row.provenance.cluster
    if SUBTASKS[row.subtask].answer_format is AnswerFormat.COMPLETION:
        last = row.shown_actions[-1] if row.shown_actions else ""
        sets.completions.append(Completion(row.gold, last, cluster))
        return
    community = community_of(row.provenance.kind, cluster, row.language)
    sets.add(list(row.options), list(row.gold), cluster=cluster, community=community)
