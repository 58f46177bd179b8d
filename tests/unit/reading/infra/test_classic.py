"""Syslog's plainest record, found by one pattern; all else is left to the wider parser."""

from __future__ import annotations

import pytest

from logdocket.line import NO_CONTEXT, Severity
from logdocket.reading.infra import parse_classic


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("Jun 14 15:16:01 web-1 sshd[12]: session opened", "sshd", "session opened"),
        ("Jun  4 15:16:01 web-1 sshd(pam_unix)[12]: gone", "sshd", "gone"),
        ("Jun 4 15:16:01 web-1.example kernel: up", "kernel", "up"),
        ("<34>Jun 14 15:16:01 web-1 su: failed", "su", "failed"),
    ],
)
def test_the_name_and_the_message_are_found(text: str, name: str, message: str) -> None:
    """With a module, a process id and a priority, or without."""
    parts = parse_classic(text, 0, len(text), NO_CONTEXT)
    assert parts is not None
    assert parts.name is not None
    assert text[parts.name.start : parts.name.end] == name
    assert text[slice(*parts.message)] == message
    assert parts.inner == parts.message


def test_a_priority_bears_the_severity_out() -> None:
    """34 is facility 4, severity 2: critical."""
    text = "<34>Jun 14 15:16:01 web-1 su: failed"
    parts = parse_classic(text, 0, len(text), NO_CONTEXT)
    assert parts is not None
    assert parts.level is not None
    assert parts.level.value is Severity.CRITICAL
    assert text[parts.level.start : parts.level.end] == "34"


@pytest.mark.parametrize(
    "text",
    [
        "Jun 31 15:16:01 web-1 sshd[12]: no such day",
        "Jun 14 25:16:01 web-1 sshd[12]: no such hour",
        "Jun 14 15:16:01 UTC sshd[12]: a zone is no host",
        "Jun 14 15:16:01 ERROR sshd[12]: a level is no host",
        "Jun 14 15:16:01 kern.info sshd[12]: a facility is no host",
        "Jun 14 15:16:01 web-1 auth.info: a facility is no application",
        "Jun 14 15:16:01 web-1 sshd[12]: [ID 800047 auth.info] more head follows",
        "Jun 14 15:16:01 web-1 last message repeated 2 times",
        "Jun 14 15:16:01 web-1 sshd[12]: %LINK-3-UPDOWN: a head of its own",
        "<999>Jun 14 15:16:01 web-1 su: no such priority",
        "2031-06-14T15:16:01Z web-1 sshd[12]: another stamp",
    ],
)
def test_what_is_not_plain_is_left_alone(text: str) -> None:
    """The wider parser looks at it instead."""
    assert parse_classic(text, 0, len(text), NO_CONTEXT) is None
