"""Money is exact, rounded up, and a reservation covers what is spent."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from generation.core.replies.prices import Price, cost_usd, most_prompt_tokens, reservation_usd
from generation.core.tokens import estimate_tokens

PRICE = Price(Decimal("0.15"), Decimal("0.60"))


def test_cost_by_hand():
    # 900 × 0.15 + 80 × 0.60 = 183 dollars for a million such calls
    assert cost_usd(PRICE, prompt_tokens=900, completion_tokens=80) == Decimal("0.000183")
    assert cost_usd(PRICE, prompt_tokens=1, completion_tokens=0) == Decimal("0.000001")
    assert cost_usd(PRICE, prompt_tokens=0, completion_tokens=0) == 0


@given(st.lists(st.text(max_size=200), min_size=1, max_size=4), st.integers(0, 4000))
def test_reservation_covers_every_answer_within_the_limit(texts, written):
    tokens = sum(map(estimate_tokens, texts))
    assert most_prompt_tokens(texts) >= tokens
    reserved = reservation_usd(PRICE, texts=texts, max_tokens=4000)
    assert reserved >= cost_usd(PRICE, prompt_tokens=tokens, completion_tokens=written)
