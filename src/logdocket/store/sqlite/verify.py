"""Walking the whole chain: every hash again, every ticket beside its entry, every law."""

from __future__ import annotations

import sqlite3
from collections import OrderedDict
from collections.abc import Iterator
from hashlib import sha256
from typing import Any, Final

import msgspec

from logdocket.store.records import EntryKind, Verification
from logdocket.store.sqlite import failures
from logdocket.store.sqlite.accounts import Accounts
from logdocket.store.sqlite.bad import Bad
from logdocket.store.sqlite.chain import GENESIS, REVIEW, TEMPLATE, TICKET, link
from logdocket.store.sqlite.queue.checking import Verdicts
from logdocket.store.sqlite.statements import SQL
from logdocket.ticket import Source

_READ: Final = 256
_REMEMBERED: Final = 50_000
"""Originals whose keys are kept in memory; others are read again when a hit repeats them."""

_SOURCES: Final = frozenset(source.value for source in Source)
_TYPES: Final = (int, int, str, str | None, str, str, bytes)


class Walk:
    """One walk over one moment of the database, in bounded memory."""

    def __init__(self, connection: sqlite3.Connection, expected_head: str | None) -> None:
        connection.text_factory = _text
        self._connection = connection
        self._expected = None if expected_head is None else expected_head.lower()
        self._witnessed = expected_head in (None, GENESIS.hex())
        self._keys: OrderedDict[int, bytes] = OrderedDict()
        self._accounts = Accounts(connection)
        self._verdicts = Verdicts(connection)
        self._seq = 0
        self._hash = GENESIS

    def run(self) -> Verification:
        """What the walk found; raises sqlite3.Error when it could not be walked."""
        self._connection.execute("BEGIN")
        try:
            self._walk()
        except Bad as bad:
            return self._result(bad.seq, bad.problem)
        finally:
            self._connection.execute("ROLLBACK")
        return self._result(None, None)

    def _result(self, seq: int | None, problem: str | None) -> Verification:
        return Verification(
            ok=problem is None,
            entries=self._seq,
            head=self._hash.hex() if self._seq else None,
            bad_seq=seq,
            problem=problem,
        )

    def _walk(self) -> None:
        try:
            for row in self._rows():
                self._check_link(row[:7])
                self._check_meaning(row)
                self._seq, self._hash = row[0], row[6]
                if self._hash.hex() == self._expected:
                    self._witnessed = True
            self._check_rest()
        except sqlite3.DatabaseError as error:
            if failures.code(error) not in failures.DAMAGED:
                raise
            raise Bad(self._seq + 1, f"cannot be read: {error}") from error

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        cursor = self._connection.execute(SQL["chain"])
        while found := cursor.fetchmany(_READ):
            yield from found

    def _check_link(self, entry: tuple[Any, ...]) -> None:
        seq, expected = entry[0], self._seq + 1
        if seq != expected:
            if seq < expected:
                raise Bad(seq, "stands before the first entry")
            raise Bad(expected, "is missing")
        if not all(isinstance(value, type) for value, type in zip(entry, _TYPES, strict=True)):
            raise Bad(seq, "holds a value of the wrong type")
        if link(self._hash, *entry[:6]) != entry[6]:
            raise Bad(seq, "does not match its hash: it was changed, or the one before it")

    def _check_meaning(self, row: tuple[Any, ...]) -> None:
        seq, at, kind, source, reasons, text, _, ticket, key, body, line = row
        if kind == TICKET and source in _SOURCES:
            detail = _object(seq, text)
            if "scope" in detail or "verdict" in detail or "revises" in detail:
                self._check_standing_on(seq, source, reasons, detail)
            if source != Source.CACHE or "scope" in detail:
                self._check_ticket(seq, detail, ticket, key, body, line)
                if source == Source.MODEL or "calls" in detail or detail.get("tokens") != 0:
                    self._accounts.ticket(seq, source, detail)
                return
            self._check_hit(seq, detail)
        elif source is not None or not self._check_other(seq, at, kind, text):
            raise Bad(seq, f"is of an unknown kind: {kind} from {source}")
        if ticket is not None:
            raise Bad(seq, "made no ticket, and one is stored under it")

    def _check_other(self, seq: int, at: int, kind: str, text: str) -> bool:
        """Check an entry that is no ticket; False where there is no such kind."""
        match kind:
            case EntryKind.GAP:
                return _positive(_object(seq, text).get("tickets"))
            case EntryKind.CALL_STARTED:
                self._accounts.start(seq, at, text)
            case EntryKind.CALL_FINISHED:
                self._accounts.finish(seq, text)
            case EntryKind.CALL_INTERRUPTED:
                self._accounts.interrupt(seq, at, text)
            case EntryKind.VERDICT:
                self._verdicts.verdict(seq, text)
            case _:
                return False
        return True

    def _check_ticket(
        self, seq: int, detail: dict[str, Any], ticket: int | None, key: Any, body: Any, line: Any
    ) -> None:
        if ticket is None:
            raise Bad(seq, "made a ticket, and none is stored under it")
        if not isinstance(key, bytes) or key.hex() != detail.get("key"):
            raise Bad(seq, "is stored under another key than it was entered")
        if not isinstance(body, bytes) or sha256(body).hexdigest() != detail.get("body"):
            raise Bad(seq, "has a stored ticket that was changed")
        if line is not None and (
            not isinstance(line, bytes) or sha256(line).hexdigest() != detail.get("line")
        ):
            raise Bad(seq, "has a stored line that was changed")
        self._keys[seq] = key
        if len(self._keys) > _REMEMBERED:
            self._keys.popitem(last=False)

    def _check_standing_on(
        self, seq: int, source: str, reasons: str, detail: dict[str, Any]
    ) -> None:
        """A ticket that is not about its line alone."""
        if "revises" in detail:
            self._verdicts.revised(seq, detail["revises"])
        if detail.get("scope") == REVIEW:
            self._verdicts.answered(seq, source, reasons, detail)
        elif "scope" in detail or "verdict" in detail:
            self._check_shared(seq, source, detail)

    def _check_shared(self, seq: int, source: str, detail: dict[str, Any]) -> None:
        """A ticket made of the answer about another line stands on a model's own ticket."""
        plain = "calls" not in detail and "verdict" not in detail
        if source != Source.CACHE or detail.get("scope") != TEMPLATE or not plain:
            raise Bad(seq, "shares an answer in a way that there is not")
        original = detail.get("original")
        if not isinstance(original, int) or not 0 < original < seq:
            raise Bad(seq, "shares the answer of no earlier entry")
        found = self._connection.execute(SQL["source"], (original,)).fetchone()
        if found != (Source.MODEL,):
            raise Bad(seq, f"shares the answer of entry {original}, which is no model's")

    def _check_hit(self, seq: int, detail: dict[str, Any]) -> None:
        original = detail.get("original")
        if not isinstance(original, int) or not 0 < original < seq:
            raise Bad(seq, "repeats no earlier entry")
        key = self._keys.get(original)
        if key is None:
            row = self._connection.execute(SQL["ticket_key"], (original,)).fetchone()
            if row is None:
                raise Bad(seq, f"repeats entry {original}, which made no ticket")
            key = row[0]
        if key.hex() != detail.get("key"):
            raise Bad(seq, f"repeats entry {original}, which has another key")
        if detail.get("tokens") != 0 or "calls" in detail:
            raise Bad(seq, "is a cache hit that spent tokens")

    def _check_rest(self) -> None:
        (orphan,) = self._connection.execute(SQL["orphan"]).fetchone()
        if orphan is not None:
            raise Bad(orphan, "has a stored ticket and no entry")
        self._accounts.close()
        self._verdicts.close()
        (taught,) = self._connection.execute(SQL["orphaned_template"]).fetchone()
        if taught is not None:
            raise Bad(taught, "is shared by a template and is no model's ticket")
        if not self._witnessed:
            raise Bad(
                None,
                f"no entry has the expected hash {self._expected}: "
                "entries are missing at the end, or this is another ledger",
            )
        (found,) = self._connection.execute("PRAGMA integrity_check(1)").fetchone()
        if found != "ok":
            raise Bad(None, f"the file is damaged: {found}")


def _object(seq: int, text: str) -> dict[str, Any]:
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except (msgspec.MsgspecError, UnicodeError):
        raise Bad(seq, "has a detail that is no JSON object") from None


def _positive(value: object) -> bool:
    return isinstance(value, int) and value > 0


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")
