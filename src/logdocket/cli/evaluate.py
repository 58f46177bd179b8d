"""``logdocket eval``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from logdocket.cli.output import compact, counted, one_line
from logdocket.cli.source import contexts
from logdocket.confidence import shipped
from logdocket.docket import Judge
from logdocket.errors import SettingsError
from logdocket.evaluation import (
    Examined,
    Field,
    Outcome,
    examine,
    read_set,
    shipped_sets,
    system,
)
from logdocket.evaluation.accuracy import GOOD, Accuracy, Tally
from logdocket.evaluation.report import lines, shown_share, to_json
from logdocket.evaluation.shown import Shown, show

_TELL_EVERY: Final = 1000
_ONE: Final = frozenset({Outcome.WRONG})
_Word = TypeVar("_Word", Outcome, Field)


def run(
    sets: Sequence[Path] | None,
    *,
    received_at: str | None,
    wish: tuple[str, str, int] | None,
    worst: int,
    min_right: Sequence[str],
    max_wrong: Sequence[str],
    as_json: bool,
) -> int:
    """Print how the rules' tickets compare with the labels of each set, of all that are shipped
    for None; the exit code: 1 when a bound is broken."""
    bounds = [
        *(_Bound("--min-right", text) for text in min_right),
        *(_Bound("--max-wrong", text) for text in max_wrong),
    ]
    wanted = None if wish is None else _Wanted(*wish)
    # Whom a ticket is sent to is not compared, so any threshold will do.
    judge = Judge(shipped(), risk=0.02)
    arrived = contexts(received_at, None, None)().received_at
    accuracy = Accuracy()
    examined = (
        (system(path), line)
        for path in (shipped_sets() if sets is None else sets)
        for line in accuracy.add(system(path), examine(read_set(path), judge, arrived))
    )
    for name, line in _telling(examined):
        if wanted is not None:
            wanted.look(name, line)
    if wanted is not None:
        wanted.print(as_json=as_json)
    elif as_json:
        print(compact(to_json(accuracy, worst)))
    else:
        print("\n".join(lines(accuracy, worst)))
    sys.stdout.flush()
    broken = [told for bound in bounds if (told := bound.broken(accuracy.all)) is not None]
    for told in broken:
        print(f"logdocket: {told}", file=sys.stderr)
    return 1 if broken else 0


class _Wanted:
    """The first ``most`` lines with this outcome in this field."""

    def __init__(self, outcome: str, field: str, most: int) -> None:
        self.outcome = _word(Outcome, "--show", outcome)
        self.field = _word(Field, "--show", field)
        if most < 1:
            raise SettingsError(f"--show {most}: say how many lines, 1 or more")
        self.most = most
        self.found: list[Shown] = []

    def look(self, name: str, line: Examined) -> None:
        """Keep ``line`` of the set ``name`` if it is one of them."""
        if len(self.found) < self.most and line.scored.of(self.field) is self.outcome:
            self.found.append(show(name, line, self.field))

    def print(self, *, as_json: bool) -> None:
        """Print them, as JSON objects or in words."""
        for found in self.found:
            print(compact(msgspec.to_builtins(found)) if as_json else _in_words(found))
        if not self.found and not as_json:
            print(f"no line whose {self.field} is {self.outcome}")


def _in_words(found: Shown) -> str:
    place = "" if found.span is None else f" at {found.span.start}:{found.span.end}"
    read = "nothing" if found.read is None else f'"{found.read}"{place}'
    basis = "" if found.basis is None else f" ({found.basis})"
    parts = (
        f"{found.set}:{found.number}: {found.field} {found.outcome}",
        f"  line   {found.line}",
        f"  given  {found.given}",
        f"  right  {' or '.join(found.right) or '(no label)'}",
        f"  read   {read}{basis}, as {found.format}",
    )
    return "\n".join(map(one_line, parts))


class _Bound:
    """A bound on the share of lines that are right, or wrong, in a field: ``FIELD=SHARE``."""

    def __init__(self, option: str, text: str) -> None:
        name, _, number = text.partition("=")
        self.field = _word(Field, option, name)
        self.least = option == "--min-right"
        try:
            self.share = float(number)
        except ValueError:
            self.share = -1
        if not 0 <= self.share <= 1:
            raise SettingsError(f"{option} {text}: give FIELD=SHARE, such as severity=0.99")

    def broken(self, tally: Tally) -> str | None:
        """What is to be told of ``tally`` if it breaks this bound."""
        counted = GOOD[self.field] if self.least else _ONE
        real = tally.share(self.field, *counted)
        if real is None:
            return f"{self.field}: no line has a label"
        if real >= self.share if self.least else real <= self.share:
            return None
        asked = "at least" if self.least else "at most"
        what = "right" if self.least else "wrong"
        return f"{self.field}: {shown_share(real)} {what}, where {asked} {self.share:g} was asked"


def _word(kind: type[_Word], option: str, text: str) -> _Word:
    try:
        return kind(text)
    except ValueError:
        raise SettingsError(f"{option} {text}: give one of {', '.join(kind)}") from None


def _telling(lines: Iterable[tuple[str, Examined]]) -> Iterator[tuple[str, Examined]]:
    """The same lines; how many there were so far is shown on a terminal."""
    tell = _counter() if sys.stderr.isatty() else None
    number = 0
    for number, line in enumerate(lines, 1):
        if tell is not None and number % _TELL_EVERY == 0:
            tell(f"\r{counted(number, 'line')}")
        yield line
    if tell is not None and number >= _TELL_EVERY:
        tell("\r\x1b[K")


def _counter() -> Callable[[str], None]:
    return lambda text: print(text, end="", file=sys.stderr, flush=True)
