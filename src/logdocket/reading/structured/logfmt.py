"""Pairs of ``key=value`` with a known key, as Go's loggers, Heroku's router and many others write.

Values stand bare or in quotes with escapes; ``\\"`` does for a quote where the pairs themselves
stand in a quoted string. Words between pairs belong to a bare message before them, and else are
stepped over.
"""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Context, Severity, SeverityBasis
from logdocket.reading import severity, timestamp
from logdocket.reading.parts import Parts, Stamp
from logdocket.reading.structured.fields import Fields, Found
from logdocket.reading.structured.keys import KEYS, Key, Role

_NAME: Final = r"[A-Za-z_@][\w.@/-]{0,63}+"
_FIRST: Final = re.compile(rf"[ \t]{{0,8}}+{_NAME}=(?!=)")
_PAIR: Final = re.compile(
    rf"[\s,;]*+(?:({_NAME})=(?!=)"
    r"(?:\"([^\"\\]*+(?:\\.[^\"\\]*+)*+)(\"?+)"
    r"|(?:\\\"((?:[^\\]++|\\(?!\"))*+)\\\"|'([^']*+)')"
    r"|([^\s\"]*+))"
    r"|(\S++)|\Z)",
    re.DOTALL,
)
_KEY, _DOUBLE, _CLOSED, _ESCAPED, _SINGLE, _UNQUOTED, _WORD = range(1, 8)

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
    parts = fields.parts(
        text, (start, end), context, "logfmt", None if message is None else message[1:3]
    )
    parts.stamp = parts.stamp or audit
    if not _sure(parts, message, words):
        return None
    if message is not None and text.startswith('{\\"', message[1], message[2]):
        parts.inner = message[1], message[2]
    elif parts.level is None:
        _judge_beside(text, start, end, parts)
    return parts


def _judge_beside(text: str, start: int, end: int, parts: Parts) -> None:
    """Where no level is stated, pairs beside the message tell how it went: ``errors=10``."""
    cue = severity.cue(text, start, end)
    first, last = parts.message
    if cue is None or cue.value is Severity.LOW or first <= cue.start < last:
        return
    parts.level = cue
    parts.message = start, end


def _sure(parts: Parts, message: Found | None, words: int) -> bool:
    if parts.stamp is not None or (message is not None and message[4] in _SAYS):
        return True
    if parts.level is not None and parts.level.basis is not SeverityBasis.PRIORITY:
        return True
    return words == 0 and (parts.name is not None or message is not None)


def _scan(text: str, start: int, end: int, fields: Fields) -> tuple[int, int]:
    """How many pairs there are, and how many words that belong to none."""
    known = KEYS.get
    pairs = words = 0
    # A bare message stays open for the words after it.
    telling: Key | None = None
    first = last = start
    for match in _PAIR.finditer(text, start, end):
        kind = match.lastindex
        if kind is None:
            break
        if kind == _WORD:
            if telling is None:
                words += 1
            else:
                last = match.end()
            continue
        if telling is not None:
            fields.add(telling, (first, last))
            telling = None
        pairs += 1
        key = known(match[_KEY])
        if key is None:
            continue
        span = match.span(kind if kind != _CLOSED else _DOUBLE)
        if kind == _UNQUOTED:
            first, last = span
            if text[last - 1] in ",;":
                last -= 1
            if key.role is Role.MESSAGE:
                telling = key
            elif last > first:
                fields.add(key, (first, last))
        elif kind != _CLOSED or match[_CLOSED] or key.role is Role.MESSAGE:
            fields.add(key, span)
    if telling is not None:
        fields.add(telling, (first, last))
    return pairs, words


def _audited(text: str, message: Found, context: Context) -> Stamp | None:
    """The time in ``msg=audit(1767366245.123:42):``, the Linux audit daemon's own."""
    match = _AUDIT.match(text, message[1], message[2])
    return None if match is None else timestamp.epoch(text, *match.span(1), context)
