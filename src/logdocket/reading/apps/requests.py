"""The status of a request, where an application's message is an account of one."""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import SeverityBasis
from logdocket.reading import severity
from logdocket.reading.parts import Level

_METHOD: Final = "(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|CONNECT|TRACE)"
_FIRSTS: Final = frozenset("GHPDOCT\"'|123456789")

# Each is matched at the start of a message; the group is the status.
_ACCOUNTS: Final = (
    # GET /path 503 12 ms, "GET /path HTTP/1.1" 503 -, GET /path -> 503
    re.compile(
        rf"[\"']?{_METHOD} [^\s\"']{{1,2048}}+(?: HTTP/[\d.]{{1,3}})?[\"']?"
        r"(?:\s{1,4}+(?:-|->|=>|\|)|:)? {0,4}+(?P<status>[1-5]\d\d)(?![\w.:%-])"
    ),
    # 503 | 12ms | 192.0.2.7 | GET "/path"
    re.compile(
        r"(?:\| {0,4})?(?P<status>[1-5]\d\d) \|[^|\n]{1,64}+\|[^|\n]{1,64}+\| {1,4}+"
        rf"{_METHOD} "
    ),
    # Completed 503 Service Unavailable in 12ms
    re.compile(r"Completed (?P<status>[1-5]\d\d) [A-Z][\w ]{1,40}+"),
)


def request_status(text: str, start: int, end: int) -> Level | None:
    """The level that the status of a request bears out; None when the message is about none."""
    if start >= end or text[start] not in _FIRSTS:
        return None
    for account in _ACCOUNTS:
        found = account.match(text, start, end)
        if found is not None:
            value = severity.http_status(int(found["status"]))
            if value is not None:
                return Level(*found.span("status"), value, SeverityBasis.STATUS)
    return None
