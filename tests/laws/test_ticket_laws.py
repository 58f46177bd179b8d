"""The laws of the ticket, on any lines and contexts, through the docket and its ledger."""

from __future__ import annotations

import contextlib
import sqlite3
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logdocket.confidence import shipped
from logdocket.docket import Extractor, Judge, Policy
from logdocket.grounding import violations
from logdocket.line import NO_CONTEXT, Context, Line
from logdocket.reading import read, timestamp
from logdocket.store import SqliteStore
from logdocket.ticket import UNKNOWN, Extraction, ReviewReason, Source, Ticket

HEADS = [
    "2031-05-06T07:08:09.123Z",
    "2031-05-06 07:08:09,123 +0200",
    "May  6 07:08:09 web-1",
    "03/04/2031 07:08:09",
    "2031-02-30T07:08:09Z",
    "07:08:09",
    "1935990000",
    "<34>",
    "[06/May/2031:07:08:09 +0000]",
    "ERROR",
    "[warn]",
    "I, [2031-05-06T07:08:09.000001 #7]",
    "orders[12]:",
    "com.example.Orders -",
    "pay:",
    '{"time":"2031-05-06T07:08:09Z","level":"error","service":"pay","msg":"card refused"}',
    'level=warn service=mail msg="queue is full"',
    "stdout F",
    "web-1  |",
    "\x1b[31m",
    "\ufeff",
]
WORDS = ["card refused", "0 errors", "no failures", "panic", "timed out", "é€😀", "\x00", " ", "\t"]
lines = st.one_of(
    st.lists(st.sampled_from(HEADS + WORDS) | st.text(max_size=8), min_size=1, max_size=8).map(
        " ".join
    ),
    st.text(min_size=1, max_size=40),
    st.binary(min_size=1, max_size=40).map(lambda raw: raw.decode("utf-8", "surrogateescape")),
).filter(lambda text: _can_be_a_line(text))
contexts = st.sampled_from(
    [
        NO_CONTEXT,
        Context(service="harbour"),
        Context(received_at=datetime(2031, 5, 7, tzinfo=UTC), timezone="Europe/Berlin"),
        Context(labels={"rack": "7"}),
    ]
)
items = st.tuples(lines.map(Line), contexts)

ABSENT = {
    ReviewReason.TIMESTAMP_ABSENT,
    ReviewReason.TIMESTAMP_AMBIGUOUS,
    ReviewReason.TIMESTAMP_NO_YEAR,
    ReviewReason.TIMESTAMP_NO_DATE,
    ReviewReason.TIMESTAMP_IMPOSSIBLE,
}


def _can_be_a_line(text: str) -> bool:
    with contextlib.suppress(ValueError):
        text.encode("utf-8", "surrogateescape")
        return bool(text) and not text.isspace()
    return False


def _now() -> int:
    return 1_700_000_000_000_000


@pytest.fixture(scope="module")
def extractor() -> Iterator[Extractor]:
    """One docket for all examples of a law: they meet each other's tickets, as real lines do."""
    store = SqliteStore.temporary(clock=_now)
    yield Extractor(Policy(), shipped(), store, _now)
    store.close()


def _answer(extractor: Extractor, *batch: tuple[Line, Context]) -> list[Extraction]:
    return extractor.finish(extractor.begin(batch))


@given(items)
def test_law_1_evidence_is_a_quote_of_the_line(
    extractor: Extractor, item: tuple[Line, Context]
) -> None:
    """Evidence is a substring of the line, byte for byte, and not blank."""
    line, _ = item
    for given_ in _answer(extractor, item, item):
        quoted = given_.ticket.evidence
        assert quoted
        assert not quoted.isspace()
        assert quoted.encode("utf-8", "surrogateescape") in line.raw


