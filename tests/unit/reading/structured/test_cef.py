"""Security events: CEF and LEEF heads, their severities, times and products."""

from __future__ import annotations

import time

import pytest

from logdocket.line import NO_CONTEXT, Severity
from logdocket.reading.parts import Parts
from logdocket.reading.structured import parse_cef

LOW, MEDIUM, HIGH, CRITICAL = Severity


def parse(line: str) -> Parts | None:
    """The parts of the event ``line``."""
    return parse_cef(line, 0, len(line), NO_CONTEXT)


def said(line: str) -> tuple[str, str | None, Severity | None, str | None, str]:
    """Format, time, severity, service and message of an event."""
    parts = parse(line)
    assert parts is not None
    return (
        parts.format,
        parts.stamp and parts.stamp.value,
        parts.level and parts.level.value,
        parts.name and line[parts.name.start : parts.name.end],
        line[slice(*parts.message)],
    )


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "CEF:0|Acme|Wall|1.0|100|worm stopped|10|src=192.0.2.1 rt=1767366245123",
            ("cef", "2026-01-02T15:04:05.123Z", CRITICAL, "Wall", "worm stopped"),
        ),
        (
            "CEF:0|Acme|Wall|1.0|100|worm|5|msg=it is bad dst=198.51.100.2",
            ("cef", None, MEDIUM, "Wall", "it is bad"),
        ),
        (
            "CEF:1|Acme|Wall|1.0|100|worm|High|rt=Jan 02 2026 15:04:05 dst=198.51.100.2",
            ("cef", "2026-01-02T15:04:05", HIGH, "Wall", "worm"),
        ),
        (
            r"CEF:0|Acme|Wall|1.0|100|odd \| name|3|msg=a\=b c",
            ("cef", None, LOW, "Wall", r"a\=b c"),
        ),
        ("CEF:0|Acme|Wall|1.0|100|no pairs|Very-High", ("cef", None, CRITICAL, "Wall", "no pairs")),
        (r"CEF:0|Acme|Wa\|ll|1.0|100|name|11|", ("cef", None, None, None, "name")),
        (
            "LEEF:1.0|Acme|Gate|2.1|LoginFail|devTime=1767366245000\tsev=8\tsrc=192.0.2.1",
            ("leef", "2026-01-02T15:04:05.000Z", HIGH, "Gate", "LoginFail"),
        ),
        (
            "LEEF:2.0|Acme|Gate|2.1|LoginFail|^|devTime=2026-01-02T15:04:05Z^sev=2^msg=no luck",
            ("leef", "2026-01-02T15:04:05Z", LOW, "Gate", "no luck"),
        ),
        (
            "LEEF:2.0|Acme|Gate|2.1|LoginFail|x7E|sev=4~msg=no luck~a=b",
            ("leef", None, MEDIUM, "Gate", "no luck"),
        ),
    ],
)
def test_events_are_read(line: str, expected: tuple[str | None, ...]) -> None:
    """The head's product, severity and name, and the time and message among the pairs."""
    assert said(line) == expected


@pytest.mark.parametrize("n", range(11))
def test_severities_fall_into_four_bands(n: int) -> None:
    """0 to 3 low, 4 to 6 medium, 7 and 8 high, 9 and 10 very high."""
    bands = [LOW] * 4 + [MEDIUM] * 3 + [HIGH] * 2 + [CRITICAL] * 2
    assert said(f"CEF:0|Acme|Wall|1.0|100|worm|{n}|")[2] is bands[n]


def test_an_event_without_a_telling_name_is_its_own_message() -> None:
    """A number for a name quotes nothing; the whole event does."""
    line = "CEF:0|Acme|Wall|1.0|100|7|5|src=192.0.2.1"
    assert said(line)[4] == line


@pytest.mark.parametrize(
    "line", ["", "CEF", "CEF:0|Acme|Wall", "LEEF:1.0|Acme", "CEF: failed", "XCEF:0|a|b|c|d|e|1|"]
)
def test_what_has_no_whole_head_is_no_event(line: str) -> None:
    """A prefix alone does not make one."""
    assert parse(line) is None


@pytest.mark.parametrize("start", ["CEF:0|", "CEF:0|a|b|c|d|e|5|msg=", "LEEF:2.0|a|b|c|d|^|sev="])
@pytest.mark.parametrize("unit", ["|", "\\", "=", " =", " a=", "^", " ", "a", " msg=", "\\|"])
def test_time_is_linear_on_hostile_lines(start: str, unit: str) -> None:
    """64 KiB of bars, equals signs or blanks are read in a blink."""
    line = start + unit * (65_536 // len(unit))
    began = time.process_time()
    parse(line)
    assert time.process_time() - began < 0.25
