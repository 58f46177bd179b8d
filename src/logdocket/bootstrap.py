"""The only builder of real objects from settings."""

from __future__ import annotations

import time
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING

from logdocket.confidence import shipped
from logdocket.docket import Extractor
from logdocket.line import NO_CONTEXT, Context, Line
from logdocket.settings import Settings
from logdocket.store import SqliteStore, Store
from logdocket.ticket import Ticket

if TYPE_CHECKING:
    from fastapi import FastAPI

__all__ = ["Docket", "build_app", "build_extractor", "build_store", "microseconds"]


def microseconds() -> int:
    """The time now, in µs since 1970 UTC."""
    return time.time_ns() // 1000


def build_store(settings: Settings) -> SqliteStore:
    """The store on ``settings.db``; raises SchemaTooNew or NotALedger, and nothing else."""
    return SqliteStore(settings.db, busy_timeout=settings.busy_timeout, clock=microseconds)


def build_extractor(settings: Settings, store: Store | None) -> Extractor:
    """The order of steps, over ``store`` or, when None, without a ledger."""
    return Extractor(settings.policy(), shipped(), store, microseconds)


def build_app(settings: Settings | None = None) -> FastAPI:
    """The HTTP application; also the factory that worker processes call.

    Raises:
        SettingsError, SchemaTooNew, NotALedger: it would not serve honestly.
    """
    from logdocket.http import Guard, create_app

    settings = Settings.load() if settings is None else settings
    store = build_store(settings)
    guard = Guard(
        tokens=tuple(token.get_secret_value() for token in settings.tokens),
        max_line=settings.max_line,
        max_body=settings.max_body,
        max_batch=settings.max_batch,
        body_timeout=settings.body_timeout,
    )
    return create_app(build_extractor(settings, store), store, guard)


class Docket:
    """Logdocket as a library: an asynchronous context manager that extracts tickets.

    It belongs to one event loop. Leaving it lets the last group commit and releases the file.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        """Take settings, or read them from the environment; raises SettingsError."""
        self.settings = Settings.load() if settings is None else settings
        self._store: SqliteStore | None = None
        self._extractor: Extractor | None = None

    async def __aenter__(self) -> Docket:
        """Open the database; raises SchemaTooNew or NotALedger."""
        self._store = build_store(self.settings)
        self._extractor = build_extractor(self.settings, self._store)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        store, self._store, self._extractor = self._store, None, None
        if store is not None:
            store.close()

    async def extract(self, line: str | bytes, context: Context = NO_CONTEXT) -> Ticket:
        """The ticket for one line, durable in the ledger when this returns.

        Never raises for the database's sake: ``ledger_unavailable`` stands on the ticket instead.

        Raises:
            BlankLine: there is nothing in the line to quote.
            NotText: it holds a lone surrogate that stands for no byte.
            LineTooLong: it is longer than ``settings.max_line``.
        """
        return (await self.extract_many([(line, context)]))[0]

    async def extract_many(self, items: Sequence[tuple[str | bytes, Context]]) -> list[Ticket]:
        """Tickets for several lines, in order, in one transaction; raises as :meth:`extract`."""
        if self._extractor is None:
            raise RuntimeError("the docket is closed: use `async with Docket(...) as docket`")
        lines = [(Line.of(line, self.settings.max_line), context) for line, context in items]
        return [extraction.ticket for extraction in await self._extractor.extract_many(lines)]
