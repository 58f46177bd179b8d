"""What a transaction can be asked to do, and what comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from logdocket.calls import CallEnd
from logdocket.store.records import Begun, CallStart, TicketRecord
from logdocket.store.review import DecideOutcome, Grouping, VerdictRecord
from logdocket.store.sqlite.chain import Draft


class Write(NamedTuple):
    """Enter how a call ended, then tickets; comes to their numbers.

    ``plain``: there is nothing in it but tickets that no call was made for.
    """

    drafts: Sequence[Draft]
    records: Sequence[TicketRecord]
    ended: CallEnd | None
    plain: bool


class Start(NamedTuple):
    """Enter a call if it may be made; comes to whether it may."""

    call: CallStart


class Release(NamedTuple):
    """Drop a claim; comes to nothing."""

    key: bytes
    holder: bytes


class Doubt(NamedTuple):
    """See that no line shares an answer about ``template``, of which ``ticket`` is one; comes to
    nothing."""

    template: bytes
    ticket: int


class Sweep(NamedTuple):
    """Enter expired calls as interrupted; comes to their number."""


class Decide(NamedTuple):
    """Enter what a person has decided; comes to what became of each record."""

    records: Sequence[VerdictRecord]
    grouping: Grouping


Order: TypeAlias = Write | Start | Release | Sweep | Doubt | Decide
Outcome: TypeAlias = "list[int] | list[DecideOutcome] | Begun | int | ValueError | None"
"""ValueError: the order contradicts the ledger."""


def write(drafts: Sequence[Draft], records: Sequence[TicketRecord], ended: CallEnd | None) -> Write:
    """The order to enter these."""
    return Write(drafts, records, ended, ended is None and not _tied(records))


def _tied(records: Sequence[TicketRecord]) -> bool:
    for record in records:  # noqa: SIM110 - half the time of any(), and it runs for every ticket
        if record.calls or record.holder is not None:  # only with calls is there a lesson
            return True
    return False


def size(order: Order) -> int:
    """About how many entries it makes."""
    return len(order.drafts) if isinstance(order, Write) else 1


def tickets(orders: Sequence[Order]) -> int:
    """How many tickets are to be entered."""
    return sum(len(order.drafts) for order in orders if isinstance(order, Write))


def ends(orders: Sequence[Order]) -> tuple[CallEnd, ...]:
    """The ends of calls that are to be entered."""
    return tuple(
        order.ended for order in orders if isinstance(order, Write) and order.ended is not None
    )


def releases(orders: Sequence[Order]) -> tuple[Release, ...]:
    """The claims that are to be dropped."""
    found: list[Release] = []
    for order in orders:
        if isinstance(order, Release):
            found.append(order)
        elif isinstance(order, Write):
            found += [
                Release(record.key, record.holder)
                for record in order.records
                if record.holder is not None
            ]
    return tuple(found)
