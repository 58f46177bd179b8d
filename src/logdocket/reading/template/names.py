"""Words of letters and digits: ids to mask, and names to keep."""

from __future__ import annotations

import re
from typing import Final

from logdocket.reading.template.masks import LARGE, LONG, Mask, known, slot
from logdocket.reading.template.tables import HARDWARE, JOINED_IDENTITIES
from logdocket.reading.template.tokens import UUID
from logdocket.reading.template.walk import Walk, telling

_PART: Final = re.compile(r"[^\W_]++")
_HEX_DIGITS: Final = frozenset("0123456789abcdefABCDEF")
_HEXADECIMAL: Final = re.compile(r"(?=[A-Fa-f]*+[0-9])(?=[0-9]*+[A-Fa-f])[0-9A-Fa-f]{6,}\Z")
_SHORT_HEXADECIMAL: Final = re.compile(
    r"(?=[a-f]*+[0-9])[0-9a-f]{2,}\Z|(?=[A-F]*+[0-9])[0-9A-F]{2,}\Z"
)
_CATALOGUED: Final = re.compile(r"[A-Z]{2,8}-[0-9]{1,6}\Z")
"""An error's number in its vendor's catalogue, such as ``ABC-00600``."""

_POD: Final = re.compile(r"[bcdfghjklmnpqrstvwxz2456789]{5}\Z")
"""The random tail that Kubernetes gives a pod's name, after its template's hash."""

_HASH: Final = re.compile(r"(?=[a-z]*[0-9])[bcdfghjklmnpqrstvwxz2456789]{8,10}\Z")
"""The hash of its template before that."""

_INSIDE: Final = re.compile(
    rf"(?<![^\W_])(?:(?P<uuid>{UUID})|(?P<time>(?:19|20)[0-9]{{2}}-[0-9]{{2}}-[0-9]{{2}}(?![^\W_]))"
    r"|(?P<ip>[0-9]{1,3}(?:-[0-9]{1,3}){3}(?![^\W_]|-[0-9])))"
)
"""What may stand whole inside a joined word."""

_NOUN: Final = re.compile(r"([A-Za-z]{2,16})([0-9]{1,12})(?![^\W_])")
"""A noun and its number in one run, such as ``piece0``."""

_SHORTEST_WHOLE: Final = 7
_SHORT_NAME: Final = 3
_LONG_ID: Final = 16
_FEWEST_DIGITS: Final = 4


def hexadecimal(text: str, start: int, end: int) -> Mask | None:
    """The mask of ``0x…``: a long one says which one, a short one is an ordinary number."""
    if end - start < 3 or text[start] != "0" or text[start + 1] not in "xX":
        return None
    digits = text[start + 2 : end]
    if not _HEX_DIGITS.issuperset(digits):
        return None
    if digits.strip("0") and len(digits) >= LONG:
        return Mask(start, end, "<hex>", "<hex>", LARGE)
    return Mask(start, end, None, "<hex>", str(int(digits[-LONG:], 16)))


def run(text: str, start: int, end: int) -> Mask | None:
    """The mask of one run of letters and digits that is an id; None when it is none."""
    word = text[start:end]
    if _HEXADECIMAL.match(word):
        return known(start, end, "<hex>")
    if end - start >= _LONG_ID and sum(map(str.isdigit, word)) >= _FEWEST_DIGITS:
        return known(start, end, "<id>")
    return None


def numbered(walk: Walk, start: int, end: int) -> Mask | None:
    """The mask of the number joined to a noun in one run, ``piece0``; None where it is a name's."""
    noun = _NOUN.match(walk.text, start, end)
    if noun is None:
        return None
    if noun[1].lower() in JOINED_IDENTITIES:
        return known(noun.start(2), end, "<id>")
    if walk.nodes and walk.in_head(start):
        return known(start if len(noun[1]) <= _SHORT_NAME else noun.start(2), end, "<id>")
    if walk.nodes and not telling(noun[1]):
        return slot(walk.text, noun.start(2), end)  # a node beside the line's own
    return None


