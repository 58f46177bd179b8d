from __future__ import annotations

import pytest

from logdocket.line import NO_CONTEXT, Line
from logdocket.reading import read
from logdocket.reading.formats import parse, parse_inner

# One line of every shape that the table of shapes knows.
SHAPES = [
    ("json", '{"level":"error","msg":"gone"}'),
    ("logfmt", "level=error service=orders msg=gone"),
    ("cef", "CEF:0|Acme|Gate|1.0|100|Login failed|7|src=192.0.2.7"),
    ("syslog-5424", "<11>1 2031-05-06T07:08:09Z web-1 orders 12 - - gone"),
    ("syslog-3164", "<11>May  6 07:08:09 web-1 orders[12]: gone"),
    ("syslog-3164", "May  6 07:08:09 web-1 orders[12]: gone"),
    ("dmesg", "[   12.345678] usb 1-1: device not accepting address 2"),
    ("klog", "E0506 07:08:09.123456       1 server.go:12] gone"),
    ("logcat", "05-06 07:08:09.123  1702  2395 E OrderStore: gone"),
    ("apache-error", "[Tue May 06 07:08:09 2031] [error] [client 192.0.2.7] gone"),
    ("nginx-error", "2031/05/06 07:08:09 [error] 12#12: *3 open() failed"),
    ("access-common", '192.0.2.7 - - [06/May/2031:07:08:09 +0000] "GET / HTTP/1.1" 503 12'),
    ("postgresql", '2031-05-06 07:08:09.123 UTC [12] ERROR:  relation "x" does not exist'),
    ("mysql", "2031-05-06T07:08:09.123456Z 8 [ERROR] [MY-010119] [Server] Aborting"),
    ("redis", "1:M 06 May 2031 07:08:09.123 # Out of memory"),
    ("mongodb", "2031-05-06T07:08:09.123+0000 E NETWORK  [listener] gone"),
    ("ruby", "E, [2031-05-06T07:08:09.123456 #42] ERROR -- orders: gone"),
    ("trace", "Traceback (most recent call last):"),
    ("cri", "2031-05-06T07:08:09.5Z stdout F just words"),
    ("compose", "orders-1  | just words"),
    ("app", "2031-05-06 07:08:09 ERROR [orders] gone"),
    ("plain", "just words"),
    ("plain", "—— just words"),
]


@pytest.mark.parametrize(("shape", "text"), SHAPES)
def test_the_table_finds_the_shape(shape: str, text: str) -> None:
    """The particular shape is asked before the general one."""
    assert read(Line(text)).format.partition("+")[0] == shape


@pytest.mark.parametrize("text", ["session opened for user 7", "Failed password for user"])
def test_prose_inside_a_record_is_a_message(text: str) -> None:
    """A sentence under a header is not searched for a head."""
    parts = parse_inner(text, 0, len(text), NO_CONTEXT)
    assert (parts.format, parts.message, parts.level) == ("plain", (0, len(text)), None)


def test_a_record_inside_a_record_is_parsed() -> None:
    """What does not read as a sentence is asked for its shape."""
    text = '{"level":"error","msg":"gone"}'
    assert parse_inner(text, 0, len(text), NO_CONTEXT).format == "json"


def test_only_the_stretch_is_parsed() -> None:
    """Nothing before the start or past the end is read."""
    text = 'x {"level":"error","msg":"gone"} {"level":"fatal"}'
    parts = parse(text, 2, 32, NO_CONTEXT)
    assert parts.format == "json"
    assert parts.message[1] <= 32
