"""What a number on its own is: which one, how many, or how bad."""

from __future__ import annotations

import re
from typing import Final

from logdocket.reading.template import measures
from logdocket.reading.template.masks import LONG, Mask, known, slot
from logdocket.reading.template.tables import (
    ANSWERS,
    COUNTED,
    IDENTITIES,
    METHODS,
    POINTED,
    PORTS,
    PROCESSES,
    SOURCES,
    STATUS_WORDS,
    UNITS,
    VERSIONS,
)
from logdocket.reading.template.tokens import HELD, STAMP
from logdocket.reading.template.walk import Walk, telling

_ID_DIGITS: Final = 20
"""Digits from which on a number is an id like those in hexadecimal: no counter has so many."""

_HUGE: Final = 7
_LONGEST_PREFIX: Final = 32
"""Up to which a number behind an address is the length of a network's prefix."""

_REQUEST: Final = re.compile(r"\b(?:GET|POST|PUT|DELETE|HEAD|PATCH|OPTIONS|HTTP)\b")
_PARENT: Final = re.compile(r"/([A-Za-z_-]{1,32})/\Z")
_ID: Final = re.compile(r"[A-Za-z_-]{0,40}(?:[a-z](?:Id|ID)|[_-][iI][dD])\Z")
_LAST: Final = re.compile(r"[A-Z][a-z]{1,20}\Z")
"""The last word of a name such as ``PacketResponder``."""

_STATUS: Final = re.compile(r"[1-5][0-9]{2}(?![0-9.,]?[0-9])")
_NOUN: Final = re.compile(r" ([a-z]{2,20})")
_SUBWORDED: Final = 40
_JOINTS: Final = (".", "#", " #")


def number(walk: Walk, place: int) -> Mask | None:
    """The mask of a whole number or a fraction at ``place``; None to keep it."""
    text, (_, start, end) = walk.text, walk.tokens[place]
    if start and text[start - 1] == "/" and _in_path(text, start, end):
        return known(start, end, "<id>")
    if _ends_address(walk, place):
        return known(start, end, "<port>") if int(text[start:end]) > _LONGEST_PREFIX else None
    if _in_version(walk, place) or walk.is_ratio(place) or walk.is_percentage(place):
        return None
    if _ends_name(walk, place) or _is_priority(text, start, end):
        return None
    key = walk.key(place)
    if walk.is_code(place, key):
        return _huge_count(text, start, end, key)
    mark = _identity(walk, place, key)
    if mark == "<id>" and (walk.has_unit(place) or _opens_message(walk, place)):
        mark = None
    if mark is None and walk.is_counted(place):
        return None
    if mark is None and _is_id_in_head(walk, place):
        if _is_status(walk, place, key) or _may_be_status(walk, start, end):
            return None
        mark = "<id>"
    if mark is not None:
        return known(start, end, mark)
    if _is_status(walk, place, key):
        return None
    return _ordinary(walk, place, key)


def _ordinary(walk: Walk, place: int, key: str) -> Mask | None:
    """The mask of a number that nothing tells to be which one or how bad."""
    text, (kind, start, end) = walk.text, walk.tokens[place]
    if kind == "number":
        if key.lower() in VERSIONS:
            return None
        measured = measures.duration_behind(text, start, end)
        if measured is not None:
            return measured
    elif _is_hexadecimal(text, start, end):
        return known(start, end, "<hex>")
    measured = measures.size(text, start, end, walk.free(place))
    if measured is not None:
        return measured
    mask = slot(text, start, end)
    if walk.has_unit(place) or not _seems_status(walk, place):
        return mask
    # What holds for one class of statuses says nothing of another.
    return mask._replace(wide=f"<{text[start]}nn>")


def _seems_status(walk: Walk, place: int) -> bool:
    """Whether a number with no word to tell it may yet be a status: ``health check 503``, but not
    ``503 tables read``.
    """
    text, (_, start, end) = walk.text, walk.tokens[place]
    if _STATUS.match(text, start, end) is None or "=" in (walk.gap(place) or ""):
        return False
    counted = _NOUN.match(text, end)
    return counted is None or counted[1] in STATUS_WORDS


def _is_hexadecimal(text: str, start: int, end: int) -> bool:
    """Whether digits alone are one of the ids that most often have letters too."""
    if end - start >= _ID_DIGITS or (text[start] == "0" and end - start > LONG):
        return True
    return end - start > LONG and start > 1 and text[start - 1] == "{" and text[start - 2].isalpha()


def _huge_count(text: str, start: int, end: int, key: str) -> Mask | None:
    """The wide mask of a count of failures in the millions, ``exceptions (12345678)``."""
    if end - start < _HUGE or not key.endswith("s") or key.lower() not in COUNTED:
        return None
    return slot(text, start, end)


