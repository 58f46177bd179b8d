"""The commands and their options. What each does is imported when it runs: help comes at once."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from logdocket import __version__
from logdocket.cli import output
from logdocket.cli.calibrate_app import calibrate
from logdocket.cli.grade_app import grade, interview
from logdocket.cli.ledger_app import ledger
from logdocket.cli.options import PLAIN, Db, File, Json, ReceivedAt, Service, Timezone, whole
from logdocket.cli.queue_app import queue
from logdocket.errors import LogdocketError, OutputError, StoreError

EXIT_REFUSED = 1
EXIT_USAGE = 2
EXIT_STORE = 3
EXIT_OUTPUT = 4
# What a shell gives for a program ended by SIGINT, SIGPIPE or SIGTERM.
EXIT_INTERRUPTED = 130
EXIT_PIPE = 141
EXIT_TERMINATED = 143


app = typer.Typer(**PLAIN)
app.add_typer(
    ledger,
    name="ledger",
    help="Read and check the ledger.\n\nExample: logdocket ledger verify --db logdocket.db",
)
app.add_typer(
    queue,
    name="queue",
    help="Review tickets that need a person.\n\nExample: logdocket queue list --severity critical",
)
app.add_typer(
    calibrate,
    name="calibrate",
    help="Fit the table of confidence, and tell what it is worth.\n\n"
    "It is fitted on labelled lines, and with --from-reviews on what people said in the review "
    "queue too.\n\n"
    "Example: logdocket calibrate shop.jsonl bank.jsonl -o table.json",
)
app.command()(grade)
app.add_typer(
    interview,
    name="interview",
    help="Begin an interview with the exercise.\n\nExample: logdocket interview init ../interview",
)


def main() -> None:
    """Run a command; every error of ours is one line on standard error and an exit code.

    0: done. 1: some lines got no ticket or no entry, or a check failed. 2: wrong input or settings.
    3: the database cannot serve. 4: the output cannot be written. 130 and 143: interrupted by
    Ctrl-C or SIGTERM. 141: whoever read the output went away.
    """
    out = output.install()
    try:
        try:
            app(prog_name="logdocket")
        finally:
            # Now, while a full disk can still be told.
            sys.stdout.flush()
    except output.ReaderGone:
        out.mute()
        sys.exit(EXIT_PIPE)
    except LogdocketError as error:
        out.mute()
        print(f"logdocket: {output.one_line(str(error))}", file=sys.stderr)
        sys.exit(_exit_code(error))
    except KeyboardInterrupt:
        out.mute()
        sys.exit(EXIT_INTERRUPTED)


def _exit_code(error: LogdocketError) -> int:
    if isinstance(error, StoreError):
        return EXIT_STORE
    return EXIT_OUTPUT if isinstance(error, OutputError) else EXIT_USAGE


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

    Example: echo 'ERROR pay: card refused' | logdocket extract
    """


@app.command()
def serve(
    host: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Where to listen. Default: LOGDOCKET_HOST, or 127.0.0.1. "
            "Beyond this machine it needs LOGDOCKET_TOKENS.",
        ),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            parser=whole(0, 65535),
            metavar="N",
            help="Port to listen on; 0 takes a free one. Default: LOGDOCKET_PORT, or 8000.",
        ),
    ] = None,
    workers: Annotated[
        int, typer.Option(parser=whole(1, 64), metavar="N", help="Processes that share the port.")
    ] = 1,
    db: Db = None,
) -> None:
    """Run the HTTP service until SIGTERM or Ctrl-C.

    Example: logdocket serve --port 8080
    """
    from logdocket.cli.serve import run

    raise typer.Exit(run(host=host, port=port, workers=workers, db=db))


