"""``logdocket ledger``: what the ledger holds, for people and for machines."""

from __future__ import annotations

import re
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from logdocket.cli import summary
from logdocket.cli.database import opened
from logdocket.cli.options import chosen
from logdocket.cli.output import compact, counted, one_line
from logdocket.cli.sink import sink
from logdocket.docket import ticket_document
from logdocket.errors import SettingsError
from logdocket.store import Entry, EntryKind, Query, rfc3339
from logdocket.store.shown import csv_rows, entry_json, json_rows, told
from logdocket.ticket import ReviewReason, Source

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_HEAD = re.compile(r"[0-9a-f]{64}")
_WIDEST = max(map(len, EntryKind))
_HEADER = f"{'entry':>8}  {'at':<27}  {'kind':<{_WIDEST}} {'source':<9} reasons"


def query(
    source: str | None,
    reason: str | None,
    since: str | None,
    until: str | None,
    before: int | None,
    limit: int,
    kind: str | None = None,
) -> Query:
    """The query that these options ask for; raises SettingsError."""
    return Query(
        source=None if source is None else chosen(Source, "--source", source),
        reason=None if reason is None else chosen(ReviewReason, "--reason", reason),
        kind=None if kind is None else chosen(EntryKind, "--kind", kind),
        since=_micros("--since", since),
        until=_micros("--until", until),
        before=before,
        limit=limit,
    )


def show_list(db: Path | None, asked: Query, *, as_json: bool) -> int:
    """Print a page of entries, newest first."""
    with opened(db) as store:
        found = store.entries(asked)
    if not as_json:
        print(_HEADER)
    for entry in found:
        print(entry_json(entry) if as_json else _row(entry))
    return 0


def show_ticket(db: Path | None, number: int) -> int:
    """Print the ticket that an entry made or repeated, with its reading, or an entry that made
    none as it is; raises SettingsError where there is no such entry."""
    with opened(db) as store:
        stored = store.ticket(number)
        found = store.entries(Query(before=number + 1, limit=1)) if stored is None else []
    if stored is not None:
        sys.stdout.buffer.write(ticket_document(stored) + b"\n")
    elif found and found[0].seq == number:
        print(entry_json(found[0]))
    else:
        raise SettingsError(f"there is no entry {number}: see logdocket ledger list")
    return 0


def unshare(db: Path | None, number: int) -> int:
    """See that nobody shares the answer behind the ticket of an entry; raises SettingsError where
    that ticket shares none."""
    with opened(db) as store:
        done = store.unshare(number)
    if not done:
        raise SettingsError(
            f"entry {number} has no ticket whose answer is shared by template: "
            "see logdocket ledger list --source model"
        )
    print(f"no other line is given the answer behind entry {number} any more")
    return 0


def show_summary(db: Path | None, since: str | None, until: str | None, *, as_json: bool) -> int:
    """Print sums over a period."""
    with opened(db) as store:
        found = store.summary(_micros("--since", since), _micros("--until", until))
    if as_json:
        print(compact(msgspec.to_builtins(found)))
        return 0
    for line in summary.lines(found):
        print(one_line(line))
    return 0


def show_verification(db: Path | None, head: str | None, *, as_json: bool) -> int:
    """Walk the chain and print what was found; the exit code: 1 when it is broken."""
    if head is not None and not _HEAD.fullmatch(head):
        raise SettingsError(f"--head {head!r} is no hash: give 64 hexadecimal digits")
    with opened(db) as store:
        found = store.verify(head)
    if as_json:
        document = {name: getattr(found, name) for name in found.__struct_fields__}
        print(compact(document))
    elif found.ok:
        print(f"ok: {counted(found.entries, 'entry', 'entries')}, head {found.head or '-'}")
    else:
        where = "" if found.bad_seq is None else f" at entry {found.bad_seq}"
        print(one_line(f"broken{where}: {found.problem}"))
    return 0 if found.ok else 1


def export(
    db: Path | None, output: Path | None, form: str, since: str | None, until: str | None
) -> int:
    """Write all entries of a period, oldest first."""
    first, last = _micros("--since", since), _micros("--until", until)
    with opened(db) as store, sink(output) as out:
        rows = csv_rows if form == "csv" else json_rows
        for chunk in rows(store.export(first, last)):
            out.write(chunk)
    return 0


def _row(entry: Entry) -> str:
    source = entry.source or "-"
    reasons = ",".join(entry.reasons) or told(entry) or "-"
    row = f"{entry.seq:>8}  {rfc3339(entry.at)}  {entry.kind:<{_WIDEST}} {source:<9} {reasons}"
    return one_line(row)


def _micros(option: str, value: str | None) -> int | None:
    if value is None:
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise SettingsError(f"{option} {value!r} is no moment: write it as 2026-01-02T15:04:05Z")
    return (moment - _EPOCH) // timedelta(microseconds=1)
