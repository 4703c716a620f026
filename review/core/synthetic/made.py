"""A made-up item with everything that is to be stored of it."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from review.core.synthetic.history import MadeHistory
from review.core.synthetic.judging import MadeQuestion
from review.core.synthetic.texts import MadeSource


@dataclass(frozen=True, slots=True)
class MadeItem:
    """An item: its source, cut, question and history; ``first_at`` is the time of its first turn."""

    number: int
    source: MadeSource
    subtask: str
    cut: int
    question: MadeQuestion
    history: MadeHistory
    is_control: bool
    first_at: datetime

    def at(self, hours: float) -> datetime:
        """Return the time that many hours after the first turn."""
        return self.first_at + timedelta(hours=hours)
