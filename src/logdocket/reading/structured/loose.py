"""Objects that are no JSON but name their fields: what programs print of their own values.

Python's dictionaries, Ruby's and Elixir's hashes and maps, JavaScript's objects as ``util.inspect``
shows them, Java's maps, Clojure's EDN, YAML in one line or in several, and JSON whose beginning was
cut off. Values stand in either quote or bare; what is nested ends the reading, which keeps what it
has.
"""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Context
from logdocket.reading.parts import Parts
from logdocket.reading.structured.fields import Fields
from logdocket.reading.structured.keys import KEYS, Role

_KEY: Final = r"(?:\"([\w.@-]{1,64}+)\"|'([\w.@-]{1,64}+)'|(:?[A-Za-z_@][\w.@-]{0,63}+))"
_TEXT: Final = r"\"([^\"\\]*+(?:\\.[^\"\\]*+)*+)\"|'([^'\\]*+(?:\\.[^'\\]*+)*+)'"
_GIVEN: Final = r"[ \t]*+(?:=>|[:=](?![:=]))[ \t]*+"

_OPENING: Final = re.compile(rf"%?\{{\s*+(?={_KEY}(?:[ \t]*+(?:=>|[:=])|[ \t]++[\"':\w]))")
_PAIR: Final = re.compile(
    rf"[\s,]*+{_KEY}{_GIVEN}(?:{_TEXT}|:?([^\s\"'{{}}\[\],][^{{}},\n]*+))", re.DOTALL
)
_EDN: Final = re.compile(
    rf"[\s,]*+()():([a-z][\w.*!?/-]{{0,63}}+)\s++(?:{_TEXT}|:?([^\s\"'{{}},]++))"
)
_LINE: Final = re.compile(
    r"(?:\s|- )*+()()([A-Za-z_@][\w.@-]{0,63}+): ++"
    rf"(?:{_TEXT}|([^\n\"'{{}}\[\]][^\n]*+))(?=[ \t\r]*+(?:\n|\Z))"
)
_TAIL: Final = re.compile(
    r"[^\"{}\[\]\\=\n]{0,256}(?:\"(?::\s*+(?:\"[^\"\\]*+\"|[^\s,\"{}\[\]]++))?+)?+"
    r",\s*+(?=\"[\w.@-]{1,64}\":)"
)
_VALUES: Final = 3
"""The first group of a pair that holds a value; those before it hold its key."""

_MOST_PAIRS: Final = 64
_ESSENTIAL: Final = (Role.TIME, Role.LEVEL, Role.MESSAGE, Role.SERVICE)
_LEAST: Final = 2


def parse_loose(text: str, start: int, end: int, context: Context) -> Parts | None:
    """The parts of the object that begins at ``start``; None where none surely begins.

    Sure is one that has a time or a level that is understood, and another known field.
    """
    first = text[start]
    if first == "{" or first == "%":
        opening = _OPENING.match(text, start, end)
        if opening is None:
            return None
        at = opening.end()
        pair = _PAIR if _PAIR.match(text, at, end) else _EDN
    elif text.find('":', start, end) > 0 and text[end - 1] == "}":
        tail = None if _PAIR.match(text, start, end) else _TAIL.match(text, start, end)
        at, pair = start if tail is None else tail.end(), _PAIR
    elif text.find("\n", start, end) > 0:
        at, pair = start, _LINE
    else:
        return None
    return _record(text, start, end, context, _scan(text, at, end, pair))


def _scan(text: str, at: int, end: int, pair: re.Pattern[str]) -> Fields:
    fields = Fields()
    for _ in range(_MOST_PAIRS):
        match = pair.match(text, at, end)
        if match is None:
            break
        at = match.end()
        value = match.lastindex or 0
        key = KEYS.get((match[1] or match[2] or match[3]).removeprefix(":"))
        first, last = match.span(value)
        if key is not None and first < last:
            last -= len(text[first:last]) - len(text[first:last].rstrip())
            fields.add(key, (first, last), value != _VALUES + 3 or not text[first].isdigit())
            if pair is _LINE and key.role is Role.MESSAGE and text[first - 1] not in "\"'":
                break  # What follows a bare message may be its own.
        elif key is None and not fields.known() and pair is _LINE:
            break
    return fields


def _record(text: str, start: int, end: int, context: Context, fields: Fields) -> Parts | None:
    if sum(bool(fields.by_role[role]) for role in _ESSENTIAL) < _LEAST:
        return None
    message = fields.message(text)
    span = None if message is None else message[1:3]
    parts = fields.parts(text, (start, end), context, "object", span)
    return None if parts.stamp is None and parts.level is None else parts
