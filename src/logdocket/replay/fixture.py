"""A fixture: the rows of one file, read strictly, so that no row can mean two things."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

import msgspec

from logdocket.errors import BadContext, FixtureError, InputError
from logdocket.line import Context, Line, Severity
from logdocket.reading import check_context
from logdocket.replay.attempt import Attempt
from logdocket.replay.model import Model
from logdocket.ticket import ReviewReason, Source

_Kind = TypeVar("_Kind")
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_AT: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?Z", re.ASCII
)


class Expect(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The right answers, as far as they are told.

    A list holds all answers that are right, where what the line says leaves a choice.
    ``reasons_include``: review reasons that must stand, among others. ``evidence_contains``: a part
    of the line that the evidence must hold.
    """

    service: str | list[str] | None = None
    severity: Severity | list[Severity] | None = None
    first_seen: str | list[str] | None = None
    source: Source | None = None
    reasons_include: list[ReviewReason] = []
    evidence_contains: str | None = None


class _Told(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A context as written in a row."""

    received_at: str | None = None
    service: str | None = None
    timezone: str | None = None
    labels: dict[str, str] | None = None


class _Raw(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row as written."""

    id: str
    line: str
    at: str
    context: _Told = _Told()
    attempts: tuple[Attempt, ...] = ()
    expect: Expect = Expect()
    shape: str | None = None
    base: str | None = None
    change: str | None = None
    note: str | None = None


class _First(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first row of a fixture that has a model, as written."""

    model: Model


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a fixture, ready to run.

    ``number`` counts lines of the file from 1; ``at`` is the clock when the row begins, in µs since
    1970 UTC. ``attempts`` is what was recorded of asking a model, in order.
    ``shape`` names the kind of line; ``base`` is the id of the row that this one differs from, and
    ``change`` says in what. None where the row does not tell.
    """

    number: int
    id: str
    line: Line
    context: Context
    at: int
    attempts: tuple[Attempt, ...]
    expect: Expect
    shape: str | None
    base: str | None
    change: str | None


class Fixture(msgspec.Struct, frozen=True):
    """A whole fixture: its ``name`` for messages, its rows, at least one, and the model that their
    attempts were recorded of; None where no model is asked.
    """

    name: str
    model: Model | None
    rows: list[Row]

    def place(self, row: Row) -> str:
        """Where ``row`` stands, for messages."""
        return f"{self.name}, row {row.number}"


def load(path: Path) -> list[Row]:
    """The rows of the fixture at ``path``, at least one; raises as :func:`read`."""
    return read(path).rows


def read(path: Path) -> Fixture:
    """The fixture at ``path``.

    Raises:
        FixtureError: the file or a row is wrong; the message names both and the mend.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise FixtureError(
            f"{path} cannot be read ({error.strerror}): name a fixture, a file of JSON lines"
        ) from error
    return parse(str(path), raw)


def parse(name: str, raw: bytes) -> Fixture:
    """The fixture that ``raw`` is; raises as :func:`read`, naming it ``name``."""
    if not raw.strip():
        raise FixtureError(f"{name} holds no row: add a JSON object on a line of its own")
    model: Model | None = None
    rows: list[Row] = []
    ids: dict[str, int] = {}
    for number, text in enumerate(raw.removesuffix(b"\n").split(b"\n"), 1):
        place = f"{name}, row {number}"
        value = _json(place, text)
        if number == 1 and isinstance(value, dict) and "model" in value:
            model = _converted(place, value, _First).model
            continue
        row = _row(place, number, _converted(place, value, _Raw))
        if row.attempts and model is None:
            _refuse(place, "has attempts of no model", "tell the model in the first row")
        if row.id in ids:
            _refuse(place, f'id "{row.id}" is already that of row {ids[row.id]}', "name it anew")
        if row.base is not None and row.base not in ids:
            _refuse(place, f'base "{row.base}" is the id of no row before', "put that row first")
        if rows and row.at < rows[-1].at:
            _refuse(place, "at is before that of the row above", "sort the rows by at")
        ids[row.id] = number
        rows.append(row)
    if not rows:
        raise FixtureError(f"{name} holds no row but that of its model: add one")
    return Fixture(name, model, rows)


def _json(place: str, text: bytes) -> Any:
    if not text.strip():
        _refuse(place, "is blank", "delete it")
    try:
        return json.loads(text.decode(), object_pairs_hook=_distinct, parse_constant=_no_number)
    except UnicodeDecodeError as error:
        _refuse(place, f"has byte 0x{text[error.start]:02x} that is not UTF-8", "write \\udcXX")
    except RecursionError:
        _refuse(place, "is nested too deep", "write one flat JSON object")
    except ValueError as error:
        _refuse(place, f"is not JSON ({error})", "write one JSON object on one line")


def _converted(place: str, value: Any, kind: type[_Kind]) -> _Kind:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        _refuse(place, f"is no row ({error})", "mend that field, docs/fixtures.md lists them all")


def _row(place: str, number: int, raw: _Raw) -> Row:
    if not raw.id.strip():
        _refuse(place, "has a blank id", "name it")
    told = raw.context
    try:
        line = Line(raw.line)
        context = check_context(told.received_at, told.service, told.timezone, told.labels)
    except BadContext as error:
        _refuse(place, "has a bad context", str(error))
    except InputError as error:
        _refuse(place, "has a bad line", str(error))
    return Row(
        number=number,
        id=raw.id,
        line=line,
        context=context,
        at=_clock(place, raw.at),
        attempts=raw.attempts,
        expect=raw.expect,
        shape=raw.shape,
        base=raw.base,
        change=raw.change,
    )


def _clock(place: str, at: str) -> int:
    mend = "write UTC such as 2026-01-02T03:04:05.000000Z"
    if _AT.fullmatch(at) is None:
        _refuse(place, f"at {at!a} is no moment in UTC", mend)
    try:
        moment = datetime.fromisoformat(at)
    except ValueError as error:
        _refuse(place, f"at {at!a} names no moment ({error})", mend)
    micros = (moment - _EPOCH) // _MICROSECOND
    if micros < 0:
        _refuse(place, f"at {at!a} is before 1970", mend)
    return micros


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice!a} stands twice in one object")
    return found


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON number")


def _refuse(place: str, wrong: str, mend: str) -> NoReturn:
    raise FixtureError(f"{place}: {wrong}: {mend}") from None
