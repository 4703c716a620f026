"""Puts the letters of a finding's sentence into those that its reader sees.

Checks know options in the given order, which never reaches a reviewer; the page shuffles them.
"""

import re
from collections.abc import Callable

from generation.core.labels import index_of

_TWO_OPTIONS = {
    "duplicate_choice": re.compile(r"^\(([A-Z])\) says the same as \(([A-Z])\)"),
    "near_duplicate_choice": re.compile(r"^\(([A-Z])\) is nearly \(([A-Z])\)"),
}


def in_shown_letters(kind: str, evidence: str, label_at: Callable[[int], str]) -> str:
    """Return a finding's evidence with the options under the letters that ``label_at`` gives.

    Only sentences that name options are changed, and of those only the letters that name them.
    """
    pattern = _TWO_OPTIONS.get(kind)
    found = pattern.match(evidence) if pattern else None
    if found is None:
        return evidence
    first, second = (label_at(index_of(letter)) for letter in found.groups())
    said = evidence[found.start() : found.end()]
    between = said[3:-3]
    return f"({first}){between}({second}){evidence[found.end() :]}"
