from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logdocket.calls import Usage
from logdocket.model.prices import Prices

counts = st.integers(0, 10_000_000)


def test_the_operators_prices_go_before_known_ones() -> None:
    """A contract of one's own costs what it says."""
    prices = Prices(name="gpt-4o", provider="openai", per_million=(1.5, 0))
    assert prices.nano_usd(Usage(1_000_000, 5)) == 1_500_000_000


@pytest.mark.parametrize(
    "prices",
    [
        Prices(name="gpt-4o", provider="openai"),
        Prices(name="gpt-4o", base_url="https://api.openai.com/v1"),
        Prices(name="gpt-4o", provider="nobody", base_url="https://api.openai.com/v1"),
    ],
)
def test_a_known_model_is_priced_by_provider_or_address(prices: Prices) -> None:
    """Output costs more than input everywhere so far."""
    read, written = prices.nano_usd(Usage(1000, 0)), prices.nano_usd(Usage(0, 1000))
    assert prices.known
    assert read is not None
    assert written is not None
    assert 0 < read < written


@pytest.mark.parametrize(
    "prices",
    [
        Prices(name="gpt-4o", base_url="http://127.0.0.1:8080/v1"),
        Prices(name="gpt-4o"),
        Prices(name="no-such-model", provider="openai"),
    ],
)
def test_what_is_not_known_has_no_price(prices: Prices) -> None:
    """A local model of a famous name costs nothing that we know of."""
    assert not prices.known
    assert prices.nano_usd(Usage(1000, 1000)) is None


@given(counts, counts, counts)
def test_more_tokens_never_cost_less(tokens_in: int, tokens_out: int, more: int) -> None:
    """So what is reserved for the most tokens is the most that a call can cost."""
    prices = Prices(name="m", per_million=(0.15, 0.6))
    price = prices.nano_usd(Usage(tokens_in, tokens_out))
    larger = prices.nano_usd(Usage(tokens_in + more, tokens_out + more))
    assert price is not None
    assert larger is not None
    assert larger >= price >= 0


def test_a_part_of_a_billionth_counts_as_one() -> None:
    """Rounding never makes tokens free."""
    assert Prices(name="m", per_million=(0.0001, 0)).nano_usd(Usage(1, 0)) == 1
