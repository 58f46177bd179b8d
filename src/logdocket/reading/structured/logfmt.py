"""Pairs of ``key=value`` with a known key, as Go's loggers, Heroku's router and many others write.

Values stand bare or in quotes with escapes; ``\\"`` does for a quote where the pairs themselves
stand in a quoted string. Words between pairs belong to a bare message before them, and else are
stepped over.
"""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Context, SeverityBasis
from logdocket.reading import timestamp
from logdocket.reading.parts import Parts, Stamp
from logdocket.reading.structured.fields import Fields, Found
from logdocket.reading.structured.keys import KEYS, Role

_NAME: Final = r"[A-Za-z_@][\w.@/-]{0,63}+=(?!=)"
_FIRST: Final = re.compile(rf"[ \t]{{0,8}}+{_NAME}")
_PAIR: Final = re.compile(
    rf"[\s,;]*+(?:({_NAME})"
    r"(?:\"((?:[^\"\\]++|\\.)*+)(\"?+)"
    r"|(?:\\\"((?:[^\\]++|\\(?!\"))*+)\\\"|'([^']*+)')"
    r"|([^\s\"]*+))"
    r"|\S++|\Z)",
    re.DOTALL,
)
_KEY, _DOUBLE, _CLOSED, _ESCAPED, _SINGLE, _UNQUOTED = range(1, 7)

_SAYS: Final = frozenset({KEYS["msg"], KEYS["message"]})
_AUDIT: Final = re.compile(r"audit\((\d{1,19}(?:\.\d{1,9})?)")


def parse_logfmt(text: str, start: int, end: int, context: Context) -> Parts | None:
    """The parts of the pairs that begin at ``start``; None where they are not surely a record's.

    Sure are two pairs or more of which one is a level that is understood, a time, a message, or the
    status of a request; or pairs and nothing else, with a service or an error among them. Of a key
    that is given twice the first counts.
    """
    if _FIRST.match(text, start, end) is None:
        return None
    fields = Fields()
    pairs, words = _scan(text, start, end, fields)
    if pairs < 2 or not fields.known():
        return None
    message = fields.message(text)
    audit = None if message is None else _audited(text, message, context)
    if audit is not None:
        message = None
    parts = fields.parts(text, (start, end), context, "logfmt", message)
    parts.stamp = parts.stamp or audit
    if not _sure(parts, message, words):
        return None
    if message is not None and text.startswith('{\\"', message[1], message[2]):
        parts.inner = message[1], message[2]
    return parts


def _sure(parts: Parts, message: Found | None, words: int) -> bool:
    if parts.stamp is not None or (message is not None and message[4] in _SAYS):
        return True
    if parts.level is not None and parts.level.basis is not SeverityBasis.PRIORITY:
        return True
    return words == 0 and (parts.name is not None or message is not None)


def _scan(text: str, start: int, end: int, fields: Fields) -> tuple[int, int]:
    """How many pairs there are, and how many words that belong to none."""
    pairs = words = 0
    told: list[int] = []
    told_key = None
    for match in _PAIR.finditer(text, start, end):
        kind = match.lastindex
        if kind is None:
            if match.end() == end and match.start() == end:
                break
            if told:
                told[1] = match.end()
            else:
                words += 1
            continue
        if told_key is not None:
            fields.add(told_key, told[0], told[1], quoted=True)
            told, told_key = [], None
        pairs += 1
        name = match[_KEY]
        key = KEYS.get(name[:-1])
        if key is None:
            continue
        first, last = match.span(_DOUBLE if kind == _CLOSED else kind)
        if kind == _UNQUOTED:
            while last > first and text[last - 1] in ",;":
                last -= 1
            if key.role is Role.MESSAGE:
                told, told_key = [first, last], key
                continue
        elif kind == _CLOSED and not match[_CLOSED] and key.role is not Role.MESSAGE:
            continue
        fields.add(key, first, last, quoted=True)
    if told_key is not None:
        fields.add(told_key, told[0], told[1], quoted=True)
    return pairs, words


def _audited(text: str, message: Found, context: Context) -> Stamp | None:
    """The time in ``msg=audit(1767366245.123:42):``, the Linux audit daemon's own."""
    match = _AUDIT.match(text, message[1], message[2])
    return None if match is None else timestamp.epoch(text, *match.span(1), context)
