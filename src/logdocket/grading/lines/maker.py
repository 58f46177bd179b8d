"""Makes lines, from a seed."""

from __future__ import annotations

import datetime
import itertools
import random
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from logdocket.grading.lines.family import FAMILIES, Family, family
from logdocket.grading.lines.line import LEVELS, Line
from logdocket.grading.lines.shapes import SHAPES, Shape, long
from logdocket.grading.lines.stamps import ISO, STAMPS

__all__ = ["Lines"]

_FIRST: Final = (
    "amber brisk copper dusty eager faint gentle hollow ivory jolly keen lively mellow narrow "
    "olive plain quiet rusty silver tender umber velvet windy young zesty"
).split()
_SECOND: Final = (
    "anchor basket candle desk engine falcon garden hammer island jacket kettle lantern meadow "
    "needle orchard pillow quarry ribbon saddle timber urchin valley walnut yarrow zipper"
).split()
_SERVICES: Final = (
    "billing checkout catalog ledgerd mailer invoices search-api auth-gw stock pricing"
).split()
_LEVELS: Final = ("FATAL", "ERROR", "WARN", "INFO")
_COMMON: Final = "and so it was tried again with what there is of it on the way there".split()
_CASE: Final[dict[str, Callable[[str], str]]] = {
    "upper": str.upper,
    "lower": str.lower,
    "title": str.title,
}
_UTC: Final = datetime.UTC
_PLACE: Final = re.compile("STAMP|LEVEL|SERVICE|MESSAGE")


class Lines:
    """Makes lines; the same ``seed`` makes the same ones in the same order."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._markers = self._all_markers()

    def _all_markers(self) -> Iterator[str]:
        pairs = [f"{a} {b}" for a, b in itertools.product(_FIRST, _SECOND)]
        self._random.shuffle(pairs)
        return iter(pairs)

    def marker(self) -> str:
        """Two words that were not given before; there are 625 such pairs."""
        return next(self._markers)

    def plain(self, *, level: str | None = None, service: str | None = None) -> Line:
        """A line that says all: time, level, service and message."""
        level = level or self._random.choice(_LEVELS)
        service = service or self._random.choice(_SERVICES)
        marker, stamp = self.marker(), self.stamp()
        message = f"the {marker} did not come back"
        return Line(
            text=f"{stamp} {level} {service}: {message}",
            marker=marker,
            service=service,
            severity=LEVELS[level],
            first_seen=stamp,
            message=message,
        )

    def each(self, shapes: Iterable[Shape] = SHAPES) -> tuple[Line, ...]:
        """A line of each shape; without ``shapes``, of the forty."""
        return tuple(self.shaped(shape) for shape in shapes)

    def long(self, kib: int) -> Line:
        """A plain line of ``kib`` KiB, which says what matters at its beginning."""
        return self.shaped(long(kib))

    def families(self) -> tuple[Family, ...]:
        """Lines that differ in one word, of each plan for them."""
        return tuple(
            family(plan, self.marker(), self.stamp(month=3), self.stamp(month=8))
            for plan in FAMILIES
        )

    def shaped(self, shape: Shape) -> Line:
        """A line of ``shape``."""
        marker = self.marker().replace(" ", shape.joint)
        level = self._random.choice(_LEVELS)
        service = self._random.choice(_SERVICES)
        stamp = STAMPS[shape.stamp](self._moment())
        message = shape.message.replace("MARKER", marker)
        put = {
            "STAMP": stamp,
            "LEVEL": _CASE[shape.case](level),
            "SERVICE": service,
            "MESSAGE": message,
        }
        timed = "STAMP" in shape.text
        return Line(
            text=self._padded(_PLACE.sub(lambda place: put[place[0]], shape.text), shape.size),
            marker=marker,
            service=service if "SERVICE" in shape.text else None,
            severity=LEVELS[level] if "LEVEL" in shape.text else None,
            first_seen=stamp if timed and shape.stamp in ISO else None,
            message=message,
            kind=shape.kind,
            timeless=not timed,
        )

    def stamp(self, month: int | None = None) -> str:
        """A moment of 2026 in UTC, as ISO 8601 writes it."""
        return STAMPS["utc"](self._moment(month))

    def _moment(self, month: int | None = None) -> datetime.datetime:
        r = self._random
        day = datetime.date(2026, month or r.randint(1, 9), r.randint(1, 28))
        time = datetime.time(r.randint(0, 23), r.randint(0, 59), r.randint(0, 59), tzinfo=_UTC)
        return datetime.datetime.combine(day, time).replace(microsecond=r.randint(1, 999) * 1000)

    def _padded(self, text: str, size: int) -> str:
        """``text`` and common words after it, up to ``size`` characters."""
        phrase = " " + " ".join(self._random.choices(_COMMON, k=64))
        return text + (phrase * (size // len(phrase) + 1))[: max(0, size - len(text))]
