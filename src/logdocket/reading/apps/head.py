"""The head that application loggers write before a message, read item by item.

Log4j, logback, Python, .NET, Rust, Go and most home-made layouts put the same few things in some
order before the message: a time, a level, a thread, a logger, a pid, with brackets, dashes, pipes
or columns between. The walk takes one item after another, for as long as they can belong to a
head, and never looks further than a bounded number of bounded items.
"""

from __future__ import annotations

import re
from operator import attrgetter
from typing import Final

from logdocket.line import Context, ServiceBasis, Severity, SeverityBasis
from logdocket.reading import service, severity, timestamp
from logdocket.reading.apps.found import Found, Rank
from logdocket.reading.apps.group import closing, read_group
from logdocket.reading.levels import BARE
from logdocket.reading.parts import Parts, Stamp
from logdocket.reading.structured.keys import KEYS, Role

# Seconds with or without a fraction, ms, µs or ns; a lower-case word after it would count things.
_EPOCH_COLUMN: Final = re.compile(
    r"(\d{10}(?:\.\d{1,9})?|\d{13}|\d{16}|\d{19})(?=[\s|,;\]][\s|]{0,16}+[^a-z\s])"
)
_MOST_ITEMS: Final = 20
_BUDGET: Final = 8
"""How much loose text may stand before a level: a plain word costs 3, any other token 1."""

_SKIP: Final = re.compile(r"(?:\s|\x1b\[[0-9;]{0,16}[A-Za-z]|\ufeff)*+")
_WORD: Final = re.compile(r"[^\s\x00-\x20\x7f\[\](){}<>|\"'`=,;!]{1,128}+")
_SEPARATORS: Final = frozenset("- -- --- – — : :: > >> => -> * ** # ~ . • / +".split())
_NUMBER: Final = re.compile(r"[#@]?[\d.,:/_+-]+[A-Za-z]?\Z")
_DELIMITER_AHEAD: Final = re.compile(r"[ \t]{0,64}+(?:\||(?:[-–—:>]{1,3}+)(?=\s|\Z))")
_COLUMN_AHEAD: Final = re.compile(r"\t|[ ]{2}")
_PID_AHEAD: Final = re.compile(r"(?:\([^()\s]{1,40}\))?(?:\[[\w.-]{1,24}\])?:?(?=\s|\Z)")
_SOURCE_POSITION: Final = re.compile(r"[\w./<>-]{1,120}?\.[a-z]{1,5}:\d{1,6}:?\Z")
_CLASS_FILE: Final = re.compile(r"([A-Z]\w{1,80}+)\.(?:java|scala|kt):")
_VALUE: Final = re.compile(r"=\"?([^\s\"|,;=\[\]]{1,128}+)\"?(?=[\s|,;\]]|\Z)")
_JOINED_NAME: Final = re.compile(r"([\w.$-]{1,128}+):")
_SPAN_FIELDS: Final = re.compile(r"\{[^{}]{0,512}+\}:?")
_TRAILING_LOGGER: Final = re.compile(r"\(([A-Za-z_][\w$]{0,60}(?:\.[\w$]{1,60}){1,10})\)\Z")
_ROOT: Final = "root"
"""The logger without a name: it stands where a service's would, and is none."""

_UNMARKED: Final = frozenset("trace debug info notice warn warning error ERR".split())
"""Levels that count right after the time with nothing to mark them as levels."""

_THREAD_LIKE: Final = frozenset({Rank.BEFORE, Rank.GROUP})
_MONTHS_AND_DAYS: Final = frozenset(
    "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec Mon Tue Wed Thu Fri Sat Sun".split()
)


def parse_head(text: str, start: int, end: int, context: Context) -> Parts | None:
    """The parts of a line that opens with an application logger's head, else None."""
    walk = _Walk(text, start, end, context)
    walk.run()
    return walk.parts()


