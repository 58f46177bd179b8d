"""Names of accounts: who it was, where the line says that it is one."""

from __future__ import annotations

import re
from typing import Final

from logdocket.reading.template.masks import Mask, known
from logdocket.reading.template.tables import ACCOUNTS, NO_USERS, SPECIAL_USERS, USER_KEYS
from logdocket.reading.template.walk import Walk

_NAME: Final = re.compile(r"[^\W_][\w.+$@-]{0,63}")
_FOLLOWS: Final = re.compile(r" ?(?:\Z|[\[(,;:]|\.?\s*\Z| (?:from|by|on|at|via)\b)")
_ADMINISTRATORS: Final = frozenset({"root", "administrator"})
_UNKNOWN: Final = frozenset({"invalid", "illegal", "unknown"})


_LOWER_KEYS: Final = USER_KEYS | {"for"}
KEYS: Final = frozenset(
    form for key in _LOWER_KEYS for form in (key, key.capitalize(), key.upper())
)
"""Words that may stand before the name of an account."""


def account(walk: Walk, place: int) -> Mask | None:
    """The mask of an account's name that begins at ``place``; None when none does.

    One of :data:`KEYS` stands before it.
    """
    key = walk.word(place - 1).lower()
    start = walk.tokens[place][1]
    match = _NAME.match(walk.text, start, walk.free(place))
    if match is None or _is_special(match[0].lower(), walk.word(place - 2).lower()):
        return None
    end = match.end() - (len(match[0]) - len(match[0].rstrip(".-@")))
    gap = walk.gap(place)
    if gap == "=" and key in USER_KEYS:
        named = walk.text[start:end].lower() not in NO_USERS
        return known(start, end, "<user>") if named else None
    if gap == " " and _is_named(walk, place, key, end):
        return known(start, end, "<user>")
    return None


def _is_special(name: str, before: str) -> bool:
    """Whether an account's name tells more than who; of one that does not exist few do."""
    return name in SPECIAL_USERS and (name in _ADMINISTRATORS or before not in _UNKNOWN)


def _is_named(walk: Walk, place: int, key: str, end: int) -> bool:
    if walk.text[walk.tokens[place][1] : end].lower() in NO_USERS:
        return False
    if _FOLLOWS.match(walk.text, end) is None:
        return False
    before = _last(walk, place - 2)
    if key == "for":
        return before in ACCOUNTS and walk.text.startswith(" from ", end)
    if key != "user":
        return False
    if before in _UNKNOWN:
        return True
    return before == "for" and _last(walk, place - 3) in ACCOUNTS


def _last(walk: Walk, place: int) -> str:
    """The word at ``place``, the last of those that the reading holds together."""
    return walk.word(place).lower().rpartition(" ")[2]
