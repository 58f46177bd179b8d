"""Searches texts for secrets, each line of a kind of file once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from logdocket.grading.secrets.doubt import made_up, readable, skipped
from logdocket.grading.secrets.formats import IN_ADDRESS, PRIVATE_KEY, formatted, private_keys
from logdocket.grading.secrets.leak import Leak
from logdocket.grading.secrets.named import KIND, named, where

__all__ = ["Search"]

_WINDOW: Final = 2000
_LAP: Final = 400
"""A line is searched in pieces of so many characters that overlap by so many: patterns are slow
on lines without end, and no secret but a private key is longer than the lap.
"""
_BINARY: Final = 8192
"""A text has no NUL in so many of its first bytes, as git judges it."""


class Search:
    """What has been searched so far, and the secrets in it."""

    def __init__(self) -> None:
        self._seen: set[tuple[str, str]] = set()
        self._values: set[str] = set()
        self.leaks: list[Leak] = []

    def through(self, path: str, content: bytes, *, past: bool = False) -> None:
        """Search ``content``, which stands at ``path``, or stood there in the ``past``.

        A secret that was found before, wherever it was, is not told again.
        """
        if skipped(path) or b"\0" in content[:_BINARY]:
            return
        text = content.decode("utf-8", "replace")
        place = where(path)
        lines = text.split("\n")
        for at in private_keys(text):
            self._tell("".join(lines[at - 1 : at + 3]), Leak(path, at, PRIVATE_KEY, past))
        for number, line in enumerate(lines, start=1):
            if (place, line) in self._seen:
                continue
            self._seen.add((place, line))
            for kind, value in secrets(line, place):
                self._tell(value, Leak(path, number, kind, past))

    def _tell(self, value: str, leak: Leak) -> None:
        """Keep ``leak`` unless the same secret was told, or a part of it."""
        if not any(value in known or known in value for known in self._values):
            self._values.add(value)
            self.leaks.append(leak)


def secrets(line: str, place: str) -> Iterator[tuple[str, str]]:
    """The kind and the value of each secret in ``line`` of a file of that kind."""
    for start in range(0, max(len(line) - _LAP, 1), _WINDOW - _LAP):
        piece = line[start : start + _WINDOW]
        for kind, value in formatted(piece):
            told = kind == IN_ADDRESS and readable(value, place)
            if not told and not made_up(value):
                yield kind, value
        for value in named(piece, place):
            if not readable(value, place) and not made_up(value):
                yield KIND, value
