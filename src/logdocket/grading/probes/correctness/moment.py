"""Whether two ways of writing a moment mean the same one."""

from __future__ import annotations

import datetime

__all__ = ["same_moment"]


def same_moment(written: str, told: object) -> bool:
    """Whether a ticket's ``told`` is the moment that a line has ``written``, to the second.

    As it was written, or in any other form of ISO 8601. Where the line gives no zone, the clock's
    face has to be the same; where the ticket gives none, it is taken for UTC.
    """
    if not isinstance(told, str):
        return False
    if told.strip() == written:
        return True
    line, ticket = _read(written), _read(told.strip())
    if line is None or ticket is None:
        return False
    if line.tzinfo is None:
        return line == ticket.replace(tzinfo=None)
    if ticket.tzinfo is None:
        ticket = ticket.replace(tzinfo=datetime.UTC)
    return line == ticket


def _read(text: str) -> datetime.datetime | None:
    try:
        return datetime.datetime.fromisoformat(text).replace(microsecond=0)
    except ValueError:
        return None
