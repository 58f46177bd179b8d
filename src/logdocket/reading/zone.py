"""Time zones, and the check of what a caller says beside a line.

Zone rules come only from the ``tzdata`` package, never from the operating system, so that the same
stamp has the same offset on any machine that runs the same lock.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from importlib.resources import files
from typing import Final
from zoneinfo import ZoneInfo

from logdocket.errors import BadContext
from logdocket.line import NO_CONTEXT, Context

MAX_WORD: Final = 200
"""Characters that a service or a label may have."""

MAX_LABELS: Final = 32

NOBODY: Final = "unknown"
"""What a ticket says where there is no name. Whoever writes it as a name has none either."""

_OFFSET: Final = re.compile(r"([+-])([01][0-9]|2[0-3]):([0-5][0-9])")
_ARRIVAL: Final = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt ]([0-9]{2}:[0-9]{2}):([0-9]{2})(?:\.([0-9]{1,18}))?"
    r"([Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
)
_UNPRINTABLE: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


@lru_cache(maxsize=1)
def zone_names() -> frozenset[str]:
    """The IANA names that a context may use, all that ``tzdata`` carries."""
    return frozenset(files("tzdata").joinpath("zones").read_text("ascii").split())


@lru_cache(maxsize=1024)
def zone(name: str) -> tzinfo:
    """The zone of an IANA name or of ``±HH:MM``.

    Raises:
        BadContext: the name is neither.
    """
    fixed = _OFFSET.fullmatch(name)
    if fixed is not None:
        away = timedelta(hours=int(fixed[2]), minutes=int(fixed[3]))
        return timezone(-away if fixed[1] == "-" else away)
    if name not in zone_names():
        raise BadContext(
            f"timezone {_shown(name)} is no IANA name and no offset: send one such as "
            "Europe/Paris or +02:00"
        )
    with files("tzdata").joinpath("zoneinfo", *name.split("/")).open("rb") as rules:
        return ZoneInfo.from_file(rules, key=name)


def written(offset: timedelta | None) -> str | None:
    """``offset`` as ``Z`` or ``±HH:MM``; None when it has seconds."""
    if offset is None:
        return None
    minutes, rest = divmod(offset, timedelta(minutes=1))
    if rest:
        return None
    if minutes == 0:
        return "Z"
    hours, minutes = divmod(abs(minutes), 60)
    return f"{'-' if offset < timedelta(0) else '+'}{hours:02}:{minutes:02}"


def check_context(
    received_at: str | None = None,
    service: str | None = None,
    timezone: str | None = None,
    labels: Mapping[str, str] | None = None,
) -> Context:
    """The context that these values from outside make.

    ``received_at`` is RFC 3339 with an offset, cut to the microsecond; ``timezone`` an IANA name or
    ``±HH:MM``; ``service`` 1 to 200 printable characters; ``labels`` at most 32 words of at most
    200 characters each.

    Raises:
        BadContext: a value is none of these; the message names it.
    """
    if received_at is None and service is None and timezone is None and not labels:
        return NO_CONTEXT
    if timezone is not None:
        zone(_text("timezone", timezone))
    name = None if service is None else _word("service", service)
    return Context(
        received_at=None if received_at is None else arrival(received_at),
        service=None if name is not None and name.lower() == NOBODY else name,
        timezone=timezone,
        labels={} if labels is None else _labels(labels),
    )


def arrival(text: str) -> datetime:
    """The moment that an RFC 3339 text names, with the offset it was written in.

    A leap second is the second after it, since the calendar in use has none.

    Raises:
        BadContext: it is not RFC 3339, has no offset, or names no moment.
    """
    parts = _ARRIVAL.fullmatch(_text("received_at", text))
    if parts is None:
        raise BadContext(
            f"received_at {_shown(text)} is not RFC 3339 with an offset: send one such as "
            "2026-06-14T15:16:01Z"
        )
    day, minute, second, fraction, offset = parts.groups()
    leap = second == "60" and minute.endswith("59")
    micros = (fraction or "").ljust(6, "0")[:6]
    try:
        moment = datetime.fromisoformat(f"{day}T{minute}:{'59' if leap else second}.{micros}")
        moment += timedelta(seconds=1 if leap else 0)
    except (ValueError, OverflowError):
        raise BadContext(
            f"received_at {_shown(text)} names no moment: check its day and hour"
        ) from None
    return moment.replace(tzinfo=UTC if offset in "Zz" else zone(offset))


def _labels(labels: Mapping[str, str]) -> dict[str, str]:
    if len(labels) > MAX_LABELS:
        raise BadContext(f"there are {len(labels)} labels: send at most {MAX_LABELS}")
    return {_word("a label's name", name): _short("a label", labels[name]) for name in labels}


def _word(what: str, value: str) -> str:
    if not _short(what, value).strip():
        raise BadContext(f"{what} is blank: leave it out or name it")
    return value


def _short(what: str, value: str) -> str:
    if len(_text(what, value)) > MAX_WORD:
        raise BadContext(f"{what} has {len(value)} characters: send at most {MAX_WORD}")
    bad = _UNPRINTABLE.search(value)
    if bad is not None:
        raise BadContext(
            f"{what} holds U+{ord(bad[0]):04X} at character {bad.start()}: send printable text"
        )
    return value


def _text(what: str, value: object) -> str:
    if not isinstance(value, str):
        raise BadContext(f"{what} is a {type(value).__name__}: send text")
    return value


def _shown(value: str) -> str:
    """``value`` for a message: one line, ASCII, short."""
    return ascii(value if len(value) <= 40 else value[:40] + "...")
