"""Reads SWE-bench instances: an issue, the patch that fixed it, the tests that came with it.

Sections: ``problem`` (the issue), ``patch`` and ``test_patch`` (future), ``hints`` (comments before
the fix, which often hold it: future), and where clones are given a ``file`` for each file that a
patch changes, as it is at the base commit. Formats: JSON arrays, JSON lines, CSV and Parquet of
SWE-bench and its subsets; the lists of tests as lists or as JSON text; further columns of text are
kept as ``labels``. Clones are found by ``generation.services.repositories``.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from generation.core.cuts import is_diff
from generation.core.importers.fields import FieldError, needed_text, optional_text, texts_of
from generation.core.importers.importer import Importer, InputFile, Unrecognised
from generation.core.importers.issue_runs import files_ending
from generation.core.importers.streams import Parsed
from generation.core.importers.tables import table_rows
from generation.core.patches import PatchedFile, PatchError, read_patch
from generation.core.records import (
    Document,
    Language,
    Note,
    Provenance,
    Refusal,
    Section,
    Success,
)

KIND = "swe_bench"
URL = "https://github.com/SWE-bench/SWE-bench"
LICENCES = {
    "astropy/astropy": "BSD-3-Clause",
    "django/django": "BSD-3-Clause",
    "marshmallow-code/marshmallow": "MIT",
    "matplotlib/matplotlib": "LicenseRef-Matplotlib",
    "mwaskom/seaborn": "BSD-3-Clause",
    "pallets/flask": "BSD-3-Clause",
    "psf/requests": "Apache-2.0",
    "pvlib/pvlib-python": "BSD-3-Clause",
    "pydata/xarray": "Apache-2.0",
    "pydicom/pydicom": "MIT",
    "pylint-dev/astroid": "LGPL-2.1",
    "pylint-dev/pylint": "GPL-2.0",
    "pytest-dev/pytest": "MIT",
    "pyvista/pyvista": "MIT",
    "scikit-learn/scikit-learn": "BSD-3-Clause",
    "sphinx-doc/sphinx": "BSD-2-Clause",
    "sqlfluff/sqlfluff": "MIT",
    "sympy/sympy": "BSD-3-Clause",
}
"""Licences of the code in patches, by repository; the texts of issues belong to their authors."""
_INSTANCE = re.compile(
    r"(?P<owner>[A-Za-z0-9][\w.-]*?)__(?P<name>[A-Za-z0-9][\w.-]*?)-(?P<number>\d+)"
)
_COMMIT = re.compile(r"[0-9a-f]{7,64}")
_LONGEST_NAME = 200
_LONGEST_LABEL = 200
_LARGEST_FILE = 2_000_000
_KNOWN = frozenset(
    {
        "FAIL_TO_PASS",
        "PASS_TO_PASS",
        "base_commit",
        "created_at",
        "environment_setup_commit",
        "hints_text",
        "instance_id",
        "patch",
        "problem_statement",
        "query",
        "repo",
        "task_id",
        "test_patch",
        "version",
    }
)


def files_in(folder: Path) -> Iterator[Path]:
    """Return the .json, .jsonl, .csv and .parquet files below ``folder``."""
    return files_ending(folder, ".json", ".jsonl", ".csv", ".parquet")


def read_file(file: InputFile) -> Iterator[Document | Refusal | Unrecognised]:
    """Yield the instances of one file, refusals among them, in the file's order.

    Raises:
        ImportInputError: the file cannot be read.
    """
    for parsed in table_rows(file.path):
        if not isinstance(parsed, Parsed):
            yield Unrecognised(parsed.number, parsed.why)
        elif why := _unlike(parsed.value):
            yield Unrecognised(parsed.number, why, "problem_statement")
        else:
            try:
                yield _document(file, parsed)
            except FieldError as error:
                yield Refusal(file.place(parsed.number), str(error))


def repository_of(instance: str) -> str:
    """Return ``owner/name`` of an instance id ``owner__name-number``, empty for any other text."""
    found = _INSTANCE.fullmatch(instance)
    return f"{found['owner']}/{found['name']}" if found else ""


def _unlike(value: Any) -> str:
    """Return why a value is no instance, empty where it is one."""
    if not isinstance(value, dict):
        return "no instance of SWE-bench: no object"
    if "diff_url" in value or "pull_request" in value:
        return "a pull request of the GitHub API, no instance: its patches are not in it"
    if "model_patch" in value:
        return "a prediction, no instance: import it with kind predictions"
    if "instance_id" in value and str(value.get("repo", "")).startswith("swesmith/"):
        return "a task of SWE-smith, no instance: its patch plants the bug"
    if "problem_statement" not in value or "patch" not in value:
        return "no instance of SWE-bench: it lacks 'problem_statement' or 'patch'"
    return ""


def _document(file: InputFile, parsed: Parsed) -> Document:
    row: Mapping[str, Any] = parsed.value
    instance = needed_text(row, "instance_id").strip()
    repository = optional_text(row, "repo").strip() or repository_of(instance)
    if not repository or len(instance) > _LONGEST_NAME:
        msg = f"field 'instance_id' is no owner__name-number: {instance[:60]!r}"
        raise FieldError(msg)
    problem = needed_text(row, "problem_statement")
    patch, files = _patch(row, "patch")
    test_patch, test_files = _patch(row, "test_patch") if row.get("test_patch") else ("", ())
    sections = [Section("problem", problem), Section("patch", patch, is_future=True)]
    if test_patch:
        sections.append(Section("test_patch", test_patch, is_future=True))
    if hints := optional_text(row, "hints_text"):
        sections.append(Section("hints", hints, is_future=True))
    commit = optional_text(row, "base_commit").strip()
    contents, notes = _files(file, repository, commit, (*files, *test_files))
    return Document(
        provenance=Provenance(
            kind=KIND,
            external_id=instance,
            cluster=instance,
            where=f"{file.shown}:{parsed.number}",
            licence=optional_text(row, "licence") or LICENCES.get(repository.casefold(), "unknown"),
            url=URL,
        ),
        language=Language.EN,
        title=problem.strip().splitlines()[0].strip(),
        sections=(*sections, *contents),
        facts=_facts(row, repository, commit),
        success=Success.CONFIRMED,
        notes=(*parsed.notes, *notes),
    )


def _patch(row: Mapping[str, Any], name: str) -> tuple[str, tuple[PatchedFile, ...]]:
    patch = needed_text(row, name)
    if not is_diff(patch):
        msg = f"field {name!r} is no diff"
        raise FieldError(msg)
    try:
        return patch, read_patch(patch)
    except PatchError as error:
        msg = f"field {name!r}: {error}"
        raise FieldError(msg) from error


def _facts(row: Mapping[str, Any], repository: str, commit: str) -> dict[str, Any]:
    facts: dict[str, Any] = {"repository": repository}
    texts = {"base_commit": commit} | {
        name: optional_text(row, name)
        for name in ("version", "created_at", "environment_setup_commit")
    }
    facts |= {name: text for name, text in texts.items() if text}
    for name in ("FAIL_TO_PASS", "PASS_TO_PASS"):
        if tests := texts_of(row, name):
            facts[name.lower()] = list(tests)
    labels = {
        name: value
        for name, value in row.items()
        if name not in _KNOWN and isinstance(value, str) and len(value) <= _LONGEST_LABEL
    }
    return facts | ({"labels": labels} if labels else {})


def _files(
    file: InputFile, repository: str, commit: str, patched: tuple[PatchedFile, ...]
) -> tuple[list[Section], list[Note]]:
    """Return the changed files at the base commit, and a note for each that is not to be had."""
    if file.file_at is None:
        return [], []
    if not _COMMIT.fullmatch(commit):
        return [], [Note("no_file", "base_commit", "no commit: no file of it can be looked up")]
    sections: list[Section] = []
    notes: list[Note] = []
    for path in dict.fromkeys(each.old_path for each in patched if each.old_path):
        content = file.file_at(repository, commit, path)
        if content is None:
            notes.append(Note("no_file", path, f"not found in a clone of {repository}"))
        elif len(content) > _LARGEST_FILE or b"\0" in content:
            notes.append(Note("no_file", path, f"binary, or larger than {_LARGEST_FILE} bytes"))
        else:
            text = content.decode(errors="replace")
            sections.append(Section("file", text, path, facts={"commit": commit}))
    return sections, notes


IMPORTER = Importer(kind=KIND, files_in=files_in, read_file=read_file)
