"""The head that application loggers write before a message, read item by item.

Log4j, logback, Python, .NET, Rust, Go and most home-made layouts put the same few things in some
order before the message: a time, a level, a thread, a logger, a pid, with brackets, dashes, pipes
or columns between. The walk takes one item after another, for as long as they can belong to a
head, and never looks further than a bounded number of bounded items.
"""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Context, ServiceBasis
from logdocket.reading import severity
from logdocket.reading.apps.forms import WORD, form, loose_cost
from logdocket.reading.apps.found import Found, Rank
from logdocket.reading.apps.group import read_aside, read_group
from logdocket.reading.apps.names import BUDGET, before_level, take_module
from logdocket.reading.apps.unmarked import numbered
from logdocket.reading.apps.words import (
    bare_word,
    colon_word,
    joined,
    take_level,
    time_or_number,
)
from logdocket.reading.parts import Level, Parts

_MOST_ITEMS: Final = 24
_SKIP: Final = re.compile(r"(?:\s|\x1b\[[0-9;]{0,16}[A-Za-z]|\ufeff)*+")
_RUN: Final = re.compile(rf"(?: (?!:){WORD.pattern}){{1,{BUDGET + 1}}}+")
"""Words between single blanks, none of which a mark parts: as many as the budget may reach."""

_NUMBER: Final = re.compile(r"\d[\d.:/_+-]*+[A-Za-z]?\Z")
_FIELDS: Final = re.compile(r"\{[\w-]{0,64}+\}(?=\s)")
"""ClickHouse's query id, between the time and the level."""

_MARKS: Final = frozenset("[(<|,:;>")
_LOOSE: Final = Rank.LOOSE
_COLON: Final = Rank.COLON
_AFTER: Final = Rank.AFTER
_TRAILING_LOGGER: Final = re.compile(r"\(([A-Za-z_][\w$]{0,60}(?:\.[\w$]{1,60}){1,10})\)\Z")
_PADDED: Final = re.compile(r" \[([A-Za-z_]\w{0,60}(?:\.\w{1,60}){0,10})\](?= \w{1,60}=|\s*\Z)")
"""structlog's logger behind the event, where ``[warning  ]`` stands before it."""

_LAST_BUT_ONE: Final = re.compile(
    r" \| ([a-z][\w$]{0,60}(?:\.[\w$]{1,60}){2,10}) \| [\w ./:@#\[\]-]{1,60}\Z"
)
"""ActiveMQ's logger, with the thread behind it."""

_TRAILER_REACH: Final = 140
_LEVEL_REACH: Final = 64
"""How far behind a head without a level one may still stand."""


def parse_head(text: str, start: int, end: int, context: Context) -> Parts | None:
    """The parts of a line that opens with an application logger's head, else None."""
    return walk(Found(text, start, end, context, start, start), 0)


def walk(found: Found, taken: int) -> Parts | None:
    """The parts of a head from ``found.pos`` on, where ``taken`` items of it are read already."""
    text, end = found.text, found.end
    while taken < _MOST_ITEMS:
        if found.level is None and not found.named and (found.stamp is not None or found.loose):
            taken += _pass_unmarked(found, text, _MOST_ITEMS - taken)
            if found.cost > BUDGET or taken == _MOST_ITEMS:
                break
        taken += 1
        pos = found.pos
        if not (pos < end and "!" <= text[pos] <= "~"):
            pos = _skip(text, pos, end)
        if pos >= end or not _item(found, text, pos):
            break
    if found.stamp is None and not found.headed and found.rank < _COLON:
        return None
    return _parts(found)


def _skip(text: str, pos: int, end: int) -> int:
    """The next place that is no white space, escape sequence or byte order mark."""
    if pos < end and text[pos] == " ":
        pos += 1
    if pos >= end or " " < text[pos] < "\x7f":
        return pos
    skipped = _SKIP.match(text, pos, end)
    return skipped.end() if skipped else pos


def _pass_unmarked(found: Found, text: str, most: int) -> int:
    """Pass over at most ``most`` items ahead for as long as each is a number or a word between
    blanks that no more than its neighbours make head or message; how many they are.

    Columns before a level are such. :func:`_item` would do the same with each, at more cost.
    """
    pos, loose, cost = found.pos, found.loose, found.cost
    known = found.stamp is not None and found.stamp.value is not None
    run = _RUN.match(text, pos, found.end)
    if run is None:
        return 0
    words = run[0][1:].split(" ", most)[:most]
    passed = 0
    for word in words:
        stop = pos + 1 + len(word)
        if cost > BUDGET or text[stop : stop + 1] != " ":
            break
        if word[0].isdigit():
            if not known or len(word) == 3 or _NUMBER.match(word) is None:
                break
            cost += 1
            if not loose and cost <= BUDGET:
                found.settled = stop
        else:
            costs = loose_cost(word)
            if not costs or not text[stop + 1 : stop + 2].isalnum():
                break
            if not loose and found.headed:
                found.cost = cost
                before_level(found, pos + 1, stop, word, False)
                cost = found.cost
            else:
                loose.append((pos + 1, stop))
                cost += costs
        pos = stop
        passed += 1
    found.pos, found.cost = pos, cost
    return passed


