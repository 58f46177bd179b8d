"""What tokens cost, in billionths of a US dollar: by the operator's prices, else by known ones."""

from __future__ import annotations

import contextlib
import math
from decimal import Decimal
from typing import Final

from logdocket.calls import Usage

__all__ = ["Prices"]

_NANO: Final = 1_000_000_000


class Prices:
    """The prices of one model.

    ``per_million``: US dollars for a million tokens in, and out, where the operator gives them.
    Else they are looked up for ``provider``, or for the API at ``base_url``, in genai-prices. A
    model of the same name at an address that it does not know has no known price.
    """

    def __init__(
        self,
        *,
        name: str,
        provider: str | None = None,
        base_url: str | None = None,
        per_million: tuple[float, float] | None = None,
    ) -> None:
        self._name = name
        self._provider = provider
        self._base_url = base_url
        self._own = None if per_million is None else tuple(Decimal(str(p)) for p in per_million)
        self.known = self.nano_usd(Usage(1, 1)) is not None

    def nano_usd(self, usage: Usage) -> int | None:
        """The price of ``usage``, rounded up; None where it is unknown.

        Tokens that were read from a provider's cache, and cost less there, count in full.
        """
        if self._own is not None:
            read, written = self._own
            return math.ceil((usage.tokens_in * read + usage.tokens_out * written) * 1000)
        return self._looked_up(usage)

    def _looked_up(self, usage: Usage) -> int | None:
        import genai_prices

        counts = genai_prices.Usage(input_tokens=usage.tokens_in, output_tokens=usage.tokens_out)
        # Providers go by other names there, too; their addresses are the same.
        found = None
        if self._provider is not None:
            with contextlib.suppress(LookupError):
                found = genai_prices.calc_price(counts, self._name, provider_id=self._provider)
        if found is None and self._base_url is not None:
            with contextlib.suppress(LookupError):
                found = genai_prices.calc_price(counts, self._name, provider_api_url=self._base_url)
        return None if found is None else math.ceil(found.total_price * _NANO)
