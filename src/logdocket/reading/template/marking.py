"""The masks of a line: one pass over its tokens, from left to right."""

from __future__ import annotations

import re
from typing import Final

from logdocket.reading.template import hosts, measures, names, numbers, paths, people
from logdocket.reading.template.masks import Mask, known, shown, slot
from logdocket.reading.template.tables import ID_KEYS, VERSIONS
from logdocket.reading.template.tokens import HELD, STAMP
from logdocket.reading.template.walk import Walk

_ID_KEY: Final = re.compile(r"([A-Za-z]{2,16})[_-]?(?:id|Id|ID|uuid)\Z")
_ID_VALUE: Final = re.compile(r"[\"']?+\ ?+[=:]\ ?+[\"']?+((?![\"'\ ])[\w.:/+-]++)")
_REMOTE: Final = re.compile(r"=([\w.:-]++)")
_FRACTION: Final = re.compile(r":[0-9]{1,3}(?![^\W_]|:)")
"""What a stamp's own reader may leave of it: a fraction behind a colon."""

_AGAIN: Final = re.compile(r"(?:, ?| )([A-Za-z_-]{0,16})\Z")
_MARKS: Final = {"time": "<time>", "date": "<time>", "location": "<id>", "ip6": "<ip>"}
"""The marks of kinds of tokens that are not called so themselves."""

_LISTED: Final = frozenset({"<id>", "<hex>", "<uuid>", "<ip>"})


def masks(walk: Walk) -> list[Mask]:
    """All masks of the line, in order and apart."""
    text = walk.text
    found: list[Mask] = []
    beside = hosts.named(walk)
    done = 0
    word = ""
    for place, (kind, start, end) in enumerate(walk.tokens):
        previous, word = word, text[start:end]
        if start < done or kind == HELD:
            continue
        keyed = previous in people.KEYS and kind in ("plain", "word")
        if start and text[start - 1] == "/" and (path := paths.file_path(walk, place, done)):
            found.append(_path(walk, place, *path))
            done = path[1]
        elif start in beside and beside[start] <= walk.free(place - 1):
            done = beside[start]
            found.append(known(start, done, "<host>"))
        elif keyed and (mask := people.account(walk, place)) is not None:
            found.append(mask)
            done = mask.end
        elif kind != "plain" or _may_be_key(word):
            _mark(walk, place, found)
            done = found[-1].end if found else 0
    return _listed(walk, found)


def _may_be_key(word: str) -> bool:
    return word[-1] in "dD" or word == "rhost"


def _path(walk: Walk, place: int, start: int, end: int) -> Mask:
    """The mask of a path of a file; the template masks only what it would mask without it."""
    inside: list[Mask] = []
    done = start
    while place < len(walk.tokens) and walk.tokens[place][1] < end:
        if walk.tokens[place][1] >= done and walk.tokens[place][0] != HELD:
            _mark(walk, place, inside)
            done = inside[-1].end if inside else start
        place += 1
    while inside and inside[-1].end > end:
        inside.pop()
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


def _mark(walk: Walk, place: int, found: list[Mask]) -> None:
    """Add the masks of the token at ``place``."""
    kind, start, end = walk.tokens[place]
    if kind == "word":
        _word(walk, place, found)
    elif kind == "plain":
        mask = _value(walk, place)
        if mask is not None:
            found.append(mask)
    elif kind == "number":
        mask = numbers.number(walk, place)
        if mask is not None:
            found.append(mask)
    elif kind == STAMP:
        fraction = _FRACTION.match(walk.text, end, walk.free(place))
        found.append(known(start, end if fraction is None else fraction.end(), "<time>"))
    elif kind == "ip":
        if walk.key(place).lower() not in VERSIONS:
            _address(walk.text, start, end, found)
    elif kind == "span":
        text = walk.text
        mask = names.run(text, start, end) or measures.duration(text, start, end)
        found.append(mask or slot(text, start, end))
    else:
        found.append(known(start, end, _MARKS.get(kind) or f"<{kind}>"))


def _address(text: str, start: int, end: int, found: list[Mask]) -> None:
    """An address and its port are two masks, with the mark between them."""
    point = max(text.find(":", start, end), text.find("#", start, end))
    if point < 0:
        found.append(known(start, end, "<ip>"))
    else:
        found.append(known(start, point, "<ip>"))
        found.append(known(point + 1, end, "<port>"))


def _word(walk: Walk, place: int, found: list[Mask]) -> None:
    """Add the masks of what letters and digits, ``_`` and ``-`` make up."""
    text, (_, start, end) = walk.text, walk.tokens[place]
    word = text[start:end]
    mask = None
    if word.isdigit():
        mask = numbers.number(walk, place) if word.isascii() else None
    elif not any(map(str.isdigit, word)):
        mask = _value(walk, place)
    elif not word.isalnum():
        names.joined(walk, place, found)
    elif not walk.is_code(place, walk.key(place)):
        mask = _run(walk, place)
    else:
        mask = names.numbered(walk, start, end)
    if mask is not None:
        found.append(mask)


def _run(walk: Walk, place: int) -> Mask | None:
    """The mask of letters and digits in one run that are no code."""
    text, (_, start, end) = walk.text, walk.tokens[place]
    return (
        names.hexadecimal(text, start, end)
        or names.run(text, start, end)
        or names.numbered(walk, start, end)
        or numbers.quantity(walk, place)
        or names.part_of_machine(walk, place)
    )


def _value(walk: Walk, place: int) -> Mask | None:
    """The mask of the value behind a key that says that it is an id, or the other end's host."""
    text, (_, start, end) = walk.text, walk.tokens[place]
    word = text[start:end]
    if word == "rhost":
        value = _REMOTE.match(text, end, walk.free(place))
        return None if value is None else known(*value.span(1), "<host>")
    if word[-1] not in "dD":
        return None
    key = _ID_KEY.match(word)
    if key is None or key[1].lower() not in ID_KEYS:
        return None
    value = _ID_VALUE.match(text, end, walk.free(place))
    if value is None or (value[1].isascii() and not any(map(str.isdigit, value[1]))):
        return None  # a name, or a word such as `none`
    return known(*value.span(1), "<id>")
