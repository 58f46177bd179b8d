"""What a number on its own is: which one, how many, or how bad."""

from __future__ import annotations

import re
from typing import Final

from logdocket.reading.template.masks import Mask, known, slot
from logdocket.reading.template.tables import (
    COUNTED,
    IDENTITIES,
    METHODS,
    PORTS,
    PROCESSES,
    SOURCES,
    UNITS,
    VERSIONS,
)
from logdocket.reading.template.walk import Walk, telling

_PARENT: Final = re.compile(r"/([A-Za-z_-]{1,32})/\Z")
_ID: Final = re.compile(r"[A-Za-z_-]{0,40}(?:[a-z](?:Id|ID)|[_-][iI][dD])\Z")


def number(walk: Walk, place: int) -> Mask | None:
    """The mask of a whole number or a fraction at ``place``; None to keep it."""
    text, token = walk.text, walk.tokens[place]
    start, end = token.start, token.end
    before = text[start - 1 : start] if start else ""
    if before == "/" and _in_path(text, start, end):
        return known(start, end, "<id>")
    if _in_version(text, start, end) or walk.is_ratio(place) or walk.is_code(place):
        return None
    if walk.is_counted(place):
        return None
    mark = identity(text, start, walk.key(place), walk.gap(place) or "")
    if mark is None and start < walk.head:
        mark = "<id>"
    if mark is not None:
        return known(start, end, mark)
    if walk.key(place).lower() in VERSIONS or _is_status(walk, place):
        return None
    return slot(text, start, end, kept=walk.is_tally(place))


def identity(text: str, start: int, key: str, gap: str) -> str | None:
    """The mark of a number that its key says to be which one; None when it does not."""
    if gap == "@":
        return "<id>"
    if not key:
        return None
    lower = key.lower()
    if lower in PORTS:
        return "<port>"
    if lower in PROCESSES:
        return "<pid>"
    if gap == "[" and text[start - 2 : start - 1].isalnum() and _is_tag(text, start):
        return "<pid>"
    if gap == ":" and lower in SOURCES and text[start - len(key) - 2 : start - len(key) - 1] == ".":
        return "<line>"
    if lower.endswith("uid") and text[start] == "0":
        return None  # the administrator's account
    if lower in IDENTITIES or (_ID.match(key) and not telling(key)):
        return "<id>"
    return None


def _is_tag(text: str, start: int) -> bool:
    end = start
    while end < len(text) and end - start < 8 and text[end].isdigit():
        end += 1
    return text.startswith("]:", end)


def _in_path(text: str, start: int, end: int) -> bool:
    """Whether a number is a whole segment of a path, and no code by the segment before it."""
    if end < len(text) and text[end] not in "/?# \"'":
        return False
    parent = _PARENT.search(text[max(0, start - 40) : start])
    return parent is not None and not telling(parent[1])


def _in_version(text: str, start: int, end: int) -> bool:
    """Whether the number is one of several parted by points, or stands behind a product's name."""
    if start > 1 and text[start - 1] == "." and text[start - 2].isdigit():
        return True
    if text[end : end + 1] == "." and text[end + 1 : end + 2].isdigit():
        return True
    return start > 1 and text[start - 1] == "/" and text[start - 2].isalpha()


def _is_status(walk: Walk, place: int) -> bool:
    """Whether a number of three digits is the first of them behind a request or its protocol."""
    token = walk.tokens[place]
    if token.end - token.start != 3 or walk.text[token.start] not in "12345":
        return False
    for earlier in range(place - 1, max(-1, place - 24), -1):
        other = walk.tokens[earlier]
        word = walk.text[other.start : other.end]
        if word in METHODS:
            return True
        if other.end - other.start == 3 and word.isdigit():
            return False
    return False


def quantity(walk: Walk, place: int) -> Mask | None:
    """The mask of the digits before a unit, ``160ms``; None when what stands there is none."""
    token = walk.tokens[place]
    word = walk.text[token.start : token.end]
    digits = len(word) - len(word.lstrip("0123456789"))
    unit = word[digits:]
    if not digits or not (unit.lower() in UNITS or (digits >= 5 and len(unit) <= 3)):
        return None
    if walk.is_code(place) or walk.is_counted(place) or walk.is_ratio(place):
        return None
    if unit.lower() in COUNTED:
        return None
    return slot(walk.text, token.start, token.start + digits)
