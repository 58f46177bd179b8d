"""A line as tokens: times, addresses and ids whole, numbers, words; in one pass from left to right.

Every pattern is bounded or possessive and begins only where a word does: linear on any input.
"""

from __future__ import annotations

import re
from typing import Final

_END: Final = r"(?![^\W_])"
_CLOCK: Final = rf"[0-9]{{1,2}}:[0-9]{{2}}:[0-9]{{2}}(?:[.,:][0-9]{{1,9}})?+(?!:){_END}"
_ZONE: Final = r"(?:\ ?(?:[+-][0-9]{2}:?[0-9]{2}|UTC|GMT)\b)?"
_DAY: Final = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),?\ {1,2}"
_MONTH: Final = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_OCTET: Final = "(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])"
_HEX: Final = "[0-9A-Fa-f]"
_UNIT: Final = "(?:[kKMGT]i?[Bb]|[kKMGTB]|[mun\u00b5\u03bc]?s|[hmd])"

UUID: Final = rf"{_HEX}{{8}}(?:-{_HEX}{{4}}){{3}}-{_HEX}{{12}}{_END}"

_SHAPES: Final = {
    "date": rf"""
        (?=[A-Z])(?:
          {_DAY}[0-9]{{1,2}}[/\ -]{_MONTH}[/\ -][0-9]{{4}}{_END}(?:[:\ ]{_CLOCK}{_ZONE})?
        | (?:{_DAY})?{_MONTH}\ {{1,2}}[0-9]{{1,2}},?\ (?:[0-9]{{4}}\ )?
            {_CLOCK}(?:(?:\ [A-Z]{{3,4}})?\ [0-9]{{4}}(?![0-9]))?{_ZONE})""",
    "pid": r"(?<=<)[0-9]{1,9}(?:\.[0-9]{1,9}){2}(?=>)",
    "plain": r"[^\W\d_]++(?!\w|-|:[0-9A-Fa-f:])",
    "time": rf"""
        (?=[0-9])(?:
          (?:(?:19|20)[0-9]{{2}}(?P<dash>[-/])[0-9]{{1,2}}(?P=dash)[0-9]{{1,2}}
            |(?:19|20)[0-9]{{2}}\.[0-9]{{2}}\.[0-9]{{2}})
            (?:[T_:\ -]{{1,2}}[0-9]{{2}}[:.][0-9]{{2}}
               (?:[:.][0-9]{{2}}(?:[.,][0-9]{{1,9}})?+)?(?:Z\b|{_ZONE}))?{_END}(?!\.[0-9])
        | [0-9]{{2}}/[0-9]{{2}}/(?:[0-9]{{2}}\ {_CLOCK}|[0-9]{{4}}{_END}(?:\ {_CLOCK})?)
        | [0-9]{{8}}-[0-9]{{1,2}}:[0-9]{{1,2}}:[0-9]{{1,2}}(?::[0-9]{{1,3}})?{_END}
        | (?:{_DAY})?[0-9]{{1,2}}[/\ -]{_MONTH}[/\ -][0-9]{{4}}{_END}(?:[:\ ]{_CLOCK}{_ZONE})?
        | {_CLOCK}
        | [0-9]{{2}}:[0-5][0-9](?![:.]){_END})""",
    "mac": rf"{_HEX}{{2}}(?::{_HEX}{{2}}){{5,19}}{_END}(?!:)",
    "uuid": UUID,
    "ip": rf"{_OCTET}(?:\.{_OCTET}){{3}}{_END}(?!\.[0-9<])(?:[:\#][0-9]{{1,5}}(?![.:]){_END})?+",
    "ip6": rf"""
        (?={_HEX}{{0,4}}:)(?=[A-Fa-f:]{{0,39}}+[0-9])
        (?:::(?:[Ff]{{4}}:)?{_OCTET}(?:\.{_OCTET}){{3}}|{_HEX}{{1,4}}(?::{_HEX}{{1,4}}){{7}}
          |(?:{_HEX}{{1,4}}(?::{_HEX}{{1,4}}){{0,6}})?::(?:{_HEX}{{1,4}}(?::{_HEX}{{1,4}}){{0,6}})?)
        {_END}(?!:)""",
    "location": rf"""
        (?:[A-Z]{{1,2}}[0-9]{{1,3}}(?:[-:](?:[A-Z][0-9A-Z][0-9]{{0,2}}|[A-Z])){{2,9}}
          |[a-z][0-9]{{1,4}}-[0-9]{{0,3}}[a-z][0-9]{{1,3}}(?:-?[0-9]{{0,3}}[a-z][0-9]{{1,3}}){{0,6}}
        ){_END}(?![-_])""",
    "digest": r"(?:SHA(?:1|256|384|512)|MD5):[0-9A-Za-z+/:]{20,90}+=*+",
    "span": rf"(?:[0-9]++(?:\.[0-9]++)?+{_UNIT}){{2,6}}{_END}(?![-_])",
    "number": rf"""
        (?:[0-9]{{1,3}}(?:,[0-9]{{3}})++(?![0-9,])(?:\.[0-9]++)?+|[0-9]++\.[0-9]++(?!\.?[0-9]|-[0-9]))
        (?:[eE][+-]?[0-9]{{1,3}})?+(?={_UNIT}{_END}|(?![^\W_]))""",
    "word": r"[^\W_]++(?:[_-]-?+[^\W_]++)*+",
}
"""What a token may be, by name; at one place the first that fits is taken."""

_TOKEN: Final = re.compile(
    r"(?<![^\W_])(?=[^\W_]|:)(?:"
    + "|".join(f"(?P<{name}>{shape})" for name, shape in _SHAPES.items())
    + ")",
    re.VERBOSE,
)

HELD: Final = "held"
"""The kind of a stretch that the reading holds: it is kept."""
STAMP: Final = "stamp"
"""The kind of the record's own time, whatever its shape."""


Token = tuple[str, int, int]
"""A token of the line: its kind, a name of the table or one of the two above, and where it starts
and ends, in characters. A ``plain`` one is a word of letters alone.
"""


def tokens(text: str, end: int, fixed: list[Token]) -> list[Token]:
    """The tokens of ``text`` up to ``end``, with those that are ``fixed``, sorted and apart."""
    found: list[Token] = []
    at = 0
    for stretch in fixed:
        if stretch[1] > at:
            found += [
                (match.lastgroup or "", *match.span()) for match in _all(text, at, stretch[1])
            ]
        found.append(stretch)
        at = stretch[2]
    if at < end:
        found += [(match.lastgroup or "", *match.span()) for match in _all(text, at, end)]
    return found


_all: Final = _TOKEN.finditer
