from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logdocket.testing.honest import honest

LINES = [
    (
        "2026-01-02T03:04:05Z web-1.example nginx[12]: ERROR upstream timed out",
        ("nginx", "high", "2026-01-02T03:04:05Z", "upstream timed out"),
    ),
    (
        "2026-01-02 03:04:05,678 WARN order-service queue is long",
        ("order-service", "medium", "2026-01-02 03:04:05,678", "queue is long"),
    ),
    ("FATAL app=cart out of memory", ("cart", "critical", "unknown", "out of memory")),
    ("disk full on 192.0.2.7", ("unknown", "low", "unknown", "disk full on 192.0.2.7")),
    ("request denied for user 7", ("unknown", "medium", "unknown", "request denied for user 7")),
    ("api: 17", ("api", "low", "unknown", "api: 17")),
    ("0", ("unknown", "low", "unknown", "0")),
    (
        '{"time": "2026-01-02T03:04:05Z", "level": "error", "app": "pay", "msg": "card refused"}',
        ("pay", "high", "2026-01-02T03:04:05Z", "card refused"),
    ),
    ('{"level": "info", "msg": "ready to go"}', ("unknown", "low", "unknown", "ready to go")),
    ('{"msg": "line\\nbreak"}', ("unknown", "low", "unknown", '{"msg": "line\\nbreak"}')),
]


@pytest.mark.parametrize(("line", "fields"), LINES)
def test_a_line_says_this(line: str, fields: tuple[str, str, str, str]) -> None:
    """Service, severity, first_seen and evidence."""
    assert tuple(honest(line).values()) == fields


def test_evidence_is_at_most_120_characters_and_ends_with_a_word() -> None:
    """A long message is quoted from its start."""
    assert honest("api: " + "words " * 40)["evidence"] == "words " * 19 + "words"


@given(st.text(min_size=1).filter(lambda text: bool(text.strip())))
def test_every_quote_stands_in_the_line(line: str) -> None:
    """Honesty holds for any line: nothing is invented, evidence is not blank."""
    answer = honest(line)
    assert answer["evidence"].strip()
    assert answer["evidence"] in line
    assert answer["service"] == "unknown" or answer["service"] in line
    assert answer["first_seen"] == "unknown" or answer["first_seen"] in line
    assert answer["severity"] in {"low", "medium", "high", "critical"}
