"""Sets of labelled lines: what a careful reader says of each, to hold the rules against."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NoReturn

import msgspec

import logdocket.fixtures
from logdocket.errors import BadContext, BadSet, InputError
from logdocket.line import Context, Line, Severity
from logdocket.reading import check_context
from logdocket.ticket import UNKNOWN

# A date of the calendar, of the year's days or of its weeks: all three are ISO 8601.
_STAMP: Final = re.compile(
    r"[0-9]{4}-([0-9]{2}-[0-9]{2}|[0-9]{3}|W[0-9]{2}-[1-7])"
    r"T[0-9]{2}:[0-9]{2}(:[0-9]{2}([.,][0-9]+)?)?(Z|[+-][0-9]{2}:[0-9]{2})?"
)
_FOLDER: Final = "labelled"


class _Told(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A context as written in a row."""

    received_at: str | None = None
    service: str | None = None
    timezone: str | None = None
    labels: dict[str, str] | None = None


class _Raw(msgspec.Struct, frozen=True):
    """A row as written; a set may carry more, for its own readers."""

    line: str
    severity: Severity | None = None
    first_seen: tuple[str, ...] | None = None
    service: str | None = None
    template: str | None = None
    context: _Told | None = None


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A line with its right answers.

    ``severity`` and ``service`` are None, and ``first_seen`` is empty, where there is no label.
    ``first_seen`` holds every acceptable value, ``"unknown"`` among them where the line leaves its
    time open; ``service`` is ``"unknown"`` where the line names none. ``template`` is shared by
    lines that differ only in values. ``context`` is None where the set tells none. ``number``
    counts lines of the file from 1.
    """

    line: str
    severity: Severity | None
    first_seen: tuple[str, ...]
    service: str | None
    template: str | None
    context: Context | None = None
    number: int = 0


def shipped_sets() -> list[Path]:
    """The sets in the package, by name."""
    (folder,) = logdocket.fixtures.__path__
    return sorted(Path(folder, _FOLDER).glob("*.jsonl"))


def system(path: Path) -> str:
    """What the set at ``path`` is called: the system whose lines it holds."""
    return path.stem


def read_set(path: Path) -> Iterator[Row]:
    """The rows of the set at ``path``, a file of JSON objects; blank lines are passed over.

    Raises:
        BadSet: the file or a row is wrong; the message names file and line, and the mend.
    """
    empty = True
    try:
        with path.open("rb") as file:
            for number, raw in enumerate(file, 1):
                if raw.strip():
                    empty = False
                    yield _row(f"{path}:{number}", number, raw)
    except OSError as error:
        raise BadSet(
            f"{path} cannot be read ({error.strerror}): name a set, a file of JSON lines"
        ) from error
    if empty:
        raise BadSet(f"{path} holds no labelled line: docs/accuracy.md tells how one is written")


def rows_of(place: str, told: Iterable[Mapping[str, Any]]) -> Iterator[Row]:
    """Rows that are at hand as objects, such as people's verdicts; ``place`` is where they are
    from. Raises BadSet, as above."""
    for number, row in enumerate(told, 1):
        yield _row(f"{place}:{number}", number, json.dumps(row).encode())


def _row(place: str, number: int, raw: bytes) -> Row:
    try:
        told = msgspec.convert(_json(place, raw), _Raw)
    except msgspec.ValidationError as error:
        _refuse(place, f"is no labelled line ({error})", "docs/accuracy.md lists the fields")
    try:
        Line(told.line)
        context = None if told.context is None else _context(told.context)
    except BadContext as error:
        _refuse(place, "has a bad context", str(error))
    except InputError as error:
        _refuse(place, "has a bad line", str(error))
    if told.first_seen == ():
        _refuse(place, "first_seen is empty", 'write null, or ["unknown"] where there is no time')
    for value in told.first_seen or ():
        if value != UNKNOWN and _STAMP.fullmatch(value) is None:
            _refuse(
                place,
                f"first_seen {value!a} is no time",
                "write one such as 2026-01-02T15:04:05Z, or unknown",
            )
    return Row(
        line=told.line,
        severity=told.severity,
        first_seen=told.first_seen or (),
        service=told.service,
        template=told.template,
        context=context,
        number=number,
    )


def _context(told: _Told) -> Context:
    return check_context(told.received_at, told.service, told.timezone, told.labels)


def _json(place: str, raw: bytes) -> Any:
    try:
        return json.loads(raw.decode())
    except UnicodeDecodeError as error:
        _refuse(place, f"has byte 0x{raw[error.start]:02x} that is not UTF-8", "write \\udcXX")
    except RecursionError:
        _refuse(place, "is nested too deep", "write one flat JSON object")
    except ValueError as error:
        _refuse(place, f"is not JSON ({error})", "write one JSON object on one line")


def _refuse(place: str, wrong: str, mend: str) -> NoReturn:
    raise BadSet(f"{place}: {wrong}: {mend}") from None
