"""What the pages of reviewers show, from the stored result: shares with intervals, words, links."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from review.core.shares import Share
from review.models import Purpose
from review.views.known_words import VALUES
from review.views.side_by_side import reason_word

Stored = Mapping[str, Any]
LEVELS = range(1, 6)


@dataclass(frozen=True, slots=True)
class Person:
    """A reviewer's numbers in the list of all; ``profile`` is the key of their page."""

    profile: int
    user: int
    name: str
    reviews: int
    seconds: float | None
    blind: Share
    agreement: Share
    controls: Share
    overturned: Share
    returned: int


def person_of(profile: int, user: int, own: Stored) -> Person:
    """Return the line of a person in the list of all."""
    right, n, _knew = own["controls"].get(Purpose.CONTROL, (0, 0, 0))
    return Person(
        profile=profile,
        user=user,
        name=own["name"],
        reviews=own["reviews"],
        seconds=own["seconds"]["both"],
        blind=Share(*own["blind"]),
        agreement=Share(*own["agreement"]),
        controls=Share(right, n),
        overturned=Share(*own["overturned"]),
        returned=own["returned"],
    )


def numbers_of(own: Stored, *, for_lead: bool) -> dict[str, Any]:
    """Return the context of a person's page.

    Control items of the queue are for leads alone: a person who saw their results could tell from
    the count which of their items were some.
    """
    controls = {
        purpose: (Share(right, n), Share(knew, n))
        for purpose, (right, n, knew) in own["controls"].items()
        if for_lead or purpose == Purpose.QUALIFICATION
    }
    return {
        "own": own,
        "decisions": _counted(own["decisions"], {name: VALUES[name] for name in own["decisions"]}),
        "reasons": _counted(
            own["reasons"], {reason: reason_word(reason) for reason in own["reasons"]}
        ),
        "blind": Share(*own["blind"]),
        "calibration": _calibration(own["calibration"]),
        "agreement": Share(*own["agreement"]),
        "overturned": Share(*own["overturned"]),
        "round": controls.get(Purpose.QUALIFICATION),
        "controls": controls.get(Purpose.CONTROL),
        "weeks": own["weeks"][:-13:-1],
        "hours": own["active"] / 3600,
        "an_hour": 3600 * own["reviews"] / own["active"] if own["active"] else None,
    }


def _counted(counts: Mapping[str, int], words: Mapping[str, Any]) -> list[tuple[str, Any, Share]]:
    """Return each value with its word and its share, the most frequent first."""
    total = sum(counts.values())
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return [(value, words[value], Share(n, total)) for value, n in ordered]


def _calibration(rows: Sequence[Sequence[int]]) -> list[tuple[int, Share]]:
    """Return the share of right blind answers at each confidence, 1 to 5."""
    found = {level: Share(right, n) for level, right, n in rows}
    return [(level, found.get(level, Share(0, 0))) for level in LEVELS]
