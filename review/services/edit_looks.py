"""What the checks say of a new wording beside the present one, before anything is saved."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from generation.core.items import Finding, Severity
from generation.core.wording import Wording
from generation.services.revisions import Editing


@dataclass(frozen=True, slots=True)
class Look:
    """What the checks say of a new wording beside the present one.

    ``new`` is what they do not say of the present one, ``gone`` the reverse; ``stays`` counts
    the stored findings of the present one that are not gone. ``digest`` stands for the new ones
    in the form, empty where there are none.
    """

    new: tuple[Finding, ...]
    gone: tuple[Finding, ...]
    stays: int
    digest: str

    @property
    def blocks(self) -> bool:
        """Whether a new finding blocks a release, so that saving needs a word more."""
        return any(finding.severity == Severity.BLOCKS_RELEASE for finding in self.new)


def look_at(editing: Editing, wording: Wording) -> Look:
    """Return what the checks say of a wording, and what of it is new or gone."""
    before = editing.before
    found, known = editing.findings_in_own(wording), editing.findings_in_own(before)
    new = _beyond(found, wording, known, before)
    gone = _beyond(known, before, found, wording)
    keys = sorted(repr(_what(finding, wording)) for finding in new)
    return Look(
        new=new,
        gone=gone,
        stays=max(0, editing.revision.findings.count() - len(gone)),
        digest=sha256("\n".join(keys).encode()).hexdigest() if keys else "",
    )


def _beyond(
    findings: Sequence[Finding], wording: Wording, others: Sequence[Finding], beside: Wording
) -> tuple[Finding, ...]:
    """Return the findings that ``others`` lack; places that only moved are the same."""
    left = Counter(_what(finding, beside) for finding in others)
    beyond = []
    for finding in findings:
        what = _what(finding, wording)
        if left[what]:
            left[what] -= 1
        else:
            beyond.append(finding)
    return tuple(beyond)


def _what(finding: Finding, wording: Wording) -> tuple[object, ...]:
    """Return what makes a finding the same in two wordings: an option goes by its text."""
    field, position = finding.field, finding.field.removeprefix("option:")
    if position != field and int(position) < len(wording.options):
        field = wording.options[int(position)]
    return finding.kind, finding.severity, field, finding.evidence, finding.source_step
