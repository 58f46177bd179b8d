"""The report on a terminal: the score at a glance, then what an interviewer has to look at.

Text of others is made visible first and never read as rich's markup: it is only ever put into
``Text``, which is shown as it is. No meaning is told by colour alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from logdocket.grading.finding import Verdict
from logdocket.grading.report.document import Fact, Judged, Log, Report, Score
from logdocket.grading.report.score import number, shown
from logdocket.grading.report.sections import (
    MEND_A_GUESS,
    Sections,
    Skipped,
    caveat,
    counted,
    lost,
    of_area,
    open_,
    passing,
    sections,
)
from logdocket.grading.report.visible import visible

__all__ = ["show"]

_BAR: Final = 20
_FULL: Final = ("█", "▒", "░")
_PLAIN: Final = ("#", "?", ".")
_ROOM_FOR_COUNTS: Final = 52
_ROOM_FOR_BARS: Final = 72
_NARROW: Final = 20
_TAIL: Final = 20
"""So many last lines are shown of what a command wrote."""

_STYLES: Final[Mapping[Verdict, str]] = {
    Verdict.PASS: "green",
    Verdict.PARTIAL: "yellow",
    Verdict.FAIL: "bold red",
    Verdict.SKIPPED: "dim",
    Verdict.NEEDS_HUMAN: "bold magenta",
}


def show(report: Report, console: Console, *, verbose: bool = False) -> None:
    """Print the report; ``verbose`` adds the probes that passed, every fact, and the logs."""
    found = sections(report)
    _head(report, console)
    _areas(report, console)
    _lost(found, console)
    _for_a_person(found, console)
    _by_a_person(found, console)
    _skipped(found, console)
    _guessed(found, console)
    if verbose:
        _passed(found, console)
        _told(found, console)
    _sandbox(report, console)
    if verbose:
        _logs(report.logs, console)


# The glance.


def _head(report: Report, console: Console) -> None:
    grader = visible(report.grader)
    _print(Text(f"{visible(report.candidate)}  (seed {report.seed}, {grader})"), console)
    console.print()
    _print(Text(f"Score  {shown(report.score)}", style="bold"), console)
    if open_(report.score):
        _print(Text(f"{number(open_(report.score))} of them wait for a person."), console)
    if caveat(report):
        _print(Text(caveat(report)), console)
    console.print()


def _areas(report: Report, console: Console) -> None:
    """A row for each area; what a narrow terminal has no room for is left out."""
    table = Table.grid(padding=(0, 1))
    glyphs = _FULL if console.encoding.lower().startswith("utf") else _PLAIN
    for area in report.areas:
        mine = of_area(report, area)
        row = [Text(visible(area.title)), Text(shown(area.score))]
        if console.width >= _ROOM_FOR_COUNTS:
            row.append(Text(f"{passing(mine)} of {len(mine)} pass"))
        if console.width >= _ROOM_FOR_BARS:
            row.insert(1, _bar(area.score, glyphs))
        table.add_row(*row)
    for column in table.columns:
        column.no_wrap = True
    if table.columns:
        table.columns[-1].justify = "right"
    console.print(table)


def _bar(score: Score, glyphs: tuple[str, str, str]) -> Text:
    """What is earned, open and lost; a little that is open is seen, and a little lost too."""
    of = score.of or 1
    earned = min(int(score.low / of * _BAR), _BAR)
    still_open = max(int(score.high / of * _BAR) - earned, int(bool(open_(score))))
    bar = Text(glyphs[0] * earned, style="green")
    bar.append(glyphs[1] * still_open, style="magenta")
    bar.append(glyphs[2] * (_BAR - earned - still_open), style="dim")
    return bar


# What to look at.


def _lost(found: Sections, console: Console) -> None:
    if not found.lost:
        return
    points = sum(lost(probe.score) for probe in found.lost)
    _heading(console, f"Failed, or held in part: {number(points)} points lost")
    _probes(found.lost, console)


def _for_a_person(found: Sections, console: Console) -> None:
    if not found.for_a_person:
        return
    points = sum(open_(probe.score) for probe in found.for_a_person)
    _heading(console, f"For a person: {number(points)} points open")
    _probes(found.for_a_person, console)


def _probes(probes: Iterable[Judged], console: Console) -> None:
    for place, probe in enumerate(probes):
        if place:
            console.print()
        _probe(probe, console)


def _probe(probe: Judged, console: Console) -> None:
    head = Text(f"{probe.verdict.value:<11}", style=_STYLES[probe.verdict])
    head.append(f" {probe.level.value.upper():<6} ", style="default not bold")
    head.append(visible(probe.id), style="bold")
    head.append(f"  {counted(probe.score)}", style="default not bold")
    _print(head, console)
    rows = [("expected", probe.expected), ("seen", probe.seen)]
    if probe.verdict in (Verdict.FAIL, Verdict.PARTIAL):
        rows.append(("hint", probe.hint))
    if probe.note is not None:
        rows.append(("note", probe.note))
    _pairs(rows, console)
    if probe.verdict is Verdict.NEEDS_HUMAN:
        _quotes(probe.quotes, console)


def _pairs(rows: Iterable[tuple[str, str]], console: Console, indent: int = 2) -> None:
    """One text for each label, wrapped beside it."""
    rows = [(" " * indent + label, visible(text)) for label, text in rows]
    width = max((len(label) for label, _ in rows), default=0) + 2
    for label, text in rows:
        _wrapped(text, console, label.ljust(width), " " * width)


def _quotes(quotes: Iterable[str], console: Console) -> None:
    """Each behind a bar, so that no line of it can pass for one of the report's own."""
    for place, quote in enumerate(quotes):
        if place:
            console.print()
        for line in visible(quote.rstrip("\r\n"), lines=True).split("\n"):
            _wrapped(line, console, "  | ", "  | ")


