"""Pairs of key and value: what counts as a record, and what its pairs say."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logdocket.line import NO_CONTEXT, Severity, SeverityBasis
from logdocket.reading.parts import Parts
from logdocket.reading.structured import parse_logfmt

LOW, MEDIUM, HIGH, CRITICAL = Severity
STAMP = "2026-01-02T15:04:05Z"


def parse(line: str) -> Parts | None:
    """The parts of the pairs of ``line``."""
    return parse_logfmt(line, 0, len(line), NO_CONTEXT)


def said(line: str) -> tuple[str | None, Severity | None, str | None, str]:
    """Time, severity, service and message of a logfmt line."""
    parts = parse(line)
    assert parts is not None
    return (
        parts.stamp and parts.stamp.value,
        parts.level and parts.level.value,
        parts.name and line[parts.name.start : parts.name.end],
        line[slice(*parts.message)],
    )


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            f'level=info ts={STAMP} caller=main.go:1 component=tsdb msg="panic button tested"',
            (STAMP, LOW, "tsdb", "panic button tested"),
        ),
        (
            f'time="{STAMP}" level=error msg="open \\"a b\\" failed" app=shop',
            (STAMP, HIGH, "shop", r"open \"a b\" failed"),
        ),
        (f"t={STAMP} lvl=eror msg=lost logger=cart", (STAMP, HIGH, "cart", "lost")),
        (
            "ts=1767366245.5 level=warn msg=connection reset by peer service=cart",
            ("2026-01-02T15:04:05.5Z", MEDIUM, "cart", "connection reset by peer"),
        ),
        ("level=fatal msg=out of memory", (None, CRITICAL, None, "out of memory")),
        ("level=fatal msg=out of memory  ", (None, CRITICAL, None, "out of memory")),
        ("level=warn, service=api, msg=slow", (None, MEDIUM, "api", "slow")),
        ("level='error' service='api' msg='it broke'", (None, HIGH, "api", "it broke")),
        ("level=error err=timeout service=api", (None, HIGH, "api", "timeout")),
        (
            r"time=\"2026-01-02T15:04:05Z\" level=error msg=\"bad day\" app=cart",
            (STAMP, HIGH, "cart", "bad day"),
        ),
        ('level=error service=api msg="cut off he', (None, HIGH, "api", "cut off he")),
        ('msg=x level=error service="ap', (None, HIGH, None, "x")),
        ("level=info level=fatal msg=a msg=b", (None, LOW, None, "a")),
        ("level=error kubernetes.container_name=web msg=x", (None, HIGH, "web", "x")),
    ],
)
def test_pairs_are_read(line: str, expected: tuple[str | None, ...]) -> None:
    """Bare, quoted and escaped values under known keys are found where they stand."""
    assert said(line) == expected


def test_a_router_s_status_tells_more_than_its_at() -> None:
    """Heroku's router writes ``at=info`` beside a failed request."""
    line = 'at=info method=GET path="/" host=shop.example dyno=web.1 status=503'
    parts = parse(line)
    assert parts is not None
    assert parts.level is not None
    assert (parts.level.value, parts.level.basis) == (HIGH, SeverityBasis.STATUS)
    assert said('at=error code=H12 desc="Request timeout" method=GET')[1::2] == (
        HIGH,
        "Request timeout",
    )


def test_the_audit_daemon_s_time_stands_in_its_message() -> None:
    """``msg=audit(seconds:serial)`` is no message, but the record's time."""
    line = "type=SYSCALL msg=audit(1767366245.123:42): arch=c000003e success=no"
    assert said(line) == ("2026-01-02T15:04:05.123Z", None, None, line)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "a=b",
        "a=b and c=d in prose",
        "level=error",
        "x = 5 level=3 time=7",
        "user=alice failed from host=web-1.example",
        "time=5 level=3 retry",
        "if a==b then level=error msg=x",
        "a==b level=error msg=x",
        "the key level=error and msg=x",
        "=level=error msg=x",
        "https://shop.example/?level=error&msg=x",
        "PRIORITY=3 is what x=1 said",
    ],
)
def test_pairs_in_prose_are_no_record(line: str) -> None:
    """Two equals signs do not make a sentence logfmt."""
    assert parse(line) is None


@pytest.mark.parametrize(
    "line", ["method=GET path=/x status=200 took=5ms", "service=api code=3 error=timeout"]
)
def test_pairs_and_nothing_else_are_a_record(line: str) -> None:
    """With no word between, a request, a service or an error is enough."""
    assert parse(line) is not None


@pytest.mark.parametrize(
    ("line", "severity", "telling"),
    [
        (f'ts={STAMP} svc=cart msg="rebuilt the index" errors=10 docs=7', HIGH, "errors"),
        (f'ts={STAMP} svc=cart msg=done err="disk full" docs=7', CRITICAL, "disk full"),
        (f'ts={STAMP} svc=cart msg="rebuilt the index" errors=0 docs=7', None, None),
        (f"ts={STAMP} svc=cart level=info msg=rebuilt errors=10", LOW, "info"),
        (f'ts={STAMP} svc=cart msg="index is lost: failed"', None, None),
    ],
)
def test_pairs_beside_the_message_tell_how_it_went(
    line: str, severity: Severity | None, telling: str | None
) -> None:
    """Only without a stated level, and only where they tell of trouble; they are then quoted."""
    parts = parse(line)
    assert parts is not None
    level = parts.level
    assert (level and level.value) == severity
    assert (level and line[level.start : level.end]) == telling
    if level is not None and level.basis is SeverityBasis.CUE:
        assert parts.message == (0, len(line))


def test_a_json_message_is_a_record_of_its_own() -> None:
    """It is handed on to be parsed in turn."""
    line = r'level=info msg="{\"level\":\"error\"}"'
    parts = parse(line)
    assert parts is not None
    assert line[slice(*parts.inner or (0, 0))] == r"{\"level\":\"error\"}"


@given(
    message=st.text(
        alphabet=st.characters(exclude_categories=["Cs"], exclude_characters='"\\'), min_size=1
    ),
    words=st.lists(st.sampled_from(["a=1", 'b="x y"', "c=", "d", "'"]), max_size=4),
)
def test_a_quoted_message_is_found_among_any_pairs(message: str, words: list[str]) -> None:
    """Law: whatever stands before a quoted message, its place holds it whole."""
    line = f'level=error {" ".join(words)} msg="{message}"'
    if "'" in line[: line.index("msg=")] and "'" in message:
        return
    if not message.isspace():
        assert said(line)[3] == message


HOSTILE = ["a=b ", "a b ", 'a="', 'a=\\"', "a='", "=", " =", '"', "\\", " ", "a", "1", "msg="]


@pytest.mark.parametrize("start", ["", "level=info msg=", 'level=info msg="', 'level=a b=\\"'])
@pytest.mark.parametrize("unit", HOSTILE)
def test_time_is_linear_on_hostile_lines(start: str, unit: str) -> None:
    """64 KiB of pairs, quotes or backslashes are read in a blink."""
    line = start + unit * (65_536 // len(unit))
    began = time.process_time()
    parse(line)
    assert time.process_time() - began < 0.25
