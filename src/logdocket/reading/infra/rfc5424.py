"""Syslog of RFC 5424, as its senders write it rather than only as it is specified."""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Context
from logdocket.reading import timestamp
from logdocket.reading.infra.body import body, trimmed
from logdocket.reading.infra.tag import app_name, priority
from logdocket.reading.parts import Parts

FORMAT: Final = "syslog-5424"

_HEADER: Final = re.compile(
    r"(?:\d{1,6}+ )?(?:<(?P<pri>\d{1,3})>)?[1-9]\d?+ {1,3}+"
    r"(?P<stamp>-|\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?"
    r"(?:[Zz]|[+-]\d\d:?\d\d)?) {1,3}+"
    r"(?P<host>\S{1,255}+) {1,3}+(?P<app>\S{1,128}+) {1,3}+"
    r"(?P<proc>\S{1,128}+) {1,3}+(?P<msgid>\S{1,64}+)(?: {1,3}+|$)",
    re.ASCII,
)
_DATA: Final = re.compile(
    r'(?:\[[^\s\]="\[]{1,128}+(?:[^\]"\\]++|"(?:[^"\\]++|\\.)*+"|\\.)*+\])++(?=\s|$)', re.DOTALL
)
_BYTE_ORDER_MARK: Final = "\ufeff"


def parse_syslog_5424(text: str, start: int, end: int, context: Context) -> Parts | None:
    """A record of RFC 5424; ``<PRI>`` and structured data may be left out, but not both.

    ``inner`` is the message after the structured data. A byte count before the record (RFC 6587)
    is passed over.
    """
    first = text[start : start + 1]
    if first != "<" and not (first.isdecimal() and " " in text[start + 1 : start + 7]):
        return None
    header = _HEADER.match(text, start, end)
    if header is None or header["app"].endswith(":"):
        return None
    stamp = None
    if header["stamp"] != "-":
        stamp = timestamp.at(text, header.start("stamp"), header.end("stamp"), context)
        if stamp is None:
            return None
    after = header.end()
    data = _structured_data(text, after, end)
    level = None
    if header["pri"] is not None:
        level = priority(text, header.start("pri"), header.end("pri"))
    elif stamp is None or data == after:
        return None
    name = app_name(text, header.start("app"), header.end("app"))
    message = trimmed(text, data, end)
    if text.startswith(_BYTE_ORDER_MARK, message[0], message[1]):
        message = trimmed(text, message[0] + 1, end)
    if message[0] == message[1]:
        return Parts(FORMAT, body(text, after, end, start), stamp, level, name)
    return Parts(FORMAT, message, stamp, level, name, message)


def _structured_data(text: str, pos: int, end: int) -> int:
    """Where the structured data at ``pos`` ends; ``pos`` itself where there is none.

    Some senders leave it out, so ``[error] …`` in its place begins the message.
    """
    if text.startswith(("- ", "-"), pos, end):
        return pos + 1 if pos + 1 == end or text[pos + 1] == " " else pos
    if not text.startswith("[", pos, end):
        return pos
    found = _DATA.match(text, pos, end)
    if found is None:
        return pos
    close = found.end()
    known = text.find('="', pos, close) > 0 or text.find("@", pos, close) > 0
    return close if known else pos
