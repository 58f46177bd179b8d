"""Counters for Prometheus about the model: its calls, what they cost, and the breaker before it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from logdocket.calls import CallEnd, CallStatus
from logdocket.docket import Extractor
from logdocket.model import Breaker

_BUCKETS: Final = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 60.0)
_STATES: Final = {"closed": 0, "half_open": 1, "open": 2}
_NANO: Final = 1_000_000_000


class ModelMetrics:
    """What one process counts of its calls."""

    def __init__(self, registry: CollectorRegistry) -> None:
        calls = Counter(
            "logdocket_model_calls", "Calls of the model, by status.", ["status"], registry=registry
        )
        self._calls = {status: calls.labels(status.value) for status in CallStatus}
        tokens = Counter(
            "logdocket_model_tokens",
            "Tokens as the provider reported them, sent (in) and answered (out).",
            ["direction"],
            registry=registry,
        )
        self._tokens_in, self._tokens_out = tokens.labels("in"), tokens.labels("out")
        self._cost = Counter(
            "logdocket_model_cost_usd", "Price of the reported tokens.", registry=registry
        )
        self._durations = Histogram(
            "logdocket_model_call_duration_seconds",
            "Time from a call's request to the end of its response.",
            buckets=_BUCKETS,
            registry=registry,
        )
        self._asking = Gauge(
            "logdocket_model_lines_asking",
            "Lines that a model is being asked about now.",
            multiprocess_mode="livesum",
            registry=registry,
        )
        self._breaker = Gauge(
            "logdocket_model_breaker_state",
            "The circuit breaker: 0 closed, 1 half open, 2 open.",
            multiprocess_mode="livemax",
            registry=registry,
        )
        self._look: Callable[[], None] = _nothing

    def watch(self, extractor: Extractor, breaker: Breaker) -> None:
        """Count the calls of ``extractor``; its breaker and its load are looked at when asked."""

        def look() -> None:
            self._asking.set(extractor.asking)
            self._breaker.set(_STATES[breaker.state])

        self._look = look
        # Other processes are asked for what this one last noted.
        extractor.watch(self._count, look)

    def look(self) -> None:
        """Bring up to date what is not counted but looked at."""
        self._look()

    def _count(self, call: CallEnd) -> None:
        self._calls[call.status].inc()
        self._durations.observe(call.ms / 1000)
        if call.usage is not None:
            self._tokens_in.inc(call.usage.tokens_in)
            self._tokens_out.inc(call.usage.tokens_out)
        if call.nano_usd is not None:
            self._cost.inc(call.nano_usd / _NANO)


def _nothing() -> None:
    """There is no model."""
