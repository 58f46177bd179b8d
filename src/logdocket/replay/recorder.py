"""Lines run against a live model, and kept as a fixture that replays to the same tickets."""

from __future__ import annotations

import asyncio
import json
import re
from collections import deque
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import msgspec

from logdocket.docket import Extractor, Policy
from logdocket.errors import FixtureError
from logdocket.line import Context, Line
from logdocket.model import Exchange, redact
from logdocket.replay.attempt import Attempt, seconds_to_wait
from logdocket.replay.fixture import parse
from logdocket.replay.model import Model
from logdocket.replay.pipeline import Replayed, run
from logdocket.ticket import Extraction, ReviewReason, Source

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_SURROGATE: Final = re.compile("[\ud800-\udfff]")

_PASSING: Final = frozenset(
    {
        ReviewReason.BUDGET_EXHAUSTED,
        ReviewReason.LEDGER_UNAVAILABLE,
        ReviewReason.MODEL_BUSY,
        ReviewReason.MODEL_STOPPED,
    }
)
"""Why a line came to no answer of which a replay cannot know."""

_HERE: Final[ContextVar[list[Exchange]]] = ContextVar("exchanges")
"""The exchanges of the line that this task asks about."""


def note(exchange: Exchange) -> None:
    """Keep an exchange for the line that is being asked about; for a client's ``record``.

    Its Retry-After is in seconds from then on: the fixture is written when a date may be over.
    """
    exchange.retry_after = seconds_to_wait(exchange)
    _HERE.get().append(exchange)


class Item(msgspec.Struct, frozen=True):
    """A line to be recorded under ``id``, with what may be kept of it and its context."""

    id: str
    line: Line
    context: Context

    @classmethod
    def redacted(cls, id: str, line: Line, context: Context) -> Item:
        """The item of a line without its secrets, nor those of the context."""
        service, labels = context.service, context.labels
        return cls(
            id,
            Line(redact(line.text).text),
            msgspec.structs.replace(
                context,
                service=None if service is None else redact(service).text,
                labels={name: redact(value).text for name, value in labels.items()},
            ),
        )

    @property
    def key(self) -> tuple[bytes, bytes]:
        """Equal for items that are one to the cache."""
        return self.line.raw, self.context.canonical()


class Taken(msgspec.Struct, frozen=True):
    """What came of an item: when it began and ended, µs since 1970 UTC, and what was exchanged.

    ``extraction`` is None for one that repeats an earlier one, for which a replay has a hit.
    """

    item: Item
    begun: int
    ended: int
    exchanges: list[Exchange]
    extraction: Extraction | None


async def take(
    extractor: Extractor,
    items: Sequence[Item],
    *,
    clock: Callable[[], int],
    concurrency: int = 1,
    told: Callable[[Taken], None] = lambda taken: None,
) -> list[Taken]:
    """Ask about every item, ``concurrency`` at once; what came of each, in order.

    ``extractor`` reuses no ticket, and its client tells :func:`note` of its exchanges. ``told``
    hears of each item in order. Times are as if one had been asked after the other. The first is
    asked alone: it finds out what the model can do.

    Raises:
        FixtureError: a line came to nothing that a replay could repeat.
    """
    taking = _Taking(extractor, clock, told)
    try:
        for place, item in enumerate(items):
            taking.launch(item)
            await taking.land(0 if place == 0 else concurrency - 1)
        await taking.land(0)
    finally:
        await taking.close()
    return taking.taken


