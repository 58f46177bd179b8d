"""The laws of the short ways through a reading: each gives what the long way gives, or nothing."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from logdocket.line import NO_CONTEXT, Context
from logdocket.reading import cues, timestamp
from logdocket.reading.apps import head, levelled
from logdocket.reading.apps.found import Found
from logdocket.reading.infra import parse_classic, parse_syslog_3164
from logdocket.reading.parts import Parts
from logdocket.reading.words import alike

CONTEXTS = [
    NO_CONTEXT,
    Context(received_at=datetime(2031, 6, 7, tzinfo=UTC), timezone="Asia/Tokyo"),
]

contexts = st.sampled_from(CONTEXTS)
prose = st.lists(
    st.sampled_from(
        "connection refused failed no errors 0 12 503 status exit code HTTP/1.1 http/2 timed out "
        "not started errors=0 rc=3 timeout=30s ValueError: corrected error ok=0 panic".split()
    ),
    max_size=8,
).map(" ".join)
words = st.sampled_from(
    "RAS KERNEL X1-C:J12 N0:A: :b 12 2031.05.06 503 a- pool main api.Orders com.acme.api.Orders "
    "web-1 INFO:x INFO WARN error [main] [a.b] (x) - | : app: app[3]: x, =".split()
)
headed = st.tuples(
    st.sampled_from(["2031-05-06 07:08:09 ", "1935990000 ", "- 1935990000 ", "May  6 07:08:09 "]),
    st.lists(words, max_size=9).map(" ".join),
    prose,
).map(" ".join)


def told(parts: Parts | None) -> object:
    """What parts say, to compare them by."""
    return parts and msgspec.structs.asdict(parts)


@given(prose)
def test_a_message_tells_the_same_whether_its_like_was_read_before(message: str) -> None:
    """What is kept for alike messages is what the message itself tells."""
    found = cues.cue(message, 0, len(message))
    alone = cues._told(message)
    assert (found and (found.start, found.end, found.value, found.basis)) == alone


@given(prose, st.integers(0, 9))
def test_alike_messages_differ_in_figures_alone(message: str, figure: int) -> None:
    """Zeros stay zeros, and every other figure may stand for every other."""
    other = "".join(str(figure or 1) if letter in "123456789" else letter for letter in message)
    assert alike(message.encode()) == alike(other.encode())
    assert len(alike(message.encode())) == len(message)


HOSTS = ["web-1", "db", "UTC", "error", "kern.info", "EST", "last", "w:", "10.0.0.1"]
TAGS = [
    "sshd[12]: ",
    "sshd(pam_unix)[3]: ",
    "kernel: ",
    "auth.err: ",
    "/usr/sbin/cron[1]: ",
    "error: ",
    "a.b.IOError: ",
    "app:  ",
    "app ",
    "app[x]: ",
    "app: [ID 1 auth.info] ",
    "Two Words[3]: ",
]


@given(
    st.sampled_from(["", "<34>", "<999>", "<6>1 "]),
    st.sampled_from(["May  6 07:08:09", "Feb 30 07:08:09", "Jun 16 23:59:60", "Jan 1 01:02:03"]),
    st.sampled_from(HOSTS),
    st.sampled_from(TAGS),
    st.one_of(prose, st.text(max_size=12)),
    contexts,
)
def test_the_plainest_syslog_is_read_as_any_syslog(
    pri: str, time: str, host: str, tag: str, message: str, context: Context
) -> None:
    """The one pattern for it says what the walk over stamp, host and tag says."""
    text = f"{pri}{time} {host} {tag}{message}"
    parts = parse_classic(text, 0, len(text), context)
    if parts is not None:
        assert told(parts) == told(parse_syslog_3164(text, 0, len(text), context))


@given(headed, contexts)
def test_unmarked_items_passed_over_at_once_are_as_if_taken_one_by_one(
    text: str, context: Context
) -> None:
    """A head is the same whether its columns are passed over in one loop or not."""
    quick = told(head.parse_head(text, 0, len(text), context))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(head, "_pass_unmarked", lambda found, text, most: 0)
        assert told(head.parse_head(text, 0, len(text), context)) == quick


@given(
    st.sampled_from(["", "- ", "[", "7 "]),
    st.sampled_from(["INFO", "WARN", "ERROR"]),
    st.lists(words, max_size=4).map(" ".join),
    prose,
    contexts,
)
def test_a_walk_from_the_level_on_is_the_rest_of_the_walk(
    before: str, level: str, items: str, message: str, context: Context
) -> None:
    """A pattern that has found time and level leaves nothing else to find before them."""
    text = (
        f"2031-05-06 07:08:09,123 {before}{level}{' ]' if before == '[' else ''} {items} {message}"
    )
    match = levelled._HEAD.match(text)
    if match is None:
        return
    stamp = timestamp.at(text, 0, len(text), context)
    assert stamp is not None
    rest = levelled._onwards(match, 0, len(text), stamp, context)
    whole = head.walk(Found(text, 0, len(text), context, 0, 0), 0)
    assert told(rest) == told(whole)


@given(
    st.sampled_from("Sun Mon Tue Xyz sun".split()),
    st.sampled_from(["Jun 15", "Jun  1", "Jun 01", "Feb 29", "Feb 30", "Abc 10"]),
    st.sampled_from(["07:08:09", "24:00:00", "23:59:60", "25:00:00", "07:61:09", "00:00:00"]),
    st.sampled_from(["2031", "2032", "0000", "1970"]),
    contexts,
)
def test_the_plainest_ctime_is_read_as_any_time(
    weekday: str, day: str, clock: str, year: str, context: Context
) -> None:
    """What is put together from its places is what the patterns for all dates say."""
    text = f"{weekday} {day} {clock} {year}"
    quick = timestamp.ctime_at(text, 0, len(text), context)
    if quick is not None:
        assert quick == timestamp.at(text, 0, len(text), context)
