"""``logdocket calibrate``: the table of confidence from labelled lines, and what it is worth."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from logdocket.cli.database import opened
from logdocket.cli.output import compact, counted
from logdocket.confidence import Signals, Table, fit
from logdocket.docket import labelled_reviews, labelled_rows
from logdocket.errors import BadSet, OutputError
from logdocket.evaluation import rows_of, shipped_sets
from logdocket.evaluation.calibration import Case, by_template, labelled_cases
from logdocket.evaluation.calibration_report import lines, report
from logdocket.evaluation.reviewed import reviewed_cases, reviewed_rows
from logdocket.settings import Settings

_REVIEWS: Final = "reviews"
"""What the people's own labels are called as a system."""


class _Labels(msgspec.Struct):
    """What a table is fitted on: tickets, and whether they are right.

    ``cases`` are the rules' own tickets about labelled lines; ``repeated`` the tickets about such
    lines that the label of another one answers. ``reviews``: what people said, one label for each
    group and way of reading; None where that was not asked for.
    """

    cases: list[Case]
    repeated: list[Case]
    reviews: list[tuple[Signals, bool]] | None = None

    @property
    def table(self) -> Table:
        """The counts."""
        return fit([*by_template([*self.cases, *self.repeated]), *(self.reviews or ())])


def run_fit(sets: Sequence[Path], file: Path | None, db: Path | None, *, reviews: bool) -> int:
    """Write the table that these sets, and ``reviews`` in the ledger, give; tell what is in it; the
    exit code."""
    risk = Settings.load(db=db).risk
    labels = _Labels(_cases(sets) if sets else [], reviewed_cases(sets))
    if reviews:
        _add_reviews(labels, db)
    elif not sets:
        raise BadSet("there is nothing to fit: name a set, or add --from-reviews")
    table = labels.table
    if file is None:
        sys.stdout.buffer.write(table.to_json())
    else:
        _replace(file, table.to_json())
    sys.stdout.flush()
    print("\n".join(_fitted(labels, table, risk)), file=sys.stderr if file is None else sys.stdout)
    return 0


def _add_reviews(labels: _Labels, db: Path | None) -> None:
    """Add what people said of tickets; where the lines' text is kept, also how far what they said
    of one holds for the others of its template. Raises BadSet where there is nothing at all."""
    with opened(db) as store:
        labels.reviews = labelled_reviews(store)
        rows = list(rows_of("verdicts", labelled_rows(store)))
    labels.repeated += reviewed_rows(_REVIEWS, rows)
    if not labels.reviews and not labels.cases:
        raise BadSet(
            "nobody has said yet of any ticket whether it is right: decide about some with "
            "`logdocket queue resolve` or on the page, or name a set"
        )


def run_report(sets: Sequence[Path] | None, plot: Path | None, *, as_json: bool) -> int:
    """Print the report on these sets, on all that are shipped for None; the exit code."""
    risk = Settings.load().risk
    cases = _cases(sets or shipped_sets())
    if len({case.system for case in cases}) == 1:
        raise BadSet(
            f"{cases[0].system} is one system, and each is held against the table of all others: "
            "name a set of another system too"
        )
    found = report(cases, risk)
    if plot is not None:
        from logdocket.evaluation.calibration_plot import plot as draw

        draw(found, plot)
    print(compact(msgspec.to_builtins(found)) if as_json else "\n".join(lines(found)))
    return 0


def _cases(sets: Sequence[Path]) -> list[Case]:
    cases = labelled_cases(sets)
    if not cases:
        raise BadSet(
            f"no line of {', '.join(map(str, sets))} has severity, first_seen and service: "
            "label all three, for without them a ticket cannot be told right"
        )
    return cases


def _fitted(labels: _Labels, table: Table, risk: float) -> Iterator[str]:
    """What went into the table, and the confidence that each of its cells gives."""
    cases, repeated = labels.cases, labels.repeated
    if cases:
        systems = len({case.system for case in cases})
        told = f"{counted(_templates(cases), 'template')} of {counted(systems, 'system')}"
        yield f"fitted on {counted(len(cases), 'ticket')}, {told}"
    if labels.reviews is not None:
        right = sum(right for _, right in labels.reviews)
        yield f"from reviews: {counted(len(labels.reviews), 'label')}, {right:,} of them right"
    if repeated:
        yield (
            f"repeated: {counted(len(repeated), 'ticket')} that the label of another line answers, "
            f"{counted(_templates(repeated), 'template')}"
        )
    own = {cell: seen for cell in sorted(table.cells) if (seen := Signals.of_cell(cell))}
    title = "read by severity/service/time"
    widest = max(len(title), *map(len, own))
    yield f"{title:<{widest}}{'templates':>11}{'right':>10}{'confidence':>12}"
    for cell, seen in own.items():
        right, total = table.cells[cell]
        yield f"{cell:<{widest}}{total:>11,}{right:>10,}{table.lookup(seen).value:>12.4f}"
    threshold = table.threshold(risk)
    if threshold is None:
        yield f"no threshold meets a risk of {risk:g}: with this table all tickets go to a person"
    else:
        yield f"threshold for a risk of {risk:g}: {threshold:g}"
    if any(seen.reviewed for seen in own.values()):
        yield _of_reviewed(table, risk)
    if not cases:
        yield (
            "it knows nothing but these reviews, and is worth less than the shipped table: to keep "
            f"what labelled lines tell, name {shipped_sets()[0].parent}/*.jsonl before "
            "--from-reviews"
        )


def _of_reviewed(table: Table, risk: float) -> str:
    """From which confidence on what repeats a person's word goes unseen."""
    threshold = table.threshold(risk, reviewed=True)
    if threshold is None:
        return "for tickets that repeat a person's word none does: they keep low_confidence"
    return f"for tickets that repeat a person's word: {threshold:g}"


def _templates(cases: Sequence[Case]) -> int:
    return len({(case.system, case.template) for case in cases})


def _replace(file: Path, content: bytes) -> None:
    """Write ``file`` whole or leave it as it was; a pipe or a device is written to."""
    try:
        if file.exists() and not file.is_file() and not file.is_dir():
            file.write_bytes(content)
            return
        real = file.resolve()  # of a link, what it leads to
        beside = real.with_name(real.name + ".new")
        beside.write_bytes(content)
        os.replace(beside, real)
    except OSError as error:
        raise OutputError(
            f"{file} cannot be written ({error.strerror}): choose another place"
        ) from error
