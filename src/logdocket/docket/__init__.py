"""The order of steps: from a line to a ticket that is in the ledger."""

from logdocket.docket.books import Caps
from logdocket.docket.explained import explanation, ticket_document
from logdocket.docket.extractor import Extractor, Item
from logdocket.docket.judge import Judge
from logdocket.docket.judgement import Judged, Judgement, decode_judgement
from logdocket.docket.policy import CacheScope, Policy
from logdocket.docket.slot import Slot

__all__ = [
    "CacheScope",
    "Caps",
    "Extractor",
    "Item",
    "Judge",
    "Judged",
    "Judgement",
    "Policy",
    "Slot",
    "decode_judgement",
    "explanation",
    "ticket_document",
]