@given(items)
def test_law_2_first_seen_is_what_the_grammar_reads_in_the_line(
    extractor: Extractor, item: tuple[Line, Context]
) -> None:
    """``first_seen`` is unknown, or what the strict grammar reads from a span of the line."""
    line, context = item
    (given_,) = _answer(extractor, item)
    stamp = read(line, context).timestamp
    if given_.ticket.first_seen == UNKNOWN:
        assert stamp.value is None
        return
    assert stamp.span is not None
    quoted = line.quote(stamp.span)
    grammar = (timestamp.whole, timestamp.epoch, timestamp.klog_at, timestamp.logcat_at)
    values = {
        found.value
        for read_ in grammar
        if (found := read_(quoted, 0, len(quoted), context)) is not None
    }
    units = (timestamp.epoch(quoted, 0, len(quoted), context, unit) for unit in ("ms", "us", "ns"))
    values |= {found.value for found in units if found is not None}
    assert given_.ticket.first_seen in values


@given(items)
def test_law_3_the_service_is_named_in_the_line_or_the_context(
    extractor: Extractor, item: tuple[Line, Context]
) -> None:
    """The service is unknown, or occurs in the line or the context."""
    line, context = item
    (given_,) = _answer(extractor, item)
    service = given_.ticket.service
    assert service == UNKNOWN or service in line.text or service == context.service
    assert violations(given_.ticket, line, context) == []


THRESHOLD = shipped().threshold(Policy().risk) or 1.0


@given(items)
def test_law_4_what_is_not_known_goes_to_a_person_and_says_why(
    extractor: Extractor, item: tuple[Line, Context]
) -> None:
    """Unknown fields and any fallback need a human, with the reason named; the cache keeps it."""
    first, again = _answer(extractor, item, item)
    for ticket in (first.ticket, again.ticket):
        reasons = set(ticket.review_reasons)
        assert ticket.needs_human
        assert ReviewReason.MODEL_NOT_CONFIGURED in reasons
        assert (ticket.first_seen == UNKNOWN) == bool(reasons & ABSENT)
        assert (ticket.service == UNKNOWN) >= (ReviewReason.SERVICE_UNKNOWN in reasons)
        assert (ReviewReason.LOW_CONFIDENCE in reasons) == (ticket.confidence < THRESHOLD)
    assert again.ticket.source is Source.CACHE
    assert again.ticket.review_reasons == first.ticket.review_reasons


@settings(max_examples=30)
@given(st.lists(items, min_size=1, max_size=6))
def test_law_5_the_same_input_gives_the_same_bytes(batch: list[tuple[Line, Context]]) -> None:
    """The same lines, contexts and configuration give the same bytes, tickets and ledger alike."""
    runs = []
    for _ in range(2):
        store = SqliteStore.temporary(clock=_now)
        given_ = _answer(Extractor(Policy(), shipped(), store, _now), *batch)
        runs.append(([each.json for each in given_], [entry.hash for entry in store.export()]))
        store.close()
    assert runs[0] == runs[1]


@settings(max_examples=30)
@given(st.lists(items, min_size=1, max_size=4), st.sampled_from(["lock", "close", "garbage"]))
def test_law_6_no_fault_of_the_disk_costs_a_ticket(
    batch: list[tuple[Line, Context]], fault: str
) -> None:
    """No line, and no fault of the disk, leaves anyone without a ticket; and the ticket says so."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "ledger.db")
        store = SqliteStore(path, clock=_now, busy_timeout=0)
        with _fault(fault, store, path):
            given_ = _answer(Extractor(Policy(), shipped(), store, _now), *batch)
        store.close()
    assert len(given_) == len(batch)
    judge = Judge(shipped(), 0.02)
    for each, (line, context) in zip(given_, batch, strict=True):
        assert each.id is None
        assert ReviewReason.LEDGER_UNAVAILABLE in each.ticket.review_reasons
        assert _fields(each.ticket) == _fields(judge(line, context).ticket)


@contextlib.contextmanager
def _fault(fault: str, store: SqliteStore, path: Path) -> Iterator[None]:
    if fault == "close":
        store.close()
        yield
    elif fault == "garbage":
        store.close()
        path.write_bytes(b"no database" * 100)
        yield
    else:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")
        other.close()


def _fields(ticket: Ticket | None) -> tuple[object, ...]:
    assert ticket is not None
    return (
        ticket.service,
        ticket.severity,
        ticket.first_seen,
        ticket.evidence,
        ticket.confidence,
        ticket.needs_human,
    )
