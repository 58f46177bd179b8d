"""Access logs with the time first: IIS in W3C's extended format, and AWS's load balancers.

Field orders from Microsoft's "W3C logging" and AWS's "Access logs for your load balancer".
"""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Context, SeverityBasis
from logdocket.reading import severity, timestamp
from logdocket.reading.infra.body import body
from logdocket.reading.parts import Level, Parts

_METHOD: Final = "(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|CONNECT|TRACE|PROPFIND)"
_IIS: Final = re.compile(
    r"(?P<stamp>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) (?:[\w-]{1,64}+ ){0,2}[0-9A-Fa-f.:]{3,45}+ "
    rf"(?P<request>{_METHOD} /\S{{0,8192}}+) \S{{1,8192}}+ (?:\d{{1,5}}|-) ",
    re.ASCII,
)
_IIS_STATUS: Final = re.compile(r" (?P<status>[1-5]\d\d) \d{1,3} \d{1,10}(?: \d{1,12}){0,3}\Z")
_IIS_TAIL: Final = 64

_SECONDS: Final = r"-?\d{1,8}(?:\.\d{1,9})? "
_BALANCER: Final = re.compile(
    r"(?:(?:https?|h2|wss?|grpcs?) )?"
    r"(?P<stamp>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) [\w./-]{1,128}+ \S{1,64}+ \S{1,64}+ "
    rf'(?:{_SECONDS}){{3}}(?P<status>\d{{3}}|-) (?:\d{{3}}|-) -?\d{{1,20}} -?\d{{1,20}} "',
    re.ASCII,
)


def parse_served(text: str, start: int, end: int, context: Context) -> Parts | None:
    """A line of IIS's or an AWS load balancer's access log; it names no service.

    The status bears the severity out, and the message begins with the request.
    """
    if text[start : start + 1].isdecimal() and text[start + 10 : start + 11] == " ":
        return _iis(text, start, end, context)
    found = _BALANCER.match(text, start, end)
    if found is None:
        return None
    stamp = timestamp.at(text, *found.span("stamp"), context)
    level = None if found["status"] == "-" else _level(text, *found.span("status"))
    return Parts("access-elb", body(text, found.end() - 1, end, start), stamp, level)


def _iis(text: str, start: int, end: int, context: Context) -> Parts | None:
    found = _IIS.match(text, start, end)
    if found is None:
        return None
    status = _IIS_STATUS.search(text, max(found.end() - 1, end - _IIS_TAIL), end)
    stamp = timestamp.at(text, *found.span("stamp"), context)
    level = None if status is None else _level(text, *status.span("status"))
    return Parts("access-w3c", body(text, found.start("request"), end, start), stamp, level)


def _level(text: str, start: int, end: int) -> Level | None:
    value = severity.http_status(int(text[start:end]))
    return None if value is None else Level(start, end, value, SeverityBasis.STATUS)
