"""One form for the ledger's entries, whoever asks."""

from __future__ import annotations

import csv
import io
import json

import pytest

from logdocket.store import Entry
from logdocket.store.shown import csv_rows, entry_document, harmless, json_rows, rfc3339, told, usd
from logdocket.ticket import ReviewReason, Source

TICKET = Entry(
    seq=7,
    at=1_767_366_245_000_000,
    kind="ticket",
    source=Source.FALLBACK,
    reasons=(ReviewReason.MODEL_TIMEOUT, ReviewReason.SERVICE_UNKNOWN),
    detail={"key": "00", "a": "ü\u202e"},
    hash="ab" * 32,
)


def entry(kind: str, **detail: object) -> Entry:
    """An entry that is no ticket."""
    return Entry(seq=1, at=0, kind=kind, source=None, reasons=(), detail=detail, hash="00" * 32)


def table(*entries: Entry) -> list[dict[str, str]]:
    """What a reader of CSV sees."""
    text = b"".join(csv_rows(entries)).decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_a_row_of_json_is_the_entry() -> None:
    """In ASCII, so that nothing in it moves a cursor."""
    (row,) = json_rows([TICKET])
    assert row.isascii()
    assert json.loads(row) == entry_document(TICKET)


def test_a_row_of_csv_holds_the_same() -> None:
    """Reasons with blanks between, detail as JSON with its keys in order."""
    (row,) = table(TICKET)
    assert row == {
        "seq": "7",
        "at": "2026-01-02T15:04:05.000000Z",
        "kind": "ticket",
        "source": "fallback",
        "reasons": "model_timeout service_unknown",
        "detail": '{"a":"\\u00fc\\u202e","key":"00"}',
        "hash": "ab" * 32,
    }


def test_a_table_of_nothing_has_its_head() -> None:
    """So that whoever reads it finds the columns."""
    assert b"".join(csv_rows([])) == b"seq,at,kind,source,reasons,detail,hash\r\n"


@pytest.mark.parametrize("first", ["=", "+", "-", "@", "\t", "\r"])
def test_what_a_spreadsheet_would_run_is_made_text(first: str) -> None:
    """Also in a kind that some other program wrote."""
    (row,) = table(entry(f"{first}cmd|' /C calc'!A0"))
    assert row["kind"] == f"'{first}cmd|' /C calc'!A0"


def test_other_cells_stay_as_they_are() -> None:
    """An apostrophe where none is needed would be one more thing to take away."""
    assert [harmless(cell) for cell in ("", "a=b", "1-2", "{}")] == ["", "a=b", "1-2", "{}"]


def test_what_is_no_ticket_is_told_in_a_few_words() -> None:
    """Calls with their tokens, verdicts with who gave them."""
    started = entry("call_started", attempt=2, model="m", reserved={"tokens": 900})
    ended = {"call": 3, "status": "ok", "http": 200, "ms": 12, "tokens_in": 5, "tokens_out": 6}
    verdict = entry("verdict", verdict="right", who="rev-a", ticket=7)
    assert told(started) == "attempt 2, m, 900 tokens reserved"
    assert told(entry("call_finished", **ended)) == "call 3: ok, HTTP 200, 12 ms, 5 + 6 tokens"
    assert told(entry("call_interrupted", call=3)) == "call 3"
    assert told(verdict) == "right, by rev-a, of ticket 7"
    assert told(TICKET) == ""


def test_money_has_no_more_decimals_than_it_takes() -> None:
    """Down to a billionth."""
    shown = [usd(nano) for nano in (0, 1, 2_500_000_000, 1_234_567_000_000_000)]
    assert shown == ["0 USD", "0.000000001 USD", "2.5 USD", "1,234,567 USD"]


def test_a_moment_that_no_calendar_holds_is_shown_as_it_is_stored() -> None:
    """Rather than not at all."""
    assert rfc3339(10**20) == str(10**20)
