"""Access logs of web servers: the common and the combined log format, with or without a host."""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Context, ServiceBasis, Severity, SeverityBasis
from logdocket.reading import severity, timestamp
from logdocket.reading.parts import Level, Name, Parts

_REACH: Final = 400
_ENTRY: Final = re.compile(
    r'\] "(?P<request>[^"\\]*+(?:\\.[^"\\]*+)*+)" (?P<status>\d{3})(?: (?P<bytes>\d{1,20}|-))?'
    r'(?P<combined> "[^"\\]*+(?:\\.[^"\\]*+)*+" "[^"\\]*+(?:\\.[^"\\]*+)*+")?(?=\s|$|,)',
    re.DOTALL | re.ASCII,
)
_ADDRESS: Final = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}$|[0-9A-Fa-f:.]{0,45}:[0-9A-Fa-f:.]{0,45}$")
_HOST: Final = re.compile(r"(?=[\d.\-]{0,255}[A-Za-z_*])([\w*](?:[\w.\-]{0,253}\w)?)(?::\d{1,5})?$")


def parse_access(text: str, start: int, end: int, context: Context) -> Parts | None:
    """A line of an access log; further fields after it are allowed.

    The status bears the severity out. The message is the request with status and size. A virtual
    host before the client's address is the name; otherwise an access log names no service.
    """
    if text.startswith("[", start, end):
        return _proxied(text, start, end, context)
    opening = text.find(" [", start, min(end, start + _REACH))
    if opening < 0 or text[opening + 4 : opening + 9 : 4] != "//":
        return None
    closing = text.find("]", opening, opening + 40)
    entry = _ENTRY.match(text, closing, end) if closing > 0 else None
    if entry is None:
        return None
    words = text[start:opening].split(" ", 4)
    if not _is_client(words):
        return None
    stamp = timestamp.at(text, opening + 2, closing, context)
    if stamp is None:
        return None
    shape = "access-common" if entry["combined"] is None else "access-combined"
    last = entry.end("status") if entry["bytes"] is None else entry.end("bytes")
    level = _level(text, *entry.span("status"))
    return Parts(shape, (closing + 2, last), stamp, level, _vhost(words, start))


def _proxied(text: str, start: int, end: int, context: Context) -> Parts | None:
    """Envoy's default form: ``[2026-06-14T15:16:01.123Z] "GET / HTTP/1.1" 200 …``."""
    closing = text.find("]", start, min(end, start + 40))
    if closing < 0 or text[start + 11 : start + 12] != "T":
        return None
    entry = _ENTRY.match(text, closing, end)
    stamp = None if entry is None else timestamp.at(text, start + 1, closing, context)
    if entry is None or stamp is None:
        return None
    message = (closing + 2, entry.end("status"))
    return Parts("access-common", message, stamp, _level(text, *entry.span("status")))


def _level(text: str, start: int, end: int) -> Level | None:
    status = int(text[start:end])
    value = Severity.LOW if 100 <= status < 400 else severity.http_status(status)
    return None if value is None else Level(start, end, value, SeverityBasis.STATUS)


def _is_client(words: list[str]) -> bool:
    """Whether the words before the time are ``[vhost] client ident user``, the user maybe several.

    One word alone must be an address. Other heads belong to a record that quotes an access log.
    """
    first = words[0].rstrip(",")
    if _ADDRESS.match(first):
        return len(words) in (1, 3) or "-" in words[1:3]
    if first != "-" and not _HOST.match(first):
        return False
    return len(words) == 3 or (len(words) > 3 and "-" in words[1:3])


def _vhost(words: list[str], start: int) -> Name | None:
    """The virtual host before ``client ident user``; None where the client comes first."""
    if len(words) < 4 or words[1] == "-" or words[0].endswith(","):
        return None
    if not (_ADDRESS.match(words[1]) or "." in words[1]):
        return None
    found = _HOST.match(words[0])
    return None if found is None else Name(start, start + found.end(1), ServiceBasis.PREFIX)
