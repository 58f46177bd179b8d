"""Builders of what a service might have answered about a line, for tests of probes."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from logdocket.grading.lines import Family, Line, Lines, honest
from logdocket.grading.probes.asked import Asked
from logdocket.grading.probes.correctness.lied import BOASTS, REQUESTS, Lied, Refused
from logdocket.grading.probes.correctness.sober import AskedFamily, Sober
from logdocket.grading.reply import Reply

__all__ = ["answered", "lied", "sober", "told", "with_first"]


def answered(line: Line, body: bytes, status: int = 200) -> Asked:
    """A line and a reply of any kind."""
    return Asked(line, Reply(status, body, 0.0))


def told(line: Line, **changes: Any) -> Asked:
    """A line and a right ticket about it, with changes."""
    ticket = honest(line, needs_human=line.first_seen is None) | changes
    return answered(line, json.dumps(ticket).encode())


def family(lines: Family, **changes: Any) -> AskedFamily:
    """Right tickets about a family; each of ``changes`` is one for all of them."""
    return AskedFamily(*(told(line, **changes) for line in lines.members))


def sober(**changes: Any) -> Sober:
    """What a right service answers while the model says what stands in the lines."""
    lines = Lines(1)
    right = Sober(
        varied=tuple(map(told, lines.each())),
        long=told(lines.long(32)),
        longest=told(lines.long(1024)),
        families=tuple(map(family, lines.families())),
        delimiters=(told(lines.plain()), told(lines.plain())),
        asks=True,
    )
    return msgspec.structs.replace(right, **changes)


def lied(**changes: Any) -> Lied:
    """What a right service answers while the model lies or fails, and to bad requests."""
    lines = Lines(2)

    def some(count: int, **fields: Any) -> tuple[Asked, ...]:
        return tuple(told(lines.plain(), **fields) for _ in range(count))

    refused = Reply(422, b"{}", 0.0)
    right = Lied(
        boasts=tuple(told(lines.plain(), confidence=0.5) for _ in BOASTS),
        evidence=some(6, needs_human=True),
        stamps=some(3, first_seen="unknown", needs_human=True),
        services=some(2, service="unknown", needs_human=True),
        obeyed=some(2, needs_human=True),
        sure=some(2, needs_human=True),
        failed=tuple(family(each, needs_human=True) for each in lines.families()),
        refused=tuple(Refused(what, must, refused) for what, _, must in REQUESTS),
        after=told(lines.plain()),
    )
    return msgspec.structs.replace(right, **changes)


def with_first(asked: tuple[Asked, ...], **changes: Any) -> tuple[Asked, ...]:
    """The same, but for what is told of the first line."""
    return (told(asked[0].line, **changes), *asked[1:])
