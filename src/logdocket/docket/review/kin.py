"""Which lines one verdict answers: those of its template, with numbers of the same size."""

from __future__ import annotations

import logging
import re
from hashlib import sha256
from typing import Final

import msgspec

from logdocket.docket.judge import UNREAD
from logdocket.line import NO_CONTEXT, Context, Line, Reading
from logdocket.reading import RULES_VERSION, Cut, cut
from logdocket.ticket import UNKNOWN

_log = logging.getLogger("logdocket.docket")

KEY: Final = 16
"""Bytes that stand for a line, the first of its hash, or for a template."""

LOOK: Final = 4
"""Bytes of a template's key that stand for what its lines are read alike in: mostly they tell of a
line that it is of none that was taught, without its template, which costs as much as reading it."""


_MASK: Final = re.compile("<[a-z0-9]+>")
_SLOT: Final = re.compile("<(n|hex|path|size|span|[1-9]nn)>")
"""The marks of what only the wide form masks."""

_ORDINARY: Final = frozenset({"n", "size", "span"})
_NUMBER: Final = re.compile(r"([+-]?)([0-9]*)(?:[.,][0-9.,]*)?")
_SIGN: Final = "\0"
"""In place of a ``<`` of the line itself, which templates double."""


def template_key(line: Line, reading: Reading, context: Context) -> bytes | None:
    """16 bytes that stand for the template of ``line``, for how large its numbers are, and for what
    the caller knows beside it, times aside; the same under any configuration. None where the line
    has no template. Never raises.
    """
    found = template_of(line, reading, context, look_of(reading, context))
    return None if found is None else found[1]


def look_of(reading: Reading, context: Context) -> bytes:
    """What lines of one template are read alike in, and what the caller knows beside them."""
    known = b""
    if context is not NO_CONTEXT:
        known = msgspec.structs.replace(context, received_at=None, timezone=None).canonical()
    told = f"{RULES_VERSION} {reading.format} {reading.severity.value}\0{reading.service.value}\0"
    return sha256(told.encode("utf-8", "surrogateescape") + known).digest()[:LOOK]


def template_of(
    line: Line, reading: Reading, context: Context, look: bytes
) -> tuple[Cut, bytes] | None:
    """The line's template, and the key of its wide form with how large each number is that only
    that form masks.

    Whoever decides sees the wide form and has decided about it; a number of another size might
    still change what is to be said.
    """
    if reading.format == UNREAD:
        return None
    try:
        found = cut(line, reading, context)
    except Exception:  # noqa: BLE001 - logged, and the line is answered for itself
        line_hash = sha256(line.raw).hexdigest()
        _log.exception("no template was found", extra={"line_hash": line_hash})
        return None
    text = f"{found.wide}\0{_sizes(found)}".encode("utf-8", "surrogateescape")
    return found, look + sha256(look + text).digest()[: KEY - LOOK]


def _sizes(found: Cut) -> str:
    """What must be the same of the numbers that only the wide form masks: how many digits an
    ordinary one has; all of what may be a status, or is no number, such as a path."""
    marks = _SLOT.findall(found.wide.replace("<<", _SIGN))
    if len(marks) != len(found.numbers):
        return ",".join(found.numbers)
    return ",".join(map(_size, marks, found.numbers))


def _size(mark: str, number: str) -> str:
    ordinary = _NUMBER.fullmatch(number) if mark in _ORDINARY else None
    if ordinary is None:
        return number
    sign, whole = ordinary.groups()
    return f"{sign}{len(whole.lstrip('0'))}" if number.strip("+-0.,") else "0"


def named_in_all(found: Cut, context: Context, service: str) -> bool:
    """Whether the name stands in every line of the template, or beside it: what is masked differs
    from line to line."""
    if service in (UNKNOWN, context.service):
        return True
    fixed = _MASK.sub("\n", found.wide.replace("<<", _SIGN))
    return service.replace("<", _SIGN) in fixed
