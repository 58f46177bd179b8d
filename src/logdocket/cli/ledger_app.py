"""The commands that read and check the ledger."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Annotated

import typer

from logdocket.cli.options import (
    PLAIN,
    Db,
    Json,
    JsonLines,
    Kind,
    Reason,
    Since,
    Source,
    Until,
    whole,
)

ledger = typer.Typer(**PLAIN)

_LAST_ENTRY = 2**63 - 1


class ExportFormat(enum.StrEnum):
    """How entries are written to a file."""

    JSONL = "jsonl"
    CSV = "csv"


@ledger.command("list")
def ledger_list(
    source: Source = None,
    reason: Reason = None,
    kind: Kind = None,
    since: Since = None,
    until: Until = None,
    before: Annotated[
        int | None,
        typer.Option(
            parser=whole(1, _LAST_ENTRY),
            metavar="N",
            help="Only entries before this number: the next page.",
        ),
    ] = None,
    limit: Annotated[
        int, typer.Option(parser=whole(1, 100_000), metavar="N", help="How many entries.")
    ] = 20,
    db: Db = None,
    as_json: JsonLines = False,
) -> None:
    """Print entries, newest first.

    Example: logdocket ledger list --reason service_unknown --limit 5
    """
    from logdocket.cli import ledger as reading

    query = reading.query(source, reason, since, until, before, limit, kind)
    raise typer.Exit(reading.show_list(db, query, as_json=as_json))


@ledger.command("show")
def ledger_show(
    number: Annotated[
        int,
        typer.Argument(
            parser=whole(1, _LAST_ENTRY),
            metavar="N",
            help="The entry's number, as list prints it.",
        ),
    ],
    db: Db = None,
) -> None:
    """Print the ticket of an entry as JSON, and what it was read from.

    For a cache hit that is the ticket which it repeated.

    Example: logdocket ledger show 7
    """
    from logdocket.cli import ledger as reading

    raise typer.Exit(reading.show_ticket(db, number))


@ledger.command("unshare")
def ledger_unshare(
    number: Annotated[
        int,
        typer.Argument(
            parser=whole(1, _LAST_ENTRY),
            metavar="N",
            help="The entry of a ticket that is wrong, as list prints it.",
        ),
    ],
    db: Db = None,
) -> None:
    """Stop other lines from sharing the answer behind a wrong ticket.

    Lines that differ from it in times, ids or addresses alone are asked about one by one from now
    on, and others share no more. Tickets that were given stay.

    Example: logdocket ledger unshare 7
    """
    from logdocket.cli import ledger as reading

    raise typer.Exit(reading.unshare(db, number))


@ledger.command("summary")
def ledger_summary(
    since: Since = None, until: Until = None, db: Db = None, as_json: Json = False
) -> None:
    """Print sums of tickets, and of calls of models.

    Example: logdocket ledger summary --since 2026-01-01T00:00:00Z
    """
    from logdocket.cli import ledger as reading

    raise typer.Exit(reading.show_summary(db, since, until, as_json=as_json))


@ledger.command("verify")
def ledger_verify(
    head: Annotated[
        str | None,
        typer.Option(metavar="HASH", help="A head noted earlier. The chain must still hold it."),
    ] = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Walk the whole chain and check every law of the ledger.

    The exit code is 1 when it is broken, and the first bad entry is named.

    Example: logdocket ledger verify --json
    """
    from logdocket.cli import ledger as reading

    raise typer.Exit(reading.show_verification(db, head, as_json=as_json))


@ledger.command("export")
def ledger_export(
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Default: standard output."),
    ] = None,
    export_format: Annotated[
        ExportFormat, typer.Option("--format", help="How entries are written.")
    ] = ExportFormat.JSONL,
    since: Since = None,
    until: Until = None,
    db: Db = None,
) -> None:
    """Write all entries, oldest first.

    Example: logdocket ledger export --format csv -o ledger.csv
    """
    from logdocket.cli import ledger as reading

    raise typer.Exit(reading.export(db, output, export_format.value, since, until))
