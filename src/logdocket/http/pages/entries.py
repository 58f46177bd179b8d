"""The list of the ledger's entries: which of them, and what a row says."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

import msgspec

from logdocket.http.shapes import LARGEST_SEQ
from logdocket.store import Entry, EntryKind, Query
from logdocket.store.shown import told
from logdocket.ticket import ReviewReason, Source

_NUMBER: Final = re.compile(r"[0-9]{1,19}")
ROWS: Final = 20
"""Entries of a page."""

WORDS: Final[Mapping[str, list[str]]] = {
    "kind": [*EntryKind],
    "source": [*Source],
    "reason": [*ReviewReason],
}


class Filters(msgspec.Struct, frozen=True):
    """Which entries the page lists; ``wrong`` says what could not be understood of that."""

    kind: str = ""
    source: str = ""
    reason: str = ""
    before: int | None = None
    wrong: tuple[str, ...] = ()

    @classmethod
    def of(cls, given: Mapping[str, str]) -> Filters:
        """What the address asks for."""
        chosen: dict[str, Any] = {}
        wrong = []
        for name, words in WORDS.items():
            word = given.get(name, "").strip()
            if word and word not in words:
                wrong.append(f"{name}={word} is none of: {', '.join(words)}")
            else:
                chosen[name] = word
        before = given.get("before", "")
        if before:
            if _NUMBER.fullmatch(before) and int(before) <= LARGEST_SEQ:
                chosen["before"] = int(before)
            else:
                wrong.append(f"before={before} is no number of an entry")
        return cls(**chosen, wrong=tuple(wrong))

    @property
    def any(self) -> bool:
        """Whether entries are left out."""
        return bool(self.kind or self.source or self.reason)

    def query(self) -> Query:
        """One more row than a page has, to see whether there is a next one."""
        return Query(
            source=Source(self.source) if self.source else None,
            reason=ReviewReason(self.reason) if self.reason else None,
            kind=self.kind or None,
            before=self.before,
            limit=ROWS + 1,
        )

    def address(self, before: int | None = None) -> str:
        """This page with the same filters, from entry ``before`` downwards."""
        chosen = {name: value for name in WORDS if (value := getattr(self, name))}
        if before is not None:
            chosen["before"] = str(before)
        return "/ui/ledger" + (f"?{urlencode(chosen)}" if chosen else "") + "#entries"


class Row(msgspec.Struct, frozen=True):
    """An entry as the table shows it: ``said`` in a few words, ``detail`` as JSON."""

    entry: Entry
    said: str
    detail: str

    @classmethod
    def of(cls, entry: Entry) -> Row:
        """``entry`` as it is shown."""
        return cls(entry, told(entry), json.dumps(entry.detail, indent=1, sort_keys=True))
