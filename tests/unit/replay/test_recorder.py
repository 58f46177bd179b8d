from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from logdocket.bootstrap import build_model, microseconds
from logdocket.calls import Usage
from logdocket.confidence import shipped
from logdocket.docket import Caps, Extractor, Policy
from logdocket.errors import FixtureError
from logdocket.line import NO_CONTEXT, Context, Line
from logdocket.model import Attempts, Breaker, Client, Exchange
from logdocket.reading import check_context
from logdocket.replay import Item, Model, Taken, note, take, verified, written
from logdocket.replay.clock import Clock
from logdocket.replay.fixture import parse
from logdocket.replay.upstream import Upstream
from logdocket.settings import Settings
from logdocket.store import SqliteStore
from logdocket.testing import Act, Fault, ModelServer

KEY = "not-a-real-key"
UNBOUNDED = Caps()
LINE = "2026-01-02T03:04:05Z ERROR harbour: crane stopped"
MODEL = Model(
    name="tide",
    host="model.example",
    max_output=400,
    deadline=20,
    breaker_failures=5,
    breaker_seconds=30,
)


def item(number: int, line: str | None = None, context: Context = NO_CONTEXT) -> Item:
    """A line about a crane of its own, or that one."""
    text = line or f"2026-01-02T03:04:05Z ERROR harbour: crane {number} stopped"
    return Item.redacted(f"line-{number}", Line(text), context)


def record(
    url: str,
    items: Sequence[Item],
    concurrency: int = 1,
    caps: Caps = UNBOUNDED,
    clock: Callable[[], int] = microseconds,
) -> list[Taken]:
    """What comes of asking the server at ``url`` about the items."""

    async def ask() -> list[Taken]:
        client = Client(base_url=url, provider=None, name="tide", key=KEY, record=note)
        attempts = Attempts(
            client,
            Breaker(5, 30),
            deadline=20,
            attempt=None,
            concurrency=8,
            monotonic=time.monotonic,
        )
        with closing(SqliteStore.temporary(clock=microseconds)) as store:
            policy = Policy(cache_ttl=0, caps=caps)
            extractor = Extractor(policy, shipped(), store, microseconds, attempts)
            try:
                return await take(extractor, items, clock=clock, concurrency=concurrency)
            finally:
                await extractor.close()

    return asyncio.run(ask())


def test_what_was_recorded_replays_to_the_same() -> None:
    """A retry, and every exchange of it, with its row."""
    with ModelServer([Fault.BAD_JSON, Fault.GOOD, Fault.HTTP_400]) as server:
        taken = record(server.url, [item(1), item(2)])
    assert [len(each.exchanges) for each in taken] == [2, 1]
    replayed = verified("made", written(MODEL, taken, KEY), taken)
    sources = [made.ticket.source for _, made in replayed.pairs]
    assert sources == ["model", "fallback"]


def test_a_repeated_line_is_asked_about_once() -> None:
    """Its row has no attempts, and a replay answers it from the cache."""
    with ModelServer() as server:
        taken = record(server.url, [item(1, LINE), item(2), item(3, LINE)], concurrency=3)
        assert server.count == 2
    assert [len(each.exchanges) for each in taken] == [1, 1, 0]
    replayed = verified("made", written(MODEL, taken, KEY), taken)
    assert [made.ticket.source for _, made in replayed.pairs] == ["model", "model", "cache"]


def test_a_repeated_line_is_asked_about_again_when_a_replay_would() -> None:
    """A fallback is repeated for a minute only."""
    hour = iter(range(0, 10**12, 3_600_000_000))
    with ModelServer(Fault.HTTP_400) as server:
        taken = record(server.url, [item(1, LINE), item(2, LINE)], clock=lambda: next(hour))
        assert server.count == 2
    verified("made", written(MODEL, taken, KEY), taken)


def test_rows_come_in_order_by_a_clock_that_never_goes_back() -> None:
    """However many are asked about at once, and whichever is done first."""
    with ModelServer(latency=0.1) as server:
        taken = record(server.url, [item(number) for number in range(9)], concurrency=4)
        times = [(seen.at, seen.ended) for seen in server.seen]
    assert any(end is not None and end > at for (_, end), (at, _) in pairwise(times))
    assert [each.item.id for each in taken] == [f"line-{number}" for number in range(9)]
    moments = [moment for each in taken for moment in (each.begun, each.ended)]
    assert moments == sorted(moments)
    verified("made", written(MODEL, taken, KEY), taken)