def _print(text: Text, console: Console) -> None:
    """Print it in as many lines as it needs, none of which ends in white space."""
    for line in text.wrap(console, console.width, overflow="fold"):
        line.rstrip()
        console.print(line, no_wrap=True, crop=False, overflow="ignore")


def _wrapped(text: str, console: Console, first: str, rest: str) -> None:
    width = max(console.width - len(first), _NARROW)
    for place, line in enumerate(Text(text).wrap(console, width, overflow="fold")):
        whole = Text(rest if place else first, style="dim") + Text(line.plain)
        whole.rstrip()
        console.print(whole, no_wrap=True, crop=False, overflow="ignore")


def _by_a_person(found: Sections, console: Console) -> None:
    if not found.by_a_person:
        return
    _heading(console, "Judged by a person")
    for probe in found.by_a_person:
        _line(probe, console)
        program = None if probe.program is None else probe.program.value
        said = [("program", program), ("note", probe.note)]
        _pairs(((label, text) for label, text in said if text is not None), console)


def _skipped(found: Sections, console: Console) -> None:
    if not found.skipped:
        return
    _heading(console, "Skipped")
    for group in found.skipped:
        _print(Text(f"{visible(group.reason)}  {_count(group)}"), console)
        for probe in group.probes:
            _wrapped(visible(probe.id), console, "  ", "  ")


def _count(group: Skipped) -> str:
    many = len(group.probes)
    return f"({many} {'probe' if many == 1 else 'probes'}, {counted(group.score)})"


# What it went by.


def _guessed(found: Sections, console: Console) -> None:
    if not found.guessed:
        return
    _heading(console, "Guessed")
    _facts(found.guessed, console)
    _print(Text(MEND_A_GUESS), console)


def _told(found: Sections, console: Console) -> None:
    if found.told:
        _heading(console, "Told")
        _facts(found.told, console)


def _facts(facts: Iterable[Fact], console: Console) -> None:
    rows = ((visible(fact.key), f"{fact.value}  ({fact.origin})") for fact in facts)
    _pairs(rows, console, indent=0)


def _passed(found: Sections, console: Console) -> None:
    if not found.passed:
        return
    _heading(console, "Passed")
    for probe in found.passed:
        _line(probe, console)
        _pairs([("seen", probe.seen)], console)


def _line(probe: Judged, console: Console) -> None:
    line = Text(f"{probe.verdict.value:<11}", style=_STYLES[probe.verdict])
    line.append(f" {visible(probe.id)}  {shown(probe.score)}", style="default not bold")
    _print(line, console)


def _sandbox(report: Report, console: Console) -> None:
    if not report.sandbox:
        return
    _heading(console, "Sandbox")
    for sentence in report.sandbox:
        _print(Text(visible(sentence)), console)


def _logs(logs: Iterable[Log], console: Console) -> None:
    for log in logs:
        _heading(console, f"Log of {visible(log.name)}: {visible(log.said)}")
        if log.command:
            _print(Text(f"$ {visible(log.command)}"), console)
        for text in (log.out, log.err):
            if text.strip():
                lines = visible(text.rstrip("\n"), lines=True).split("\n")[-_TAIL:]
                for line in lines:
                    _wrapped(line, console, "  | ", "  | ")


def _heading(console: Console, text: str) -> None:
    console.print()
    _print(Text(text, style="bold underline"), console)
