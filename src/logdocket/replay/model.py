"""The model that a fixture's attempts were recorded of, as its first row tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, Literal

import msgspec

from logdocket.calls import Usage
from logdocket.model import Attempts, Breaker, Client, split_name
from logdocket.model.address import Address
from logdocket.replay.clock import Clock

if TYPE_CHECKING:
    from logdocket.replay.upstream import Upstream
    from logdocket.settings import Settings

_MANY: Final = 1_000_000_000
"""Bytes that a recorded body may have: it was bounded when it was recorded."""

_Seconds = Annotated[float, msgspec.Meta(gt=0, le=86_400)]
_Price = Annotated[float, msgspec.Meta(ge=0, le=1_000_000)]
_Word = Annotated[str, msgspec.Meta(min_length=1)]
_Host = Annotated[str, msgspec.Meta(pattern=r"^[^\s/?#@]+$")]


class Model(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """What the bytes of a replay depend on beside its rows.

    ``name``, and ``host`` (with its port) or ``provider`` or both: who was asked. ``output``: how
    its output was to be constrained. ``max_output``: tokens that an answer might have.
    ``deadline`` and ``attempt_timeout``: seconds for a line, and for an attempt. ``prices``: US
    dollars for a million tokens in and out, None where they were not known.

    Raises ValueError where neither host nor provider is told.
    """

    name: _Word
    host: _Host | None = None
    provider: _Word | None = None
    output: Literal["auto", "schema", "tool", "text"] = "auto"
    max_output: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
    deadline: _Seconds
    attempt_timeout: _Seconds | None = None
    breaker_failures: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
    breaker_seconds: _Seconds
    prices: tuple[_Price, _Price] | None = None

    def __post_init__(self) -> None:
        if self.host is None and self.provider is None:
            raise ValueError("a model has a host or a provider")

    @classmethod
    def of(cls, settings: Settings, client: Client) -> Model:
        """The model that ``client`` asks, set up by ``settings``; raises BadModel as it does."""
        provider, name = split_name(
            settings.model_name or "default", settings.model_url is not None
        )
        address = Address.of(settings.model_url, provider)
        host = f"[{address.host}]" if ":" in address.host else address.host
        return cls(
            name=name,
            host=(host if address.port is None else f"{host}:{address.port}") or None,
            provider=provider,
            output=settings.model_output,
            max_output=settings.model_max_tokens,
            deadline=settings.deadline,
            attempt_timeout=settings.attempt_timeout,
            breaker_failures=settings.breaker_failures,
            breaker_seconds=settings.breaker_seconds,
            # As they are now: a price list to come must not change what was recorded.
            prices=settings.prices or _prices(client),
        )

    def attempts(self, upstream: Upstream, clock: Clock) -> Attempts:
        """The real client and the real policy, over ``upstream`` and by ``clock``.

        Loads the libraries that speak to providers; raises BadModel where they know no such model.
        """
        client = Client(
            base_url=None if self.host is None else f"http://{self.host}/v1",
            provider=self.provider,
            name=self.name,
            key="replayed",
            output=self.output,
            max_output=self.max_output,
            largest_response=_MANY,
            per_million=self.prices,
            transport=upstream,
            clock=clock.monotonic,
        )
        return Attempts(
            client,
            Breaker(self.breaker_failures, self.breaker_seconds, clock.monotonic),
            deadline=self.deadline,
            attempt=self.attempt_timeout,
            concurrency=1,
            monotonic=clock.monotonic,
            sleep=clock.sleep,
        )


def _prices(client: Client) -> tuple[float, float] | None:
    """What the model of ``client`` is known to cost, in US dollars for a million tokens."""
    read, written = (client.price(Usage(*tokens)) for tokens in ((1000, 0), (0, 1000)))
    return None if read is None or written is None else (read / 1_000_000, written / 1_000_000)
