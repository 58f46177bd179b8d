"""Every call, from its start to the ticket that it was made for, as a walk over the chain meets it.

The rows that the chain's entries add up to are made again, step by step, and held against those in
the database.
"""

from __future__ import annotations

import sqlite3
from typing import Any, Final, TypeVar

import msgspec

from logdocket.calls import CallStatus, Spend
from logdocket.store.sqlite.bad import Bad
from logdocket.store.sqlite.details import (
    INTERRUPTED,
    FinishedDetail,
    InterruptedDetail,
    StartedDetail,
)
from logdocket.store.sqlite.rows import CallRow, SpendRow
from logdocket.store.sqlite.statements import SQL, filled
from logdocket.ticket import Source

_Detail = TypeVar("_Detail", StartedDetail, FinishedDetail, InterruptedDetail)
_NOTHING: Final = (0, 0, 0, 0)
_ROW: Final = filled("calls", "?")


class Accounts:
    """What the entries so far say about calls; every method raises Bad where a law is broken.

    In memory are the calls that are open, were interrupted, or have no ticket yet, and a row for
    each day.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._calls: dict[int, CallRow] = {}
        self._spend: dict[int, SpendRow] = {}
        self._started = 0

    def start(self, seq: int, at: int, text: str) -> None:
        """A call was started, and its day had room for it."""
        detail = _read(seq, _started, text)
        row = CallRow(
            seq,
            at,
            detail.expires,
            detail.model,
            detail.attempt,
            detail.reserved.tokens,
            detail.reserved.nano_usd,
        )
        spend = self._spend.setdefault(row.day, SpendRow(row.day))
        if not spend.within(detail.cap, Spend(row.reserved_tokens, row.reserved_nano_usd)):
            raise Bad(seq, "started a call that the budget of its day had no room for")
        spend.reserve(row)
        self._calls[seq] = row
        self._started += 1

    def finish(self, seq: int, text: str) -> None:
        """A call that was open, or taken for interrupted, has finished."""
        detail = _read(seq, _finished, text)
        call = self._ended(seq, detail.call)
        if detail.late is not (call.status == INTERRUPTED):
            raise Bad(seq, "does not say truly whether its call had been taken for interrupted")
        self._charge(call, detail.status.value, detail.charge.spend)
        call.tokens_in, call.tokens_out = detail.tokens_in, detail.tokens_out
        call.nano_usd = detail.nano_usd
        self._let_go(call)

    def interrupt(self, seq: int, at: int, text: str) -> None:
        """A call was still open when it expired; it is charged what it had reserved."""
        detail = _read(seq, _interrupted, text)
        call = self._ended(seq, detail.call)
        if call.status is not None:
            raise Bad(seq, f"interrupts call {call.seq} a second time")
        if at < call.expires:
            raise Bad(seq, f"interrupts call {call.seq} before it expired")
        charge = detail.charge.spend
        if charge != Spend(call.reserved_tokens, call.reserved_nano_usd):
            raise Bad(seq, f"charges call {call.seq} another amount than it had reserved")
        self._charge(call, INTERRUPTED, charge)

    def ticket(self, seq: int, source: str, detail: dict[str, Any]) -> None:
        """A ticket names the calls that were made for it, and what they used."""
        calls = [self._called(seq, number) for number in _numbers(seq, detail)]
        if detail.get("tokens") != sum(call.tokens for call in calls):
            raise Bad(seq, "has other tokens than its calls")
        if source == Source.MODEL and not (calls and calls[-1].status == CallStatus.OK):
            raise Bad(seq, "is an answer of a model without a call that gave one")
        for call in calls:
            if call.ticket is not None:
                raise Bad(seq, f"names call {call.seq}, which has its ticket already")
            call.ticket = seq
        for call in calls:
            self._let_go(call)

    def close(self) -> None:
        """At the end of the chain: what is still in memory stands in the database as well, and
        nothing else does."""
        for call in self._calls.values():
            self._compare(call)
        (calls,) = self._connection.execute(SQL["call_count"]).fetchone()
        if calls != self._started:
            (seq,) = self._connection.execute(SQL["orphaned_call"]).fetchone()
            raise Bad(seq, "has a row in the table of calls and started none")
        stored = {row[0]: row[1:] for row in self._connection.execute(SQL["whole_spend"])}
        for day, row in self._spend.items():
            if stored.pop(day, _NOTHING) != msgspec.structs.astuple(row)[1:]:
                raise Bad(None, f"the spend of day {day} is not what its calls add up to")
        if any(row != _NOTHING for row in stored.values()):
            raise Bad(None, f"there is spend on a day without calls, one of {sorted(stored)}")

    def _ended(self, seq: int, number: int) -> CallRow:
        """The call that entry ``seq`` ends."""
        call = self._calls.get(number)
        if call is None or call.status not in (None, INTERRUPTED):
            raise Bad(seq, f"ends call {number}, which is not open")
        return call

    def _called(self, seq: int, number: int) -> CallRow:
        """The call that ticket ``seq`` names."""
        call = self._calls.get(number)
        if call is None or call.status is None:
            raise Bad(seq, f"names call {number}, which is none that has ended and has no ticket")
        return call

    def _charge(self, call: CallRow, status: str, charge: Spend) -> None:
        spend = self._spend[call.day]
        if call.status is None:
            spend.reserve(call, -1)
        else:
            spend.charge(call, -1)
        call.end(status, charge)
        spend.charge(call)

    def _let_go(self, call: CallRow) -> None:
        """Forget a call about which nothing more can be entered."""
        if call.ticket is not None and call.status != INTERRUPTED:
            self._compare(call)
            del self._calls[call.seq]

    def _compare(self, call: CallRow) -> None:
        stored = self._connection.execute(_ROW, (call.seq,)).fetchone()
        if stored != msgspec.structs.astuple(call):
            raise Bad(call.seq, "has another row in the table of calls than its entries make")


_started = msgspec.json.Decoder(StartedDetail)
_finished = msgspec.json.Decoder(FinishedDetail)
_interrupted = msgspec.json.Decoder(InterruptedDetail)


def _read(seq: int, decoder: msgspec.json.Decoder[_Detail], text: str) -> _Detail:
    try:
        return decoder.decode(text)
    except (msgspec.MsgspecError, UnicodeError):
        raise Bad(seq, "has a detail that cannot be read") from None


def _numbers(seq: int, detail: dict[str, Any]) -> list[int]:
    numbers = detail.get("calls", [])
    if not isinstance(numbers, list) or not all(type(number) is int for number in numbers):
        raise Bad(seq, "does not name its calls by their numbers")
    return numbers
