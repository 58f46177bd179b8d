"""What the store holds, as it is shown to people and programs: one form for all who ask."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from logdocket.store.records import Entry, EntryKind

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_BILLION: Final = 10**9
_COLUMNS: Final = ("seq", "at", "kind", "source", "reasons", "detail", "hash")
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet takes a cell that begins so for a formula, and may run it."""


def rfc3339(at: int) -> str:
    """The moment ``at`` (µs since 1970 UTC); what no calendar holds is shown as it is stored."""
    try:
        moment = _EPOCH + timedelta(microseconds=at)
    except (OverflowError, TypeError):
        return str(at)
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")


def usd(nano: int) -> str:
    """So many billionths of a US dollar in dollars, with no more decimals than it takes."""
    whole, part = divmod(nano, _BILLION)
    return f"{whole:,}.{part:09}".rstrip("0").rstrip(".") + " USD"


def harmless(cell: str) -> str:
    """``cell`` as no spreadsheet runs it: what looks like a formula has an apostrophe before it."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def entry_document(entry: Entry) -> dict[str, Any]:
    """An entry of the ledger as JSON has it."""
    return {
        "seq": entry.seq,
        "at": rfc3339(entry.at),
        "kind": entry.kind,
        "source": entry.source,
        "reasons": list(entry.reasons),
        "detail": entry.detail,
        "hash": entry.hash,
    }


def entry_json(entry: Entry) -> str:
    """The same on one line, in ASCII."""
    return _compact(entry_document(entry))


def json_rows(entries: Iterable[Entry]) -> Iterator[bytes]:
    """Entries as JSON, one a line."""
    for entry in entries:
        yield entry_json(entry).encode() + b"\n"


def csv_rows(entries: Iterable[Entry]) -> Iterator[bytes]:
    """Entries as CSV (RFC 4180), a head first: reasons with blanks between, ``detail`` as JSON."""
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(_COLUMNS)
    for entry in entries:
        shown = entry_document(entry)
        shown["reasons"] = " ".join(entry.reasons)
        shown["detail"] = _compact(dict(sorted(entry.detail.items())))
        writer.writerow(harmless(str(shown[column] or "")) for column in _COLUMNS)
        yield buffer.getvalue().encode()
        buffer.seek(0)
        buffer.truncate()
    yield buffer.getvalue().encode()


def told(entry: Entry) -> str:
    """What an entry that is no ticket says, in a few words; empty for others. What stands in it is
    not ours: show it with care."""
    detail = entry.detail
    if entry.kind == EntryKind.CALL_STARTED:
        reserved = detail.get("reserved", {})
        tokens = reserved.get("tokens") if isinstance(reserved, dict) else None
        return f"attempt {detail.get('attempt')}, {detail.get('model')}, {tokens} tokens reserved"
    if entry.kind == EntryKind.CALL_FINISHED:
        http = "" if detail.get("http") is None else f", HTTP {detail.get('http')}"
        counts = [detail.get("tokens_in"), detail.get("tokens_out")]
        used = "" if None in counts else f", {counts[0]} + {counts[1]} tokens"
        said = f"{detail.get('status')}{http}, {detail.get('ms')} ms{used}"
        return f"call {detail.get('call')}: {said}"
    if entry.kind == EntryKind.CALL_INTERRUPTED:
        return f"call {detail.get('call')}"
    if entry.kind == EntryKind.VERDICT:
        return f"{detail.get('verdict')}, by {detail.get('who')}, of ticket {detail.get('ticket')}"
    return ""


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
