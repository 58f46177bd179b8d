"""The commands and their options. What each does is imported when it runs: help comes at once."""

from __future__ import annotations

import enum
import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from logdocket import __version__
from logdocket.errors import LogdocketError, StoreError

EXIT_REFUSED = 1
EXIT_USAGE = 2
EXIT_STORE = 3
# What a shell gives for a program ended by SIGINT or SIGPIPE.
EXIT_INTERRUPTED = 130
EXIT_PIPE = 141

_PLAIN: dict[str, Any] = {
    "no_args_is_help": True,
    "add_completion": False,
    # Plain help starts three times faster than the drawn one.
    "rich_markup_mode": None,
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": ["-h", "--help"], "max_content_width": 100},
}
app = typer.Typer(**_PLAIN)
ledger = typer.Typer(**_PLAIN)
app.add_typer(
    ledger,
    name="ledger",
    help="Read and check the ledger. Example: logdocket ledger verify --db logdocket.db",
)

Db = Annotated[
    Path | None, typer.Option("--db", help="The database. Default: LOGDOCKET_DB, or logdocket.db.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Source = Annotated[
    str | None, typer.Option("--source", help="Only tickets from model, cache or fallback.")
]
Reason = Annotated[
    str | None, typer.Option("--reason", help="Only tickets with this review reason.")
]
Since = Annotated[str | None, typer.Option("--since", help="From this moment on (RFC 3339).")]
Until = Annotated[str | None, typer.Option("--until", help="Before this moment (RFC 3339).")]


class ExportFormat(enum.StrEnum):
    """How entries are written to a file."""

    JSONL = "jsonl"
    CSV = "csv"


def main() -> None:
    """Run a command; every error of ours is one line on standard error and an exit code.

    0: done. 1: some lines got no ticket, or a check failed. 2: wrong input or settings. 3: the
    database cannot serve. 130: interrupted.
    """
    try:
        app(prog_name="logdocket")
    except LogdocketError as error:
        print(f"logdocket: {_one_line(error)}", file=sys.stderr)
        sys.exit(EXIT_STORE if isinstance(error, StoreError) else EXIT_USAGE)
    except KeyboardInterrupt:
        sys.exit(EXIT_INTERRUPTED)
    except BrokenPipeError:
        # Whoever read our output has had enough. Nothing is left to flush into.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(EXIT_PIPE)


def _one_line(error: BaseException) -> str:
    """The message with every control character escaped."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode()
        for char in str(error)
    )


def _version(wanted: bool) -> None:
    if wanted:
        print(f"logdocket {__version__}")
        raise typer.Exit


@app.callback()
def _top(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """One log line in, one honest support ticket out, every answer in a ledger.

    Example: echo '2026-01-02T15:04:05Z ERROR pay: card refused' | logdocket extract
    """


@app.command()
def serve(
    host: Annotated[
        str | None, typer.Option(help="Address to listen on. Default: 127.0.0.1.")
    ] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on. Default: 8000.")] = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes that share the port.")] = 1,
    db: Db = None,
) -> None:
    """Run the HTTP service until SIGTERM or Ctrl-C.

    Example: logdocket serve --port 8080
    """
    from logdocket.cli.serve import run

    raise typer.Exit(run(host=host, port=port, workers=workers, db=db))


@app.command()
def extract(
    file: Annotated[
        str, typer.Argument(help="A file of log lines; - or nothing for standard input.")
    ] = "-",
    received_at: Annotated[
        str | None,
        typer.Option(
            help="When the lines arrived (RFC 3339), or `now`: gives a year to stamps without one."
        ),
    ] = None,
    service: Annotated[str | None, typer.Option(help="Used where a line names no service.")] = None,
    timezone: Annotated[
        str | None, typer.Option(help="IANA name or ±HH:MM for stamps without a zone.")
    ] = None,
    db: Db = None,
    no_ledger: Annotated[
        bool, typer.Option("--no-ledger", help="Enter nothing anywhere; no database is opened.")
    ] = False,
    jobs: Annotated[int, typer.Option(min=1, help="Processes that read lines.")] = 1,
) -> None:
    """Print one JSON ticket for each line, in order, as the lines come.

    A line that can have no ticket gets {"error": ...} in its place, and the exit code is 1.

    Example: tail -F app.log | logdocket extract --service shop --received-at now
    """
    from logdocket.cli.extract import run

    raise typer.Exit(
        run(
            file,
            received_at=received_at,
            service=service,
            timezone=timezone,
            db=db,
            no_ledger=no_ledger,
            jobs=jobs,
        )
    )


@app.command()
def replay(
    fixtures: Annotated[list[Path], typer.Argument(help="Fixtures: files of JSON lines.")],
    check: Annotated[
        bool, typer.Option("--check", help="Compare with the files beside it; exit 1 if different.")
    ] = False,
    update: Annotated[
        bool, typer.Option("--update", help="Write the files beside it anew.")
    ] = False,
) -> None:
    """Run the real pipeline over recorded lines, with their clock, on a fresh store.

    Example: logdocket replay --check fixture.jsonl
    """
    from logdocket.cli.replay import run

    if check and update:
        raise typer.BadParameter("choose one of --check and --update")
    raise typer.Exit(run(fixtures, check=check, update=update))


@app.command()
def schema() -> None:
    """Print the JSON Schema (2020-12) of a ticket.

    Example: logdocket schema > ticket.schema.json
    """
    from logdocket.schema import ticket_schema_bytes

    sys.stdout.buffer.write(ticket_schema_bytes())


@app.command()
def doctor(db: Db = None, as_json: Json = False) -> None:
    """Tell what is configured, what is missing, and what would happen to a ticket now.

    Exit code 1 when a ticket would not reach the ledger or the service would not start.

    Example: logdocket doctor --json
    """
    from logdocket.cli.doctor import run

    raise typer.Exit(run(db, as_json=as_json))


@ledger.command("list")
def ledger_list(
    source: Source = None,
    reason: Reason = None,
    since: Since = None,
    until: Until = None,
    before: Annotated[
        int | None, typer.Option(min=1, help="Entries before this number: the next page.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=100_000, help="How many.")] = 20,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Print entries, newest first.

    Example: logdocket ledger list --reason service_unknown --limit 5
    """
    from logdocket.cli import ledger as reading

    query = reading.query(source, reason, since, until, before, limit)
    raise typer.Exit(reading.show_list(db, query, as_json=as_json))


@ledger.command("summary")
def ledger_summary(
    since: Since = None, until: Until = None, db: Db = None, as_json: Json = False
) -> None:
    """Print sums by source and by review reason.

    Example: logdocket ledger summary --since 2026-01-01T00:00:00Z
    """
    from logdocket.cli import ledger as reading

    raise typer.Exit(reading.show_summary(db, since, until, as_json=as_json))


@ledger.command("verify")
def ledger_verify(
    head: Annotated[
        str | None,
        typer.Option(help="A head noted earlier: the chain must still hold it."),
    ] = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Walk the whole chain and check every law; exit 1 and the first bad entry if it is broken.

    Example: logdocket ledger verify --json
    """
    from logdocket.cli import ledger as reading

    raise typer.Exit(reading.show_verification(db, head, as_json=as_json))


@ledger.command("export")
def ledger_export(
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A file. Default: standard output.")
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
