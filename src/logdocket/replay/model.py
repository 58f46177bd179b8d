"""The model that a fixture's attempts were recorded of, as its first row tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, Literal

import msgspec

from logdocket.model import Attempts, Breaker, Client
from logdocket.replay.clock import Clock

if TYPE_CHECKING:
    from logdocket.replay.upstream import Upstream

_MANY: Final = 1_000_000_000
"""Bytes that a recorded body may have: it was bounded when it was recorded."""

_Seconds = Annotated[float, msgspec.Meta(gt=0, le=86_400)]
_Price = Annotated[float, msgspec.Meta(ge=0, le=1_000_000)]
_Word = Annotated[str, msgspec.Meta(min_length=1)]


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
    host: _Word | None = None
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
