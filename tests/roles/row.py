"""One row of the table: an address and what each person gets there."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

PEOPLE = ("anonymous", "no member", "owner", "other", "lead", "admin")
"""Nobody logged in; a user without a role; the annotator whose objects the addresses name;
another annotator; a lead; an admin."""


@dataclass(frozen=True, slots=True)
class Row:
    """``path`` has the world's ids in braces; ``get`` and ``post`` are a status a person.

    A method without statuses answers 405 to everybody who is logged in. What is posted is
    ``data``; the first person who may do it (a status under 400) then leaves the audit event
    ``leaves``; ``quiet`` says why there is none.
    ``methods`` has the statuses of further methods; ``is_json``: the data are sent as JSON.
    """

    name: str
    path: str
    get: str = ""
    post: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    leaves: str = ""
    quiet: str = ""
    methods: Mapping[str, str] = field(default_factory=dict)
    is_json: bool = False

    def expected(self) -> dict[str, tuple[int, ...]]:
        """Return the statuses by method."""
        given = {"GET": self.get, "POST": self.post} | dict(self.methods)
        return {
            method: tuple(int(status) for status in statuses.split())
            for method, statuses in given.items()
            if statuses
        }
