"""Security events in ArcSight's CEF and IBM's LEEF: a head between bars, then pairs.

Sources: ArcSight's guide to the Common Event Format (severity 0 to 10 in four bands, ``rt`` and
``start`` in milliseconds or as a date); IBM's guide to the Log Event Extended Format (``sev`` 1 to
10, ``devTime``, pairs between tabs or, from version 2.0 on, between a character of one's choice).
"""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Context, ServiceBasis, Severity, SeverityBasis
from logdocket.reading import severity, timestamp
from logdocket.reading.parts import Level, Name, Parts, Stamp
from logdocket.reading.structured.tables import ABSENT, Unit

_FIELD: Final = r"((?:[^|\\]++|\\.)*+)\|"
_CEF: Final = re.compile(
    rf"CEF:\d{{1,2}}\|{_FIELD * 5}\s*+((?:[^|\\]++|\\.)*+)(?:\||\Z)", re.DOTALL
)
_LEEF: Final = re.compile(r"LEEF:(\d{1,2}(?:\.\d{1,2})?)\|" + r"([^|]*+)\|" * 4)
_LEEF_DELIMITER: Final = re.compile(r"(?:(0?x[0-9A-Fa-f]{1,4})|([^|\w]?))\|")

_PRODUCT, _CEF_NAME, _CEF_SEVERITY = 2, 5, 6
_LEEF_VERSION, _LEEF_EVENT = 1, 5

_BANDS: Final = ((8.5, Severity.CRITICAL), (6.5, Severity.HIGH), (3.5, Severity.MEDIUM))
"""From where on a severity of 0 to 10 is very high, high and medium."""

_WORDS: Final = {
    "low": Severity.LOW,
    "medium": Severity.MEDIUM,
    "high": Severity.HIGH,
    "very-high": Severity.CRITICAL,
}

_TIMES: Final = ("rt", "start", "deviceReceiptTime")
"""``end`` may lie ahead: it is when what is told of ends, such as a certificate."""

_NEXT_PAIR: Final = re.compile(r"[ \t]++[A-Za-z]\w{0,63}+(?:\[\d{1,4}\])?+=")


def parse_cef(text: str, start: int, end: int, context: Context) -> Parts | None:
    """The parts of the CEF or LEEF event that begins at ``start``; None where none begins.

    The service is the product that reports; the message is ``msg``, or else the event's name.
    """
    if text.startswith("CEF:", start, end):
        return _cef(text, start, end, context)
    if text.startswith("LEEF:", start, end):
        return _leef(text, start, end, context)
    return None


def _cef(text: str, start: int, end: int, context: Context) -> Parts | None:
    match = _CEF.match(text, start, end)
    if match is None:
        return None
    message = _spaced_value(text, match.end(), end, "msg") or match.span(_CEF_NAME)
    return Parts(
        "cef",
        message if _telling(text, message) else (start, end),
        _first_stamp(text, match.end(), end, context),
        _level(text, *match.span(_CEF_SEVERITY)),
        _product(text, *match.span(_PRODUCT)),
    )


def _leef(text: str, start: int, end: int, context: Context) -> Parts | None:
    match = _LEEF.match(text, start, end)
    if match is None:
        return None
    at, delimiter = match.end(), "\t"
    if not match[_LEEF_VERSION].startswith("1"):
        chosen = _LEEF_DELIMITER.match(text, at, end)
        if chosen is not None:
            at = chosen.end()
            delimiter = chosen[2] or delimiter
            if chosen[1]:
                delimiter = chr(int(chosen[1].rpartition("x")[2], 16))
    sev = _delimited_value(text, at, end, "sev", delimiter)
    time = _delimited_value(text, at, end, "devTime", delimiter)
    message = _delimited_value(text, at, end, "msg", delimiter) or match.span(_LEEF_EVENT)
    return Parts(
        "leef",
        message if _telling(text, message) else (start, end),
        None if time is None else _stamp(text, *time, context),
        None if sev is None else _level(text, *sev),
        _product(text, *match.span(_PRODUCT + 1)),
    )


def _telling(text: str, message: tuple[int, int]) -> bool:
    return any(map(str.isalpha, text[message[0] : message[1]]))


def _spaced_value(text: str, at: int, end: int, key: str) -> tuple[int, int] | None:
    """Where the value of ``key`` stands among pairs between blanks: up to the next pair."""
    wanted = key + "="
    found = at if text.startswith(wanted, at, end) else text.find(" " + wanted, at, end) + 1
    if found == 0:
        return None
    first = last = found + len(wanted)
    while (equals := text.find("=", last, end)) >= 0:
        blank = text.rfind(" ", last, equals)
        if blank >= 0 and text[equals - 1] != "\\" and _NEXT_PAIR.match(text, blank, end):
            return first, blank
        last = equals + 1
    return first, first + len(text[first:end].rstrip())


def _delimited_value(
    text: str, at: int, end: int, key: str, delimiter: str
) -> tuple[int, int] | None:
    """Where the value of ``key`` stands among pairs between ``delimiter``\\ s."""
    wanted = key + "="
    found = at if text.startswith(wanted, at, end) else text.find(delimiter + wanted, at, end) + 1
    if found == 0:
        return None
    first = found + len(wanted)
    last = text.find(delimiter, first, end)
    return first, (end if last < 0 else last)


def _first_stamp(text: str, at: int, end: int, context: Context) -> Stamp | None:
    for key in _TIMES:
        value = _spaced_value(text, at, end, key)
        stamp = None if value is None else _stamp(text, *value, context)
        if stamp is not None:
            return stamp
    return None


def _stamp(text: str, start: int, end: int, context: Context) -> Stamp | None:
    if start == end:
        return None
    if text[start:end].isdecimal():
        unit = Unit.MILLISECONDS if end - start > 11 else Unit.SECONDS
        return timestamp.epoch(text, start, end, context, unit)
    return timestamp.whole(text, start, end, context)


def _level(text: str, start: int, end: int) -> Level | None:
    token = text[start:end].strip()
    if token.isdecimal() and len(token) <= 2:
        n = int(token)
        value = next((high for floor, high in _BANDS if n > floor), Severity.LOW)
        found: Severity | None = value if n <= 10 else None
    else:
        found = _WORDS.get(token.lower()) or severity.word(token)
    if found is None:
        return None
    start = text.index(token, start, end)
    return Level(start, start + len(token), found, SeverityBasis.LEVEL)


def _product(text: str, start: int, end: int) -> Name | None:
    token = text[start:end]
    if token.lower() in ABSENT or "\\" in token or not any(map(str.isalpha, token)):
        return None
    return Name(start, end, ServiceBasis.KEY)
