"""What a parser found, as the quotes of the line that a reader of a test can check by eye."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import NamedTuple

import pytest

from logdocket.line import Context
from logdocket.reading.formats import Parser
from logdocket.reading.parts import Parts

ARRIVED = Context(received_at=datetime(2026, 6, 15, tzinfo=UTC))


class Found(NamedTuple):
    """The quotes; ``time`` is the value or, in its place, why there is none."""

    format: str
    time: str | None
    level: str | None
    severity: str | None
    basis: str | None
    name: str | None
    name_basis: str | None
    message: str
    inner: str | None


Find = Callable[[Parser, str], Found | None]


@pytest.fixture
def find() -> Find:
    """A parser's finding on one line that arrived on 15 June 2026.

    The line is read out of the middle of a longer text, so that no parser looks past its ends.
    """
    return _find


def _find(parser: Parser, line: str) -> Found | None:
    before, after = "«5: [", "]9 x: "
    text = f"{before}{line}{after}"
    parts = parser(text, len(before), len(before) + len(line), ARRIVED)
    return None if parts is None else _quoted(text, parts)


def _quoted(text: str, parts: Parts) -> Found:
    stamp, level, name, inner = parts.stamp, parts.level, parts.name, parts.inner
    why = None if stamp is None or stamp.why is None else stamp.why.value
    return Found(
        parts.format,
        None if stamp is None else stamp.value or why,
        None if level is None else text[level.start : level.end],
        None if level is None else level.value.value,
        None if level is None else level.basis.value,
        None if name is None else text[name.start : name.end],
        None if name is None else name.basis.value,
        text[slice(*parts.message)],
        None if inner is None else text[slice(*inner)],
    )
