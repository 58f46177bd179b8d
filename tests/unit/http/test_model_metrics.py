"""What is counted of the model, held against the ledger."""

from __future__ import annotations

from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry

from logdocket.bootstrap import build_extractor, build_store
from logdocket.http.model_metrics import ModelMetrics
from logdocket.line import Line
from logdocket.settings import Settings
from logdocket.testing import Fault, ModelServer


async def test_what_is_counted_of_the_model_is_what_the_ledger_says(tmp_path: Path) -> None:
    """Calls by status, tokens, money and durations; and the breaker as it stands."""
    registry = CollectorRegistry()
    metrics = ModelMetrics(registry)

    def sample(name: str, **labels: str) -> float | None:
        return registry.get_sample_value(f"logdocket_model_{name}", labels)

    script = [Fault.GOOD, Fault.INVENTED_EVIDENCE, Fault.GOOD, Fault.HTTP_503]
    with ModelServer([*script, Fault.HTTP_401]) as server:
        settings = Settings(
            db=tmp_path / "t.db",
            model_url=server.url,
            model_key="key-of-this-test",
            breaker_failures=2,
            cache_scope="line",
            price_input=1000,
            price_output=2000,
        )
        store = build_store(settings)
        extractor = build_extractor(settings, store)
        assert extractor.attempts is not None
        metrics.watch(extractor, extractor.attempts.breaker)
        for number in range(3):
            await extractor.extract(Line(f"2026-01-02T15:04:05Z ERROR pay: no card {number}"))
        metrics.look()
        calls = store.summary().calls
        await extractor.close()
        store.close()
    assert calls.by_status == {"ok": 2, "junk": 1, "server_error": 1, "unauthorized": 1}
    for status, count in calls.by_status.items():
        assert sample("calls_total", status=status) == count
    assert sample("calls_total", status="timeout") == 0
    assert sample("tokens_total", direction="in") == calls.tokens_in > 0
    assert sample("tokens_total", direction="out") == calls.tokens_out > 0
    assert sample("cost_usd_total") == pytest.approx(calls.nano_usd / 10**9)
    assert sample("call_duration_seconds_count") == calls.finished == server.count
    assert (sample("lines_asking"), sample("breaker_state")) == (0, 2)
