"""From a line to what it says: shapes peeled off one by one, merged, and judged by rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from logdocket.line import (
    NO_CONTEXT,
    Context,
    Line,
    Reading,
    ServiceBasis,
    ServiceRead,
    Severity,
    SeverityBasis,
    SeverityRead,
    Span,
    TimestampRead,
    TimestampWhy,
)
from logdocket.reading import evidence, severity
from logdocket.reading.apps import request_status
from logdocket.reading.colour import Plain, bare, uncoloured
from logdocket.reading.formats import INNER_TIME_FIRST, is_prose, parse
from logdocket.reading.parts import Level, Name, Parts, Stamp
from logdocket.reading.zone import NOBODY

_ToSpan = Callable[[int, int], Span]

DEEPEST: Final = 4
"""How many records may wrap each other before the innermost is taken as text."""

_GIVEN: Final = frozenset({ServiceBasis.PREFIX, ServiceBasis.HEAD, ServiceBasis.FIRST_TOKEN})
_OWN: Final = frozenset({ServiceBasis.KEY, ServiceBasis.APP, ServiceBasis.LOGGER})

_APP: Final = ServiceBasis.APP
_OBJECTS: Final = ("json", "docker-json", "logfmt")
_SYSLOG: Final = ("syslog-3164", "syslog-5424", "journald-short")
"""Records that name who wrote them, whoever passed them on."""

_NO_TIME: Final = TimestampRead(None, None, TimestampWhy.ABSENT)
_NO_LEVEL: Final = SeverityRead(Severity.LOW, None, SeverityBasis.UNSTATED)
_NO_NAME: Final = ServiceRead(None, None, ServiceBasis.UNKNOWN)


def read(line: Line, context: Context = NO_CONTEXT) -> Reading:
    """What ``line`` says by rules alone; ``context`` only where the line says nothing.

    Never raises on a :class:`Line`, takes time linear in its length, and gives the same reading
    for the same line and context on any machine.
    """
    text = line.text
    quoted: _ToSpan = Span if len(line.raw) == len(text) else _Bytes(text).span
    span = quoted
    plain = uncoloured(text)
    if plain is not None:
        text, span = plain.text, _through(plain, quoted)
    start, end = 0, len(text)
    if not ("!" <= text[0] <= "~" and "!" <= text[-1] <= "~"):
        start, end = bare(text, 0, end)
    parts = peel(text, start, end, context)
    level = parts.level
    if level is None:
        level = request_status(text, *parts.message) or severity.cue(text, *parts.message)
    if plain is None:
        quote = evidence.choose(text, start, end, parts.message, level)
    else:
        quote = _coloured(line.text, plain, parts, level)
    stamp = parts.stamp
    time, told = _NO_TIME, _NO_LEVEL
    if stamp is not None:
        time = TimestampRead(stamp.value, span(stamp.start, stamp.end), stamp.why)
    if level is not None:
        told = SeverityRead(level.value, span(level.start, level.end), level.basis)
    service = _service(text, parts.name, span, context)
    return Reading(parts.format, time, told, service, quoted(*quote))


def _through(plain: Plain, span: _ToSpan) -> _ToSpan:
    """``span`` for places in the text without colours."""
    return lambda start, end: span(*plain.place(start, end))


def _coloured(text: str, plain: Plain, parts: Parts, level: Level | None) -> tuple[int, int]:
    """The place of the quote in a coloured ``text``, by what was found in it ``plain``.

    A name in two colours is none: it could not be quoted as it is.
    """
    if parts.name is not None and plain.parted(parts.name.start, parts.name.end):
        parts.name = None
    if level is not None:
        start, end = plain.place(level.start, level.end)
        level = Level(start, end, level.value, level.basis)
    return evidence.choose(text, 0, len(text), plain.place(*parts.message), level)


def _service(text: str, name: Name | None, span: _ToSpan, context: Context) -> ServiceRead:
    if name is not None and (value := text[name.start : name.end]).lower() != NOBODY:
        return ServiceRead(value, span(name.start, name.end), name.basis)
    if context.service is not None:
        return ServiceRead(context.service, None, ServiceBasis.CONTEXT)
    return _NO_NAME


def peel(text: str, start: int, end: int, context: Context) -> Parts:
    """The parts of the record at ``start:end`` and of those inside it, as one."""
    parts = parse(text, start, end, context)
    inner = parts.inner
    if inner is None:
        return parts
    for _ in range(DEEPEST - 1):
        if inner is None:
            break
        start, end = bare(text, *inner)
        if start == end:
            break
        if is_prose(text, start, end):
            parts.message = (start, end)
            break
        nested = parse(text, start, end, context)
        inner = nested.inner
        _merge(parts, nested)
    return parts


def _merge(outer: Parts, inner: Parts) -> None:
    """Put what ``inner`` says into the parts of the record around it.

    The inner record states its own level better than a carrier's priority, and what carries a
    record gives way to the time of the record itself: it tells when it came by. So does a header
    to the header that another host wrote, and an object to the one that is its message, unless it
    states a level and a name of its own: then it tells of somebody else's.
    """
    carrier = outer.format.rpartition("+")[2]
    object_in_object = (
        carrier in _OBJECTS
        and inner.format.startswith(_OBJECTS)
        and (outer.name is None or outer.level is None)
    )
    relayed = inner.format in _SYSLOG and inner.name is not None and inner.name.basis is _APP
    inner_time_first = carrier in INNER_TIME_FIRST or object_in_object
    outer.stamp = (
        _resolved(inner.stamp, outer.stamp)
        if inner_time_first
        else _resolved(outer.stamp, inner.stamp)
    )
    if inner.level is not None and (
        _states_more(inner.level, outer.level)
        or (object_in_object and inner.level.basis is SeverityBasis.LEVEL)
    ):
        outer.level = inner.level
    taken = inner.name is not None and (
        _outnames(inner.name.basis, outer.name) or object_in_object or relayed
    )
    if taken:
        outer.name = inner.name
    if inner.format != "plain":
        outer.format = f"{outer.format}+{inner.format}"
    elif inner.name is not None and not taken:
        return  # nothing of the message turned out to be a prefix
    outer.message = inner.message


def _resolved(first: Stamp | None, second: Stamp | None) -> Stamp | None:
    """The first that names a moment, else the first there is."""
    if first is None or (first.value is None and second is not None and second.value is not None):
        return second
    return first


def _states_more(inner: Level, outer: Level | None) -> bool:
    """Whether an inner record's level comes before the outer one's: a priority is a carrier's."""
    if outer is None:
        return True
    return outer.basis is SeverityBasis.PRIORITY and inner.basis is not SeverityBasis.CUE


def _outnames(inner: ServiceBasis, outer: Name | None) -> bool:
    """Whether an inner record's name says more than the outer one's."""
    if outer is None:
        return True
    if outer.basis in _GIVEN:
        return inner in _OWN
    return outer.basis is ServiceBasis.APP and inner is ServiceBasis.KEY


class _Bytes:
    """Byte offsets of a text that is not one byte a character."""

    __slots__ = ("_known", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._known = {0: 0}

    def span(self, start: int, end: int) -> Span:
        """The span of the characters ``start:end``."""
        return Span(self._offset(start), self._offset(end))

    def _offset(self, position: int) -> int:
        known = self._known.get(position)
        if known is None:
            known = len(self._text[:position].encode("utf-8", "surrogateescape"))
            self._known[position] = known
        return known
