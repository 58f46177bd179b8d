"""The commonest of syslog's records in one pattern: ``Jun 14 15:16:01 host app[pid]: message``,
perhaps with ``<PRI>`` before it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from logdocket.line import Context, ServiceBasis
from logdocket.reading import severity, timestamp
from logdocket.reading.infra import tag as tags
from logdocket.reading.infra.body import body
from logdocket.reading.parts import Name, Parts

FORMAT: Final = "syslog-3164"

NEAR: Final = 150
"""A Cisco head begins within so many characters, if at all."""

_RECORD: Final = re.compile(
    r"(?:<(?P<pri>\d{1,3})>)?(?P<month>[A-Z][a-z]{2}) [ \d]?\d (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d "
    r"(?P<host>[A-Za-z][\w.-]{0,63}+) "
    r"(?P<app>[A-Za-z][\w./-]{0,63}+)(?:\([^()\s]{1,64}+\))?(?:\[\d{1,10}+\])?: (?=[^\s\[])",
    re.ASCII,
)
_ZONE: Final = re.compile(r"(?:UTC|GMT|[A-Z]{1,3}[SD]T|CES?T)\Z")


def parse_classic(text: str, start: int, end: int, context: Context) -> Parts | None:
    """The parts of a record whose every piece has its plainest form, else None.

    The same parts as :func:`.parse_syslog_3164` gives, sooner; no other shape begins so.
    """
    record = _RECORD.match(text, start, end)
    if record is None:
        return None
    begin, host = record.start("month"), record.start("host")
    if text.find("%", begin, min(end, begin + NEAR)) >= 0:
        return None
    stamp = timestamp.month_day_at(text, begin, host - 1, context)
    name = _application(record["app"])
    if stamp is None or name is None or not _is_host(record["host"]):
        return None
    level = None
    if begin > start:
        level = tags.priority(text, start + 1, begin - 1)
        if level is None:
            return None
    first = record.start("app")
    message = body(text, record.end(), end, start)
    named = Name(first + name[0], first + name[1], ServiceBasis.APP)
    inner = message if message[0] >= record.end() else None
    return Parts(FORMAT, message, stamp, level, named, inner)


@lru_cache(maxsize=4096)
def _is_host(word: str) -> bool:
    """Whether a word between a time and a tag is neither a zone nor a level nor a facility."""
    if _ZONE.match(word) is not None or severity.word(word) is not None:
        return False
    return tags.facility(f"{word} ", 0, len(word) + 1)[0] is None


@lru_cache(maxsize=4096)
def _application(word: str) -> tuple[int, int] | None:
    """Where the name stands in an application's tag; None where it is no plain tag."""
    if tags.facility(f"{word}: ", 0, len(word) + 2)[0] is not None:
        return None
    name = tags.app_name(word, 0, len(word))
    return None if name is None else (name.start, name.end)
