"""The steps of runs as markup, kept for the next page that shows the same ones.

A run never changes once it is stored, and a reviewer sees it twice, others after them: reading
and marking up its texts again would be most of what a page costs.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from secrets import token_hex

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from generation.models import Revision
from review.core.source_view import Evidence, view_steps
from review.services.shown_texts import steps_of
from review.views.step_markup import outline_html, steps_html

# A page shows up to 600,000 characters of steps: at most some 20 MB a process.
_MOST_KEPT = 32
# Stands for the page's address in what is kept; no text of a run can hold it.
_ADDRESS = f"/{token_hex(16)}/"


@dataclass(frozen=True, slots=True)
class ShownSteps:
    """Steps as the page shows them, and their outline."""

    markup: str
    outline: SafeString
    placed: Mapping[int, tuple[str, bool]]

    def at(self, address: str) -> SafeString:
        """Return the steps' markup on the page at ``address``, for its links."""
        return mark_safe(self.markup.replace(_ADDRESS, address))  # noqa: S308


NO_STEPS = ShownSteps("", SafeString(""), {})


@dataclass(frozen=True, slots=True)
class _Run:
    """What tells kept steps apart: a run by content, its cut, the marks, the page's language."""

    source: int
    digest: str
    cut: int
    wanted: tuple[tuple[int, str], ...]
    page_language: str | None
    language: str


def shown_steps(revision: Revision, evidence: Evidence) -> ShownSteps:
    """Return the steps before the cut, marked with what ``evidence`` has not placed yet.

    One query, none where they are kept; ``evidence`` knows afterwards what was placed.
    """
    candidate = revision.candidate
    run = _Run(
        source=candidate.source_id,
        digest=candidate.source.digest,
        cut=candidate.cut,
        wanted=tuple(found for found in evidence.wanted.items() if found[0] not in evidence.placed),
        page_language=get_language(),
        language=candidate.source.language,
    )
    steps = _render(run)
    evidence.placed |= steps.placed
    return steps


@lru_cache(maxsize=_MOST_KEPT)
def _render(run: _Run) -> ShownSteps:
    evidence = Evidence(dict(run.wanted))
    steps = steps_of(run.source, first=1, last=run.cut - 1)
    views = view_steps(steps, first=1, shown_in_all=run.cut - 1, evidence=evidence)
    return ShownSteps(
        steps_html(views, address=_ADDRESS, language=run.language),
        outline_html(views, language=run.language),
        evidence.placed,
    )
