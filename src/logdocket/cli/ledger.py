"""``logdocket ledger``: what the ledger holds, for people and for machines."""

from __future__ import annotations

import csv
import io
import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import msgspec

from logdocket.bootstrap import build_store
from logdocket.cli import summary
from logdocket.cli.output import compact, counted, one_line
from logdocket.docket import ticket_document
from logdocket.errors import LedgerUnavailable, OutputError, SettingsError
from logdocket.settings import Settings
from logdocket.store import (
    Entry,
    EntryKind,
    Query,
    SqliteStore,
    rfc3339,
)
from logdocket.ticket import ReviewReason, Source

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_HEAD = re.compile(r"[0-9a-f]{64}")
_Word = TypeVar("_Word", Source, ReviewReason, EntryKind)
_WIDEST = max(map(len, EntryKind))
_HEADER = f"{'entry':>8}  {'at':<27}  {'kind':<{_WIDEST}} {'source':<9} reasons"
_COLUMNS = ("seq", "at", "kind", "source", "reasons", "detail", "hash")


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
        source=None if source is None else _word(Source, "--source", source),
        reason=None if reason is None else _word(ReviewReason, "--reason", reason),
        kind=None if kind is None else _word(EntryKind, "--kind", kind),
        since=_micros("--since", since),
        until=_micros("--until", until),
        before=before,
        limit=limit,
    )


def show_list(db: Path | None, asked: Query, *, as_json: bool) -> int:
    """Print a page of entries, newest first."""
    with _opened(db) as store:
        found = store.entries(asked)
    if not as_json:
        print(_HEADER)
    for entry in found:
        print(_json(entry) if as_json else _row(entry))
    return 0


def show_ticket(db: Path | None, number: int) -> int:
    """Print the ticket that an entry made or repeated, with its reading, or an entry that made
    none as it is; raises SettingsError where there is no such entry."""
    with _opened(db) as store:
        stored = store.ticket(number)
        found = store.entries(Query(before=number + 1, limit=1)) if stored is None else []
    if stored is not None:
        sys.stdout.buffer.write(ticket_document(stored) + b"\n")
    elif found and found[0].seq == number:
        print(_json(found[0]))
    else:
        raise SettingsError(f"there is no entry {number}: see logdocket ledger list")
    return 0


def unshare(db: Path | None, number: int) -> int:
    """See that nobody shares the answer behind the ticket of an entry; raises SettingsError where
    that ticket shares none."""
    with _opened(db) as store:
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
    with _opened(db) as store:
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
    with _opened(db) as store:
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
    with _opened(db) as store, _sink(output) as out:
        rows = _csv if form == "csv" else _lines
        for chunk in rows(store.export(first, last)):
            out.write(chunk)
    return 0


@contextmanager
def _opened(db: Path | None) -> Iterator[SqliteStore]:
    """The store, which must be there already: reading makes no database."""
    settings = Settings.load(db=db)
    if not os.path.exists(settings.db):
        raise LedgerUnavailable(
            f"there is no {settings.db}: name the ledger with --db or LOGDOCKET_DB"
        )
    store = build_store(settings, tends=False)
    try:
        yield store
    finally:
        store.close()


@contextmanager
def _sink(output: Path | None) -> Iterator[BinaryIO]:
    """Standard output (None or ``-``), or a file that takes its name only when it is whole."""
    if output is None or output == Path("-"):
        yield sys.stdout.buffer
        return
    # Through links, so that a file is replaced where it lies.
    target = Path(os.path.realpath(output))
    try:
        if _is_special(target):
            with target.open("wb") as file:
                yield file
            return
        part = target.with_name(f"{target.name}.{os.getpid()}.part")
        try:
            with part.open("xb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, target)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise OutputError(f"--output {output} cannot be written ({why}): name a file") from None


def _is_special(path: Path) -> bool:
    """Whether it is there and no plain file: a device or a pipe must not be replaced by one."""
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        return False


def _lines(entries: Iterator[Entry]) -> Iterator[bytes]:
    for entry in entries:
        yield _json(entry).encode() + b"\n"


def _csv(entries: Iterator[Entry]) -> Iterator[bytes]:
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(_COLUMNS)
    for entry in entries:
        shown = _document(entry)
        shown["reasons"] = " ".join(entry.reasons)
        shown["detail"] = compact(dict(sorted(entry.detail.items())))
        writer.writerow(shown[column] for column in _COLUMNS)
        yield buffer.getvalue().encode()
        buffer.seek(0)
        buffer.truncate()
    yield buffer.getvalue().encode()


def _document(entry: Entry) -> dict[str, Any]:
    return {
        "seq": entry.seq,
        "at": rfc3339(entry.at),
        "kind": entry.kind,
        "source": entry.source,
        "reasons": list(entry.reasons),
        "detail": entry.detail,
        "hash": entry.hash,
    }


def _json(entry: Entry) -> str:
    return compact(_document(entry))


def _row(entry: Entry) -> str:
    source = entry.source or "-"
    reasons = ",".join(entry.reasons) or _told(entry) or "-"
    row = f"{entry.seq:>8}  {rfc3339(entry.at)}  {entry.kind:<{_WIDEST}} {source:<9} {reasons}"
    return one_line(row)


def _told(entry: Entry) -> str:
    """What an entry that is no ticket says, in a few words."""
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
    return ""


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


def _word(kind: type[_Word], option: str, value: str) -> _Word:
    try:
        return kind(value)
    except ValueError:
        raise SettingsError(f"{option} {value!r} is none of: {', '.join(kind)}") from None
