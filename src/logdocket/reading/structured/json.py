"""One JSON object on a line, with the place of every value that is read.

The scanner does not build the object: it walks its tokens, keeps the places of values under known
keys, steps into the few nested objects that hold such keys and over all others. So a value is
quoted as it is written, escapes and all, and a record that was cut off at its end is read as far
as it goes. A value that the cut itself touches is read only where it is the message.

A record inside a JSON string (what Docker's json-file driver makes of JSON logs) is the same
object with ``\\"`` for quotes; it is read in place, by the same scanner with that quote.
"""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Context, SeverityBasis
from logdocket.reading.parts import Parts
from logdocket.reading.structured.fields import Fields
from logdocket.reading.structured.keys import KEYS, NESTS, TRANSPARENT, Key, Role

_DEEPEST: Final = 8
"""Objects within each other that are stepped into; OTLP needs seven."""

_INNER_RANK: Final = 1000
"""Added to the rank of what stands in an object that only carries the record."""

_LOG: Final = KEYS["log"]
_CARRIED: Final = Key(Role.MESSAGE, _INNER_RANK)
"""What a queue's or a stream's record holds under a key of its own: an object in a string."""

_ATTRIBUTES: Final = ("resource.attributes", "attributes")
"""OTLP's lists of keys and values, the resource's and the record's own."""

_OPENINGS: Final = ("{", "@", "[", "%")

# ``@cee:`` is what rsyslog and others put before JSON in a syslog message. Of a list of records the
# first is read.
_START: Final = re.compile(r"\s*+(?:@cee:\s*+|[\[%]\s*+)?+\{(?:\s|\\[nrt])*+")

# The groups of a token, told apart by the last one that matched.
_KEY, _CUT, _QUOTED, _OPENER, _LITERAL, _BARE, _CLOSER = range(1, 8)
_SIMPLE: Final = (_QUOTED, _LITERAL, _CUT)


class _Grammar:
    """JSON whose strings stand between ``quote``, in terms of regular expressions."""

    def __init__(self, quote: str, string: str, blank: str, lead: str) -> None:
        self.token = re.compile(
            rf"{lead}(?:{quote}({string}){quote}{blank}:{blank}"
            rf"(?:{quote}({string})({quote})?+|([{{\[])|([^\s,}}\]\"{{\[\\]++))"
            r"|([{\[])|([}\]])|.|\Z)",
            re.DOTALL,
        )
        self.brackets = re.compile(
            rf"(?:[^\[\]{{}}\"\\]++|{quote}{string}{quote}|(?!{quote})[\"\\])*+"
            r"(?:([{\[]++)|([}\]]++)|.|\Z)",
            re.DOTALL,
        )


_PLAIN: Final = _Grammar('"', r'[^"\\]*+(?:\\.[^"\\]*+)*+', r"\s*+", r"[\s,]*+")
_ESCAPED: Final = _Grammar(
    r"\\\"",
    r"(?:[^\"\\]++|\\\\(?:\\.|[^\\])|\\[^\"\\])*+",
    r"(?:\s|\\[nrt])*+",
    r"(?:[\s,]|\\[nrt])*+",
)

_TAMED: Final = re.compile(r"(?:[^\\]++|\\[\"/\\])*+")
"""A string whose escapes leave the words around them alone; ``\\t`` would grow onto one."""

_OTLP_SERVICE: Final = re.compile(
    r'service\.name\\?+"\s*+,\s*+\\?+"value\\?+"\s*+:\s*+\{\s*+'
    r'\\?+"stringValue\\?+"\s*+:\s*+\\?+"([^"\\]++)\\?+"'
)


def parse_json(text: str, start: int, end: int, context: Context) -> Parts | None:
    """The parts of the JSON object that begins at ``start``; None where none begins.

    Blanks around the object are allowed, and after it anything if the object has a known key. Of a
    key that is given twice the first counts: loggers write their own before the caller's.
    ``inner`` is set where the message is a record of its own, and its stretch reads as such.
    """
    opening = text[start] if start < end else ""
    if opening not in _OPENINGS and not opening.isspace():
        return None
    match = _START.match(text, start, end)
    if match is None:
        return None
    at = match.end()
    if text.startswith('"', at, end):
        grammar = _PLAIN
    elif text.startswith('\\"', at, end):
        grammar = _ESCAPED
    else:
        return None
    fields = Fields()
    closed = _scan(text, at, end, grammar, fields)
    if closed < 0 or (not fields.known() and not _blank(text, closed, end)):
        return None
    return _record(text, text.index("{", start), closed, context, fields)