def part_of_machine(walk: Walk, place: int) -> Mask | None:
    """The mask of a letter with a number, where a noun of parts stands beside: ``slot J16``."""
    text, (_, start, end) = walk.text, walk.tokens[place]
    if end - start > 5 or not text[start + 1 : end].isdigit():
        return None
    if text.startswith("}", end) and text[start].islower():
        return known(start, end, "<id>")  # `Record{3f2a9bc t76}`
    beside = (walk.key(place).lower(), walk.word(place + 1).lower())
    is_part = text[start].isupper() and not HARDWARE.isdisjoint(beside)
    return known(start, end, "<id>") if is_part else None


def joined(walk: Walk, place: int, found: list[Mask]) -> None:
    """Add the masks within parts joined by ``_`` and ``-``, from left to right.

    Once one part is an id, the numbers beside it are too: ``attempt_1445144423722_0020_000001``.
    """
    _, start, end = walk.tokens[place]
    if _CATALOGUED.match(walk.text, start, end):
        return
    at = start
    if end - start >= _SHORTEST_WHOLE:
        for inside in _INSIDE.finditer(walk.text, start, end):
            _parts(walk, at, inside.start(), found)
            found.append(known(*inside.span(), f"<{inside.lastgroup}>"))
            at = inside.end()
    _parts(walk, at, end, found)


def _parts(walk: Walk, start: int, end: int, found: list[Mask]) -> None:
    """Add the masks of joined parts with nothing whole inside."""
    if start == end:
        return
    words, places = _split(walk.text, start, end)
    masks = [_part(walk, word, *place) for word, place in zip(words, places, strict=True)]
    hexed = [mask is not None and mask.sure == "<hex>" for mask in masks]
    nouns = [False, *(word.lower() in JOINED_IDENTITIES for word in words)]
    is_id = (
        any(mask is not None and mask.number is None for mask in masks)
        or any(noun and word.isdigit() for noun, word in zip(nouns, words, strict=False))
        or (walk.nodes and walk.in_head(start))
    )
    several = "_" in walk.text[start:end] and sum(map(_has_digit, words)) >= 2
    beside_hex = any(hexed)
    bare = all(not word or word.isdigit() for word in words)
    for index, (word, (first, last)) in enumerate(zip(words, places, strict=True)):
        mask = masks[index]
        if word.isdigit():
            if index and telling(words[index - 1]):
                continue  # `ERR_100001`
            if is_id:
                found.append(known(_signed(walk.text, first, start), last, "<id>"))
            elif several or bare:
                found.append(slot(walk.text, first, last))
        elif mask is not None:
            found.append(mask)
        elif beside_hex and _SHORT_HEXADECIMAL.match(word):
            found.append(known(first, last, "<hex>"))
        elif _is_pod(words, index, hexed=index > 0 and hexed[index - 1]):
            found.append(known(first, last, "<id>"))
        elif walk.nodes and index and _has_digit(word) and not telling(words[index - 1]):
            found.append(slot(walk.text, first, last))
        elif several and (tail := _NOUN.match(word)) is not None:
            found.append(slot(walk.text, first + tail.start(2), last))


def _is_pod(words: list[str], index: int, *, hexed: bool) -> bool:
    """Whether a part is the random tail of a pod's name, or the hash before that."""
    if _POD.match(words[index]):
        return index > 0 and (hexed or _HASH.match(words[index - 1]) is not None)
    if _HASH.match(words[index]) is None or index + 2 != len(words):
        return False
    return _POD.match(words[index + 1]) is not None


def _split(text: str, start: int, end: int) -> tuple[list[str], list[tuple[int, int]]]:
    """The parts and where they stand."""
    words = []
    places = []
    for part in _PART.finditer(text, start, end):
        words.append(part[0])
        places.append(part.span())
    return words, places


def _part(walk: Walk, word: str, start: int, end: int) -> Mask | None:
    """The mask of one part that is an id by itself."""
    if not _has_digit(word):
        return None
    if word.isdigit():
        return known(start, end, "<id>") if end - start >= LONG else None
    mask = run(walk.text, start, end) or numbered(walk, start, end)
    if mask is None and (tail := _NOUN.match(word)) is not None and len(tail[2]) > LONG:
        return known(start + tail.start(2), end, "<id>")
    return mask


def _signed(text: str, first: int, start: int) -> int:
    """Where a negative id begins: its sign goes with it."""
    if first - 2 >= start and text[first - 1] == "-" and text[first - 2] in "_-":
        return first - 1
    return first


def _has_digit(word: str) -> bool:
    return not word.isalpha() and any(map(str.isdigit, word))
