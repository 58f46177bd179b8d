"""The time of day and its zone: the shared end of every pattern, and what it means.

A pattern that ends in :data:`CLOCK` gives six groups, a :data:`Clock`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, TypeAlias

Clock: TypeAlias = tuple[
    str,  # hour, one or two digits
    str,  # minute
    str | None,  # second
    str | None,  # fraction of a second, any number of digits
    str | None,  # A or P of a 12-hour clock
    str | None,  # zone, as written
]

# fmt: off
ABBREVIATIONS: Final = (
    "UTC", "GMT", "ACDT", "ACST", "ADT", "AEDT", "AEST", "AKDT", "AKST", "ART", "AST", "AWST",
    "BRST", "BRT", "BST", "CAT", "CDT", "CEST", "CET", "CLST", "CLT", "COT", "CST", "EAT", "ECT",
    "EDT", "EEST", "EET", "EST", "GST", "HDT", "HKT", "HST", "ICT", "IDT", "IST", "JST", "KST",
    "MDT", "MESZ", "MEZ", "MSD", "MSK", "MST", "MYT", "NDT", "NPT", "NST", "NZDT", "NZST", "PDT",
    "PET", "PHT", "PKT", "PST", "PYT", "SAST", "SGT", "SST", "UYT", "WAT", "WEST", "WET", "WIB",
    "WIT", "WITA",
)
# fmt: on
"""Zone abbreviations that logs carry. Only UTC and GMT name one offset: IST is three, CST four."""

ABBREVIATION: Final = rf"(?:{'|'.join(sorted(ABBREVIATIONS, reverse=True))})\b"

FRACTION: Final = r"(?:(?:[.,](?=\d)|:(?=\d{3}(?![\d:])))(\d++))?"
HALF: Final = "(?:[ \u202f]?([AaPp])(?:[Mm]\\b|\\.[ \u00a0\u202f]?[Mm]\\.))?"
ZONE: Final = (
    r"((?:[Zz]"
    r"| ?(?:UTC|GMT)(?:[+-]\d\d?(?::?\d\d)?)?"
    r"|[+-]\d\d(?::?\d\d)?"
    r"| [+-](?:[01]\d|2[0-3]):?[0-5]\d"
    r"| [+-](?:0\d|1[0-4])(?=\Z| \[|[\]:,]))\b"
    rf"(?: \(?{ABBREVIATION}\)?)?"
    r"(?:\[[A-Z][a-z]{2,9}/[A-Z][A-Za-z_/+-]{1,40}\])?)?"
    r"(?:(?: [+-]\d{2,4})? m=[+-]\d{1,12}\.\d{1,9})?"
)
"""An offset or UTC, with what Go, Java and mail write after it."""

TIME: Final = rf"(\d\d?):(\d\d)(?::(\d\d){FRACTION}|(?!:\d)){HALF}"
FULL_TIME: Final = rf"(\d\d?):(\d\d):(\d\d){FRACTION}{HALF}"
CLOCK: Final = rf"{TIME}{ZONE}(?!\w)"
FULL_CLOCK: Final = rf"{FULL_TIME}{ZONE}(?!\w)"
"""As :data:`CLOCK`, but seconds must stand."""

GAP: Final = r"(?:[Tt_\t:-]| {1,3}|, )"
"""What stands between a date of numbers and its time."""

_OFFSET: Final = re.compile(r"([+-])(\d\d?):?(\d\d)?", re.ASCII)


@lru_cache(maxsize=1024)
def offset(zone: str) -> str | None:
    """``zone`` as ``Z`` or ``±HH:MM``; None when it is past 23:59."""
    if zone in ("Z", "z"):
        return "Z"
    parts = _OFFSET.search(zone.partition("[")[0])
    if parts is None:
        return "Z"
    sign, hours, minutes = parts[1], f"{parts[2]:0>2}", parts[3] or "00"
    if hours > "23" or minutes > "59":
        return None
    return "Z" if hours == minutes == "00" else f"{sign}{hours}:{minutes}"


def on_24(hour: str, half: str) -> str | None:
    """The hour of a 24-hour clock, two digits.

    Writers that put AM or PM after a 24-hour clock are read too, where the two agree: 15 PM is 15,
    13 AM is None.
    """
    number = int(hour)
    if half in "Aa":
        return f"{number % 12:02}" if number <= 12 else None
    if number == 0 or number > 23:
        return None
    return f"{number + 12:02}" if number < 12 else hour


def is_leap_second(hour: str, minute: str, zone: str) -> bool:
    """Whether second 60 can stand there: only as the last of a UTC day (ITU-R TF.460-6).

    Without a zone (``""``) any hour may be that, in some whole-hour zone.
    """
    if not zone:
        return minute == "59"
    away = 0
    if zone != "Z":
        away = int(zone[1:3]) * 60 + int(zone[4:])
    here = int(hour) * 60 + int(minute)
    return (here + away if zone[0] == "-" else here - away) % 1440 == 1439
