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
from logdocket.reading.structured.fields import Fields, Found
from logdocket.reading.structured.keys import KEYS, NESTS, TRANSPARENT, Key, Role

_DEEPEST: Final = 8
"""Objects within each other that are stepped into; OTLP needs seven."""

_INNER_RANK: Final = 1000
"""Added to the rank of what stands in an object that only carries the record."""

# ``@cee:`` is what rsyslog and others put before JSON in a syslog message.
_START: Final = re.compile(r"\s*+(?:@cee:\s*+)?+\{(?:\s|\\[nrt])*+")

# The groups of a token, told apart by the last one that matched.
_KEY, _CUT, _QUOTED, _OPENER, _LITERAL, _BARE, _CLOSER = range(1, 8)


class _Grammar:
    """JSON whose strings are rows of ``character`` between ``quote``."""

    def __init__(self, quote: str, character: str, blank: str) -> None:
        string = f"{quote}(?:{character})*+{quote}"
        self.token = re.compile(
            rf"(?:{blank}|,)*+(?:{quote}((?:{character})*+){quote}{blank}*+:{blank}*+"
            rf"(?:{quote}((?:{character})*+)({quote})?+|([{{\[])|([^\s,}}\]\"{{\[\\]++))"
            r"|([{\[])|([}\]])|.|\Z)",
            re.DOTALL,
        )
        self.brackets = re.compile(
            rf"(?:[^\[\]{{}}\"\\]++|{string}|(?!{quote})[\"\\])*+(?:([{{\[]++)|([}}\]]++)|.|\Z)",
            re.DOTALL,
        )


_PLAIN: Final = _Grammar('"', r'[^"\\]++|\\.', r"\s")
_ESCAPED: Final = _Grammar(r"\\\"", r"[^\"\\]++|\\\\(?:\\.|[^\\])|\\[^\"\\]", r"(?:\s|\\[nrt])")

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
    if opening != "{" and opening != "@" and not opening.isspace():
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
    docker = message[4] is KEYS["log"] and text.find('"stream', start, end) >= 0
    message = _without_line_end(text, message)
    format = "docker-json" if docker else "json"
    parts = fields.parts(text, (start, end), context, format, message)
    _, first, last, _, _ = message
    unstated = parts.level is None or parts.level.basis is SeverityBasis.PRIORITY
    if text.startswith('{\\"', first, last) or (
        (docker or unstated) and _TAMED.fullmatch(text, first, last)
    ):
        parts.inner = (first, last)
    return parts


def _without_line_end(text: str, message: Found) -> Found:
    """``message`` without the escaped line end that closes it, unless that is all it is."""
    rank, start, end, quoted, key = message
    for escape in ("\\n", "\\r"):
        if text.endswith(escape, start + 1, end) and text[end - 3] != "\\":
            end -= 2
    return rank, start, end, quoted, key


def _scan(text: str, at: int, end: int, grammar: _Grammar, fields: Fields) -> int:
    """Where the object that is open at ``at`` ends; -1 when it does not even begin as one.

    One pass, no recursion: the names of the open objects stand on a stack of few places, and what
    is deeper, or holds no known key, is stepped over.
    """
    stack: list[tuple[str, int]] = []
    prefix, outer = "", 0
    begun = False
    while True:
        stepped_over = at
        for match in grammar.token.finditer(text, at, end):
            kind = match.lastindex
            if kind == _CLOSER:
                if not stack:
                    return match.end()
                prefix, outer = stack.pop()
            elif kind is None or (kind == _BARE and not stack):
                return end if begun else -1
            elif kind == _BARE or kind == _OPENER:
                begun = True
                name = prefix + match[_KEY] if kind == _OPENER else ""
                if kind == _OPENER and (key := KEYS.get(name)) is not None:
                    fields.add(key, *match.span(kind), quoted=False, outer=outer)
                inside = _inside(name, match[kind], prefix, outer)
                if inside is None or len(stack) == _DEEPEST:
                    at = _over(text, match.end(), end, grammar)
                    _attributes(text, match.end(), at, name, fields)
                    break
                stack.append((prefix, outer))
                prefix, outer = inside
            else:
                begun = True
                key = KEYS.get(prefix + match[_KEY] if prefix else match[_KEY])
                if key is not None:
                    _keep(fields, key, match, end, outer)
        if at == stepped_over:
            return end


def _keep(fields: Fields, key: Key, match: re.Match[str], end: int, outer: int) -> None:
    """Keep a string, number or word under a known key, unless the line's cut falsified it."""
    if match[_QUOTED] is not None:
        fields.add(key, *match.span(_CUT), quoted=True, outer=outer)
    elif match[_LITERAL] is not None:
        if match.end() < end:
            fields.add(key, *match.span(_LITERAL), quoted=False, outer=outer)
    elif key.role is Role.MESSAGE:
        fields.add(key, *match.span(_CUT), quoted=True, outer=outer)


def _inside(name: str, bracket: str, prefix: str, outer: int) -> tuple[str, int] | None:
    """Prefix and rank for the keys of an object or list; None to step over it.

    Lists are entered only where they carry records, so that an object without a name is one.
    """
    if not name:
        return (prefix, outer) if bracket == "{" else None
    if name in TRANSPARENT:
        return "", outer + _INNER_RANK
    if bracket == "{" and name in NESTS:
        return name + ".", outer
    return None


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


def _attributes(text: str, start: int, end: int, name: str, fields: Fields) -> None:
    """Keep the service's name out of OTLP's list of resource attributes."""
    if name != "resource.attributes":
        return
    at = text.find("service.name", start, end)
    match = _OTLP_SERVICE.match(text, at, end) if at >= 0 else None
    if match is not None:
        fields.add(KEYS["service.name"], *match.span(1), quoted=True)
