"""Words of letters and digits: ids to mask, and names to keep."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from logdocket.reading.template.masks import LARGE, Mask, known, slot
from logdocket.reading.template.tables import JOINED_IDENTITIES
from logdocket.reading.template.tokens import UUID

_JOINT: Final = re.compile(r"([_-]++)")
_HEXADECIMAL: Final = re.compile(r"(?=[A-Fa-f]*+[0-9])(?=[0-9]*+[A-Fa-f])[0-9A-Fa-f]{6,}\Z")
_SHORT_HEXADECIMAL: Final = re.compile(
    r"(?=[a-f]*+[0-9])[0-9a-f]{2,}\Z|(?=[A-F]*+[0-9])[0-9A-F]{2,}\Z"
)
_ZERO_X: Final = re.compile(r"0[xX][0-9A-Fa-f]+\Z")
_CATALOGUED: Final = re.compile(r"[A-Z]{2,8}-[0-9]{1,6}\Z")
"""An error's number in its vendor's catalogue, such as ``ABC-00600``."""

_POD: Final = re.compile(r"[bcdfghjklmnpqrstvwxz2456789]{5}\Z")
"""The random tail that Kubernetes gives a pod's name, after its template's hash."""

_INSIDE: Final = re.compile(
    rf"(?<![^\W_])(?:(?P<uuid>{UUID})|(?P<time>(?:19|20)[0-9]{{2}}-[0-9]{{2}}-[0-9]{{2}}(?![^\W_]))"
    r"|(?P<ip>[0-9]{1,3}(?:-[0-9]{1,3}){3}(?![^\W_]|-[0-9])))"
)
"""What may stand whole inside a joined word."""

_NOUN: Final = re.compile(r"([A-Za-z]{2,16})([0-9]{1,12})\Z")
_LONG_ID: Final = 16
_FEWEST_DIGITS: Final = 4


def hexadecimal(text: str, start: int, end: int) -> Mask | None:
    """The mask of ``0x…``: a long one says which one, a short one is an ordinary number."""
    word = text[start:end]
    if _ZERO_X.match(word) is None:
        return None
    value = word[2:].lstrip("0")
    if not value:
        return Mask(start, end, None, "<hex>", "0x0")
    if len(word) - 2 >= 5:
        return Mask(start, end, "<hex>", "<hex>", LARGE)
    return Mask(start, end, None, "<hex>", word)


def run(text: str, start: int, end: int) -> Mask | None:
    """The mask of one run of letters and digits that is an id; None when it is none."""
    word = text[start:end]
    if _HEXADECIMAL.match(word):
        return known(start, end, "<hex>")
    if end - start >= _LONG_ID and sum(map(str.isdigit, word)) >= _FEWEST_DIGITS:
        return known(start, end, "<id>")
    noun = _NOUN.match(word)
    if noun is not None and noun[1].lower() in JOINED_IDENTITIES:
        return known(start + noun.start(2), end, "<id>")
    return None


def joined(text: str, start: int, end: int) -> Iterator[Mask]:
    """The masks within parts joined by ``_`` and ``-``, from left to right.

    Once one part is an id, the numbers beside it are too: ``attempt_1445144423722_0020_000001``.
    """
    if _CATALOGUED.match(text[start:end]):
        return
    at = start
    for inside in _INSIDE.finditer(text, start, end):
        yield from _parts(text, at, inside.start())
        yield known(*inside.span(), f"<{inside.lastgroup}>")
        at = inside.end()
    yield from _parts(text, at, end)


def _parts(text: str, start: int, end: int) -> Iterator[Mask]:
    """The masks of joined parts without anything whole inside."""
    if start == end:
        return
    parts = _JOINT.split(text[start:end])
    places = _places(parts, start)
    masks = [run(text, *place) or _digits(text, *place) for place in places]
    hexed = [mask is not None and mask.sure == "<hex>" for mask in masks]
    words = parts[::2]
    has_id = any(hexed) or any(mask is not None and mask.sure in ("<id>", LARGE) for mask in masks)
    several = sum(any(map(str.isdigit, word)) for word in words) >= 2 and "_" in text[start:end]
    for index, (first, last) in enumerate(places):
        word, mask = words[index], masks[index]
        if not word:
            continue
        if word.isdigit():
            noun = index and words[index - 1].lower() in JOINED_IDENTITIES
            sign = first - (len(parts[2 * index - 1]) > 1) if index else first
            if has_id or noun:
                yield known(sign, last, "<id>")
            elif several or all(not part or part.isdigit() for part in words):
                yield slot(text, first, last)
        elif mask is not None:
            yield mask
        elif any(hexed) and _SHORT_HEXADECIMAL.match(word):
            yield known(first, last, "<hex>")
        elif index and hexed[index - 1] and _POD.match(word):
            yield known(first, last, "<id>")
        elif several and (tail := _NOUN.match(word)) is not None and "_" in text[start:end]:
            yield slot(text, first + tail.start(2), last)


def _digits(text: str, start: int, end: int) -> Mask | None:
    """The mask of a long number as one part."""
    return known(start, end, LARGE) if end - start >= 5 and text[start:end].isdigit() else None


def _places(parts: list[str], start: int) -> list[tuple[int, int]]:
    places = []
    for index, part in enumerate(parts):
        if index % 2 == 0:
            places.append((start, start + len(part)))
        start += len(part)
    return places
