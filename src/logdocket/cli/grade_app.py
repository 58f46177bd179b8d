"""The commands that grade answers to the take-home exercise, and begin an interview."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from logdocket.cli.options import PLAIN, number, whole

interview = typer.Typer(**PLAIN)


def grade(
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="DIR", show_default=False, help="A checkout of the answer."),
    ] = None,
    url: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="In place of DIR, a service that runs on this machine: http://127.0.0.1:PORT.",
        ),
    ] = None,
    model_port: Annotated[
        int | None,
        typer.Option(
            parser=whole(1, 65535),
            metavar="N",
            help="With --url: the port where that service looks for its model.",
        ),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            show_default=False,
            help="In place of DIR, a report that --json wrote, to show it or to fill it in.",
        ),
    ] = None,
    manifest: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", show_default=False, help="In place of the checkout's own grade.toml."
        ),
    ] = None,
    setup: Annotated[
        str | None, typer.Option(metavar="COMMAND", help="Sets the answer up, with the network.")
    ] = None,
    start: Annotated[
        str | None,
        typer.Option(metavar="COMMAND", help="Starts the service; {port} in it is the port."),
    ] = None,
    test: Annotated[str | None, typer.Option(metavar="COMMAND", help="Runs the tests.")] = None,
    replay: Annotated[
        str | None, typer.Option(metavar="COMMAND", help="Replays a fixture.")
    ] = None,
    tell: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="Any other key of grade.toml, such as ledger.file=ledger.jsonl.",
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(parser=whole(0, 2**31), metavar="N", help="Chooses the lines.")
    ] = 1,
    timeout: Annotated[
        int,
        typer.Option(parser=whole(1, 86_400), metavar="SECONDS", help="For all but the set-up."),
    ] = 1800,
    only: Annotated[
        str,
        typer.Option(
            metavar="PREFIX",
            show_default=False,
            help="Ask only the probes whose id begins so, and what they rest on.",
        ),
    ] = "",
    human: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", show_default=False, help="What a person says of the open points."
        ),
    ] = None,
    ask: Annotated[
        bool, typer.Option("--ask", help="Ask for them here, one after the other.")
    ] = False,
    verdicts: Annotated[
        Path | None,
        typer.Option(
            "--write-verdicts",
            metavar="FILE",
            show_default=False,
            help="Write a file for --human, to be filled in.",
        ),
    ] = None,
    as_json: Annotated[
        Path | None,
        typer.Option(
            "--json", metavar="FILE", show_default=False, help="Write the report as JSON."
        ),
    ] = None,
    junit: Annotated[
        Path | None,
        typer.Option(metavar="FILE", show_default=False, help="Write it as JUnit XML."),
    ] = None,
    markdown: Annotated[
        Path | None,
        typer.Option(metavar="FILE", show_default=False, help="Write it as Markdown."),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", show_default=False, help="Write it as one page of HTML."),
    ] = None,
    min_score: Annotated[
        float | None,
        typer.Option(
            parser=number(0, 100),
            metavar="N",
            help="Exit code 1 when fewer points than this are earned.",
        ),
    ] = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show the probes that passed, and the logs.")
    ] = False,
    keep: Annotated[
        bool, typer.Option("--keep", help="Leave the copy that was graded where it is.")
    ] = False,
) -> None:
    """Grade an answer to the take-home exercise.

    A copy runs in a sandbox, beside a model that misbehaves; what was seen stands in the report.
    The exit code is 0 once it is graded, whatever the score. A FILE of - is standard output.

    Example: logdocket grade ../answer --html report.html --json report.json
    """
    from logdocket.cli.grade import Outputs, Wanted, run

    commands = {
        "setup.command": setup,
        "service.start": start,
        "test.command": test,
        "replay.command": replay,
    }
    raise typer.Exit(
        run(
            Wanted(
                folder=folder,
                url=url,
                model_port=model_port,
                report=report,
                manifest=manifest,
                told={key: value for key, value in commands.items() if value is not None},
                tell=tuple(tell or ()),
                seed=seed,
                seconds=float(timeout),
                only=only,
                human=human,
                ask=ask,
                keep=keep,
            ),
            Outputs(json=as_json, junit=junit, markdown=markdown, html=html, verdicts=verdicts),
            min_score=min_score,
            verbose=verbose,
        )
    )


@interview.callback()
def _top() -> None:
    """Begin an interview with the take-home exercise.

    Example: logdocket interview init ../interview
    """


@interview.command()
def init(
    folder: Annotated[
        Path,
        typer.Argument(metavar="DIR", show_default=False, help="The folder to write the kit to."),
    ],
    force: Annotated[
        bool, typer.Option("--force", help="Write into a folder that holds something.")
    ] = False,
) -> None:
    """Write the kit of an interview: brief, rubric, fixtures.

    Example: logdocket interview init ../interview
    """
    from logdocket.cli.interview import run

    raise typer.Exit(run(folder, force=force))
