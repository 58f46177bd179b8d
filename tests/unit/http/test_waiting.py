"""Tickets that wait for a second look, counted on a real ledger."""

from __future__ import annotations

from pathlib import Path

from logdocket.bootstrap import build_extractor, build_store, microseconds
from logdocket.docket.review import ReviewDesk
from logdocket.http.waiting import Waiting
from logdocket.line import Line
from logdocket.settings import Settings


async def test_what_waits_is_counted_anew_after_ten_seconds(tmp_path: Path) -> None:
    """And not sooner: a long queue takes a while to count."""
    settings = Settings(
        db=tmp_path / "t.db",
        model_url="http://127.0.0.1:9/v1",
        model_key="key-of-this-test",
        budget_tokens=0,
    )
    store = build_store(settings)
    now = [100.0]
    waiting = Waiting(store, lambda: now[0])
    assert waiting.count() == 0
    extractor = build_extractor(settings, store)
    await extractor.extract(Line("2026-01-02T15:04:05Z ERROR pay: card refused"))
    await extractor.close()
    ReviewDesk(store, clock=microseconds, max_line=65_536).catch_up()
    now[0] = 109.9
    assert waiting.count() == 0
    now[0] = 110.0
    assert waiting.count() == 1
    store.close()
