"""A share with its interval, and whether it rests on enough to tell anything."""

from dataclasses import dataclass

from review.core.scorer.intervals import wilson_interval

ENOUGH = 30


@dataclass(frozen=True, slots=True)
class Share:
    """``part`` of ``n`` cases; ``part`` may be a sum of fractions, each 0 to 1.

    Raises:
        ValueError: the counts are impossible.
    """

    part: float
    n: int

    def __post_init__(self) -> None:
        if self.n < 0 or not 0 <= self.part <= self.n:
            msg = f"impossible counts: {self.part} of {self.n}"
            raise ValueError(msg)

    @property
    def value(self) -> float | None:
        """The share, 0 to 1; None of nothing."""
        return self.part / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % Wilson interval, two fractions; None of nothing.

        For fractions it is wider than it need be: a mean of numbers in 0..1 varies at most as
        much as a share.
        """
        return wilson_interval(self.part / self.n, self.n) if self.n else None

    @property
    def is_few(self) -> bool:
        """Whether there are fewer than ``ENOUGH`` cases."""
        return self.n < ENOUGH

    @property
    def percent(self) -> int | None:
        """The share in whole percent; None of nothing."""
        return None if self.value is None else round(100 * self.value)

    @property
    def low(self) -> int | None:
        """The lower end of the interval in whole percent; None of nothing."""
        return None if self.interval is None else round(100 * self.interval[0])

    @property
    def high(self) -> int | None:
        """The upper end of the interval in whole percent; None of nothing."""
        return None if self.interval is None else round(100 * self.interval[1])
