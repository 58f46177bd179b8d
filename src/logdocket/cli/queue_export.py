"""``logdocket queue export``: groups for other programs, and what people decided as labels."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from logdocket.cli.output import compact, counted
from logdocket.cli.queue import desk, follow, groups
from logdocket.cli.sink import sink
from logdocket.docket.review import fixture_rows, group_document, labelled_rows
from logdocket.docket.review.labels import LabelRow, last_words
from logdocket.docket.review.sheet import csv_rows
from logdocket.store import SqliteStore
from logdocket.store.review import GroupQuery, GroupSort

_Rows = Callable[[SqliteStore, Collection[bytes] | None], Iterator[LabelRow]]
_LABELS: Final[dict[str, _Rows]] = {"labelled": labelled_rows, "fixture": fixture_rows}
_EVERY: Final = GroupQuery(sort=GroupSort.OLDEST)
"""What asks for all groups, in the order of an export."""


def export(db: Path | None, output: Path | None, form: str, asked: GroupQuery) -> int:
    """Write the groups that ``asked`` is about, oldest first, or in the forms ``labelled`` and
    ``fixture`` the rows that verdicts about them give; the exit code."""
    with desk(db) as (reviews, store):
        follow(reviews, store)
        written = 0
        with sink(output) as out:
            for chunk in _chunks(store, form, asked):
                out.write(chunk)
                written += 1
        if form in _LABELS:
            _tell(len(last_words(store, _keys(store, asked))) - written)
    return 0


def _chunks(store: SqliteStore, form: str, asked: GroupQuery) -> Iterator[bytes]:
    if form == "csv":
        return csv_rows(groups(store, asked))
    if form == "jsonl":
        return _lines(map(group_document, groups(store, asked)))
    return _lines(_LABELS[form](store, _keys(store, asked)))


def _lines(documents: Iterable[object]) -> Iterator[bytes]:
    for document in documents:
        yield compact(document).encode() + b"\n"


def _keys(store: SqliteStore, asked: GroupQuery) -> frozenset[bytes] | None:
    """The keys of the groups that ``asked`` is about; None for all that there are."""
    every = msgspec.structs.replace(_EVERY, limit=asked.limit)
    return None if asked == every else frozenset(group.key for group in groups(store, asked))


def _tell(missing: int) -> None:
    if missing > 0:
        told = counted(missing, "ticket that was judged is", "tickets that were judged are")
        print(f"logdocket: {told} left out: the text of the line is not kept", file=sys.stderr)