def _blank(text: str, start: int, end: int) -> bool:
    return start >= end or text[start:end].isspace()


def _record(text: str, start: int, end: int, context: Context, fields: Fields) -> Parts:
    message = fields.message(text)
    if message is None:
        return fields.parts(text, (start, end), context, "json", None)
    _, first, last, _, key = message
    if text[last - 2] == "\\":
        last = _before_line_end(text, first, last)
    docker = key is _LOG and text.find('"stream', start, end) >= 0
    format = "docker-json" if docker else "json"
    parts = fields.parts(text, (start, end), context, format, (first, last))
    level = parts.level
    unstated = docker or level is None or level.basis is SeverityBasis.PRIORITY
    if text.startswith('{\\"', first, last) or (unstated and _TAMED.fullmatch(text, first, last)):
        parts.inner = (first, last)
    return parts


def _before_line_end(text: str, start: int, end: int) -> int:
    """Where a string ends without the escaped line end that closes it, unless that is all it is."""
    for escape in ("\\n", "\\r"):
        if text.endswith(escape, start + 1, end) and text[end - 3] != "\\":
            end -= 2
    return end


def _scan(text: str, at: int, end: int, grammar: _Grammar, fields: Fields) -> int:
    """Where the object that is open at ``at`` ends; -1 when it does not even begin as one.

    One pass, no recursion: the names of the open objects stand on a stack of few places, and what
    is deeper, or holds no known key, is stepped over.
    """
    known, keep = KEYS.get, fields.by_role
    stack: list[tuple[str, int]] = []
    prefix, outer = "", 0
    first = at
    while True:
        for match in grammar.token.finditer(text, at, end):
            kind = match.lastindex
            if kind in _SIMPLE:
                key = known(prefix + match[_KEY])
                if key is None:
                    if kind == _QUOTED and text.startswith('{\\"', match.start(_CUT)):
                        fields.add(_CARRIED, match.span(_CUT))
                elif kind == _QUOTED or _survives(kind, key, match.end(), end):
                    begin, stop = match.span(_LITERAL if kind == _LITERAL else _CUT)
                    keep[key[0]].append((key[1] + outer, begin, stop, kind != _LITERAL, key))
            elif kind == _CLOSER:
                if not stack:
                    return match.end()
                prefix, outer = stack.pop()
            elif kind is None or (kind == _BARE and not stack):
                return end if match.start() > first else -1
            else:
                name = prefix + match[_KEY] if kind == _OPENER else ""
                if (key := known(name)) is not None:
                    fields.add(key, match.span(kind), False, outer)
                inside = _inside(name, match[kind], prefix, outer)
                if inside is None or len(stack) == _DEEPEST:
                    at = _over(text, match.end(), end, grammar)
                    if name in _ATTRIBUTES:
                        _attributes(text, match.end(), at, fields)
                    break
                stack.append((prefix, outer))
                prefix, outer = inside


def _survives(kind: int, key: Key, last: int, end: int) -> bool:
    """Whether an unquoted value, or one that the line's end cuts, can still be believed."""
    return key.role is Role.MESSAGE if kind == _CUT else last < end


def _inside(name: str, bracket: str, prefix: str, outer: int) -> tuple[str, int] | None:
    """Prefix and rank for the keys of an object or list; None to step over it.

    Lists are entered only where they carry records, so that an object without a name is one.
    """
    if not name:
        return (prefix, outer) if bracket == "{" else None
    if name in TRANSPARENT:
        return "", outer + _INNER_RANK
    nest = NESTS.get(name) if bracket == "{" else None
    return None if nest is None else (nest + ".", outer)


def _over(text: str, at: int, end: int, grammar: _Grammar) -> int:
    """The place after the bracket that closes the one open before ``at``; ``end`` without one."""
    depth = 1
    for match in grammar.brackets.finditer(text, at, end):
        if match[1] is not None:
            depth += len(match[1])
        elif match[2] is None:
            break
        elif len(match[2]) >= depth:
            return match.start(2) + depth
        else:
            depth -= len(match[2])
    return end


def _attributes(text: str, start: int, end: int, fields: Fields) -> None:
    """Keep the service's name out of OTLP's list of resource attributes."""
    at = text.find("service.name", start, end)
    match = _OTLP_SERVICE.match(text, at, end) if at >= 0 else None
    if match is not None:
        fields.add(KEYS["service.name"], match.span(1))
