"""The order of steps: from a line to a ticket that is in the ledger."""

from logdocket.docket.books import Caps
from logdocket.docket.explained import explanation, judgement_of, ticket_document
from logdocket.docket.extractor import Extractor, Item
from logdocket.docket.judge import Judge
from logdocket.docket.judgement import Judged, Judgement, decode_judgement
from logdocket.docket.policy import CacheScope, Policy
from logdocket.docket.review import (
    GROUPING,
    Ask,
    DeskStore,
    GroupDetail,
    Outcome,
    ReviewDesk,
    call_document,
    counts_document,
    describe,
    detail_document,
    fixture_row,
    fixture_rows,
    group_document,
    labelled_reviews,
    labelled_row,
    labelled_rows,
    verdict_document,
)
from logdocket.docket.slot import Slot

__all__ = [
    "GROUPING",
    "Ask",
    "CacheScope",
    "Caps",
    "DeskStore",
    "Extractor",
    "GroupDetail",
    "Item",
    "Judge",
    "Judged",
    "Judgement",
    "Outcome",
    "Policy",
    "ReviewDesk",
    "Slot",
    "call_document",
    "counts_document",
    "decode_judgement",
    "describe",
    "detail_document",
    "explanation",
    "fixture_row",
    "fixture_rows",
    "group_document",
    "judgement_of",
    "labelled_reviews",
    "labelled_row",
    "labelled_rows",
    "ticket_document",
    "verdict_document",
]
