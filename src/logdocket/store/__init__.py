"""Where tickets and the ledger live."""

from logdocket.store.records import (
    Entry,
    Query,
    Store,
    StoredTicket,
    Summary,
    TicketRecord,
    Verification,
)
from logdocket.store.shown import rfc3339, ticket_document
from logdocket.store.sqlite import SqliteStore

__all__ = [
    "Entry",
    "Query",
    "SqliteStore",
    "Store",
    "StoredTicket",
    "Summary",
    "TicketRecord",
    "Verification",
    "rfc3339",
    "ticket_document",
]
