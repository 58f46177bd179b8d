"""Where tickets and the ledger live."""

from logdocket.store.lessons import Known, Lesson
from logdocket.store.records import (
    Answered,
    Begun,
    Budget,
    Calls,
    CallStart,
    DayCalls,
    Entry,
    EntryKind,
    Exhausted,
    Held,
    Query,
    Started,
    Store,
    StoredTicket,
    Summary,
    TicketRecord,
    Verification,
)
from logdocket.store.shown import rfc3339
from logdocket.store.sqlite import SqliteStore

__all__ = [
    "Answered",
    "Begun",
    "Budget",
    "CallStart",
    "Calls",
    "DayCalls",
    "Entry",
    "EntryKind",
    "Exhausted",
    "Held",
    "Known",
    "Lesson",
    "Query",
    "SqliteStore",
    "Started",
    "Store",
    "StoredTicket",
    "Summary",
    "TicketRecord",
    "Verification",
    "rfc3339",
]
