"""Proxifier's log: month and day, the program that connects, and the address it connects to."""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Context, ServiceBasis
from logdocket.reading import timestamp
from logdocket.reading.infra.body import body
from logdocket.reading.parts import Name, Parts

_HEAD: Final = re.compile(
    r"\[(?P<stamp>\d\d\.\d\d \d\d:\d\d:\d\d)\] (?:[\w.: +-]{1,64}+\\){0,12}+"
    r"(?P<name>\w[\w.+ -]{0,63}?)(?: \*(?:32|64))? - "
    r"(?=\S{1,256}:\d{1,5} )"
)


def parse_proxifier(text: str, start: int, end: int, context: Context) -> Parts | None:
    """``[10.30 16:49:06] browser.exe *64 - host:port message``; the program is the name."""
    if text[start + 3 : start + 4] != "." or text[start + 15 : start + 16] != "]":
        return None
    found = _HEAD.match(text, start, end)
    if found is None:
        return None
    stamp = timestamp.at(text, *found.span("stamp"), context)
    name = Name(*found.span("name"), ServiceBasis.HEAD)
    return Parts("proxifier", body(text, found.end(), end, start), stamp, name=name)
