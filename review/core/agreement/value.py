"""A number that may be undefined, and then says why."""

from dataclasses import dataclass
from math import isfinite


@dataclass(frozen=True, slots=True)
class Value:
    """A finite number, or None with the reason; never NaN.

    Raises:
        ValueError: the number is not finite, or there is neither or both of number and reason.
    """

    number: float | None
    reason: str = ""

    def __post_init__(self) -> None:
        if self.number is not None and not isfinite(self.number):
            msg = f"{self.number} is no number to show: give the reason instead"
            raise ValueError(msg)
        if (self.number is None) != bool(self.reason):
            msg = f"a value has a number or a reason, not {self.number!r} and {self.reason!r}"
            raise ValueError(msg)


def undefined(reason: str) -> Value:
    """Return a value that is not defined for this reason."""
    return Value(None, reason)
