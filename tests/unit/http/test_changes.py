from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from logdocket.confidence import shipped
from logdocket.docket import Extractor, Policy, ReviewDesk
from logdocket.errors import LedgerUnavailable
from logdocket.http import changes as changes_module
from logdocket.http import events
from logdocket.http.changes import Changes, Stream
from logdocket.line import NO_CONTEXT, Line
from logdocket.store import SqliteStore


@pytest.fixture(autouse=True)
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look more often than a service does, and have few wait."""
    monkeypatch.setattr(changes_module, "_PAUSE", 0.01)
    monkeypatch.setattr(events, "_WAITING", 3)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """A store on a file of its own."""
    opened = SqliteStore(tmp_path / "changes.db", clock=lambda: 0)
    yield opened
    opened.close()


@pytest.fixture
async def changes(store: SqliteStore) -> AsyncIterator[Changes]:
    """What tells of changes in it."""
    made = Changes(ReviewDesk(store, clock=lambda: 0, max_line=65_536))
    made.open()
    yield made
    await made.close()


def enter(store: SqliteStore, *words: str) -> None:
    """Enter a ticket that needs a person for each word, in one commit."""
    extractor = Extractor(Policy(), shipped(), store, lambda: 0)
    lines = [(Line.of(f"ERROR the {word} broke", 100), NO_CONTEXT) for word in words]
    extractor.finish(extractor.begin(lines))


async def heard(stream: Stream) -> bytes:
    """The next piece of a stream."""
    async with asyncio.timeout(5):
        return bytes(await anext(aiter(stream.body_iterator)))  # type: ignore[arg-type]


async def until(condition: Callable[[], bool]) -> None:
    """Wait until it holds."""
    async with asyncio.timeout(5):
        while not condition():  # noqa: ASYNC110 - what is waited for knows nothing of the test
            await asyncio.sleep(0.005)


async def seen(changes: Changes, upto: int) -> None:
    """Wait until all up to entry ``upto`` has been told to whoever listens."""
    await until(lambda: changes.upto >= upto)


async def test_who_reads_too_slowly_is_told_to_begin_anew(
    changes: Changes, store: SqliteStore
) -> None:
    """What waits is bounded; what comes after that is told again."""
    stream = await changes.listen(None)
    assert (await heard(stream)).startswith(b"event: counts\nid: 0\n")
    for number in range(1, 9):
        enter(store, "abcdefgh"[number - 1])
        await seen(changes, number)
    reset = await heard(stream)
    assert reset.startswith(b"event: reset\n")
    enter(store, "last")
    rest = b""
    while b'"the last broke"' not in rest:
        rest += await heard(stream)
    assert b"event: reset" not in rest


async def test_groups_of_one_look_come_in_one_piece_and_none_twice(
    changes: Changes, store: SqliteStore
) -> None:
    """Whether they were told by the beginning of the stream or by a look."""
    first = await changes.listen(None)
    await heard(first)
    enter(store, "one", "two", "three")
    await seen(changes, 3)
    late = await changes.listen(0)
    assert (await heard(late)).count(b"event: group\n") == 3
    assert (await heard(first)).count(b"event: group\n") == 3
    enter(store, "four")
    for stream in (first, late):
        piece = await heard(stream)
        assert piece.count(b"event: group\n") == 1
        assert b'"the four broke"' in piece


async def test_silence_is_broken_by_a_comment(
    changes: Changes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that nobody between the two takes the connection for dead."""
    monkeypatch.setattr(events, "_HEARTBEAT", 0.02)
    stream = await changes.listen(None)
    await heard(stream)
    assert await heard(stream) == b": still here\n\n"


async def test_nobody_looks_while_nobody_listens(changes: Changes, store: SqliteStore) -> None:
    """And with the next listener it goes on from there."""
    stream = await changes.listen(None)
    await heard(stream)
    changes.leave(stream.listener)
    await until(lambda: not changes.looks)
    enter(store, "quiet")
    again = await changes.listen(None)
    assert b'"open":1' in await heard(again)
    assert changes.looks


async def test_the_end_is_heard_at_once(changes: Changes) -> None:
    """By those who listen, and by those who come after it."""
    stream = await changes.listen(None)
    await heard(stream)
    changes.end()
    with pytest.raises(StopAsyncIteration):
        await heard(stream)
    late = await changes.listen(None)
    await heard(late)
    with pytest.raises(StopAsyncIteration):
        await heard(late)


async def test_a_queue_that_cannot_be_read_begins_no_stream(
    changes: Changes, store: SqliteStore
) -> None:
    """And nobody is taken for a listener."""
    store.close()
    with pytest.raises(LedgerUnavailable):
        await changes.listen(None)
    assert changes.listening == 0