def _item(found: Found, text: str, pos: int) -> bool:
    """Take the item at ``pos``; False when it belongs to the message."""
    char = text[pos]
    if char in _MARKS:
        if char == "[":
            return read_group(found, pos)
        if char in "(<":
            return read_aside(found, pos)
        return found.settle(pos + 1)
    if char == "{" and found.stamp is not None and found.level is None:
        fields = _FIELDS.match(text, pos, found.end)
        if fields is None:
            return False
        known_level = severity.word(text[pos + 1 : fields.end() - 1])
        if known_level is not None:
            found.take_level(pos + 1, fields.end() - 1, known_level)
        return found.settle(fields.end())
    match = WORD.match(text, pos, found.end)
    if match is None:
        return False
    word = match[0]
    stop = pos + len(word)
    if char.isdigit():
        taken = time_or_number(found, pos, stop, word)
        return _word(found, pos, stop, word) if taken is None else taken
    known = form(word)
    if known.telling:
        if known.separator:
            return found.settle(stop)
        if known.bare and found.level is None and known.severity is not None:
            found.take_level(pos, stop, known.severity)
            found.take_loose(_LOOSE)
            return found.confirm(stop)
        if known.timed:
            taken = time_or_number(found, pos, stop, word)
            if taken is not None:
                return taken
        return _word(found, pos, stop, word)
    if text.startswith(" ", stop) and text[stop + 1 : stop + 2].isalnum():  # nothing marks it
        if known.over or (known.mere and _is_message(found, text, stop, word)):
            return word == "in" and take_module(found, stop)
        if not found.headed and not found.named:
            return found.wait(pos, stop, known.cost, BUDGET)
    return bare_word(found, pos, stop, word)


def _is_message(found: Found, text: str, stop: int, word: str) -> bool:
    """Whether a word that is no name by its form begins the message: the time and the level are
    known, and nothing behind it makes it a name.
    """
    known = found.level is not None and found.stamp is not None
    return known and "/" not in word and not numbered(text, stop)


def _word(found: Found, pos: int, stop: int, word: str) -> bool:
    """Take a word that may be a level or a name with its colon."""
    if word[-1] == ":":
        return colon_word(found, pos, stop, word)
    if found.level is None:
        if take_level(found, pos, stop, word):
            return True
        if ":" in word and joined(found, pos, word):
            return found.pos == stop and found.stamp is None
    return bare_word(found, pos, stop, word)


def _parts(found: Found) -> Parts:
    text, end = found.text, found.end
    start = _skip(text, found.settled, end)
    inner = None
    partial = found.level is None or found.name is None or found.stamp is None
    if partial and _is_record(text, start, end):
        inner = (start, end)
    if found.level is None:
        if inner is None and not found.named:
            found.level = severity.stated(text, start, min(end, start + _LEVEL_REACH))
    elif found.name is None and _is_padded(text, found.level):
        padded = _PADDED.search(text, start, min(end, start + _TRAILER_REACH))
        if padded is not None:
            found.offer(Rank.TRAILER, *padded.span(1), ServiceBasis.LOGGER)
    elif found.name is None and text.startswith("|", found.level.end + 1):
        column = _LAST_BUT_ONE.search(text, max(start, end - _TRAILER_REACH), end)
        if column is not None:
            found.offer(Rank.TRAILER, *column.span(1), ServiceBasis.LOGGER)
    elif found.rank < _AFTER and text[end - 1] == ")":
        trailer = _TRAILING_LOGGER.search(text, max(start, end - _TRAILER_REACH), end)
        if trailer is not None:
            found.offer(Rank.TRAILER, *trailer.span(1), ServiceBasis.LOGGER)
    shape = "app" if found.headed or inner is not None else "plain"
    return Parts(shape, (start, end), found.stamp, found.level, found.name, inner)


def _is_padded(text: str, level: Level) -> bool:
    """Whether a level stands as in ``[warning  ]``."""
    return text.startswith(" ", level.end) and text.startswith("[", level.start - 1)


def _is_record(text: str, start: int, end: int) -> bool:
    """Whether a message looks like a record of its own: an object, or ``key=value``."""
    if start >= end:
        return False
    if text[start] == "{":
        return text[end - 1] == "}"
    word = WORD.match(text, start, end)
    return word is not None and text[word.end() : word.end() + 1] == "="
