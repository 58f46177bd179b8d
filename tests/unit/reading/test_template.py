"""Templates: what is masked in a line, and what is kept."""

from __future__ import annotations

import msgspec
import pytest

from logdocket.line import (
    NO_CONTEXT,
    Line,
    Reading,
    ServiceBasis,
    ServiceRead,
    Severity,
    SeverityBasis,
    SeverityRead,
    Span,
    TimestampRead,
)
from logdocket.reading.template import Place, cut, template


def reading(line: Line, stamp: str = "", level: str = "", service: str = "") -> Reading:
    """A reading that found these texts, each where it first stands."""

    def span(text: str) -> Span | None:
        start = line.raw.index(text.encode())
        return Span(start, start + len(text.encode())) if text else None

    return Reading(
        "plain",
        TimestampRead(stamp or None, span(stamp), None),
        SeverityRead(Severity.LOW, span(level), SeverityBasis.LEVEL),
        ServiceRead(service or None, span(service), ServiceBasis.HEAD),
        Span(0, len(line.raw)),
    )


def mask(text: str) -> str:
    """The template of a line in which no reading found anything."""
    line = Line(text)
    return template(line, reading(line))


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("at 2026-01-02T03:04:05.678Z", "at <time>"),
        ("at 2026-01-02 03:04:05,678 +0200", "at <time>"),
        ("on 2026/01/02", "on <time>"),
        ("at Fri Jan  2 03:04:05 2026 again", "at <time> again"),
        ("[02/Jan/2026:03:04:05 +0000]", "[<time>]"),
        ("until 03:04:05", "until <time>"),
        ("app-2026-01-02.log", "app-<time>.log"),
        ("id 123e4567-e89b-12d3-a456-426614174000", "id <uuid>"),
        ("commit 3f2a9bc", "commit <hex>"),
        ("at 0xdeadbeef", "at <hex>"),
        ("from 192.0.2.1", "from <ip>"),
        ("from 192.0.2.1:5000", "from <ip>:<port>"),
        ("from 2001:db8::1 and ::1", "from <ip> and <ip>"),
        ("to 00:11:22:33:44:55", "to <mac>"),
        ("port 22", "port <port>"),
        ("src_port=4711", "src_port=<port>"),
        ("sshd[4711]: x", "sshd[<pid>]: x"),
        ("pid=7", "pid=<pid>"),
        ("blk_-7128370237687728475", "blk_<id>"),
        ("attempt_1445144423722_0020_m_000001", "attempt_<id>_<id>_m_<id>"),
        ("pod web-7d9f8b6c5d-x2x4z", "pod web-<hex>-<id>"),
        ("GET /users/42/orders/7?page=2", "GET /users/<id>/orders/<id>?page=2"),
        ('request_id=ab1 "trace_id": "q-1"', 'request_id=<id> "trace_id": "<id>"'),
    ],
)
def test_what_cannot_change_the_meaning_is_masked(text: str, masked: str) -> None:
    """Each kind has its own mark."""
    assert mask(text) == masked


@pytest.mark.parametrize(
    "text",
    [
        'HTTP/1.1" 503 x',
        "status=503",
        "exit code 3221225477",
        "exitCode: 100000",
        "error 0x80070005",
        "error[404]: x",
        "GET /error/404",
        "12345 errors",
        "dropped 123456",
        "99.5% 12345%",
        "load 0.91234",
        "retry 3 of 5",
        "ABC-00600 raised",
        "user 'alice' on web-1.example",
        "v1.2.3 on x86_64 with sha256",
        "a::b",
        "item[3] node-3",
        "ERROR disk sda1",
        "passed/failed 5/3",
    ],
)
def test_what_can_change_the_meaning_is_kept(text: str) -> None:
    """Codes, counts, percentages, small numbers, words and names stay as they are."""
    assert mask(text) == text


def test_the_records_own_time_is_masked_whatever_its_shape() -> None:
    """The reading knows where it stands."""
    line = Line("1767322800 web up")
    assert template(line, reading(line, stamp="1767322800")) == "<time> web up"


def test_the_service_and_the_level_are_kept_whatever_they_look_like() -> None:
    """A name that looks like an id still tells services apart."""
    line = Line("job_12345678 [12345678] ran 12345678")
    found = reading(line, service="job_12345678")
    assert template(line, found) == "job_12345678 [12345678] ran 12345678"


def test_spans_are_found_behind_characters_of_several_bytes() -> None:
    """Spans count bytes, text counts characters; undecodable bytes are one of each."""
    line = Line("é\udcff 1767322800 ünit-12345678 ran 12345678")
    found = reading(line, stamp="1767322800", service="ünit-12345678")
    assert template(line, found) == "é\udcff <time> ünit-12345678 ran 12345678"


def test_overlapping_spans_lose_nothing() -> None:
    """The first one counts, and the rest of the line follows once."""
    line = Line("12345678 up")
    found = reading(line, stamp="12345678", service="345678 up")
    assert template(line, found) == "<time> up"


def test_what_the_reading_holds_is_kept_where_a_name_or_a_path_would_be_masked() -> None:
    """A service may be called like an account, or stand in the path of a file."""
    line = Line("user=cart loading /home/till/x/cart.conf")
    assert template(line, reading(line, service="cart")) == line.text
    line = Line("deleting /till/a/b.conf")
    found = cut(line, reading(line, service="till"), NO_CONTEXT)
    assert (found.wide, found.edges) == (line.text, ())


def test_a_quote_of_one_line_becomes_the_quote_of_another() -> None:
    """The same place, however long what is masked before and in it."""
    one, other = (
        Line("é 7 took 12 ms from 192.0.2.1 now"),
        Line("é 12345 took 8 ms from 192.0.2.77 now"),
    )
    cuts = [cut(line, reading(line), NO_CONTEXT) for line in (one, other)]
    start = one.raw.index(b"took")
    place = cuts[0].place(Span(start, start + len(b"took 12 ms from 192.0.2")))
    assert other.quote(cuts[1].span(place)) == "took 8 ms from 192.0.2.77"


@pytest.mark.parametrize(
    "place", [Place(0, 99, 0, 99), Place(3, 0, 3, 0), Place(1, 1, 0, 0), Place(-1, 0, 0, 0)]
)
def test_a_place_that_the_template_does_not_have_is_refused(place: Place) -> None:
    """Behind the end of what is kept, behind the last mask, or ending before it starts."""
    line = Line("ran 7 times")
    with pytest.raises(ValueError, match="no place"):
        cut(line, reading(line), NO_CONTEXT).span(place)


def test_places_are_written_as_four_numbers() -> None:
    """So they can be stored, and read again."""
    place = Place(1, 2, 3, 4)
    written = msgspec.json.encode(place)
    assert written == b"[1,2,3,4]"
    assert msgspec.json.decode(written, type=Place) == place


def test_what_the_line_holds_passes_for_no_mask() -> None:
    """A mark in the line itself is doubled."""
    assert mask("a <ip> and 192.0.2.1 < 3") == "a <<ip> and <ip> << 3"


def test_a_long_line_is_masked_as_far_as_it_is_looked_at() -> None:
    """What follows is kept: less is shared, and nothing wrongly."""
    text = "at 12:13:14 " + "word " * 2_000 + "at 12:13:14"
    assert mask(text) == text.replace("12:13:14", "<time>", 1)
