"""The commands that fit the table of confidence, and tell what it is worth."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from logdocket.cli.options import PLAIN, Db, Json


class _FitsByDefault(TyperGroup):
    """``calibrate SET...`` is ``calibrate fit SET...``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put ``fit`` before what begins with no command and asks for no help."""
        known = {*self.commands, *ctx.help_option_names}
        if args and args[0] not in known:
            args = ["fit", *args]
        return super().parse_args(ctx, args)


calibrate = typer.Typer(cls=_FitsByDefault, **PLAIN)


@calibrate.command()
def fit(
    sets: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="SET",
            show_default=False,
            help="Files of labelled lines, each the lines of one system. They may be left out with "
            "--from-reviews.",
        ),
    ] = None,
    table: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="TABLE",
            show_default=False,
            help="The file to write the table to. Standard output, if left out.",
        ),
    ] = None,
    from_reviews: Annotated[
        bool,
        typer.Option("--from-reviews", help="Count what people said of tickets in the ledger too."),
    ] = False,
    db: Db = None,
) -> None:
    """Make a table of confidence from labelled lines.

    It counts how often tickets about such lines are right. LOGDOCKET_CONFIDENCE_TABLE has it used.
    The word fit may be left out. With --from-reviews verdicts are labels as well: of the review
    queue in the ledger of --db.

    Example: logdocket calibrate fit shop.jsonl bank.jsonl -o table.json
    """
    from logdocket.cli.calibrate import run_fit

    raise typer.Exit(run_fit(sets or (), table, db, reviews=from_reviews))


@calibrate.command()
def report(
    sets: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="SET",
            show_default=False,
            help="Files of labelled lines, each the lines of one system. All that are shipped, "
            "if left out.",
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            show_default=False,
            help="Draw it as well, into FILE.svg or FILE.png. It needs the extra plot.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Tell how far the confidence can be believed.

    Each system in turn is held against the table of all others. The risk is LOGDOCKET_RISK.

    Example: logdocket calibrate report --plot report.svg
    """
    from logdocket.cli.calibrate import run_report

    raise typer.Exit(run_report(sets, plot, as_json=as_json))
