"""The strict timestamp grammar: what a stretch of a line names as a moment, or why none.

Values are ISO 8601: ``YYYY-MM-DDTHH:MM:SS``, the fraction as written, and ``Z`` or ``±HH:MM`` where
the stamp or the context has a zone. Nothing is guessed: order, century, year and zone come from
the text or the context, or the stamp has a typed reason and no value. No function raises on any
text; positions are characters, ``end`` bounds what is read.
"""

from logdocket.reading.timestamp.epoch import epoch
from logdocket.reading.timestamp.named import ctime_at, month_day_at
from logdocket.reading.timestamp.reader import at, joined, search, whole
from logdocket.reading.timestamp.source import chromium_at, klog_at, logcat_at, uptime_at

__all__ = [
    "at",
    "chromium_at",
    "ctime_at",
    "epoch",
    "joined",
    "klog_at",
    "logcat_at",
    "month_day_at",
    "search",
    "uptime_at",
    "whole",
]
