"""Calls, claims and the budget as one transaction finds and leaves them.

All that the orders of a group touch is read at once, changed in memory in their order, and written
at once: each statement lets go of the interpreter lock, so a group needs few of them.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

import msgspec

from logdocket.calls import CallEnd, CallStatus, Spend
from logdocket.store.lessons import Known, Lesson, learn
from logdocket.store.records import (
    Answered,
    Begun,
    CallStart,
    EntryKind,
    Exhausted,
    Held,
    Started,
    StoredTicket,
    TicketRecord,
)
from logdocket.store.review import Decided
from logdocket.store.sqlite import details
from logdocket.store.sqlite.chain import Strand
from logdocket.store.sqlite.orders import (
    Decide,
    Doubt,
    Order,
    Outcome,
    Release,
    Start,
    Sweep,
    Write,
)
from logdocket.store.sqlite.queue.deciding import decide, refutes
from logdocket.store.sqlite.rows import DAY, CallRow, SpendRow
from logdocket.store.sqlite.statements import SQL, among, put
from logdocket.store.sqlite.tickets import (
    MEANINGLESS,
    newest,
    template_row,
    templates,
    templates_of,
)
from logdocket.ticket import Source

_log = logging.getLogger(__name__)
_Row = TypeVar("_Row", bound=msgspec.Struct)

_LONGEST: Final = 4_000 * 1_000_000
"""µs from now. A claim that lasts longer than any deadline was made by a clock that was wrong, or
was put there: it would keep its line from ever being asked about."""


class _Claim(msgspec.Struct, gc=False):
    key: bytes
    holder: bytes
    expires: int


class Book:
    """Carries out the orders of one transaction; entries go to ``strand``.

    Nothing but :meth:`save` writes to the database, except that expired claims are dropped.
    """

    def __init__(self, connection: sqlite3.Connection, strand: Strand) -> None:
        self._connection = connection
        self._strand = strand
        self._calls: dict[int, CallRow] = {}
        self._claims: dict[bytes, _Claim] = {}
        self._spend: dict[int, SpendRow] = {}
        self._newest: dict[bytes, StoredTicket] = {}
        self._templates: dict[bytes, Known] = {}
        self._changed_templates: set[bytes] = set()
        self._wanted: set[bytes] = set()
        self._expired: list[CallRow] = []
        self._changed_calls: set[int] = set()
        self._changed_claims: set[bytes] = set()

    def run(self, owed: Sequence[CallEnd], orders: Sequence[Order]) -> list[Outcome]:
        """Enter the ``owed`` ends, then carry out each order; what came of each."""
        self._read(owed, orders)
        for end in owed:
            if (problem := self._end(end)) is not None:
                _log.warning("an end that was owed to the ledger is not entered: %s", problem)
        return [self._carry_out(order) for order in orders]

    def save(self) -> None:
        """Write what has changed."""
        connection = self._connection
        calls = [self._calls[seq] for seq in sorted(self._changed_calls)]
        put(connection, "put_call", 14, _flat(calls))
        if calls:
            put(connection, "put_spend", 5, _flat(list(self._spend.values())))
        kept = [self._claims[key] for key in self._changed_claims if key in self._claims]
        gone = [key for key in self._changed_claims if key not in self._claims]
        put(connection, "put_claim", 3, _flat(kept))
        learnt = [template_row(self._templates[key]) for key in sorted(self._changed_templates)]
        put(connection, "put_template", 6, [value for row in learnt for value in row])
        for _ in among(connection, "drop_claims", gone):
            pass

    def _read(self, owed: Sequence[CallEnd], orders: Sequence[Order]) -> None:
        connection, at = self._connection, self._strand.at
        if any(isinstance(order, Start | Sweep) for order in orders):
            connection.execute(SQL["drop_expired_claims"], (at,))
            found = connection.execute(SQL["expired_calls"], (at,)).fetchall()
            self._expired = [CallRow(*row) for row in found]
        numbers = set(_numbers(owed, orders))
        self._calls = {row[0]: CallRow(*row) for row in among(connection, "calls", list(numbers))}
        # The same object for a call that is both.
        self._expired = [self._calls.setdefault(call.seq, call) for call in self._expired]
        keys = list(dict.fromkeys(_keys(orders)))
        self._claims = {row[0]: _Claim(*row) for row in among(connection, "claims", keys)}
        days = {call.day for call in self._calls.values()} | {at // DAY}
        self._spend = {row[0]: SpendRow(*row) for row in among(connection, "spend", list(days))}
        self._wanted = {
            order.call.key for order in orders if isinstance(order, Start) and _asks(order.call)
        }
        self._newest = newest(connection, list(self._wanted))
        taught = {key for lesson in _lessons(orders) for key in (lesson.wide, lesson.narrow)}
        self._templates = templates(connection, sorted(taught))

    def _carry_out(self, order: Order) -> Outcome:
        match order:
            case Write():
                return self._write(order)
            case Start(call):
                self._interrupt()
                return self._start(call)
            case Release(key, holder):
                self._release(key, holder)
                return None
            case Sweep():
                return self._interrupt()
            case Doubt(template, ticket):
                self._learn(Lesson.of_doubt(template), ticket)
                return None
            case Decide(records, grouping):
                outcomes = decide(self._connection, self._strand, records, grouping)
                for record, outcome in zip(records, outcomes, strict=True):
                    if isinstance(outcome, Decided) and refutes(record):
                        self._refute(record.ticket)
                return outcomes

    def _interrupt(self) -> int:
        """Enter the expired calls that are still open; gives their number."""
        overdue = [call for call in self._expired if call.status is None]
        for call in overdue:
            charge = Spend(call.reserved_tokens, call.reserved_nano_usd)
            self._strand.add(EntryKind.CALL_INTERRUPTED, details.interrupted(call.seq, charge))
            self._settle(call, details.INTERRUPTED, charge)
        self._expired = []
        return len(overdue)

    def _start(self, call: CallStart) -> Begun:
        at = self._strand.at
        claim = self._claims.get(call.key)
        if claim is not None and claim.holder != call.holder and at < claim.expires < at + _LONGEST:
            return Held(claim.expires)
        ticket = self._newest.get(call.key) if _asks(call) else None
        if ticket is not None and ticket.id > call.seen:
            return Answered(ticket)
        spend = self._spend_of(at // DAY)
        if not spend.within(details.cap_of(call), call.reserve):
            return Exhausted()
        seq = self._strand.add(EntryKind.CALL_STARTED, details.started(call))
        row = CallRow(
            seq,
            at,
            call.expires,
            details.model_of(call),
            call.attempt,
            call.reserve.tokens,
            call.reserve.nano_usd,
        )
        self._calls[seq] = row
        self._changed_calls.add(seq)
        spend.reserve(row)
        held = claim.expires if claim is not None and claim.holder == call.holder else 0
        self._claims[call.key] = _Claim(call.key, call.holder, max(held, call.expires))
        self._changed_claims.add(call.key)
        return Started(seq)

    def _end(self, end: CallEnd) -> str | None:
        """Enter it; what is wrong with it, if anything is, and then nothing is entered."""
        call = self._calls.get(end.call)
        if call is None:
            return f"entry {end.call} started no call"
        late = call.status == details.INTERRUPTED
        if call.status is not None and not late:
            return f"the end of call {end.call} is entered already"
        self._strand.add(EntryKind.CALL_FINISHED, details.finished(end, late=late))
        if end.usage is not None:
            call.tokens_in, call.tokens_out = end.usage.tokens_in, end.usage.tokens_out
        call.nano_usd = end.nano_usd
        self._settle(call, end.status.value, end.charge)
        return None

    def _settle(self, call: CallRow, status: str, charge: Spend) -> None:
        """Charge its day, in place of what it had reserved or was charged before."""
        spend = self._spend_of(call.day)
        if call.status is None:
            spend.reserve(call, -1)
        else:
            spend.charge(call, -1)
        call.end(status, charge)
        spend.charge(call)
        self._changed_calls.add(call.seq)

    def _write(self, order: Write) -> Outcome:
        if order.ended is not None and (problem := self._end(order.ended)) is not None:
            return ValueError(problem)
        if (problem := self._contradiction(order.records)) is not None:
            return ValueError(problem)
        numbers = self._strand.write(order.drafts)
        for number, record in zip(numbers, order.records, strict=True):
            for call in record.calls:
                self._calls[call].ticket = number
                self._changed_calls.add(call)
            if record.holder is not None:
                self._release(record.key, record.holder)
            if record.lesson is not None:
                self._learn(record.lesson, number)
            if record.body is not None and record.key in self._wanted:
                self._newest[record.key] = _ticket(number, self._strand.at, record, record.body)
        return numbers

    def _contradiction(self, records: Sequence[TicketRecord]) -> str | None:
        """What the ledger knows otherwise about the calls of these tickets."""
        seen: set[int] = set()
        for place, record in enumerate(records):
            if not record.calls:
                continue
            calls = [self._calls.get(number) for number in record.calls]
            ended = [call for call in calls if call is not None and call.status is not None]
            if len(ended) < len(calls):
                return f"record {place}: one of the calls {record.calls} has not ended"
            if any(call.ticket is not None or call.seq in seen for call in ended):
                return f"record {place}: one of the calls {record.calls} has its ticket already"
            seen.update(record.calls)
            if len(set(record.calls)) < len(calls):
                return f"record {place}: a call is named twice"
            if record.tokens != sum(call.tokens for call in ended):
                return f"record {place}: {record.tokens} tokens were not reported for its calls"
            if record.source is Source.MODEL and ended[-1].status != CallStatus.OK:
                return f"record {place}: its last call did not give an answer"
        return None

    def _learn(self, lesson: Lesson, ticket: int) -> None:
        known = self._templates.get
        for learnt in learn(known(lesson.wide), known(lesson.narrow), lesson, ticket):
            if learnt is not None:
                self._templates[learnt.key] = learnt
                self._changed_templates.add(learnt.key)

    def _refute(self, ticket: int) -> None:
        """See that no line shares an answer that a person has found wrong."""
        try:
            found = templates_of(self._connection, ticket)
        except MEANINGLESS:
            return
        if found is None:
            return
        for lesson in map(Lesson.of_doubt, found[0]):
            missing = [key for key in (lesson.wide, lesson.narrow) if key not in self._templates]
            self._templates.update(templates(self._connection, missing))
            self._learn(lesson, found[1])

    def _release(self, key: bytes, holder: bytes) -> None:
        claim = self._claims.get(key)
        if claim is not None and claim.holder == holder:
            del self._claims[key]
            self._changed_claims.add(key)

    def _spend_of(self, day: int) -> SpendRow:
        return self._spend.setdefault(day, SpendRow(day))


def _asks(call: CallStart) -> bool:
    """Whether a ticket that someone else has entered will do in place of the call."""
    return call.attempt == 1


def _numbers(owed: Sequence[CallEnd], orders: Sequence[Order]) -> Iterator[int]:
    """The calls that are named."""
    yield from (end.call for end in owed)
    for order in orders:
        if isinstance(order, Write) and not order.plain:
            if order.ended is not None:
                yield order.ended.call
            for record in order.records:
                yield from record.calls


def _keys(orders: Sequence[Order]) -> Iterator[bytes]:
    """The keys whose claims matter."""
    for order in orders:
        match order:
            case Write(_, records, _, False):
                yield from (record.key for record in records if record.holder is not None)
            case Start(call):
                yield call.key
            case Release(key, _):
                yield key


def _lessons(orders: Sequence[Order]) -> Iterator[Lesson]:
    """What the answers among the tickets teach."""
    for order in orders:
        if isinstance(order, Doubt):
            yield Lesson.of_doubt(order.template)
        elif isinstance(order, Write) and not order.plain:
            for record in order.records:
                if record.lesson is not None:
                    yield record.lesson


def _flat(structs: Sequence[_Row]) -> list[object]:
    return [value for struct in structs for value in msgspec.structs.astuple(struct)]


def _ticket(id: int, at: int, record: TicketRecord, body: bytes) -> StoredTicket:
    return StoredTicket(
        id=id,
        at=at,
        key=record.key,
        line_hash=record.line_hash,
        source=record.source,
        reasons=record.reasons,
        body=body,
        text=record.text,
    )