@app.command()
def extract(
    file: File = "-",
    received_at: ReceivedAt = None,
    service: Service = None,
    timezone: Timezone = None,
    db: Db = None,
    no_ledger: Annotated[
        bool, typer.Option("--no-ledger", help="Enter nothing anywhere, and open no database.")
    ] = False,
    jobs: Annotated[
        int, typer.Option(parser=whole(1, 64), metavar="N", help="Processes that read lines.")
    ] = 1,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain",
            help="Add to each ticket where the line bears it out, and the counts behind its "
            "confidence.",
        ),
    ] = False,
) -> None:
    """Print one JSON ticket for each line, in order, as they come.

    A line that can have no ticket gets {"error": ...} in its place. The exit code is 1 when there
    was one, and when a ticket could not be entered in the ledger.

    Example: tail -F app.log | logdocket extract --received-at now
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
            explain=explain,
        )
    )


@app.command()
def replay(
    fixtures: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FIXTURE",
            show_default=False,
            help="A fixture, which is a file of JSON lines. All that are shipped, if left out.",
        ),
    ] = None,
    check: Annotated[
        bool,
        typer.Option(
            "--check", help="Compare with the files beside it. Exit code 1 on a difference."
        ),
    ] = False,
    update: Annotated[
        bool, typer.Option("--update", help="Write the files beside it anew.")
    ] = False,
) -> None:
    """Answer recorded lines again, by their clock, on a fresh store.

    Example: logdocket replay --check fixture.jsonl
    """
    from logdocket.cli.replay import run

    if check and update:
        raise typer.BadParameter("choose one of --check and --update")
    if update and not fixtures:
        raise typer.BadParameter("name the fixture that --update writes the files of")
    raise typer.Exit(run(fixtures or None, check=check, update=update))


@app.command("eval")
def evaluate(
    sets: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="SET",
            show_default=False,
            help="Labelled lines, a file of JSON lines. All sets that are shipped, if left out.",
        ),
    ] = None,
    received_at: ReceivedAt = None,
    show: Annotated[
        tuple[str, str, int] | None,
        typer.Option(
            metavar="OUTCOME FIELD N",
            help="Print the first N lines with this outcome in this field, in place of the counts.",
        ),
    ] = None,
    worst: Annotated[
        int,
        typer.Option(parser=whole(0, 1000), metavar="N", help="Templates with faults to print."),
    ] = 10,
    min_right: Annotated[
        list[str] | None,
        typer.Option(metavar="FIELD=SHARE", help="Exit code 1 when less than this is right."),
    ] = None,
    max_wrong: Annotated[
        list[str] | None,
        typer.Option(metavar="FIELD=SHARE", help="Exit code 1 when more than this is wrong."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Measure the rules' own tickets on labelled lines.

    Each field is right, unknown or wrong. The exit code is 2 when a set cannot be read.

    Example: logdocket eval --show wrong severity 20
    """
    from logdocket.cli.evaluate import run

    raise typer.Exit(
        run(
            sets or None,
            received_at=received_at,
            wish=show,
            worst=worst,
            min_right=min_right or (),
            max_wrong=max_wrong or (),
            as_json=as_json,
        )
    )


@app.command()
def record(
    file: File = "-",
    fixture: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="FIXTURE",
            show_default=False,
            help="The fixture to write, NAME.jsonl; two more files are written beside it.",
        ),
    ] = ...,  # type: ignore[assignment]
    received_at: ReceivedAt = None,
    service: Service = None,
    timezone: Timezone = None,
    db: Db = None,
    concurrency: Annotated[
        int, typer.Option(parser=whole(1, 256), metavar="N", help="Lines asked about at once.")
    ] = 1,
    force: Annotated[bool, typer.Option("--force", help="Replace files that are there.")] = False,
) -> None:
    """Keep what the model answers about each line as a fixture.

    Secrets are taken out of the lines first. The calls are made and entered as always. The exit
    code is 1 when some line can have no ticket, and so no row.

    Example: logdocket record app.log -o fixture.jsonl
    """
    from logdocket.cli.record import run

    raise typer.Exit(
        run(
            file,
            fixture,
            received_at=received_at,
            service=service,
            timezone=timezone,
            db=db,
            concurrency=concurrency,
            force=force,
        )
    )


@app.command()
def schema() -> None:
    """Print the JSON Schema (2020-12) of a ticket.

    Example: logdocket schema > ticket.schema.json
    """
    from logdocket.schema import ticket_schema_bytes

    sys.stdout.buffer.write(ticket_schema_bytes())


@app.command()
def doctor(db: Db = None, as_json: Json = False) -> None:
    """Tell what is set up and what is missing, and show a ticket.

    The exit code is 1 when a ticket would not reach the ledger, or the service would not start.

    Example: logdocket doctor --json
    """
    from logdocket.cli.doctor import run

    raise typer.Exit(run(db, as_json=as_json))
