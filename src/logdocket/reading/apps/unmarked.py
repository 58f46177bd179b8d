"""Levels and names in a head that nothing but their place and their neighbours mark."""

from __future__ import annotations

import re
from typing import Final

from logdocket.line import Severity
from logdocket.reading import service, severity

_LETTERS: Final = frozenset("EWDF")
"""Letters that are a level right after the time; ``I`` and ``A`` are words of a sentence, too."""

_NAME_NEXT: Final = re.compile(r" (?:\[|[\w.$-]{1,128}+[:\[(|])")
_DOTTED: Final = re.compile(r"[a-z][a-z_]{2,40}\.[a-z][a-z_]{2,40}\Z")
_NAMESPACE: Final = re.compile(r"[a-z][\w-]{1,40}(?::[a-z][\w-]{1,40}){1,3}\Z")
_ON_HOST: Final = re.compile(r"([A-Za-z][\w.-]{0,64}+)/\d{1,10} on [^\s:]{1,255}+:(?= )")
_NUMBERED: Final = re.compile(r"(?: {1,8}+\d{1,20}+){2}(?= )")
_NEXT_COLUMN: Final = re.compile(r"\t([A-Za-z_][\w.$]{1,128}+)\t")
_NEXT: Final = re.compile(r" {1,8}+(\S{1,16}+)")

_ATTRIBUTED: Final = frozenset(
    """
    is was are were be must should will would may has had have cannot can could not missing
    required invalid unknown deprecated undefined of to and or in on at = == : - -> <-
    """.split()
)
"""What follows something of something, as in ``user.email is required``, rather than a logger."""

_FILES: Final = frozenset(
    """
    bak bat bin bmp cer cfg conf crt css csv dat data db deb dll doc docx env exe gif gz htm html
    img ini iso jar jpeg jpg json key lock log old orig pdf pem pid png rpm rst service sock socket
    sql sqlite swp tar target timer tmp toml tsv txt war xls xlsx xml yaml yml zip
    """.split()
)
"""Endings of files, of units, and of what else stands on a disk."""


def letter(text: str, stop: int, word: str) -> Severity | None:
    """The level that the one letter before ``stop`` states, where it stands right after the time.

    An ``I`` counts where a name comes next, any level's letter as a column of a table.
    """
    if not text.startswith((" ", "\t"), stop):
        return None
    if word in _LETTERS or text[stop] == "\t" or (word == "I" and _NAME_NEXT.match(text, stop)):
        return severity.letter(word)
    return None


def logger(text: str, stop: int, word: str) -> bool:
    """Whether a word right after the time is a logger by its form: ``shop.mail``, as Python's are.

    A file is none, nor is what the next word tells something of.
    """
    if _DOTTED.match(word) is None or word.rpartition(".")[2] in _FILES:
        return False
    following = _NEXT.match(text, stop)
    return following is not None and following[1].lower() not in _ATTRIBUTED


def namespace(text: str, stamped: int, word: str) -> bool:
    """Whether a word is what Node's debug writes after a time in UTC that ends at ``stamped``:
    ``express:router``.
    """
    return text.startswith("Z", stamped - 1) and _NAMESPACE.match(word) is not None


def numbered(text: str, stop: int) -> bool:
    """Whether process and thread in figures follow the word that ends at ``stop``, as in Django's
    verbose form.
    """
    return text[stop + 1 : stop + 2].isdigit() and _NUMBERED.match(text, stop) is not None


def logger_next(text: str, stop: int) -> bool:
    """Whether the column behind the one that ends at ``stop`` is a logger's dotted name, so that
    this one is a thread.
    """
    found = _NEXT_COLUMN.match(text, stop)
    return found is not None and service.is_nested(found[1])


def on_host(text: str, pos: int, end: int) -> tuple[int, int, int] | None:
    """The name in bunyan's ``name/pid on host:`` at ``pos``, and where that ends."""
    found = _ON_HOST.match(text, pos, end)
    return None if found is None else (*found.span(1), found.end())
