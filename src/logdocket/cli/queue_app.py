"""The commands of the review queue."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Annotated

import typer

from logdocket.cli.options import (
    PLAIN,
    Db,
    GroupReason,
    GroupService,
    GroupSource,
    Json,
    Severities,
    Text,
    whole,
)

queue = typer.Typer(**PLAIN)

_LAST = 2**63 - 1
_group = whole(1, _LAST)
States = Annotated[
    list[str] | None,
    typer.Option(
        "--state",
        metavar="WORD",
        show_default=False,
        help="Only groups that are open, resolved, dismissed or snoozed, or all; it may be given "
        "several times. Default: open.",
    ),
]


class ExportFormat(enum.StrEnum):
    """How groups and verdicts are written to a file."""

    CSV = "csv"
    JSONL = "jsonl"
    LABELLED = "labelled"
    FIXTURE = "fixture"


@queue.command("list")
def queue_list(
    state: States = None,
    severity: Severities = None,
    service: GroupService = None,
    reason: GroupReason = None,
    source: GroupSource = None,
    text: Text = None,
    sort: Annotated[
        str,
        typer.Option(metavar="WORD", help="The order: by severity, newest, oldest or count."),
    ] = "severity",
    limit: Annotated[
        int, typer.Option(parser=whole(1, 100_000), metavar="N", help="How many groups.")
    ] = 20,
    cursor: Annotated[
        str | None,
        typer.Option(metavar="WORD", help="Where to go on, as the page before told."),
    ] = None,
    db: Db = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print a JSON object for each group.")
    ] = False,
) -> None:
    """Print groups of tickets that need a person.

    What was entered in the ledger since the last time is sorted into groups first.

    Example: logdocket queue list --severity critical --sort newest
    """
    from logdocket.cli import queue as reviewing

    query = reviewing.query(
        states=state or ["open"],
        severities=severity or [],
        service=service,
        reason=reason,
        source=source,
        text=text,
        sort=sort,
        limit=limit,
        cursor=cursor,
    )
    raise typer.Exit(reviewing.show_list(db, query, as_json=as_json))


@queue.command("show")
def queue_show(
    number: Annotated[
        int,
        typer.Argument(parser=_group, metavar="ID", help="The group's number, as list prints it."),
    ],
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Print a group and its newest ticket.

    Its line, where the text is kept, shows the evidence marked. Then come why it needs a person,
    what calls of a model came to, and what people have decided.

    Example: logdocket queue show 7
    """
    from logdocket.cli import queue as reviewing

    raise typer.Exit(reviewing.show_group(db, number, as_json=as_json))


@queue.command("resolve")
def queue_resolve(
    numbers: Annotated[
        list[int],
        typer.Argument(
            parser=_group,
            metavar="ID",
            help="The group's number, as list prints it. A correction takes one, any other verdict "
            "several.",
        ),
    ],
    right: Annotated[bool, typer.Option("--right", help="The ticket says what it should.")] = False,
    not_a_problem: Annotated[
        bool, typer.Option("--not-a-problem", help="Nobody need look at such tickets.")
    ] = False,
    snooze: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="It comes back after this time, such as 2h or 3d."),
    ] = None,
    reopen: Annotated[bool, typer.Option("--reopen", help="It is to be decided again.")] = False,
    undo: Annotated[
        bool, typer.Option("--undo", help="Take back the last verdict that stands.")
    ] = False,
    service: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="The right service: a name in the line, or the word unknown."
        ),
    ] = None,
    severity: Annotated[
        str | None,
        typer.Option(metavar="WORD", help="The right severity: low, medium, high or critical."),
    ] = None,
    first_seen: Annotated[
        str | None,
        typer.Option(
            metavar="WHEN",
            help="The right time: as the line has it, in ISO 8601, or the word unknown.",
        ),
    ] = None,
    evidence: Annotated[
        str | None, typer.Option(metavar="QUOTE", help="The right evidence: a quote of the line.")
    ] = None,
    line: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            help="The line itself, where its text is not kept; - reads it from standard input. "
            "With it lines of its template with numbers of the same size are answered, too.",
        ),
    ] = None,
    note: Annotated[
        str | None, typer.Option(metavar="TEXT", help="A remark that is kept with the verdict.")
    ] = None,
    who: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Who decides. Default: the login name of the operating system."
        ),
    ] = None,
    version: Annotated[
        int | None,
        typer.Option(
            parser=whole(0, _LAST),
            metavar="N",
            help="The version that was looked at, as show prints it: where someone has decided "
            "since, nothing is. Default: the version now.",
        ),
    ] = None,
    db: Db = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print a JSON object for each group.")
    ] = False,
) -> None:
    """Decide about groups of tickets.

    Give exactly one verdict: --right, --not-a-problem, --snooze, --reopen, --undo, or corrections
    of the ticket's fields, which take one group. The exit code is 1 when a verdict breaks a law of
    tickets, or someone else was faster; it is then told how the group stands.

    Example: logdocket queue resolve 7 --service payments --severity high
    """
    from logdocket.cli import queue_resolve as deciding

    wish = deciding.Wish(
        right=right,
        not_a_problem=not_a_problem,
        snooze=snooze,
        reopen=reopen,
        undo=undo,
        service=service,
        severity=severity,
        first_seen=first_seen,
        evidence=evidence,
        line=line,
        note=note,
        who=who,
        version=version,
    )
    raise typer.Exit(deciding.run(db, numbers, wish, as_json=as_json))


@queue.command("export")
def queue_export(
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Default: standard output."),
    ] = None,
    export_format: Annotated[
        ExportFormat,
        typer.Option(
            "--format",
            help="Groups as csv or jsonl. Or what people confirmed and corrected: labelled for "
            "eval and calibrate, fixture for replay.",
        ),
    ] = ExportFormat.JSONL,
    state: Annotated[
        list[str] | None,
        typer.Option(
            "--state",
            metavar="WORD",
            show_default=False,
            help="Only groups that are open, resolved, dismissed or snoozed; it may be given "
            "several times. Default: all.",
        ),
    ] = None,
    severity: Severities = None,
    service: GroupService = None,
    reason: GroupReason = None,
    source: GroupSource = None,
    text: Text = None,
    db: Db = None,
) -> None:
    """Write all groups, or what people decided.

    Groups come oldest first. What people decided can be written where the line's text is kept.

    Example: logdocket queue export --format labelled -o reviewed.jsonl
    """
    from logdocket.cli import queue as reviewing
    from logdocket.cli import queue_export as writing

    query = reviewing.query(
        states=state or ["all"],
        severities=severity or [],
        service=service,
        reason=reason,
        source=source,
        text=text,
        sort="oldest",
    )
    raise typer.Exit(writing.export(db, output, export_format.value, query))


@queue.command("second-look")
def queue_second_look(
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Tell what it would spend, and ask about nothing."),
    ] = False,
    limit: Annotated[
        int | None,
        typer.Option(
            parser=whole(1, 1_000_000),
            metavar="N",
            help="The most tickets to ask about. Default: all that wait.",
        ),
    ] = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Ask the model again where it failed.

    Tickets that the rules wrote for a model's fault are asked about again, most severe and oldest
    first, where the line's text is kept. Each is a call like any other, within the budget. What a
    person has decided stays. The exit code is 1 when the model failed again.

    Example: logdocket queue second-look --dry-run
    """
    from logdocket.cli.second_look import run

    raise typer.Exit(run(db, dry_run=dry_run, limit=limit, as_json=as_json))
