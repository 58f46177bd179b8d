"""Secrets that a name gives away: ``password=…``, ``"api_key": "…"``, ``--token …``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, TypeAlias

from logdocket.model.redaction.table import (
    AFTER,
    HINTS,
    MIDDLING,
    MIDDLING_WORDS,
    STRONG,
    STRONG_WORDS,
    WEAK,
    WEAK_WORDS,
)
from logdocket.model.redaction.values import (
    ESCAPED_QUOTE,
    bare_end,
    by_chance,
    names_something,
    plausible,
    quoted_end,
)

Places: TypeAlias = Iterator[tuple[int, int] | None]
"""For each place that was looked at, the span of the secret there or None."""

_KEY: Final = re.compile(
    rf"(?:(?P<strong>{'|'.join(STRONG)}|(?P<strong_word>{'|'.join(STRONG_WORDS)}))"
    rf"|(?P<middling>{'|'.join(MIDDLING)}|(?P<middling_word>{'|'.join(MIDDLING_WORDS)}))"
    rf"|(?P<weak>{'|'.join(WEAK)}|(?P<weak_word>{'|'.join(WEAK_WORDS)})))"
    rf"{AFTER}(?P<close>\\{{0,16}}+[\"'`]|{ESCAPED_QUOTE})?(?:\]|%5d)?"
    r"(?P<sep>[ \t]{0,4}+(?:=>|:=|={1,3}+|::?|%3[ad]|\\{1,8}+u003d|>|,(?=[ ]?[\"'b]))[ \t]{0,4}+"
    r"|[ \t]{1,4}+(?:is[ \t]|was[ \t])?)"
)
_OPEN: Final = re.compile(
    rf"(?:some\(|[bru@&])?\[?(?:(?P<slashes>\\{{0,16}}+)(?P<quote>[\"'`])|(?:{ESCAPED_QUOTE}))"
)
_NAME: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_-.")
_LONGEST_NAME: Final = 48
_BEFORE_A_FIELD: Final = "{[(,;|\n\t"
_AFTER_A_FIELD: Final = "},;)]|\r\n\\"
_CHANCE_IN_PROSE: Final = 6
_CHANCE_IF_WEAK: Final = 16
_SHORTEST_CODE: Final = 4
_PAIR: Final = re.compile(r"[\w.-]{1,64}+=[^=]")
"""A name and a value of its own, which is looked at by itself."""
_COUNT: Final = re.compile(r"[0-9]{1,6}+(?:\.[0-9]{1,3})?")


def keyed(text: str, lower: str) -> Places:
    """The values of keys; ``lower`` is the text in lower case, place for place."""
    if any(hint in lower for hint in HINTS):
        yield from _Keyed(text, lower).places()


class _Keyed:
    def __init__(self, text: str, lower: str) -> None:
        self._text = text
        self._lower = lower
        self._bare_until = 0
        """Where the last bare value ended, so that a run of keys is not read from each of them."""

    def places(self) -> Places:
        at = 0
        while (key := _KEY.search(self._lower, at)) is not None:
            at = key.end()
            if not self._word(key):
                yield None
                continue
            start, end, quoted = self._value(key)
            if start < end and self._secret(key, start, end, quoted):
                yield start, end
                at = end
            else:
                yield None

    def _word(self, key: re.Match[str]) -> bool:
        """Whether a key that counts as a word of its own is one."""
        at = key.start()
        if at == 0 or not (key["strong_word"] or key["middling_word"] or key["weak_word"]):
            return True
        before = self._text[at - 1]
        return not before.isalpha() or (before.islower() and self._text[at].isupper())

    def _value(self, key: re.Match[str]) -> tuple[int, int, bool]:
        at = key.end()
        if key["sep"].strip() == ">":
            end = self._text.find("<", at)
            return at, end if end >= 0 else self._bare(at), False
        opened = _OPEN.match(self._lower, at)
        if opened is None:
            return at, self._bare(at), False
        at = opened.end()
        if opened["quote"] is None:
            return at, self._bare(at), True
        return at, quoted_end(self._text, at, opened["quote"], len(opened["slashes"])), True

    def _bare(self, start: int) -> int:
        if start >= self._bare_until:
            self._bare_until = bare_end(self._text, start)
        return self._bare_until

    def _secret(self, key: re.Match[str], start: int, end: int, quoted: bool) -> bool:
        value = self._text[start:end]
        sep = key["sep"].strip()
        name = self._name_start(key.start())
        if not plausible(value) or not self._separates(key, sep, name, quoted):
            return False
        if not quoted and value[0] in "({":
            return False
        if key["weak"] is not None:
            return by_chance(value, _CHANCE_IF_WEAK) and not _PAIR.match(value)
        if key["middling"] is not None and _COUNT.fullmatch(value):
            return False
        if names_something(value):
            return False
        if self._prose(key, sep, name):
            return self._secret_in_prose(key, name, value, end, quoted)
        return True

    def _name_start(self, at: int) -> int:
        """Where the name begins that a key is the end of."""
        least = max(0, at - _LONGEST_NAME)
        while at > least and self._lower[at - 1] in _NAME:
            at -= 1
        return at

    def _separates(self, key: re.Match[str], sep: str, name: int, quoted: bool) -> bool:
        """Whether what stands between name and value makes one the value of the other."""
        before = self._text[name - 1 : name]
        if sep == ">":
            return before == "<"
        if sep == ",":
            return key["close"] is not None and self._text[max(0, name - 3) : name - 1].rstrip(
                "b"
            ).endswith("(")
        if sep in ("", "is", "was"):
            if key["close"] is not None:
                return False
            if sep == "" and self._text.startswith("--", name):
                return True
            return key["strong"] is not None and (sep != "" or (quoted and self._password(key)))
        return True

    def _password(self, key: re.Match[str]) -> bool:
        return self._lower.startswith("pass", key.start())

    def _prose(self, key: re.Match[str], sep: str, name: int) -> bool:
        """Whether it may be a sentence, as in ``invalid token: unexpected end``."""
        if key["close"] is not None or self._text.startswith("--", name):
            return False
        if sep in ("is", "was"):
            return True
        spaced = self._text[key.end() - 1].isspace()
        compound = "-" in self._text[name : key.end()] or "_" in self._text[name : key.end()]
        return sep == ":" and spaced and not compound

    def _secret_in_prose(
        self, key: re.Match[str], name: int, value: str, end: int, quoted: bool
    ) -> bool:
        if by_chance(value, _CHANCE_IN_PROSE):
            return True
        if key["strong"] is not None and len(value) >= _SHORTEST_CODE and value.isdigit():
            return True
        before = self._text[:name].rstrip(" \"'-")[-1:] if name < 4096 else self._text[name - 1]
        after = self._text[end : end + 1].strip(" ")
        field = (not before or before in _BEFORE_A_FIELD) and (
            quoted or end == len(self._text) or (after != "" and after in _AFTER_A_FIELD)
        )
        return field and len(value) >= 3
