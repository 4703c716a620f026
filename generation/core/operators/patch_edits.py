"""Operator ``failed_prediction``: a real patch for the same issue whose tests failed."""

from collections.abc import Mapping

from generation.core.operators.operator import Context, Unfit, Wrong, seeded
from generation.core.operators.patches import applied
from generation.core.patches import PatchError


def failed_prediction(gold: str, context: Context, seed: int) -> Wrong | Unfit:
    """Return a patch that is known to have failed, that applies, and leaves other files than gold.

    Patches are told apart by what they make of the files, not by how they are written; files that
    neither knows of can't be compared, so that a patch to an unknown file does not apply.
    """
    try:
        right = applied(gold, context.files)
    except PatchError as error:
        return Unfit(f"the right patch does not apply: {error}")
    fitting: dict[str, None] = {}
    faults = []
    for patch in context.failed_patches:
        try:
            left = applied(patch, context.files)
        except PatchError as error:
            faults.append(str(error))
            continue
        if _lines(left) == _lines(right):
            faults.append("it does what the right patch does")
        elif _lines(left) == _lines(context.files):
            faults.append("it changes nothing but blanks")
        else:
            fitting[patch] = None
    if not fitting:
        return Unfit("; ".join(faults) or "no failed patch is at hand")
    patch = seeded("failed_prediction", gold, seed).choice(sorted(fitting))
    return Wrong(patch, "The tests of the issue fail with this patch.")


def _lines(files: Mapping[str, str]) -> dict[str, list[str]]:
    return {path: [line.rstrip() for line in text.splitlines()] for path, text in files.items()}