class _Walk:
    """One walk along the head. ``settled`` is where the message starts by what is known so far;
    items after it are loose: head or message, as what follows them will tell.
    """

    __slots__ = ("context", "cost", "end", "found", "loose", "named", "pos", "settled", "start")

    def __init__(self, text: str, start: int, end: int, context: Context) -> None:
        self.found = Found(text)
        self.context = context
        self.start = self.pos = self.settled = start
        self.end = end
        self.loose: list[tuple[int, int]] = []
        self.cost = 0
        self.named = False

    def run(self) -> None:
        """Take items until one belongs to the message."""
        text, end = self.found.text, self.end
        for _ in range(_MOST_ITEMS):
            skipped = _SKIP.match(text, self.pos, end)
            self.pos = pos = skipped.end() if skipped else self.pos
            if pos >= end:
                break
            char = text[pos]
            if char == "[":
                going = self._bracket(pos)
            elif char in "|,:":
                going = self._settle(pos + 1)
            elif char in "(<":
                going = self._aside(pos)
            else:
                going = self._word(pos)
            if not going:
                break

    def parts(self) -> Parts | None:
        """What the walk found, or None when the line has no head."""
        found, text, end = self.found, self.found.text, self.end
        if not (found.headed or found.rank is Rank.COLON):
            return None
        if found.rank < Rank.AFTER and found.level is not None and text[end - 1] == ")":
            trailer = _TRAILING_LOGGER.search(text, max(self.settled, end - 140), end)
            if trailer is not None:
                found.offer(Rank.TRAILER, trailer.span(1), ServiceBasis.LOGGER)
        shape = "app" if found.headed else "plain"
        skipped = _SKIP.match(text, self.settled, end)
        self.settled = skipped.end() if skipped else self.settled
        parts = Parts(shape, (self.settled, end), found.stamp, found.level, found.name)
        if found.level is None and found.stamp is not None and self._record_follows():
            parts.inner = parts.message
        return parts

    def _record_follows(self) -> bool:
        """Whether the message looks like a record of its own: an object, or ``key=value``."""
        text, end = self.found.text, self.end
        pos = self.settled
        if pos >= end:
            return False
        if text[pos] == "{":
            return text[end - 1] == "}"
        word = _WORD.match(text, pos, end)
        return word is not None and text[word.end() : word.end() + 1] == "="

    def _settle(self, pos: int) -> bool:
        """All up to ``pos`` is head, unless loose tokens still wait to be told."""
        self.pos = pos
        if not self.loose:
            self.settled = pos
        return True

    def _confirm(self, pos: int) -> bool:
        """All up to ``pos`` is head, loose tokens too."""
        self.loose.clear()
        self.pos = self.settled = pos
        return True

    def _bracket(self, pos: int) -> bool:
        close = closing(self.found.text, pos, self.end)
        if close < 0:
            return False
        found = self.found
        had_level, had_stamp = found.level, found.stamp
        if not read_group(found, pos + 1, close, self.context, self.named):
            return False
        after = close + 1
        if self.found.text.startswith(":", after):
            after += 1
        if found.level is not had_level:
            self._take_loose()
            return self._confirm(after)
        return self._confirm(after) if found.stamp is not had_stamp else self._settle(after)

    def _aside(self, pos: int) -> bool:
        """Skip ``(thread)`` or ``<pid>`` where a head has begun."""
        text = self.found.text
        close = text.find(")" if text[pos] == "(" else ">", pos, min(pos + 64, self.end))
        if close < 0 or not self.found.headed or self.named:
            return False
        return self._settle(close + 1)

    def _word(self, pos: int) -> bool:
        text, found = self.found.text, self.found
        match = _WORD.match(text, pos, self.end)
        if match is None:
            return False
        stop = match.end()
        word = text[pos:stop]
        if word in _SEPARATORS:
            return self._settle(stop)
        if word[0].isdigit() or word[:3] in _MONTHS_AND_DAYS:
            taken = self._time_or_number(pos, stop, word)
            if taken is not None:
                return taken
        if word[-1] == ":" and len(word) > 1:
            return self._colon_word(pos, stop, word)
        if found.level is None:
            if self._take_level(pos, stop, word):
                return True
            if ":" in word and self._joined(pos, word):
                return False
        if self.named:
            return False
        return self._bare_word(pos, stop, word)

    def _time_or_number(self, pos: int, stop: int, word: str) -> bool | None:
        """Whether the walk goes on after a time or a number; None when the word is neither."""
        found, text = self.found, self.found.text
        if found.stamp is None or found.stamp.value is None or len(word) >= 8 or word[0].isalpha():
            stamp = timestamp.at(text, pos, self.end, self.context)
            if stamp is None and found.stamp is None and len(word) >= 10:
                stamp = self._epoch(pos)
            if stamp is not None and not (found.level is not None and found.stamp is not None):
                found.take_stamp(stamp)
                if len(self.loose) == 1:
                    self._take_loose(Rank.FIRST)
                return self._confirm(stamp.end)
        if self.named or _NUMBER.match(word) is None:
            return None
        self.cost += 1
        if self.cost > _BUDGET:
            return False
        if found.level is not None or found.stamp is None:
            self.loose.append((pos, stop))
            self.pos = stop
            return True
        return self._settle(stop)

    def _epoch(self, pos: int) -> Stamp | None:
        """A count of seconds where a column of its own makes it the record's time."""
        column = _EPOCH_COLUMN.match(self.found.text, pos, self.end)
        if column is None:
            return None
        return timestamp.epoch(self.found.text, pos, column.end(1), self.context)

    def _colon_word(self, pos: int, stop: int, word: str) -> bool:
        """``level:``, ``channel.LEVEL:``, ``name:`` or ``file.go:12:``."""
        found = self.found
        core = word[:-1]
        if found.level is None:
            value = severity.word(core)
            if value is not None:
                self._level_and_colon(pos, stop - 1, value)
                return self._confirm(stop)
            channel, dot, last = core.rpartition(".")
            value = severity.word(last) if dot and last.isupper() else None
            if value is not None:
                found.offer(Rank.COLON, (pos, pos + len(channel)), ServiceBasis.LOGGER)
                found.take_level(stop - 1 - len(last), stop - 1, value, SeverityBasis.LEVEL)
                self._confirm(stop)
                return False
            if self._joined(pos, word):
                return False
        if self.named:
            return False
        if _SOURCE_POSITION.match(word):
            return self._source_position(pos, stop)
        return self._name_head(pos, stop, stop)

    def _level_and_colon(self, pos: int, stop: int, value: Severity) -> None:
        """Take ``error:``, or ``Fatal error:`` where the word before it says it worse."""
        found = self.found
        if self.loose:
            before = self.loose[-1]
            worse = severity.word(found.text[before[0] : before[1]])
            if worse is not None:
                self.loose.pop()
                pos = before[0]
                value = max(value, worse, key=attrgetter("rank"))
        found.take_level(pos, stop, value, SeverityBasis.LEVEL)
        self._take_loose()

    def _name_head(self, pos: int, stop: int, after: int) -> bool:
        """Take ``name:`` or ``name[pid]:`` at ``pos``; a level may still follow it."""
        found = self.found
        place = service.trim(found.text, pos, stop)
        if place is None or (not found.headed and pos != self.start):
            return False
        if found.rank is not Rank.NONE and not self._outranks(found.text[place[0] : place[1]]):
            return False
        basis = ServiceBasis.HEAD if found.level is None else ServiceBasis.LOGGER
        found.offer(Rank.COLON, place, basis)
        self.named = True
        return self._confirm(after)

    def _outranks(self, name: str) -> bool:
        """Whether ``name:`` before the message says more than the name known from the head.

        The plain word before a colon may be the message's own first word.
        """
        if service.is_nested(name):
            return True
        rank = self.found.rank
        return rank <= Rank.FIRST or (rank in _THREAD_LIKE and name[0].isupper())

    def _take_level(self, pos: int, stop: int, word: str) -> bool:
        """Take a level word that its form or its neighbours mark as one."""
        found, text = self.found, self.found.text
        value = severity.word(word) if len(word) < 14 else None
        if value is None:
            if len(word) == 1 and found.headed and text.startswith("|", stop + 1):
                value = severity.letter(word)
            if value is None:
                return False
        marked = (
            (word.isupper() and word.lower() in BARE)
            or _DELIMITER_AHEAD.match(text, stop, self.end) is not None
            or _COLUMN_AHEAD.match(text, stop, self.end) is not None
        )
        if not marked and (found.stamp is None or self.loose or word not in _UNMARKED):
            return False
        found.take_level(pos, stop, value, SeverityBasis.LEVEL)
        if not marked and not word.isupper():
            return self._confirm(pos)
        self._take_loose()
        return self._confirm(stop)

    def _take_loose(self, rank: Rank = Rank.LOOSE) -> None:
        """The loose token right before a level or a time is a name when it looks like one."""
        if not self.loose:
            return
        place = service.trim(self.found.text, *self.loose[-1])
        if place is not None and not service.is_thread(self.found.text[place[0] : place[1]]):
            self.found.offer(rank, place, ServiceBasis.FIRST_TOKEN)

    def _joined(self, pos: int, word: str) -> bool:
        """Take ``LEVEL:name:message`` or ``LEVEL:message``, colons without spaces."""
        found = self.found
        first, _, _ = word.partition(":")
        value = severity.word(first) if 2 < len(first) < 14 else None
        if value is None:
            return False
        middle = pos + len(first) + 1
        found.take_level(pos, middle - 1, value, SeverityBasis.LEVEL)
        match = _JOINED_NAME.match(found.text, middle, self.end)
        if match is not None and (match[1] == _ROOT or service.is_name(match[1])):
            middle = match.end()
            if match[1] != _ROOT:
                found.offer(Rank.COLON, match.span(1), ServiceBasis.LOGGER)
        return self._confirm(middle)

    def _bare_word(self, pos: int, stop: int, word: str) -> bool:
        """A word without a colon: a name by what follows it, a loose token, or the message."""
        text, found = self.found.text, self.found
        follows = text[stop : stop + 1]
        if follows in "[(" and follows:
            pid = _PID_AHEAD.match(text, stop, self.end)
            tail = text[pid.end() - 1] if pid is not None and pid.end() > stop else ""
            if pid is not None and (tail == ":" or (found.level is not None and tail == "]")):
                return self._name_head(pos, stop, pid.end())
        elif follows == "{" and found.level is not None:
            fields = _SPAN_FIELDS.match(text, stop, self.end)
            return fields is not None and self._settle(fields.end())
        elif follows == "=":
            return self._pair(stop, word)
        delimiter = _DELIMITER_AHEAD.match(text, stop, self.end)
        if found.level is not None:
            return self._after_level(pos, stop, word, delimiter)
        return self._before_level(pos, stop, word, delimiter is not None)

    def _after_level(
        self, pos: int, stop: int, word: str, delimiter: re.Match[str] | None
    ) -> bool:
        """A logger between level and message; the walk ends either way."""
        found = self.found
        if found.rank >= Rank.DELIMITED and found.rank is not Rank.GROUP:
            return False
        if _SOURCE_POSITION.match(word):
            return self._source_position(pos, stop)
        column = _COLUMN_AHEAD.match(found.text, stop, self.end)
        marked = delimiter is not None or column is not None
        place = service.trim(found.text, pos, stop)
        if place is None:
            return False
        name = found.text[place[0] : place[1]]
        if service.is_thread(name):
            return marked and self._settle(stop)
        if marked or service.is_nested(name):
            found.offer(Rank.AFTER, place, ServiceBasis.LOGGER)
            self._confirm(delimiter.end() if delimiter is not None else stop)
            self.named = True
            return True
        if service.is_telling(name):
            found.offer(Rank.FIRST, place, ServiceBasis.FIRST_TOKEN)
        return False

    def _pair(self, stop: int, key: str) -> bool:
        """Take the service from ``key=value`` in the head; any other pair belongs to the message."""
        known = KEYS.get(key)
        if known is None or known.role is not Role.SERVICE:
            return False
        match = _VALUE.match(self.found.text, stop, self.end)
        if match is None or not service.is_name(match[1]):
            return False
        self.found.offer(Rank.KEY, match.span(1), known.basis)
        return self._settle(match.end())

    def _source_position(self, pos: int, stop: int) -> bool:
        """Pass over ``file.go:12``; on the JVM a file has the name of its class."""
        match = _CLASS_FILE.match(self.found.text, pos, stop)
        if match is not None and service.is_name(match[1]):
            self.found.offer(Rank.AFTER, match.span(1), ServiceBasis.LOGGER)
        return self._settle(stop)

    def _before_level(self, pos: int, stop: int, word: str, delimited: bool) -> bool:
        """A token that is head only if a level, a time or a name's mark still comes."""
        found = self.found
        if not delimited and word.islower() and word.isalpha() and not service.is_name(word):
            return False
        place = service.trim(found.text, pos, stop)
        if place is not None:
            name = found.text[place[0] : place[1]]
            if delimited and found.headed and not service.is_thread(name):
                found.offer(Rank.DELIMITED, place, ServiceBasis.LOGGER)
                if found.text.startswith("|", stop):
                    return self._settle(stop)
            elif found.headed and not self.loose and service.is_telling(name):
                found.offer(Rank.FIRST, place, ServiceBasis.FIRST_TOKEN)
        elif delimited and found.headed and word == _ROOT:
            self.named = True
        self.cost += 3 if word.isalpha() and not word.isupper() else 1
        self.loose.append((pos, stop))
        self.pos = stop
        return self.cost <= _BUDGET
