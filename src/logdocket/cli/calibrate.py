"""``logdocket calibrate``: the table of confidence from labelled lines, and what it is worth."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from logdocket.cli.output import compact, counted
from logdocket.confidence import Signals, Table
from logdocket.errors import BadSet, OutputError
from logdocket.evaluation import shipped_sets
from logdocket.evaluation.calibration import Case, fit_cases, labelled_cases
from logdocket.evaluation.calibration_report import lines, report
from logdocket.settings import Settings


def run_fit(sets: Sequence[Path], file: Path | None) -> int:
    """Write the table that these sets give, and tell what is in it; the exit code."""
    risk = Settings.load().risk
    cases = _cases(sets)
    table = fit_cases(cases)
    if file is None:
        sys.stdout.buffer.write(table.to_json())
    else:
        _replace(file, table.to_json())
    sys.stdout.flush()
    print("\n".join(_fitted(cases, table, risk)), file=sys.stderr if file is None else sys.stdout)
    return 0


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


def _fitted(cases: Sequence[Case], table: Table, risk: float) -> Iterator[str]:
    """What went into the table, and the confidence that each of its cells gives."""
    systems = len({case.system for case in cases})
    templates = len({(case.system, case.template) for case in cases})
    told = f"{counted(templates, 'template')} of {counted(systems, 'system')}"
    yield f"fitted on {counted(len(cases), 'ticket')}, {told}"
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
