"""What syslog's relatives share: priorities, facilities, and an application's tag."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from logdocket.line import ServiceBasis, Severity, SeverityBasis
from logdocket.reading import severity
from logdocket.reading.parts import Level, Name

_FACILITIES: Final = (
    "kern|user|mail|daemon|authpriv|auth|security|syslog|lpr|news|uucp|cron|ftp|ntp|audit|console"
    "|local[0-7]"
)
_LEVELS: Final = (
    "emergency|emerg|panic|alert|critical|crit|error|err|warning|warn|notice|info|debug"
)
_FACILITY: Final = re.compile(
    rf"<?(?:{_FACILITIES})(?:\|(?:{_FACILITIES}))?[.:](?P<word>{_LEVELS})\b>?:? {{1,3}}+"
)
_LONE: Final = re.compile(
    r"(?P<word>emerg|alert|crit|err|warning|notice|info|debug) (?=[\w.\-/]{1,64}+\[\d{1,10}\]: )"
)
"""F5's level before the tag."""

_VMWARE: Final = re.compile(r"[A-Z][a-z]\((\d{1,3})\)\[?[^\s\]]{0,32}\]? {1,3}+(?=[A-Za-z])")
"""ESXi's ``Wa(164) ``: the level's first letters, and the priority."""

_LONE_STARTS: Final = frozenset("eacwnid")
_FACILITY_STARTS: Final = frozenset("<kumdaslnfc")
_SOLARIS: Final = re.compile(rf"\[ID \d{{1,10}} (?:{_FACILITIES})\.(?P<word>{_LEVELS})\] ?")
_TAG: Final = re.compile(
    r"""
    (?:--[ ])?
    (?P<app>[A-Z][\w.]{0,31}+(?:[ ][A-Z][\w.]{0,31}+){1,3}(?=\[\d)   # Two Words[123]:
      |\(?[\w/][^\s:\[\](){}"'=,;<>%|]{0,127}+\)?)
    (?:\([^()\s]{0,64}+\))?                                           # the module
    (?P<pid>[ ]?\[[^\[\]\s]{0,64}+\])?
    (?:[ ]v?\d[\w.\-]{0,20}+(?=:[ ]))?                                # a version
    (?:[ ]\([^()\n]{1,128}+\)(?=:))?                                  # on whose behalf
    (?P<colon>:(?=\s|$))?
    """,
    re.VERBOSE,
)
_AFTER_NAME: Final = re.compile(r"[(\[]")
_EXCEPTIONS: Final = ("Error", "Exception", "Warning")


class Tag(NamedTuple):
    """An application's tag: its ``name``, what bears it out, and where it ends.

    ``pid``: something in brackets follows the name at once; ``numbered``: it is in figures.
    """

    name: Name
    pid: bool
    numbered: bool
    end: int


def priority(text: str, start: int, end: int) -> Level | None:
    """The severity in the figures of ``<PRI>`` at ``start:end``; None if out of range."""
    value = severity.pri(int(text[start:end]))
    return None if value is None else Level(start, end, value, SeverityBasis.PRIORITY)


def facility(text: str, pos: int, end: int) -> tuple[Level | None, int]:
    """The severity in a ``facility.level`` word at ``pos`` or its like, and where that ends."""
    first = text[pos : pos + 1]
    if first in _FACILITY_STARTS and (found := _FACILITY.match(text, pos, end)) is not None:
        return _stated(text, found, pos)
    if first in _LONE_STARTS:
        return _stated(text, _LONE.match(text, pos, end), pos)
    if text.startswith("(", pos + 2) and (esxi := _VMWARE.match(text, pos, end)) is not None:
        return priority(text, *esxi.span(1)), esxi.end()
    return None, pos


def solaris(text: str, pos: int, end: int) -> tuple[Level | None, int]:
    """The severity in Solaris's ``[ID 123 facility.level]`` at ``pos`` and where it ends."""
    if not text.startswith("[ID ", pos):
        return None, pos
    return _stated(text, _SOLARIS.match(text, pos, end), pos)


def _stated(text: str, found: re.Match[str] | None, pos: int) -> tuple[Level | None, int]:
    if found is None:
        return None, pos
    start, end = found.span("word")
    value = severity.word(text[start:end]) or Severity.LOW
    return Level(start, end, value, SeverityBasis.PRIORITY), found.end()


def tag(text: str, pos: int, end: int) -> Tag | None:
    """The tag at ``pos``: it ends in a colon and a blank, or carries ``[pid]``."""
    found = _TAG.match(text, pos, end)
    if found is None:
        return None
    pid = found["pid"]
    spaced = pid is None or pid[0] == " "
    if spaced and found["colon"] is None:
        return None
    name = app_name(text, found.start("app"), found.end("app"))
    if name is None:
        return None
    after = found.end()
    if found["colon"] is None and text.startswith(":", after):
        after += 1
    return Tag(name, not spaced, not spaced and found["pid"][1:-1].isdecimal(), after)


def app_name(text: str, start: int, end: int) -> Name | None:
    """The application's name in the word ``start:end``: no directory, no ``[pid]``, no module.

    None for a nil ``-``, for a word without a letter, for a level such as ``ERROR``, and for what
    an exception is called.
    """
    token = text[start:end]
    if token[0] in "(/":
        start, token = _bared(start, token)
    if not token.isalnum():
        token = _AFTER_NAME.split(token, maxsplit=1)[0].rstrip(":")
    if not token[:1].isalpha() and not any(map(str.isalpha, token)):
        return None
    if token.endswith(_EXCEPTIONS) or severity.word(token) is not None:
        return None
    return Name(start, start + len(token), ServiceBasis.APP)


def _bared(start: int, token: str) -> tuple[int, str]:
    """``(name)`` without its brackets, ``/usr/sbin/name`` without its directory."""
    if token[0] == "(":
        token = token[1:].partition(")")[0]
        start += 1
    if token[:1] == "/":
        cut = token.rstrip("/").rfind("/") + 1
        token = token[cut:]
        start += cut
    return start, token
