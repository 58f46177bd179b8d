"""What people decide about tickets: how these are grouped, judged, and told of."""

from logdocket.docket.review.asks import Ask
from logdocket.docket.review.describing import GROUPING, describe
from logdocket.docket.review.desk import DeskStore, GroupDetail, Outcome, ReviewDesk
from logdocket.docket.review.documents import (
    call_document,
    counts_document,
    detail_document,
    group_document,
    verdict_document,
)
from logdocket.docket.review.labels import (
    fixture_row,
    fixture_rows,
    labelled_reviews,
    labelled_row,
    labelled_rows,
)

__all__ = [
    "GROUPING",
    "Ask",
    "DeskStore",
    "GroupDetail",
    "Outcome",
    "ReviewDesk",
    "call_document",
    "counts_document",
    "describe",
    "detail_document",
    "fixture_row",
    "fixture_rows",
    "group_document",
    "labelled_reviews",
    "labelled_row",
    "labelled_rows",
    "verdict_document",
]
