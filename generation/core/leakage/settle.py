"""One finding for one fact: findings of a field that lie inside each other become one."""

import re
from collections.abc import Iterable
from dataclasses import replace

from generation.core.items import Finding, Severity

_NO_WORD = re.compile(r"\W+")
_MOST_PUNCTUATION = 32


def settled(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings of one field in order of place, none needlessly inside another.

    A finding inside another is dropped; where it is graver, it lends the outer one its severity.
    A finding of severity 3 inside one of another kind stays, since it makes another claim; of two
    over the same words only the graver stays.
    """
    ordered = sorted(findings, key=lambda f: (f.start, -f.end, -f.severity, f.kind))
    kept: list[Finding] = []
    outer = -1
    for finding in ordered:
        if outer < 0 or finding.end > kept[outer].end:
            kept.append(finding)
            outer = len(kept) - 1
            continue
        around = kept[outer]
        if finding.severity == Severity.BLOCKS_RELEASE and finding.kind != around.kind:
            if not _same_words(finding, around):
                kept.append(finding)
            elif around.severity < Severity.BLOCKS_RELEASE:
                kept[outer] = replace(
                    finding, start=around.start, end=around.end, evidence=around.evidence
                )
        elif finding.severity > around.severity > Severity.INFORMATION:
            kept[outer] = replace(around, severity=finding.severity)
    return kept


def _same_words(finding: Finding, around: Finding) -> bool:
    if len(around.evidence) - len(finding.evidence) > _MOST_PUNCTUATION:
        return False
    return _NO_WORD.sub("", finding.evidence) == _NO_WORD.sub("", around.evidence)
