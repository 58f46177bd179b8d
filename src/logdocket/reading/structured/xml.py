"""One event in XML: log4j and its ports, java.util.logging, Windows' event log.

Attributes and elements with nothing but text are the fields; prefixes of names do not count, so
that ``<log4j:event level="WARN">`` is read as ``<Event><Level>WARN</Level>`` is. What an entity
stands for is not put in its place: a value is quoted as it is written.

Sources: log4j's XMLLayout and log4j 2's XmlLayout, log4net's and NLog's event schemas, Java's
``logger.dtd``, Windows' event schema (levels 1 to 5, ``TimeCreated`` in ``SystemTime``).
"""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Context
from logdocket.reading.parts import Parts
from logdocket.reading.structured.fields import Fields
from logdocket.reading.structured.keys import KEYS, Key, Role
from logdocket.reading.structured.tables import Scheme

_OPENING: Final = re.compile(
    r"(?:<\?xml[^<>]{0,120}+>\s{0,8}+)?<(?:[A-Za-z][\w.-]{0,63}:)?([A-Za-z][\w.-]{0,63}+)(?=[\s/>])",
    re.ASCII,
)
_TAG: Final = re.compile(
    r"<(?:!\[CDATA\[|(/?)(?:[A-Za-z][\w.-]{0,63}:)?([A-Za-z_][\w.-]{0,63}+)([^<>]*+)>|[!?][^<>]*+>)"
)
_ATTRIBUTE: Final = re.compile(
    r"\s++(?:[A-Za-z][\w.-]{0,63}:)?([A-Za-z_][\w.-]{0,63}+)\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)')"
)
_CLOSING, _NAME, _REST = 1, 2, 3
_CDATA: Final = "<![CDATA["

_MOST_TAGS: Final = 256
_WINDOWS_LEVEL: Final = Key(Role.LEVEL, KEYS["level"].rank, Scheme.WINDOWS)


def parse_xml(text: str, start: int, end: int, context: Context) -> Parts | None:
    """The parts of the XML event that begins at ``start``; None where none begins.

    An event has a time or a level that is understood. One that is cut off is read as far as it
    goes.
    """
    if _OPENING.match(text, start, end) is None:
        return None
    fields = Fields()
    _scan(text, start, end, fields)
    if not fields.by_role[Role.TIME] and not fields.by_role[Role.LEVEL]:
        return None
    message = fields.message(text)
    parts = fields.parts(
        text, (start, end), context, "xml", None if message is None else message[1:3]
    )
    return None if parts.stamp is None and parts.level is None else parts


def _scan(text: str, start: int, end: int, fields: Fields) -> None:
    """Keep attributes, and the text of elements that hold nothing else."""
    element, first = "", -1
    at, tags = start, 0
    windows = False
    while tags < _MOST_TAGS:
        at = text.find("<", at, end)
        match = None if at < 0 else _TAG.match(text, at, end)
        if match is None:
            return
        tags += 1
        if match[_NAME] is None:
            at = match.end()
            if first == match.start() and text.startswith(_CDATA, first):
                at = _text(text, first + len(_CDATA), end, element, fields)
                first = -1
            continue
        if match[_CLOSING]:
            if first >= 0 and match[_NAME] == element and match.start() > first:
                _keep(fields, element, (first, match.start()), windows)
            element, first = "", -1
        else:
            element, first = match[_NAME], match.end()
            windows = windows or element == "Provider"
            if match[_REST] not in ("", "/"):
                _attributes(text, *match.span(_REST), element, fields, tags == 1)
        at = match.end()


def _text(text: str, start: int, end: int, element: str, fields: Fields) -> int:
    """The place behind the section of plain characters that begins at ``start``, which is kept."""
    close = text.find("]]>", start, end)
    last = end if close < 0 else close
    if last > start:
        _keep(fields, element, (start, last), False)
    return end if close < 0 else close + 3


def _attributes(
    text: str, start: int, end: int, element: str, fields: Fields, outermost: bool
) -> None:
    """Keep the attributes of the event itself by their names, of others by both names."""
    for match in _ATTRIBUTE.finditer(text, start, end):
        name = match[1] if outermost else f"{element}.{match[1]}"
        _keep(fields, name, match.span(match.lastindex or 0), False)


def _keep(fields: Fields, name: str, span: tuple[int, int], windows: bool) -> None:
    key = _WINDOWS_LEVEL if windows and name == "Level" else KEYS.get(name)
    if key is not None and span[0] < span[1]:
        fields.add(key, span)
