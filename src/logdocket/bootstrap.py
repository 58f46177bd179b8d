"""The only builder of real objects from settings."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING

import msgspec

from logdocket.confidence import Table, shipped
from logdocket.docket import DeskStore, Extractor, ReviewDesk
from logdocket.docket.review.second_look import SecondLook
from logdocket.errors import BadContext, ModelError, SettingsError
from logdocket.line import NO_CONTEXT, Context, Line
from logdocket.model import Attempts, Breaker, Client, Exchange, split_name
from logdocket.reading import check_context
from logdocket.settings import Settings, variable
from logdocket.store import SqliteStore
from logdocket.ticket import ReviewReason, Ticket

if TYPE_CHECKING:
    from fastapi import FastAPI

__all__ = [
    "Docket",
    "build_app",
    "build_desk",
    "build_extractor",
    "build_model",
    "build_store",
    "build_table",
    "microseconds",
    "why_no_model",
]


def microseconds() -> int:
    """The time now, in µs since 1970 UTC."""
    return time.time_ns() // 1000


def build_store(settings: Settings, *, tends: bool = True) -> SqliteStore:
    """The store on ``settings.db``; raises SchemaTooNew or NotALedger, and nothing else.

    ``tends``: as for :class:`SqliteStore`; False for who only looks.
    """
    return SqliteStore(
        settings.db, busy_timeout=settings.busy_timeout, clock=microseconds, tends=tends
    )


def why_no_model(settings: Settings) -> ReviewReason | None:
    """Why these settings have no model called; None where it is called."""
    if not settings.names_model:
        return ReviewReason.MODEL_NOT_CONFIGURED
    if settings.egress == "off":
        return ReviewReason.EGRESS_OFF
    return ReviewReason.MISSING_KEY if settings.model_key is None else None


def build_model(
    settings: Settings, record: Callable[[Exchange], None] | None = None
) -> Attempts | ReviewReason:
    """The model behind its attempt policy, or why none is called. ``record`` is given each exchange
    with it.

    Takes a second or two where a model is called: the library that speaks to it is large.

    Raises:
        SettingsError: the model cannot be called as it is set up.
    """
    why = why_no_model(settings)
    if why is not None:
        return why
    assert settings.model_key is not None, "without a key there is a reason"
    if (settings.price_input is None) != (settings.price_output is None):
        raise SettingsError(
            "LOGDOCKET_PRICE_INPUT and LOGDOCKET_PRICE_OUTPUT: set both, or none of them"
        )
    try:
        provider, name = split_name(
            settings.model_name or "default", settings.model_url is not None
        )
        client = Client(
            base_url=settings.model_url,
            provider=provider,
            name=name,
            key=settings.model_key.get_secret_value(),
            output=settings.model_output,
            max_output=settings.model_max_tokens,
            largest_response=settings.max_response,
            per_million=settings.prices,
            record=record,
        )
    except ModelError as error:
        raise SettingsError(str(error)) from error
    if settings.budget_usd is not None and not client.priced:
        raise SettingsError(
            f"LOGDOCKET_BUDGET_USD={settings.budget_usd}: the price of {client.identity} is not "
            "known: set LOGDOCKET_PRICE_INPUT and LOGDOCKET_PRICE_OUTPUT"
        )
    return Attempts(
        client,
        Breaker(settings.breaker_failures, settings.breaker_seconds, time.monotonic),
        deadline=settings.deadline,
        attempt=settings.attempt_timeout,
        concurrency=settings.model_concurrency,
        monotonic=time.monotonic,
    )


def build_table(settings: Settings) -> Table:
    """The operator's own table of confidence, or the one that is shipped.

    Raises:
        SettingsError: the file cannot be read, or is no such table.
    """
    file = settings.confidence_table
    if file is None:
        return shipped()
    mend = "write one by `logdocket calibrate SET... -o FILE`, or unset the variable"
    try:
        return Table.from_json(file.read_bytes())
    except OSError as error:
        why = f"cannot be read ({error.strerror})"
    except msgspec.MsgspecError as error:
        why = f"is no table of confidence ({error})"
    raise SettingsError(f"{variable('confidence_table')}={file}: {why}: {mend}")


def build_extractor(settings: Settings, store: SqliteStore | None) -> Extractor:
    """The order of steps, over ``store`` or, when None, without a ledger; raises SettingsError."""
    model = build_model(settings)
    return Extractor(settings.policy(), build_table(settings), store, microseconds, model)


def build_desk(settings: Settings, store: DeskStore) -> ReviewDesk:
    """Where people decide about what is in ``store``."""
    return ReviewDesk(store, clock=microseconds, max_line=settings.max_line)


def build_app(settings: Settings | None = None) -> FastAPI:
    """The HTTP application; also the factory that worker processes call.

    Raises:
        SettingsError, SchemaTooNew, NotALedger: it would not serve honestly.
    """
    from logdocket.http import Guard, Role, Token, create_app

    settings = Settings.load() if settings is None else settings
    store = build_store(settings)
    guard = Guard(
        tokens=tuple(
            Token(token.name, tuple(map(Role, token.roles)), token.secret)
            for token in settings.named_tokens()
        ),
        max_line=settings.max_line,
        max_body=settings.max_body,
        max_batch=settings.max_batch,
        body_timeout=settings.body_timeout,
        queue=settings.queue,
    )
    extractor = build_extractor(settings, store)
    per_minute = settings.second_looks if settings.queue else 0
    second_look = SecondLook(store, extractor, per_minute=per_minute)
    return create_app(extractor, store, guard, build_desk(settings, store), second_look)


class Docket:
    """Logdocket as a library: an asynchronous context manager that extracts tickets.

    It belongs to one event loop, in which any number of tasks may share it. Leaving it lets the
    last group commit and releases the file; it may be entered again then.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        """Take settings, or read them from the environment; raises SettingsError."""
        self.settings = Settings.load() if settings is None else settings
        self._store: SqliteStore | None = None
        self._extractor: Extractor | None = None

    async def __aenter__(self) -> Docket:
        """Open the database; raises SchemaTooNew, NotALedger or SettingsError."""
        if self._store is not None:
            raise RuntimeError("the docket is open already: share it, or make another")
        self._store = await asyncio.to_thread(build_store, self.settings)
        try:
            self._extractor = await asyncio.to_thread(build_extractor, self.settings, self._store)
        except SettingsError:
            store, self._store = self._store, None
            store.close()
            raise
        await self._extractor.open()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        store, extractor = self._store, self._extractor
        self._store = self._extractor = None
        if extractor is not None:
            await extractor.close()
        if store is not None:
            # The last commit may wait for a lock; other tasks of the loop should not.
            await asyncio.to_thread(store.close)

    async def extract(self, line: str | bytes, context: Context = NO_CONTEXT) -> Ticket:
        """The ticket for one line, durable in the ledger when this returns.

        ``line`` has at most ``settings.max_line`` bytes; bytes need not be UTF-8. Never raises for
        the database's sake: ``ledger_unavailable`` stands on the ticket instead.

        Raises:
            BlankLine: there is nothing in the line to quote.
            NotText: it holds a lone surrogate that stands for no byte.
            LineTooLong: it is longer than ``settings.max_line``.
            BadContext: a value of the context is malformed; the message names it.
            TypeError: the line is neither text nor bytes, or the context no Context.
        """
        return (await self.extract_many([(line, context)]))[0]

    async def extract_many(self, items: Sequence[tuple[str | bytes, Context]]) -> list[Ticket]:
        """Tickets for several lines, in order, in one transaction; raises as :meth:`extract`, and
        then no line is entered."""
        if self._extractor is None:
            raise RuntimeError("the docket is closed: use `async with Docket(...) as docket`")
        longest = self.settings.max_line
        lines = [(_taken(line, longest), _checked(context)) for line, context in items]
        return [extraction.ticket for extraction in await self._extractor.extract_many(lines)]


def _taken(line: str | bytes, longest: int) -> Line:
    """The line, whoever sent it; raises as :meth:`Docket.extract`."""
    if not isinstance(line, str | bytes):
        raise TypeError(f"the line is a {type(line).__name__}: give str or bytes")
    return Line.of(line, longest)


def _checked(context: Context) -> Context:
    """``context`` with values that the rules can use, whoever built it; raises as
    :meth:`Docket.extract`."""
    if context is NO_CONTEXT:
        return context
    if not isinstance(context, Context):
        raise TypeError(f"the context is a {type(context).__name__}: give a logdocket.Context")
    received_at = context.received_at
    for name, value, kind in (
        ("received_at", received_at, datetime),
        ("labels", context.labels, Mapping),
    ):
        if value is not None and not isinstance(value, kind):
            raise BadContext(f"{name} is a {type(value).__name__}: give a {kind.__name__.lower()}")
    if received_at is not None and received_at.utcoffset() is None:
        raise BadContext("received_at has no offset: give it a tzinfo, such as datetime.UTC")
    return check_context(
        None if received_at is None else received_at.isoformat(),
        context.service,
        context.timezone,
        context.labels,
    )
