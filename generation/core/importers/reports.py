"""Looks up whether an evaluation resolved an instance, in SWE-bench's report files."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from generation.core.importers.errors import ImportInputError
from generation.core.importers.streams import NotJsonError, parse_json

FOLDERS = ("run_evaluation", "eval_outputs")
"""Names of the folders that evaluations write: SWE-bench's, and OpenHands' beside its output."""
_REPORT = "report.json"
_FOLDERS_ABOVE = 4
_LARGEST_REPORT = 64 * 1024 * 1024
_RESOLVED = ("ids_resolved", "resolved_ids")
_UNRESOLVED = ("ids_unresolved", "unresolved_ids")


class Reports:
    """Verdicts of the evaluation reports near the files of one import.

    They lie in a ``report.json`` beside a file, or in ``run_evaluation`` folders beside it, beside
    the path that was given, or beside up to three folders above either; or in the folder
    ``named`` alone. Each folder is walked once.
    """

    def __init__(self, *, given: Path, named: Path | None = None) -> None:
        self._given = given.absolute()
        self._named = named
        self._known: dict[Path, _Folder] = {}
        self._beside: dict[Path, dict[str, bool]] = {}

    def resolved(self, instance: str, *, file: Path) -> bool | None:
        """Return whether the nearest report that knows ``instance`` says resolved.

        None: no report knows it, or the reports of one folder contradict each other.

        Raises:
            ImportInputError: a report of it is no JSON, or ``named`` is no folder.
        """
        verdict = None if self._named is not None else self._verdict_beside(instance, file)
        if verdict is not None:
            return verdict
        for path in self._folders(file):
            if path not in self._known:
                self._known[path] = _Folder(path)
            verdicts = self._known[path].verdicts(instance)
            if verdicts:
                return verdicts.pop() if len(verdicts) == 1 else None
        return None

    def _verdict_beside(self, instance: str, file: Path) -> bool | None:
        """Return what a ``report.json`` in the file's own folder says.

        One that names no instance is of the folder's name.
        """
        path = file.absolute().parent / _REPORT
        if path not in self._beside:
            self._beside[path] = _summary(path) if path.is_file() else {}
        return self._beside[path].get(instance)

    def _folders(self, file: Path) -> Iterator[Path]:
        if self._named is not None:
            candidates = [*(self._named / name for name in FOLDERS), self._named]
            if not self._named.is_dir():
                raise ImportInputError(self._named, "no folder of reports")
        else:
            above = [*file.absolute().parents[:_FOLDERS_ABOVE]]
            above += [self._given, *self._given.parents[:_FOLDERS_ABOVE]]
            candidates = [folder / name for folder in dict.fromkeys(above) for name in FOLDERS]
        yield from (folder for folder in candidates if folder.is_dir())


class _Folder:
    """The reports of one folder: single ones by the name of the folder they lie in, summaries."""

    def __init__(self, root: Path) -> None:
        self._single: dict[str, list[Path]] = {}
        self._summaries: list[dict[str, bool]] = []
        for where, folders, files in os.walk(root):
            folders.sort()
            for name in sorted(files):
                path = Path(where, name)
                if name == _REPORT and path.parent != root:
                    self._single.setdefault(path.parent.name, []).append(path)
                elif name.endswith(".json") and path.parent == root:
                    self._summaries.append(_summary(path))

    def verdicts(self, instance: str) -> set[bool]:
        """Return what the reports say: a single report counts more than a summary."""
        paths = self._single.get(instance, ())
        found = [_verdict_of_report(path, instance) for path in paths]
        if not any(verdict is not None for verdict in found):
            found = [summary.get(instance) for summary in self._summaries]
        return {verdict for verdict in found if verdict is not None}


def _summary(path: Path) -> dict[str, bool]:
    report = _load(path)
    verdicts: dict[str, bool] = {}
    if isinstance(report, dict):
        for keys, verdict in ((_UNRESOLVED, False), (_RESOLVED, True)):
            for key in keys:
                listed = report.get(key)
                names = listed if isinstance(listed, list) else []
                verdicts |= {name: verdict for name in names if isinstance(name, str)}
        for name, inner in report.items():
            if isinstance(inner, dict) and isinstance(inner.get("resolved"), bool):
                verdicts[name] = inner["resolved"]
        if isinstance(report.get("resolved"), bool):
            verdicts[path.parent.name] = report["resolved"]
    return verdicts


def _verdict_of_report(path: Path, instance: str) -> bool | None:
    report = _load(path)
    if not isinstance(report, dict):
        return None
    inner = report.get(instance)
    holder = inner if isinstance(inner, dict) else report
    verdict = holder.get("resolved")
    return verdict if isinstance(verdict, bool) else None


def _load(path: Path) -> Any:
    try:
        if path.stat().st_size > _LARGEST_REPORT:
            raise ImportInputError(path, f"a report larger than {_LARGEST_REPORT} bytes")
        return parse_json(path.read_bytes())[0]
    except OSError as error:
        raise ImportInputError(path, error.strerror or "cannot be read") from error
    except NotJsonError as error:
        raise ImportInputError(path, f"the report is not valid JSON: {error}") from error
