"""Options of a patch question: the right patch and real ones for the same issue that failed.

All are written anew, by one rule, from what they make of the files, so that no way of writing tells
who made them; a patch that does not apply to the files, as ``git apply`` judges it, is none.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from random import Random
from types import MappingProxyType

from generation.core.operators.patches import applied
from generation.core.operators.unified_diff import unified_diff
from generation.core.patches import PatchError, read_patch
from generation.core.records import Document
from generation.core.selection.soft_ranks import distance, drawn_ranks
from generation.core.subtask import OptionDraft, PoolEntry, Rejection

OPERATOR = "failed_prediction"
_SETS_TRIED = 200


def rewritten(patch: str, files: Mapping[str, str]) -> str:
    """Return a patch as one that does the same and is written by the rule of this module.

    Raises:
        PatchError: it does not apply to the files, or changes nothing.
    """
    before = {path: text.replace("\r\n", "\n") for path, text in files.items()}
    after = applied(patch, files)
    parts = [
        unified_diff(path, before.get(path), after.get(path))
        for path in sorted({*before, *after})
        if before.get(path) != after.get(path)
    ]
    if not parts:
        msg = "the patch changes nothing"
        raise PatchError(msg)
    return "".join(parts)


def failed_patches(
    entries: Sequence[PoolEntry],
    seed: int,
    *,
    choices: int,
    is_fit: Callable[[str], bool],
) -> Mapping[str, tuple[OptionDraft, ...] | Rejection]:
    """Return for each entry's key the right patch and ``choices`` - 1 failed ones, or why not.

    Args:
        entries: Their documents hold the files, ``failed`` the failed patches of their tasks.
        seed: Of every choice.
        choices: Options to return.
        is_fit: Whether a patch may change a file, by its path; one that changes any other is left
            out.

    Where more failed ones are known than are needed, those are taken that bring the right one
    nearest to the ranks drawn for the soft cues.
    """
    ordered = sorted(entries, key=lambda entry: entry.key)
    random = Random(f"failed patches\x1f{seed}")  # noqa: S311 - a choice, not a secret
    ranks = drawn_ranks([entry.key for entry in ordered], choices, random)
    found: dict[str, tuple[OptionDraft, ...] | Rejection] = {}
    for entry in ordered:
        known = dict(_wrong(entry, is_fit))
        if len(known) < choices - 1:
            why = f"waits: {len(known)} of {choices - 1} wrong patches of the issue are known"
            found[entry.key] = Rejection(entry.draft.cut, why)
            continue
        own = Random(f"failed patches\x1f{seed}\x1f{entry.key}")  # noqa: S311 - a choice
        texts = own.sample(sorted(known), len(known))
        sets = islice(combinations(texts, choices - 1), _SETS_TRIED)
        gold = entry.draft.gold
        best = min(sets, key=lambda some: distance([gold, *some], ranks[entry.key]))
        right = OptionDraft(gold, "gold", "The tests of the issue pass with it.", is_gold=True)
        found[entry.key] = (right, *(OptionDraft(text, OPERATOR, known[text]) for text in best))
    return MappingProxyType(found)


def _wrong(entry: PoolEntry, is_fit: Callable[[str], bool]) -> Iterator[tuple[str, str]]:
    """Yield the failed patches that can stand beside gold, written anew, with why they are wrong."""
    sections = entry.document.of_kind("file") if entry.document else ()
    files = {section.title: section.text for section in sections}
    gold = _effect(entry.draft.gold, files)
    seen = [_stripped(files), gold]
    for document in entry.failed:
        for patch in document.of_kind("patch"):
            try:
                paths = {p for f in read_patch(patch.text) for p in (f.old_path, f.new_path) if p}
                effect = _effect(patch.text, files)
                text = rewritten(patch.text, files)
            except PatchError:
                continue
            if all(map(is_fit, paths)) and effect not in seen:
                seen.append(effect)
                yield text, _reason(document)


def _reason(document: Document) -> str:
    if model := document.provenance.model:
        return (
            f"A patch by {model} for the same issue; its report says that it does not resolve it."
        )
    return "A patch for the same issue; its report says that it does not resolve it."


def _effect(patch: str, files: Mapping[str, str]) -> dict[str, list[str]]:
    """Return what a patch makes of the files, blanks at the ends of lines aside."""
    return _stripped(applied(patch, files))


def _stripped(files: Mapping[str, str]) -> dict[str, list[str]]:
    return {path: [row.rstrip() for row in text.split("\n")] for path, text in files.items()}
