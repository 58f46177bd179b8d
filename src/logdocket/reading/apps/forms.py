"""What a word's own form tells of it, wherever it stands: kept, for heads repeat their words."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

import msgspec

from logdocket.line import Severity
from logdocket.reading import service, severity
from logdocket.reading.levels import FORMS, MARKED

_SEPARATORS: Final = frozenset("- -- --- – — : :: > >> => -> * ** *** # ~ . • / +".split())
_TIME_HEADS: Final = frozenset(
    "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec Mon Tue Wed Thu Fri Sat Sun".split()
)

LONGEST_LEVEL: Final = 14
"""Characters that a word may have and still be looked at as a level."""

WORD: Final = re.compile(r"[^\s\x00-\x20\x7f\[\](){}<>|\"'`=,;!]{1,128}+")
"""What stands between blanks and marks in a head."""

_FACILITIES: Final = frozenset(
    "kern kernel user mail daemon auth authpriv security syslog lpr news uucp cron ftp ntp audit "
    "local0 local1 local2 local3 local4 local5 local6 local7".split()
)

_PLAIN_COST: Final = 3


class Form(msgspec.Struct, frozen=True, gc=False):
    """What a word can be in a head.

    ``separator``: it stands between items. ``timed``: a time may begin with it. ``severity``: it
    may be a level. ``telling``: a walk must look at it for one of these, for a colon at its end, or
    for a level before one. ``bare``: a level with nothing to mark it. ``mere``: no name, unless its
    place makes it one. ``over``: a word of a sentence, with which a head is over. ``cost``: what it
    costs as a loose item.
    """

    separator: bool
    timed: bool
    severity: Severity | None
    telling: bool
    bare: bool
    mere: bool
    over: bool
    cost: int


def facility_level(word: str) -> Severity | None:
    """The severity in syslog's ``facility.level``, as Kiwi's daemon writes it: ``Local7.Info``."""
    facility, _, level = word.partition(".")
    return severity.word(level) if facility.lower() in _FACILITIES else None


@lru_cache(maxsize=8192)
def form(word: str) -> Form:
    """The form of a word, not empty, that begins with no figure."""
    separator = word in _SEPARATORS
    timed = word[:3] in _TIME_HEADS or (word[3:4] == "/" and word[:3].title() in _TIME_HEADS)
    colon = word[-1] == ":"
    single = len(word) == 1
    level = severity.word(word) if 1 < len(word) <= LONGEST_LEVEL else None
    first, parted, last = word.partition(":")
    joint = bool(parted) and not (severity.word(first) is None and severity.word(last) is None)
    facility = ("." in word and facility_level(word) is not None) or (
        "/" in word and word.partition("/")[0] in MARKED
    )
    named = service.look(word)
    plain = word.isalpha() and not word.isupper()
    return Form(
        separator,
        timed,
        level,
        separator or timed or colon or single or level is not None or joint or facility,
        level is not None and word in MARKED,
        not parted and (named is None or not (named.nested or named.telling)),
        plain and word.islower() and not service.is_name(word),
        _PLAIN_COST if plain else 1,
    )


def loose_cost(word: str) -> int:
    """What a word between blanks costs as a loose item; 0 where a walk must look at it."""
    if not word.isupper():
        known = form(word)
        return 0 if known.telling or known.over else known.cost
    # Columns in capitals often hold ids, of which there are too many to keep.
    if len(word) == 1:
        return 0
    if ":" in word:
        return 0 if word[-1] == ":" or word.partition(":")[0] in FORMS else 1
    return 0 if word in FORMS else 1