class _Taking:
    """Items on their way, landing in order."""

    def __init__(
        self, extractor: Extractor, clock: Callable[[], int], told: Callable[[Taken], None]
    ) -> None:
        self.taken: list[Taken] = []
        self._extractor = extractor
        self._clock = clock
        self._told = told
        self._flying: deque[tuple[Item, asyncio.Task[Taken] | None]] = deque()
        self._seen: set[tuple[bytes, bytes]] = set()
        self._asked: dict[tuple[bytes, bytes], Taken] = {}

    def launch(self, item: Item) -> None:
        """Begin to ask, unless it repeats one before it."""
        repeats = item.key in self._seen
        self._seen.add(item.key)
        self._flying.append((item, None if repeats else asyncio.create_task(self._ask(item))))

    async def land(self, most: int) -> None:
        """Wait until at most so many are on their way."""
        while len(self._flying) > most:
            item, task = self._flying.popleft()
            # By the time that a replay goes by, a row begins when the one before has ended.
            last = self.taken[-1].ended if self.taken else 0
            taken = None if task is not None else self._repeat(item, last)
            if taken is None:
                live = await (task or asyncio.create_task(self._ask(item)))
                begun = max(live.begun, last)
                ended = begun + live.ended - live.begun
                taken = msgspec.structs.replace(live, begun=begun, ended=ended)
                self._asked[item.key] = taken
            self.taken.append(taken)
            self._told(taken)

    def _repeat(self, item: Item, last: int) -> Taken | None:
        """The item as a hit on the one that it repeats; None where that is too old by now."""
        first = self._asked[item.key]
        assert first.extraction is not None, "what was asked has a ticket"
        now = max(self._clock(), last)
        if now - first.ended >= Policy().ttl(first.extraction.ticket.source):
            return None
        return Taken(item, now, now, [], None)

    async def _ask(self, item: Item) -> Taken:
        exchanges: list[Exchange] = []
        _HERE.set(exchanges)
        begun = self._clock()
        extraction = await self._extractor.extract(item.line, item.context)
        ticket = extraction.ticket
        why = _PASSING.intersection(ticket.review_reasons)
        if why or ticket.source is Source.CACHE:
            word = ", ".join(sorted(why)) or "a ticket from the cache"
            raise FixtureError(f"{item.id} came to {word}, which cannot be replayed: try again")
        return Taken(item, begun, self._clock(), exchanges, extraction)

    async def close(self) -> None:
        """Call off what is still on its way."""
        tasks = [task for _, task in self._flying if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def written(model: Model, taken: Sequence[Taken], key: str) -> bytes:
    """The fixture of ``model``, asked with ``key``, and what was taken."""
    rows: list[dict[str, Any]] = [{"model": msgspec.to_builtins(model)}]
    for each in taken:
        attempts = [Attempt.of(exchange, key) for exchange in each.exchanges]
        kept = [msgspec.to_builtins(attempt) for attempt in attempts if attempt is not None]
        row: dict[str, Any] = {"id": each.item.id, "at": _moment(each.begun)}
        row["line"] = each.item.line.text
        if context := _context(each.item.context):
            row["context"] = context
        if kept:
            row["attempts"] = kept
        rows.append(row)
    return b"".join(_json(row) + b"\n" for row in rows)


def verified(name: str, content: bytes, taken: Sequence[Taken]) -> Replayed:
    """A replay of ``content``, which is to be the fixture ``name``.

    Raises:
        FixtureError: it gives a ticket that another source wrote than the live one, or for other
            reasons.
    """
    fixture = parse(name, content)
    replayed = run(fixture)
    for (row, given), each in zip(replayed.pairs, taken, strict=True):
        live = each.extraction
        was = (Source.CACHE.value,) if live is None else _why(live)
        now = _why(given)[:1] if live is None else _why(given)
        if now != was:
            raise FixtureError(
                f"{fixture.place(row)}: {row.id} replays as {' '.join(now)} and was "
                f"{' '.join(was)}: record it again, one line at a time"
            )
    return replayed


def _why(extraction: Extraction) -> tuple[str, ...]:
    ticket = extraction.ticket
    return (ticket.source.value, *(reason.value for reason in ticket.review_reasons))


def _moment(micros: int) -> str:
    moment = _EPOCH + timedelta(microseconds=micros)
    return f"{moment:%Y-%m-%dT%H:%M:%S.%f}Z"


def _context(context: Context) -> dict[str, Any]:
    """The context as a row tells it."""
    received = context.received_at
    told = {
        "received_at": None if received is None else received.isoformat(),
        "service": context.service,
        "timezone": context.timezone,
        "labels": context.labels,
    }
    return {name: value for name, value in told.items() if value}


def _json(row: dict[str, Any]) -> bytes:
    """One line of UTF-8, undecodable bytes of the log line as escapes."""
    text = json.dumps(row, ensure_ascii=False, separators=(", ", ": "))
    return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text).encode()
