"""The calendar: names of months and weekdays, and which days exist."""

from __future__ import annotations

from datetime import date, timedelta
from functools import lru_cache
from typing import Final

from logdocket.line import TimestampWhy

# fmt: off
_MONTH_NAMES: Final = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)
_WEEKDAY_NAMES: Final = (
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
)
# fmt: on

MONTHS: Final[dict[str, str]] = {
    **{name: f"{number:02}" for number, name in enumerate(_MONTH_NAMES, 1)},
    **{name[:3]: f"{number:02}" for number, name in enumerate(_MONTH_NAMES, 1)},
    **{name[:3].title(): f"{number:02}" for number, name in enumerate(_MONTH_NAMES, 1)},
    "sept": "09",
}
"""Two digits of the month by its English name, full or short, in small letters; and as ``Jun``."""

WEEKDAYS: Final[dict[str, int]] = {
    **{name: number for number, name in enumerate(_WEEKDAY_NAMES)},
    **{name[:3]: number for number, name in enumerate(_WEEKDAY_NAMES)},
    "tues": 1,
    "thur": 3,
    "thurs": 3,
}
"""Monday is 0, by the English name, full or short, in small letters."""


def _spellings(names: dict[str, object]) -> frozenset[str]:
    heads = {name[:3].lower() for name in names}
    return frozenset(spelt for head in heads for spelt in (head, head.title(), head.upper()))


MONTH_HEADS: Final = _spellings({**MONTHS})
WEEKDAY_HEADS: Final = _spellings({**WEEKDAYS})
"""The first three letters as they are written: all small, all capital, or one capital."""


@lru_cache(maxsize=4096)
def is_day(text: str) -> bool:
    """Whether ``YYYY-MM-DD`` is a day of the Gregorian calendar, years 1 to 9999."""
    return _day(text) is not None


@lru_cache(maxsize=4096)
def weekday(text: str) -> int | None:
    """The weekday of ``YYYY-MM-DD``, Monday 0; None when there is no such day."""
    day = _day(text)
    return None if day is None else day.weekday()


def day_after(text: str) -> str | None:
    """The day after ``YYYY-MM-DD``; None when either is not in the calendar."""
    day = _day(text)
    try:
        return None if day is None else (day + timedelta(days=1)).isoformat()
    except OverflowError:
        return None


def day_of_year(year: str, number: str) -> str | None:
    """The day that an ISO 8601 ordinal date names, such as 165 of 2026."""
    if year == "0000" or number == "000":
        return None
    try:
        day = date(int(year), 1, 1) + timedelta(days=int(number) - 1)
    except OverflowError:
        return None
    return day.isoformat() if day.year == int(year) else None


def day_of_week(year: str, week: str, number: str) -> str | None:
    """The day that an ISO 8601 week date names, such as day 7 of week 24 of 2026."""
    try:
        return date.fromisocalendar(int(year), int(week), int(number)).isoformat()
    except ValueError:
        return None


def in_order(first: str, second: str, year: str) -> str | TimestampWhy:
    """The day that ``first`` and ``second`` of ``year`` name, when only one order gives one.

    ``25/12/2026`` and ``12/25/2026`` are clear, so is ``03/03/2026``; ``03/04/2026`` is not.
    """
    day_first = f"{year}-{second:0>2}-{first:0>2}"
    month_first = f"{year}-{first:0>2}-{second:0>2}"
    if not is_day(month_first):
        return day_first if is_day(day_first) else TimestampWhy.IMPOSSIBLE
    if day_first != month_first and is_day(day_first):
        return TimestampWhy.AMBIGUOUS
    return month_first


@lru_cache(maxsize=4096)
def in_any_order(first: str, second: str, third: str) -> TimestampWhy:
    """Why three two-digit numbers name no one day: a century and an order would be a guess."""
    orders = ((first, second, third), (third, second, first), (third, first, second))
    some = any(is_day(f"20{year:0>2}-{month:0>2}-{day:0>2}") for year, month, day in orders)
    return TimestampWhy.AMBIGUOUS if some else TimestampWhy.IMPOSSIBLE


def in_either_order(first: str, month: str, last: str) -> TimestampWhy:
    """Why ``14-Jun-26`` names no one day: either number may be the year, of any century."""
    some = is_day(f"20{last:0>2}-{month}-{first:0>2}") or is_day(f"20{first:0>2}-{month}-{last}")
    return TimestampWhy.AMBIGUOUS if some else TimestampWhy.IMPOSSIBLE


def _day(text: str) -> date | None:
    try:
        return date(int(text[:4]), int(text[5:7]), int(text[8:]))
    except ValueError:
        return None
