"""Stamps that only their source's own format makes clear: klog, logcat, Chromium, uptime."""

from __future__ import annotations

import re
from typing import Final, cast

from logdocket.line import Context, TimestampWhy
from logdocket.reading.parts import Stamp
from logdocket.reading.timestamp.clock import FULL_CLOCK, Clock
from logdocket.reading.timestamp.moment import settle
from logdocket.reading.timestamp.numeric import year_first_at
from logdocket.reading.timestamp.year import without_year

_KLOG: Final = re.compile(rf"[A-Z]?((\d{{4}})??(\d\d)(\d\d)) {{1,2}}{FULL_CLOCK}", re.ASCII)
_LOGCAT: Final = re.compile(rf"(\d\d-\d\d) {{1,2}}{FULL_CLOCK}", re.ASCII)
_CHROMIUM: Final = re.compile(r"(\d\d)(\d\d)/(\d\d)(\d\d)(\d\d)(?:\.(\d{1,9}))?(?!\w)", re.ASCII)
_UPTIME: Final = re.compile(r" {0,16}(\d{1,12}\.\d{1,9})(?![\w.])", re.ASCII)


def klog_at(text: str, pos: int, end: int, context: Context) -> Stamp | None:
    """``0614 15:16:01.123456``, month before day, or glog's ``20260614 15:16:01.123456``.

    ``pos`` may be at the level's letter, which is not part of the stamp.
    """
    found = _KLOG.match(text, pos, end)
    if found is None:
        return None
    _, year, month, dom = found.groups()[:4]
    clock, start, day = cast(Clock, found.groups()[4:]), found.start(1), f"{month}-{dom}"
    if year is not None:
        return settle(text, start, found.end(), end, f"{year}-{day}", clock, context)
    return without_year(text, start, found.end(), end, day, clock, context)


def logcat_at(text: str, pos: int, end: int, context: Context) -> Stamp | None:
    """``06-14 15:16:01.123``, month before day, or with a year in front."""
    found = _LOGCAT.match(text, pos, end)
    if found is None:
        return year_first_at(text, pos, end, context)
    clock = cast(Clock, found.groups()[1:])
    return without_year(text, pos, found.end(), end, found[1], clock, context)


def chromium_at(text: str, pos: int, end: int, context: Context) -> Stamp | None:
    """``0614/151601.250123``: month before day, and a time without colons."""
    found = _CHROMIUM.match(text, pos, end)
    if found is None:
        return None
    month, dom, hour, minute, second, fraction = found.groups()
    clock = (hour, minute, second, fraction, None, None)
    return without_year(text, pos, found.end(), end, f"{month}-{dom}", clock, context)


def uptime_at(text: str, pos: int, end: int, context: Context) -> Stamp | None:
    """``   12.345678``: seconds since boot, which name no date. Spaces in front are not part."""
    found = _UPTIME.match(text, pos, end)
    if found is None:
        return None
    return Stamp(found.start(1), found.end(1), None, TimestampWhy.NO_DATE)
