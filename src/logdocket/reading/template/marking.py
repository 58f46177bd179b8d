"""The masks of a line: one pass over its tokens, from left to right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from logdocket.reading.template import hosts, measures, names, numbers, paths, people
from logdocket.reading.template.masks import Mask, known, shown, slot
from logdocket.reading.template.tables import ID_KEYS
from logdocket.reading.template.tokens import HELD, STAMP
from logdocket.reading.template.walk import Walk

_ID_KEY: Final = re.compile(r"([A-Za-z]{2,16})[_-]?(?:id|Id|ID|uuid)\Z")
_ID_VALUE: Final = re.compile(r"[\"']?+\ ?+[=:]\ ?+[\"']?+((?![\"'\ ])[\w.:/+-]++)")
_REMOTE: Final = re.compile(r"=([\w.:-]++)")
_FRACTION: Final = re.compile(r":[0-9]{1,3}(?![^\W_]|:)")
"""What a stamp's own reader may leave of it: a fraction behind a colon."""

_AGAIN: Final = re.compile(r"(?:, ?| )([A-Za-z_-]{0,16})\Z")
_LISTED: Final = frozenset({"<id>", "<hex>", "<uuid>", "<ip>"})


def masks(walk: Walk) -> list[Mask]:
    """All masks of the line, in order and apart."""
    text = walk.text
    found: list[Mask] = []
    beside = hosts.named(walk)
    done = 0
    before = ""
    for place, token in enumerate(walk.tokens):
        kind, start, end = token
        word, before = before, text[start:end]
        if start < done:
            continue
        if start and text[start - 1] == "/" and (path := paths.file_path(walk, place, done)):
            found.append(_path(walk, place, *path))
            done = path[1]
        elif start in beside and beside[start] <= walk.free(place - 1):
            done = beside[start]
            found.append(known(start, done, "<host>"))
        elif kind == "plain" and not (word in people.KEYS or _may_be_key(before)):
            continue
        else:
            for mask in _token(walk, place):
                found.append(mask)
                done = mask.end
    return _listed(walk, found)


def _may_be_key(word: str) -> bool:
    return word[-1] in "dD" or word == "rhost"


def _path(walk: Walk, place: int, start: int, end: int) -> Mask:
    """The mask of a path of a file; the template masks only what it would mask without it."""
    inside: list[Mask] = []
    done = start
    while place < len(walk.tokens) and walk.tokens[place][1] < end:
        if walk.tokens[place][1] >= done:
            for mask in _token(walk, place):
                if mask.end <= end:
                    inside.append(mask)
                    done = mask.end
        place += 1
    path = shown(walk.text, start, end, inside)
    return Mask(start, end, path, "<path>", f"<path> {path}")


def _listed(walk: Walk, found: list[Mask]) -> list[Mask]:
    """The masks with those of a list of like ids as one: how many there are is not told."""
    listed: list[Mask] = []
    for mask in found:
        if listed and mask.sure in _LISTED and _continues(walk, listed[-1], mask):
            listed[-1] = listed[-1]._replace(end=mask.end)
        else:
            listed.append(mask)
    return listed


def _continues(walk: Walk, before: Mask, mask: Mask) -> bool:
    """Whether a mask follows one of its kind behind the same prefix: ``blk_1 blk_2``."""
    if before.sure != mask.sure or before.wide != mask.wide or mask.number is not None:
        return False
    between = _AGAIN.match(walk.text, before.end, mask.start)
    if between is None or before.number is not None:
        return False
    first = before.start - len(between[1])
    if not walk.text.startswith(between[1], first):
        return False
    if first > 0 and walk.text[first - 1] not in " ,[({=:":
        return False
    return not any(before.end <= start < mask.start for start in walk.held)


def _token(walk: Walk, place: int) -> Iterator[Mask]:
    kind, start, end = walk.tokens[place]
    if kind == "word":
        yield from _word(walk, place)
    elif kind == "plain":
        if (mask := people.account(walk, place)) is not None:
            yield mask
        else:
            yield from _value(walk, place)
    elif kind == "number":
        if (mask := numbers.number(walk, place)) is not None:
            yield mask
    elif kind == STAMP:
        fraction = _FRACTION.match(walk.text, end, walk.free(place))
        yield known(start, end if fraction is None else fraction.end(), "<time>")
    elif kind in ("time", "date"):
        yield known(start, end, "<time>")
    elif kind == "ip":
        if not walk.is_version(place):
            yield from _address(walk.text, start, end)
    elif kind == "span":
        yield measures.duration(walk.text, start, end) or slot(walk.text, start, end)
    elif kind == "location":
        yield known(start, end, "<id>")
    elif kind == "ip6":
        yield known(start, end, "<ip>")
    elif kind != HELD:
        yield known(start, end, f"<{kind}>")


def _address(text: str, start: int, end: int) -> Iterator[Mask]:
    """An address and its port are two masks, with the mark between them."""
    point = max(text.find(":", start, end), text.find("#", start, end))
    if point < 0:
        yield known(start, end, "<ip>")
    else:
        yield known(start, point, "<ip>")
        yield known(point + 1, end, "<port>")


def _word(walk: Walk, place: int) -> Iterator[Mask]:
    _, start, end = walk.tokens[place]
    text = walk.text
    word = text[start:end]
    mask = people.account(walk, place)
    if mask is not None:
        yield mask
    elif word.isdigit():
        if word.isascii() and (mask := numbers.number(walk, place)) is not None:
            yield mask
    elif not any(map(str.isdigit, word)):
        yield from _value(walk, place)
    elif not word.isalnum():
        yield from names.joined(walk, place)
    elif (mask := names.numbered(walk, start, end)) is not None:
        yield mask
    elif not walk.is_code(place):
        mask = (
            names.hexadecimal(text, start, end)
            or names.run(text, start, end)
            or numbers.quantity(walk, place)
            or names.part_of_machine(walk, place)
        )
        if mask is not None:
            yield mask


def _value(walk: Walk, place: int) -> Iterator[Mask]:
    """The value behind a key that says that it is an id, or the other end's host."""
    _, start, end = walk.tokens[place]
    word = walk.text[start:end]
    if word == "rhost":
        value = _REMOTE.match(walk.text, end, walk.free(place))
        if value is not None:
            yield known(*value.span(1), "<host>")
        return
    if word[-1] not in "dD":
        return
    key = _ID_KEY.match(word)
    if key is not None and key[1].lower() in ID_KEYS:
        value = _ID_VALUE.match(walk.text, end, walk.free(place))
        if value is not None:
            yield known(*value.span(1), "<id>")
