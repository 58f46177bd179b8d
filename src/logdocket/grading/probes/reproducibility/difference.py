"""Says how two outputs differ, in words that are the same whenever they differ in the same way."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any, Final

from logdocket.grading.sentence import listed

__all__ = ["difference"]

_NAMED: Final = 5
_WIDTH: Final = 120
_PART: Final = re.compile(r"([\s\"',;{}\[\]()=<>|]+)")
_ABSENT: Final = object()


def difference(one: bytes, other: bytes) -> str:
    """How ``one`` and ``other`` differ, as a sentence goes on after "they"; "" if they do not.

    What differs by chance or by the clock is not shown, for it would be another on each run: the
    names of the fields are, or the line with that left out.
    """
    if one == other:
        return ""
    mine, yours = (_lines(text) for text in (one, other))
    if sorted(mine) == sorted(yours):
        return "are the same lines in another order" if mine != yours else "end lines otherwise"
    if len(mine) != len(yours):
        return "are not of the same number of lines"
    whole = (_json("\n".join(mine)), _json("\n".join(yours)))
    pairs = [whole]
    if _ABSENT in whole:
        pairs = [(_json(a), _json(b)) for a, b in zip(mine, yours, strict=True)]
    if all(_ABSENT not in pair for pair in pairs):
        names = {name for a, b in pairs for name in _fields(a, b, "")}
        fields = [f"`{name}`" for name in sorted(names) if name]
        if fields:
            return f"differ in {listed(fields, _NAMED)}"
        return "differ in how the same JSON is written" if not names else "differ"
    a, b = next((a, b) for a, b in zip(mine, yours, strict=True) if a != b)
    return f"differ where … stands: `{_skeleton(a, b)}`"


def _lines(text: bytes) -> list[str]:
    return text.decode("utf-8", "replace").replace("\r\n", "\n").rstrip("\n").split("\n")


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return _ABSENT


def _fields(a: Any, b: Any, name: str) -> Iterator[str]:
    """The names of the fields in which two values differ."""
    if isinstance(a, dict) and isinstance(b, dict):
        for key in a.keys() | b.keys():
            yield from _fields(a.get(key, _ABSENT), b.get(key, _ABSENT), key)
    elif isinstance(a, list) and isinstance(b, list):
        for mine, yours in zip_longest(a, b, fillvalue=_ABSENT):
            yield from _fields(mine, yours, name)
    elif a != b or type(a) is not type(b):
        yield name


def _skeleton(a: str, b: str) -> str:
    """The line with what differs left out, and every number with it."""
    mine, yours = _PART.split(a), _PART.split(b)
    if len(mine) != len(yours):
        return "…"
    pairs = zip(mine, yours, strict=True)
    kept = "".join(x if x == y and not re.search(r"\d", x) else "…" for x, y in pairs)
    return kept[:_WIDTH].replace("`", "'")
