"""Services that call a model, many lines at once, and what a ledger says of the calls."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

import httpx
from jsonschema import Draft202012Validator
from service import Service

from logdocket.schema import ticket_schema
from logdocket.store import Entry, SqliteStore
from logdocket.testing import ModelServer, Seen
from logdocket.testing.answers import line_in

_TICKET: Final = Draft202012Validator(ticket_schema())
_DAY: Final = 86_400_000_000
LENIENT: Final = str(10**9)
"""More failures in a row than any test has."""


def asking(model: ModelServer | str, folder: Path, **settings: str) -> Service:
    """A service that asks ``model``, a server or the URL of one.

    Its breaker never opens for failures, its fallbacks are not reused, every line is asked about
    for itself, and may take three seconds, unless ``settings`` say so.
    """
    folder.mkdir(exist_ok=True)
    url = model if isinstance(model, str) else model.url
    chosen = {
        "model_url": url,
        "model_key": "any-word",
        "deadline": "3",
        "breaker_failures": LENIENT,
        "fallback_ttl": "0",
        "cache_scope": "line",
        **settings,
    }
    return Service(folder, **{name: value for name, value in chosen.items() if value})


class Given(NamedTuple):
    """What came back for a line: the ticket, the number of its entry, and how long it took."""

    line: str
    ticket: dict[str, Any]
    id: int | None
    seconds: float

    @property
    def source(self) -> str:
        """Who wrote it."""
        return str(self.ticket["source"])

    @property
    def reasons(self) -> list[str]:
        """Why a person is to look."""
        return list(self.ticket["review_reasons"])


class Gone(Exception):
    """The service closed the connection in place of an answer."""


class Sender:
    """One connection to a service, over which lines go one after another."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def send(self, line: str) -> Given:
        """The answer for ``line``, which must be a ticket; raises Gone."""
        began = time.monotonic()
        try:
            if self._streams is None:
                self._streams = await asyncio.open_connection("127.0.0.1", self._port)
            head, body = await self._exchange(*self._streams, json.dumps({"line": line}).encode())
        except (OSError, asyncio.IncompleteReadError) as error:
            self.close()
            raise Gone from error
        assert head.startswith("http/1.1 200"), (head, body)
        ticket = json.loads(body)
        _TICKET.validate(ticket)
        id = _after(head, "content-location: /tickets/")
        return Given(line, ticket, int(id) if id else None, time.monotonic() - began)

    async def __aenter__(self) -> Sender:
        return self

    async def __aexit__(self, *error: object) -> None:
        streams, self._streams = self._streams, None
        if streams is not None:
            streams[1].close()
            with contextlib.suppress(OSError):
                await streams[1].wait_closed()

    async def _exchange(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, body: bytes
    ) -> tuple[str, bytes]:
        writer.write(
            b"POST /extract HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
        )
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        return head, await reader.readexactly(int(_after(head, "content-length: ")))

    def close(self) -> None:
        """Go away, whatever is still to come."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


def _after(head: str, name: str) -> str:
    return head.partition(name)[2].partition("\r\n")[0]


async def send_all(ports: Sequence[int], lines: Iterable[str], at_once: int) -> list[Given]:
    """The answers to all ``lines`` in their order, ``at_once`` at a time, over services in turn."""
    numbered = enumerate(lines)
    given: dict[int, Given] = {}

    async def work(sender: Sender) -> None:
        async with sender:
            for number, line in numbered:
                given[number] = await sender.send(line)

    await asyncio.gather(*(work(Sender(ports[n % len(ports)])) for n in range(at_once)))
    return [given[number] for number in sorted(given)]


def send(
    ports: int | Sequence[int], lines: Sequence[str], at_once: int | None = None
) -> list[Given]:
    """The same, blocking; all at once unless told."""
    listed = [ports] if isinstance(ports, int) else ports
    return asyncio.run(send_all(listed, lines, at_once or len(lines)))


class Call(NamedTuple):
    """A call as the ledger tells of it; ``status`` is None while it is open.

    ``day`` is that of its beginning, counted from 1970; ``charges`` what it was charged, by the
    number of the entry that says so.
    """

    seq: int
    day: int
    started: dict[str, Any]
    ended: dict[str, Any] | None = None
    interrupted: bool = False
    charges: tuple[tuple[int, int], ...] = ()

    @property
    def status(self) -> str | None:
        """How it ended."""
        if self.ended is None:
            return "interrupted" if self.interrupted else None
        return str(self.ended["status"])

    @property
    def usage(self) -> tuple[int, int] | None:
        """Tokens in and out, where any were reported."""
        if self.ended is None or self.ended["tokens_in"] is None:
            return None
        return self.ended["tokens_in"], self.ended["tokens_out"]


class Books(NamedTuple):
    """What a ledger's entries say: its tickets, and its calls by number."""

    tickets: list[Entry]
    calls: dict[int, Call]

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> Books:
        """Of all entries of a ledger, oldest first."""
        tickets, calls = [], dict[int, Call]()
        for entry in entries:
            detail: Any = entry.detail
            if entry.kind == "ticket":
                tickets.append(entry)
            elif entry.kind == "call_started":
                calls[entry.seq] = Call(entry.seq, entry.at // _DAY, detail)
            elif entry.kind in ("call_finished", "call_interrupted"):
                call = calls[detail["call"]]
                calls[call.seq] = call._replace(
                    ended=detail if entry.kind == "call_finished" else call.ended,
                    interrupted=call.interrupted or entry.kind == "call_interrupted",
                    charges=(*call.charges, (entry.seq, detail["charge"]["tokens"])),
                )
        return cls(tickets, calls)

    @classmethod
    def at(cls, db: Path) -> Books:
        """Of the ledger in a file."""
        store = SqliteStore(db, clock=lambda: time.time_ns() // 1000)
        try:
            return cls.of(store.export())
        finally:
            store.close()

    @classmethod
    def over(cls, client: httpx.Client) -> Books:
        """Of the ledger that a service shows, kind by kind."""
        kinds = ("ticket", "call_started", "call_finished", "call_interrupted")
        rows = [row for kind in kinds for row in _pages(client, kind)]
        return cls.of(
            Entry(**row | {"at": _micros(row["at"])})
            for row in sorted(rows, key=lambda row: int(row["seq"]))
        )

    def about(self, line: str) -> list[Call]:
        """The calls that were made for ``line``, in order."""
        wanted = hashed(line)
        return [call for call in self.calls.values() if call.started["line"] == wanted]

    def statuses(self, line: str) -> list[str | None]:
        """How they ended."""
        return [call.status for call in self.about(line)]

    @property
    def tokens(self) -> int:
        """Reported for all calls."""
        return sum(sum(call.usage) for call in self.calls.values() if call.usage is not None)


def _micros(text: str) -> int:
    since = datetime.fromisoformat(text) - datetime.fromtimestamp(0, UTC)
    return since // timedelta(microseconds=1)


def _pages(client: httpx.Client, kind: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    cursor: dict[str, int] = {}
    while True:
        page = client.get("/ledger", params={"kind": kind, "limit": 1000, **cursor}).json()
        found += page["entries"]
        if page["next"] is None:
            return found
        cursor = {"cursor": page["next"]}


def hashed(line: str) -> str:
    """A line as the ledger names it."""
    return sha256(line.encode()).hexdigest()


def call_of(seen: Seen) -> int:
    """The number of the entry that a request names."""
    name = seen.request_id
    assert name is not None, "a request names no entry"
    assert name.startswith("logdocket-"), name
    return int(name.removeprefix("logdocket-"))


def check_requests(books: Books, server: ModelServer) -> None:
    """Every request that the model saw, whole or not, has a call of its own, of its own line."""
    numbers = Counter(map(call_of, server.seen))
    assert max(numbers.values(), default=1) == 1, "a call was made twice"
    for seen in server.seen:
        call = books.calls.get(call_of(seen))
        assert call is not None, f"request {seen.number} stands in no ledger"
        assert call.started["line"] == hashed(line_in(seen)), f"request {seen.number}"
    for cut in server.unfinished:
        assert cut.request_id is None or call_of(cut) in books.calls


def check_tokens(
    books: Books, server: ModelServer, lost: Callable[[Seen, Call], bool] = lambda *_: False
) -> int:
    """Call by call, the ledger has the tokens that the model reported to it; gives their sum.

    ``lost`` says of an answer that the model handed over whether it was of no use to the service.
    """
    total = 0
    for seen in server.seen:
        call = books.calls[call_of(seen)]
        told = (seen.tokens_in, seen.tokens_out)
        if call.usage is None:
            assert told == (0, 0) or lost(seen, call), (seen.fault, told, call)
        else:
            assert call.usage == told, (seen.fault, call)
            total += sum(told)
    assert books.tokens == total, "tokens of calls that the model knows nothing of"
    return total


def check_summary(summary: dict[str, Any], books: Books, given: int | None = None) -> None:
    """The sums are those of the entries, and of the conservation laws; none is in flight.

    ``given`` is how many tickets were handed out in all.
    """
    calls = summary["calls"]
    ended = Counter(call.status for call in books.calls.values())
    assert calls["started"] == len(books.calls)
    assert calls["started"] == calls["finished"] + calls["interrupted"] + calls["in_flight"]
    assert calls["in_flight"] == ended.pop(None, 0) == 0
    assert calls["interrupted"] == ended.pop("interrupted", 0)
    assert calls["by_status"] == dict(ended)
    assert calls["finished"] == ended.total()
    assert calls["tokens_in"] + calls["tokens_out"] == books.tokens
    assert calls["retries"] == sum(call.started["attempt"] == 2 for call in books.calls.values())
    sources = Counter(str(ticket.source) for ticket in books.tickets)
    assert {name: number for name, number in summary["by_source"].items() if number} == sources
    assert summary["tickets"] == sources.total() == len(books.tickets)
    if given is not None:
        assert summary["tickets"] == given
    assert summary["unledgered"] == 0
    assert summary["budget"]["reserved"] == {"tokens": 0, "nano_usd": 0}


def check_budget(books: Books) -> int:
    """Replay reservations and charges as they were entered: no call was begun for which its day
    had no room. Gives the tokens that were charged in all.
    """
    moves: list[tuple[int, Call, int | None]] = []
    for call in books.calls.values():
        moves.append((call.seq, call, None))
        moves += [(seq, call, tokens) for seq, tokens in call.charges]
    spent: Counter[int] = Counter()
    held: dict[int, int] = {}
    for _, call, charge in sorted(moves, key=lambda move: move[0]):
        if charge is None:
            held[call.seq] = call.started["reserved"]["tokens"]
            spent[call.day] += held[call.seq]
            cap = call.started["cap"]["tokens"]
            assert spent[call.day] <= cap, f"call {call.seq} was begun beyond the budget"
        else:
            spent[call.day] += charge - held[call.seq]
            held[call.seq] = charge
    return spent.total()
