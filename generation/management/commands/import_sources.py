"""Imports sources of one kind from files and folders; importing again takes nothing."""

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from generation.core.importers.catalogue import IMPORTERS
from generation.core.importers.errors import ImportInputError
from generation.core.official_prompts import PromptFile
from generation.core.records import PassedOver, Record, Refusal
from generation.management.reporting import REFUSED, WRONG_USE, ReportingCommand, progress_bar
from generation.services.imports import batches
from generation.services.prompts import store_prompts
from generation.services.repositories import files_of_clones
from generation.services.sources import store_records

# Options that one kind alone has a use for.
_KINDS_OF = {"repos": "swe_bench", "pages": "deepresearch_bench"}


class Command(ReportingCommand):
    """Imports sources of one kind from files and folders; importing again takes nothing."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare kind, paths, what is looked up beside them, and ``--strict``."""
        super().add_arguments(parser)
        parser.add_argument("kind", choices=sorted(IMPORTERS), help="what the files hold")
        parser.add_argument("paths", nargs="+", type=_path, metavar="PATH", help="file or folder")
        parser.add_argument("--reports", type=Path, help="folder of evaluation reports")
        parser.add_argument("--repos", type=Path, help="folder of git clones (swe_bench)")
        parser.add_argument("--pages", type=Path, help="text of cited pages: folder or JSON lines")
        parser.add_argument("--strict", action="store_true", help="stop at the first bad record")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Store batch by batch; a bad record is listed with its place and passed over."""
        counts = {"read": 0, "imported": 0, "skipped": 0}
        refused: list[dict[str, str]] = []
        passed_over: Counter[str] = Counter()
        kind, verbosity = options["kind"], options["verbosity"]
        with progress_bar(f"importing {kind}", verbosity=verbosity) as advance:
            for batch in batches(_records(kind, options), refusal_ends=True):
                stored = store_records(
                    [each for each in batch if not isinstance(each, Refusal | PassedOver)]
                )
                over = Counter(each.why for each in batch if isinstance(each, PassedOver))
                passed_over += over
                counts["read"] += len(batch) - over.total()
                counts["imported"] += stored.imported
                counts["skipped"] += stored.skipped
                advance(len(batch))
                refused += _refused(batch, strict=options["strict"])
        prompts = _prompts(kind, options["paths"])
        refused += _refused(prompts, strict=options["strict"])
        new_prompts = store_prompts(p for p in prompts if not isinstance(p, Refusal))
        words = "\n".join(
            [
                "{read} read, {imported} imported, {skipped} there already".format(**counts)
                + (f", {new_prompts} new prompts" if prompts else "")
                + f", {len(refused)} refused",
                *(f"  {each['where']}: {each['why']}" for each in refused),
                *(f"passed over: {why} ({count})" for why, count in passed_over.items()),
            ]
        )
        result: dict[str, Any] = counts | {"refused": refused}
        if passed_over:
            result["passed_over"] = dict(passed_over)
        self.report(result, as_json=options["json"], words=words)


def _path(text: str) -> Path:
    """Return a path; an empty word, which would be the present folder, is a mistake.

    Raises:
        ValueError: the word is empty.
    """
    if not text:
        msg = "a path is expected"
        raise ValueError(msg)
    return Path(text)


def _records(kind: str, options: Mapping[str, Any]) -> Iterator[Record | Refusal | PassedOver]:
    for name, only in _KINDS_OF.items():
        if options[name] is not None and kind != only:
            msg = f"--{name} is for {only}, not for {kind}"
            raise CommandError(msg, returncode=WRONG_USE)
    repos: Path | None = options["repos"]
    if repos is not None and not repos.is_dir():
        msg = f"{repos}: no such folder of clones"
        raise CommandError(msg, returncode=WRONG_USE)
    try:
        for path in options["paths"]:
            yield from IMPORTERS[kind].read(
                path,
                reports=options["reports"],
                pages=options["pages"],
                file_at=files_of_clones(repos) if repos is not None else None,
            )
    except ImportInputError as error:
        raise CommandError(str(error), returncode=WRONG_USE) from error


def _prompts(kind: str, paths: list[Path]) -> list[PromptFile | Refusal]:
    """Return the prompts that lie beside the records of the folders."""
    read = IMPORTERS[kind].read_prompts
    return [each for path in paths if path.is_dir() for each in read(path)] if read else []


def _refused(found: Sequence[object], *, strict: bool) -> list[dict[str, str]]:
    """Return what was refused, for people.

    Raises:
        CommandError: something was, and the import is strict.
    """
    bad = [{"where": each.where, "why": each.why} for each in found if isinstance(each, Refusal)]
    if bad and strict:
        raise CommandError("{where}: {why}".format(**bad[0]), returncode=REFUSED)
    return bad
