"""What a call costs, in US dollars: exact decimals, rounded up to what the database keeps."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_UP, Decimal

SMALLEST = Decimal("0.000001")
_MILLION = 1_000_000
_EACH_MESSAGE = 16
"""Tokens of the marks around a message: no known chat template takes more."""


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens read and a million written, neither negative."""

    input_per_million: Decimal
    output_per_million: Decimal


def cost_usd(price: Price, *, prompt_tokens: int, completion_tokens: int) -> Decimal:
    """Return what that many tokens cost, rounded up to a millionth of a dollar."""
    exact = (
        price.input_per_million * prompt_tokens + price.output_per_million * completion_tokens
    ) / _MILLION
    return exact.quantize(SMALLEST, rounding=ROUND_UP)


def most_prompt_tokens(texts: Iterable[str]) -> int:
    """Return a number of tokens that messages with these texts can't exceed.

    No tokeniser that works on bytes makes more tokens than there are UTF-8 bytes. A bound and no
    estimate, so that what is reserved always covers what is spent.
    """
    return sum(len(text.encode("utf-8", "replace")) + _EACH_MESSAGE for text in texts)


def reservation_usd(price: Price, *, texts: Iterable[str], max_tokens: int) -> Decimal:
    """Return the most that one call can cost: what has to be reserved before it."""
    return cost_usd(price, prompt_tokens=most_prompt_tokens(texts), completion_tokens=max_tokens)
