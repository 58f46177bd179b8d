"""What one log line itself says, by rules alone: no model, no clock, no memory."""

from typing import Final

from logdocket.reading.quoted import message_span, read_stamp
from logdocket.reading.read import read
from logdocket.reading.template import Cut, Place, cut, template
from logdocket.reading.zone import check_context

__all__ = [
    "RULES_VERSION",
    "Cut",
    "Place",
    "check_context",
    "cut",
    "message_span",
    "read",
    "read_stamp",
    "template",
]

RULES_VERSION: Final = 3
"""Grows with every change that can alter a reading, so that older answers are not reused."""
