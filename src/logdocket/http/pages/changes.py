"""What a person judges of a ticket, and what a verdict makes of it."""

from __future__ import annotations

from typing import Final

import msgspec

from logdocket.store.review import Fields

FIELDS: Final = (
    ("service", "Service"),
    ("severity", "Severity"),
    ("first_seen", "First seen"),
    ("evidence", "Evidence"),
)
"""What a person judges, as the page names it."""


class Change(msgspec.Struct, frozen=True):
    """What a verdict makes of one field."""

    title: str
    before: str
    after: str


def changes(before: Fields, after: Fields | None) -> list[Change]:
    """What a verdict makes of a ticket, field by field."""
    if after is None:
        return []
    return [
        Change(title, getattr(before, name), getattr(after, name))
        for name, title in FIELDS
        if getattr(before, name) != getattr(after, name)
    ]
