"""``logdocket queue list`` and ``show``: what waits for a person."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec

from logdocket.bootstrap import microseconds
from logdocket.cli import queue_detail, queue_table
from logdocket.cli.catching_up import catch_up
from logdocket.cli.database import opened
from logdocket.cli.options import chosen
from logdocket.cli.output import compact, counted, one_line
from logdocket.docket.review import ReviewDesk, detail_document, group_document
from logdocket.errors import LedgerUnavailable, SettingsError
from logdocket.line import Severity
from logdocket.settings import Settings
from logdocket.store import SqliteStore
from logdocket.store.review import (
    Group,
    GroupPage,
    GroupQuery,
    GroupSort,
    GroupState,
    QueueCounts,
)
from logdocket.ticket import ReviewReason, Source

_PAGE: Final = 500
_ALL: Final = "all"


def query(
    *,
    states: Sequence[str],
    severities: Sequence[str],
    service: str | None,
    reason: str | None,
    source: str | None,
    text: str | None,
    sort: str,
    limit: int = _PAGE,
    cursor: str | None = None,
) -> GroupQuery:
    """The query that these options ask for; raises SettingsError."""
    return GroupQuery(
        states=() if _ALL in states else tuple(_state(word) for word in dict.fromkeys(states)),
        severities=tuple(
            chosen(Severity, "--severity", word) for word in dict.fromkeys(severities)
        ),
        service=service,
        reason=None if reason is None else chosen(ReviewReason, "--reason", reason),
        source=None if source is None else chosen(Source, "--source", source),
        text=text,
        sort=chosen(GroupSort, "--sort", sort),
        cursor=cursor,
        limit=limit,
    )


def show_list(db: Path | None, asked: GroupQuery, *, as_json: bool) -> int:
    """Print a page of groups."""
    with desk(db) as (reviews, store):
        follow(reviews, store)
        page = _page(store, asked)
        counts = store.queue_counts()
    if as_json:
        for group in page.groups:
            print(compact(group_document(group)))
        if page.next is not None:
            print(f"logdocket: {_more(page.next)}", file=sys.stderr)
        return 0
    for row in queue_table.rows(page.groups, now=microseconds(), width=queue_table.room()):
        print(row)
    if page.next is not None:
        print(_more(page.next))
    elif not page.groups:
        print(_empty(asked, counts))
    return 0


def show_group(db: Path | None, number: int, *, as_json: bool) -> int:
    """Print a group with its newest ticket; raises SettingsError where there is no such group."""
    with desk(db) as (reviews, store):
        follow(reviews, store)
        detail = reviews.detail(number)
    if detail is None:
        raise no_group(number)
    if as_json:
        print(compact(detail_document(detail)))
        return 0
    for line in queue_detail.lines(detail, queue_detail.marks()):
        print(line)
    return 0


@contextmanager
def desk(db: Path | None) -> Iterator[tuple[ReviewDesk, SqliteStore]]:
    """The desk, and the store that it works on, which must be there already."""
    longest = Settings.load(db=db).max_line
    with opened(db) as store:
        yield ReviewDesk(store, clock=microseconds, max_line=longest), store


def follow(reviews: ReviewDesk, store: SqliteStore) -> None:
    """Bring the queue up to date with the ledger. Where nothing can be written, the queue stays as
    it is, and how far it goes is told."""
    try:
        catch_up(reviews)
    except LedgerUnavailable as error:
        counts = store.queue_counts()
        told = f"the queue follows the ledger up to entry {counts.upto:,} of {counts.head:,} only"
        print(f"logdocket: {told}: {one_line(str(error))}", file=sys.stderr)


def groups(store: SqliteStore, asked: GroupQuery) -> Iterator[Group]:
    """All groups that ``asked`` is about, in bounded memory."""
    asked = msgspec.structs.replace(asked, limit=_PAGE)
    while True:
        page = store.groups(asked)
        yield from page.groups
        if page.next is None:
            return
        asked = msgspec.structs.replace(asked, cursor=page.next)


def no_group(number: int) -> SettingsError:
    """Tells that there is no group ``number``."""
    return SettingsError(f"there is no group {number}: see logdocket queue list --state all")


def _page(store: SqliteStore, asked: GroupQuery) -> GroupPage:
    try:
        return store.groups(asked)
    except ValueError:
        raise SettingsError(
            f"--cursor {asked.cursor!r} is none that list told with these options: "
            "leave it out to begin anew"
        ) from None


def _state(word: str) -> GroupState:
    try:
        return GroupState(word)
    except ValueError:
        known = ", ".join((*GroupState, _ALL))
        raise SettingsError(f"--state {word!r} is none of: {known}") from None


def _more(cursor: str) -> str:
    return f"there are more: add --cursor {one_line(cursor)}"


def _empty(asked: GroupQuery, counts: QueueCounts) -> str:
    """Why no group is listed."""
    total = sum(counts.by_state.values())
    if not total:
        return "the queue is empty: no ticket needs a person"
    filters: tuple[Any, ...] = (asked.severities, asked.service, asked.reason, asked.source)
    if any(filters) or asked.text or asked.cursor:
        return f"none of {counted(total, 'group')} fits these options"
    others = ", ".join(f"{count:,} {state}" for state, count in counts.by_state.items() if count)
    return f"no group is {' or '.join(asked.states)}: {others} (--state all shows them)"
