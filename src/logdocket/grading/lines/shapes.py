"""Forty shapes of lines: one row each, extended by one more.

In a shape's text STAMP, LEVEL, SERVICE and MESSAGE stand for what is put there; what is not in
the text, the line does not say. MARKER in the message is the two words that no other line has.
"""

from __future__ import annotations

from typing import Final

import msgspec

__all__ = ["ACCENTS", "BARELY", "PLAINLY", "SHAPES", "Shape", "long"]

_PLAIN: Final = "the MARKER did not come back"


class Shape(msgspec.Struct, frozen=True):
    """``kind`` in a few words; ``stamp`` is a way of writing the time, ``case`` that of the level
    (upper, lower or title), ``joint`` what stands between the marker's words, ``size`` the
    characters up to which common words come after it all.
    """

    kind: str
    text: str
    message: str = _PLAIN
    stamp: str = "utc"
    case: str = "upper"
    joint: str = " "
    size: int = 0


PLAINLY: Final = "STAMP LEVEL SERVICE: MESSAGE"
BARELY: Final = "LEVEL SERVICE: MESSAGE"

ACCENTS: Final = Shape("unicode: accents", PLAINLY, "le re\u0301seau MARKER est coupé, plus rien")
"""One accent is a character of its own, as some keyboards write it, and has to stay one."""

SHAPES: Final = (
    # Text, by where and how it says time, level and service.
    Shape("text", PLAINLY),
    Shape("text: brackets", "[STAMP] [LEVEL] [SERVICE] MESSAGE", stamp="millis"),
    Shape("text: zone-less time", "STAMP LEVEL  SERVICE - MESSAGE", stamp="zoneless"),
    Shape("text: comma time", "STAMP - SERVICE - LEVEL - MESSAGE", stamp="comma"),
    Shape("text: time with an offset", "STAMP | LEVEL | SERVICE | MESSAGE", stamp="offset"),
    Shape("text: small level", "STAMP SERVICE[812]: LEVEL: MESSAGE", case="lower"),
    Shape("text: no level", "STAMP SERVICE: MESSAGE", "connection to the MARKER refused"),
    Shape("text: no service", "STAMP LEVEL MESSAGE", "cannot reach the MARKER"),
    Shape("text: epoch", PLAINLY, stamp="epoch"),
    Shape("text: klog", "ESTAMP       1 SERVICE.go:117] MESSAGE", stamp="klog"),
    # Text without a time.
    Shape("no time", BARELY),
    Shape("no time: level in brackets", "[LEVEL] SERVICE: MESSAGE", "lost the MARKER"),
    Shape("no time: service= in words", "LEVEL service=SERVICE MESSAGE", case="lower"),
    Shape("no time: no level", "SERVICE: MESSAGE", "refused the MARKER after 3 attempts"),
    Shape("no time: version and address", BARELY, "2.17.6 at 192.0.2.7 no MARKER"),
    Shape("no time: words alone", "MESSAGE", "no room left for the MARKER"),
    Shape("no time: very short", "MESSAGE", "MARKER"),
    # syslog and access logs.
    Shape("syslog", "STAMP web-1 SERVICE[4012]: LEVEL: MESSAGE", stamp="syslog"),
    Shape("syslog: priority", "<11>STAMP web-1 SERVICE: MESSAGE", stamp="syslog"),
    Shape("syslog: RFC 5424", "<11>1 STAMP web-1.example SERVICE 4012 - - MESSAGE", stamp="millis"),
    Shape(
        "access log",
        '192.0.2.7 - - [STAMP] "MESSAGE" 503 512 "-" "probe/1.0"',
        "GET /items/MARKER HTTP/1.1",
        stamp="clf",
        joint="-",
    ),
    # logfmt and key=value.
    Shape("logfmt", 'time=STAMP level=LEVEL service=SERVICE msg="MESSAGE"', case="lower"),
    Shape("logfmt: no time", 'level=LEVEL app=SERVICE msg="MESSAGE" attempt=3', case="lower"),
    Shape("key=value", "STAMP,level=LEVEL,service=SERVICE,item=MESSAGE", "MARKER", joint="_"),
    # JSON.
    Shape("JSON", '{"time":"STAMP","level":"LEVEL","service":"SERVICE","msg":"MESSAGE"}'),
    Shape(
        "JSON: nested",
        '{"@timestamp": "STAMP", "log": {"level": "LEVEL"}, "service": {"name": "SERVICE"}, '
        '"message": "MESSAGE"}',
        stamp="millis",
        case="lower",
    ),
    Shape("JSON: no time", '{"severity":"LEVEL","logger":"SERVICE","message":"MESSAGE"}'),
    Shape("JSON: no service", '{"ts":"STAMP","lvl":"LEVEL","event":"MESSAGE"}', case="title"),
    # Traces.
    Shape(
        "trace: Java",
        'Exception in thread "main" SERVICE.BadState: MESSAGE at SERVICE.Main.run(Main.java:88)',
    ),
    Shape(
        "trace: Python",
        "STAMP LEVEL SERVICE Traceback (most recent call last): "
        'File "/srv/app/main.py", line 12, in run; ValueError: MESSAGE',
        stamp="comma",
    ),
    # Unicode.
    ACCENTS,
    Shape("unicode: CJK", PLAINLY, "数据库连接失败 MARKER 再試行します"),
    Shape("unicode: emoji", PLAINLY, "🔥 MARKER went down 👩\u200d🚒 twice"),
    Shape("unicode: right to left", PLAINLY, "فشل الاتصال MARKER שגיאה"),
    # Quotes, backslashes, tabs and what else wants escaping.
    Shape("quotes", PLAINLY, """no "MARKER" in 'stock', said `it`"""),
    Shape("quotes: backslashes", PLAINLY, r"cannot open C:\temp\new\MARKER\u0041.txt"),
    Shape("quotes: tabs", "STAMP\tLEVEL\tSERVICE\tMESSAGE", "left\tthe MARKER\there"),
    Shape(
        "quotes: escaped in JSON",
        '{"time":"STAMP","level":"LEVEL","service":"SERVICE","msg":"MESSAGE"}',
        r"no \"MARKER\" under C:\\temp\t",
    ),
    Shape("colour", "STAMP \x1b[31mLEVEL\x1b[0m \x1b[1mSERVICE\x1b[0m: MESSAGE"),
    Shape("8 KiB", PLAINLY, size=8 * 1024),
)


def long(kib: int) -> Shape:
    """The shape of a plain line of ``kib`` KiB, which says what matters at its beginning."""
    return Shape(f"{kib} KiB", PLAINLY, size=kib * 1024)
