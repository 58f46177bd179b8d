"""The public face as a user's type checker sees it: checked by ``make types``, never run."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import assert_type

from logdocket import (
    Context,
    Docket,
    InputError,
    LogdocketError,
    ReviewReason,
    Settings,
    SettingsError,
    Severity,
    Source,
    StoreError,
    Ticket,
    __version__,
)
from logdocket.schema import ticket_schema, ticket_schema_bytes

assert_type(__version__, str)
assert_type(ticket_schema_bytes(), bytes)
keys: list[str] = list(ticket_schema())


async def one_line(line: str) -> str:
    """A line in, and each field of the ticket out, under its own type."""
    async with Docket(Settings(db=Path("tickets.db"), fallback_ttl=0)) as docket:
        assert_type(docket, Docket)
        ticket = await docket.extract(line)
    assert_type(ticket, Ticket)
    assert_type(ticket.service, str)
    assert_type(ticket.severity, Severity)
    assert_type(ticket.first_seen, str)
    assert_type(ticket.evidence, str)
    assert_type(ticket.confidence, float)
    assert_type(ticket.needs_human, bool)
    assert_type(ticket.source, Source)
    assert_type(ticket.review_reasons, tuple[ReviewReason, ...])
    assert_type(ticket.to_json(), bytes)
    return "; ".join(f"{reason}: {reason.sentence} {reason.mend}" for reason in ReviewReason)


async def lines_with_context(lines: list[bytes]) -> list[Ticket]:
    """Bytes are lines too, and each line may bring what the caller knows of it."""
    context = Context(
        received_at=datetime(2026, 1, 2, tzinfo=UTC),
        service="payments",
        timezone="Europe/Zurich",
        labels={"host": "web-1.example"},
    )
    async with Docket() as docket:
        tickets = await docket.extract_many([(line, context) for line in lines])
    assert_type(tickets, list[Ticket])
    return sorted(tickets, key=lambda ticket: ticket.severity.rank)


def what_went_wrong(error: LogdocketError) -> str:
    """The branches of the error tree are what callers tell apart."""
    match error:
        case InputError():
            return f"fix the line: {error.word}"
        case SettingsError():
            return f"fix the settings: {error}"
        case StoreError():
            return f"fix the database: {error}"
        case _:
            return str(error)


async def wrong_uses(docket: Docket, ticket: Ticket) -> None:
    """What a type checker must refuse: each ignore is itself an error once it is not needed."""
    await docket.extract(7)  # type: ignore[arg-type]
    await docket.extract("a line", {"service": "payments"})  # type: ignore[arg-type]
    ticket.severity = Severity.LOW  # type: ignore[misc]
    Context(tz="UTC")  # type: ignore[call-arg]
