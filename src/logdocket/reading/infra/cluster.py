"""What supercomputers' collectors write: a node, a count of seconds, and a record of its own.

Two shapes: an alert tag, seconds, date and node before a syslog record; and columns of id, node,
component, state, seconds and flag before a message.
"""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Context, ServiceBasis
from logdocket.reading import timestamp
from logdocket.reading.infra.body import body
from logdocket.reading.parts import Name, Parts

_TAGGED: Final = re.compile(
    r"(?:-|[A-Z][A-Z0-9_-]{1,31}+) (?P<seconds>[12]\d{9}) \d{4}\.\d\d\.\d\d \S{1,128}+ "
    r"(?=[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d )",
    re.ASCII,
)
_COLUMNS: Final = re.compile(
    r"\d{1,12} \S{1,64}+ (?P<component>[a-z][\w.]{0,63}+) [a-z][\w.-]{0,63}+ "
    r"(?P<seconds>[12]\d{9}) \d{1,3} (?=\S)",
    re.ASCII,
)


def parse_cluster(text: str, start: int, end: int, context: Context) -> Parts | None:
    """A line of a supercomputer's log; the syslog record in it is given as ``inner``.

    The count of seconds is the time, for it alone names a moment.
    """
    if text[start : start + 1].isdecimal():
        return _columns(text, start, end, context)
    found = _TAGGED.match(text, start, end)
    if found is None:
        return None
    stamp = timestamp.epoch(text, *found.span("seconds"), context, "s")
    return Parts("cluster", (found.end(), end), stamp, inner=(found.end(), end))


def _columns(text: str, start: int, end: int, context: Context) -> Parts | None:
    """``id node component state seconds flag message``."""
    if text.find(" ", start, start + 13) < 0:
        return None
    found = _COLUMNS.match(text, start, end)
    if found is None:
        return None
    stamp = timestamp.epoch(text, *found.span("seconds"), context, "s")
    name = Name(*found.span("component"), ServiceBasis.LOGGER)
    return Parts("cluster", body(text, found.end(), end, start), stamp, name=name)