def test_the_first_line_finds_out_alone_what_the_model_can_do() -> None:
    """The others, asked about at once, do not find it out each for itself."""
    with ModelServer(Fault.NO_SCHEMA) as server:
        taken = record(server.url, [item(number) for number in range(5)], concurrency=4)
    assert [len(each.exchanges) for each in taken] == [2, 1, 1, 1, 1]
    verified("made", written(MODEL, taken, KEY), taken)


def test_no_secret_is_asked_about_or_written() -> None:
    """Of the line, the context, and the key that an error quotes."""
    line = "2026-01-02T03:04:05Z ERROR harbour: login failed password=Tr0ub4dor-and-3"
    context = Context(service="pier", labels={"auth": "Bearer abcdef0123456789abcdef01"})
    with ModelServer(Fault.HTTP_401) as server:
        taken = record(server.url, [item(1, line, context)])
        asked = server.seen[0].text
    content = written(MODEL, taken, KEY).decode()
    for secret in ("Tr0ub4dor", "abcdef0123456789", KEY):
        assert secret not in content
        assert secret not in asked


def test_a_row_tells_its_context_and_any_byte() -> None:
    """What is read back is what was recorded."""
    context = check_context("2026-01-02T03:04:05+01:00", "pier", "Europe/Paris", None)
    raw = item(1, b"caf\xe9 \xe2\x82\xac ERROR closed".decode("utf-8", "surrogateescape"), context)
    with ModelServer() as server:
        taken = record(server.url, [raw])
    (row,) = parse("made", written(MODEL, taken, KEY)).rows
    assert row.line.raw == b"caf\xe9 \xe2\x82\xac ERROR closed"
    assert row.context == context


def test_a_time_to_wait_is_kept_as_it_was_when_it_came() -> None:
    """A date that is over when the fixture is written would allow a retry that was not made."""
    moment = datetime.now(UTC) + timedelta(seconds=60)
    with ModelServer(Act(Fault.HTTP_429_DATE, retry_after=moment)) as server:
        (taken,) = record(server.url, [item(1)])
    (exchange,) = taken.exchanges
    assert exchange.retry_after is not None
    assert 50 < float(exchange.retry_after) <= 60


def test_what_no_replay_can_come_to_ends_the_recording() -> None:
    """A spent budget is of that day."""
    with ModelServer() as server:
        with pytest.raises(FixtureError, match="line-1 came to budget_exhausted"):
            record(server.url, [item(1)], caps=Caps(tokens=10))
        assert server.count == 0


def test_a_recording_that_replays_otherwise_is_refused() -> None:
    """Rather no fixture than one that proves something else."""
    with ModelServer() as server:
        taken = record(server.url, [item(1)])
    taken[0].exchanges[0] = Exchange(call=1, status=500)
    taken[0].exchanges.append(Exchange(call=2, status=500))
    with pytest.raises(
        FixtureError, match=r"row 2: line-1 replays as fallback model_error .*model"
    ):
        verified("made", written(MODEL, taken, KEY), taken)


SET_UP = [
    {"model_url": "http://[::1]:8080/v1"},
    {"model_url": "https://gateway.example/some/v1?key=abc", "model_name": "tide:8b"},
    {"model_name": "deepseek:deepseek-chat"},
    {"model_name": "openai:gpt-4o-mini", "model_output": "tool", "attempt_timeout": 3},
]


@pytest.mark.parametrize("chosen", SET_UP, ids=str)
def test_a_replay_asks_as_the_model_that_was_set_up(chosen: dict[str, str]) -> None:
    """The same identity and the same price, with no path, query or key."""
    settings = Settings(model_key=KEY, **chosen)
    live = build_model(settings)
    assert isinstance(live, Attempts)
    model = Model.of(settings, live.client)
    clock = Clock(0)
    again = model.attempts(Upstream(clock), clock)
    assert again.identity == live.identity
    assert again.deadline == live.deadline
    usage = Usage(1234, 56)
    assert again.client.price(usage) == live.client.price(usage)
    assert again.client.mode == live.client.mode
    asyncio.run(live.client.close())