def _identity(walk: Walk, place: int, key: str) -> str | None:
    """The mark of a number that its key says to be which one; None when it does not."""
    text, start, gap = walk.text, walk.tokens[place][1], walk.gap(place)
    if gap == "@":
        return "<id>"
    if gap == "]:" and walk.tokens[place - 1][0] in ("ip", "ip6"):
        return "<port>"
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
    if lower in IDENTITIES or _ID.match(key):
        return "<id>"
    if gap in _JOINTS and lower in POINTED:
        return "<id>"
    if not key.islower() and (noun := _LAST.search(key[-_SUBWORDED:])) is not None:
        return "<id>" if noun[0].lower() in IDENTITIES else None  # `PacketResponder 1`
    return None


def _opens_message(walk: Walk, place: int) -> bool:
    """Whether what seems a noun of identity is the logger: ``shop.Worker: 3 sessions left``."""
    gap = walk.gap(place) or ""
    if not gap.startswith(":"):
        return False
    named = walk.tokens[place - 1][0] == HELD and _ID.match(walk.key(place)) is None
    return named or walk.is_counted(place)


def _is_tag(text: str, start: int) -> bool:
    """Whether a number in brackets is the process's in a syslog tag, ``name[123]:``."""
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


def _in_version(walk: Walk, place: int) -> bool:
    """Whether the number is one of several parted by points, or stands behind a product's name."""
    text, (_, start, end) = walk.text, walk.tokens[place]
    if start > 1 and text[start - 1] == "." and text[start - 2].isdigit():
        return True
    if text.startswith(".", end) and text[end + 1 : end + 2].isdigit():
        ahead = walk.tokens[place + 1][0] if place + 1 < len(walk.tokens) else ""
        return ahead not in ("time", STAMP)  # `app.log.1.2026-06-14`
    return start > 1 and text[start - 1] == "/" and text[start - 2].isalpha()


def _is_id_in_head(walk: Walk, place: int) -> bool:
    """Whether a whole number before the message is one of a process, a thread, a line of source.

    In a request's record it is not: those measure.
    """
    kind, start, _ = walk.tokens[place]
    return kind != "number" and not walk.answered and walk.in_head(start)


def _ends_address(walk: Walk, place: int) -> bool:
    """Whether a number stands behind an address and a slash."""
    kind, _, last = walk.tokens[place - 1] if place else ("", 0, 0)
    _, start, end = walk.tokens[place]
    if kind != "ip" or last != start - 1 or walk.text[last] != "/":
        return False
    return end - start <= LONG and walk.text[start:end].isdigit()


def _is_priority(text: str, start: int, end: int) -> bool:
    """Whether a number is a syslog message's priority, ``<11>``."""
    return start == 1 and end <= 4 and text[0] == "<" and text.startswith(">", end)


def _ends_name(walk: Walk, place: int) -> bool:
    """Whether a number is joined to what the reading holds: ``%NAME-4-106023``."""
    kind, _, last = walk.tokens[place - 1] if place else ("", 0, 0)
    start = walk.tokens[place][1]
    return kind == HELD and last == start - 1 and walk.text[last] in "-_."


def _may_be_status(walk: Walk, start: int, end: int) -> bool:
    """Whether a number of three digits in the head of a request's line may be its status."""
    if (
        walk.answered
        or end - start != 3
        or walk.text[start - 1 : start] not in ("", " ", "|", "\t")
    ):
        return False
    return _REQUEST.search(walk.text) is not None


def _is_status(walk: Walk, place: int, key: str) -> bool:
    """Whether a number of three digits is the first of them behind a request or its protocol."""
    _, start, end = walk.tokens[place]
    if walk.answered or end - start != 3 or walk.text[start] not in "12345":
        return False
    if key.lower() in ANSWERS or walk.text.endswith("> ", 0, start):
        return not walk.has_unit(place)
    for earlier in range(place - 1, max(-1, place - 24), -1):
        _, first, last = walk.tokens[earlier]
        word = walk.text[first:last]
        if word in METHODS:
            return True
        if last - first == 3 and word.isdigit():
            return False
    return False


def quantity(walk: Walk, place: int) -> Mask | None:
    """The mask of a number with its unit right behind it, ``160ms``; None when there is none."""
    text, (_, start, end) = walk.text, walk.tokens[place]
    if not text[start].isdigit() or walk.is_percentage(place) or walk.is_counted(place):
        return None
    if walk.is_ratio(place):
        return None
    digits = start
    while digits < end and text[digits] in "0123456789":
        digits += 1
    unit = text[digits:end]
    if unit.lower() not in UNITS and (digits - start < LONG or len(unit) > 3):
        return None
    return (
        measures.size(text, start, digits, end)
        or measures.duration(text, start, end)
        or slot(text, start, digits)
    )
