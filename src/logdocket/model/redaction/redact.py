"""The text with its secrets replaced, and the way back.

Replacing a secret changes what stands around the next one, so the text is looked at again until
nothing more is found: what then leaves is what would leave if it were redacted again. A text that
does not come to rest in a few turns, or that holds more secrets than a log line does, is withheld
as a whole.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

from logdocket.model.redaction.headers import headers
from logdocket.model.redaction.keyed import Found, keyed
from logdocket.model.redaction.shapes import shapes
from logdocket.model.redaction.table import PLACEHOLDER

__all__ = ["Redacted", "redact"]

_TURNS: Final = 4
_MOST: Final = 64
"""Different secrets in one text; more are no log line."""
_LEAST_REPEATED: Final = 8
"""Characters from which a secret is replaced wherever it occurs, also where nothing tells of it;
shorter ones are words too often."""


class Redacted:
    """A text that may leave. ``text`` has ``[SECRET-n]`` where secrets stood, the same n for the
    same secret, and an n that the text did not hold before.
    """

    __slots__ = ("_secrets", "text")

    text: str

    def __init__(self, text: str, secrets: dict[str, str]) -> None:
        self.text = text
        self._secrets = secrets

    def __repr__(self) -> str:
        return f"Redacted({self.text!r})"

    def __len__(self) -> int:
        """How many different secrets were replaced."""
        return len(self._secrets)

    def restore(self, quote: str) -> str:
        """A quote of :attr:`text` as it stands in the original; what is cut off stays as it is."""
        if not self._secrets:
            return quote
        return PLACEHOLDER.sub(lambda m: self._secrets.get(m[0], m[0]), quote)


class _View:
    """A text with some spans of it replaced, and where each replacement came from."""

    def __init__(self, text: str, spans: Found) -> None:
        taken = set(PLACEHOLDER.findall(text)) if "[SECRET-" in text else set()
        names: dict[str, str] = {}
        pieces: list[str] = []
        self._begins: list[int] = []
        self._marks: list[tuple[int, int, int]] = []
        done = length = number = 0
        for start, end in spans:
            secret = text[start:end]
            if secret not in names:
                number += 1
                while f"[SECRET-{number}]" in taken:
                    number += 1
                names[secret] = f"[SECRET-{number}]"
            name = names[secret]
            pieces += (text[done:start], name)
            length += start - done
            self._begins.append(length)
            length += len(name)
            self._marks.append((length, start, end))
            done = end
        pieces.append(text[done:])
        self.text = "".join(pieces)
        self.secrets = {name: secret for secret, name in names.items()}

    def original(self, at: int, end: bool) -> int:
        """Where a place of the view is in the original; within a replacement, its outer edge."""
        index = bisect_right(self._begins, at - end) - 1
        if index < 0:
            return at
        after, begin, stop = self._marks[index]
        if at - end < after:
            return stop if end else begin
        return stop + at - after


def redact(text: str) -> Redacted:
    """``text`` as it may leave. Deterministic, in linear time, and doing it again changes nothing."""
    spans: Found = []
    view = _View(text, spans)
    for _ in range(_TURNS):
        found = _find(view.text)
        if not found:
            return Redacted(view.text, view.secrets)
        spans += [(view.original(a, False), view.original(b, True)) for a, b in found]
        spans = _merged(spans)
        values = {text[a:b] for a, b in spans}
        if len(values) > _MOST:
            break
        spans = _merged(spans + _repeated(text, values))
        view = _View(text, spans)
    whole = _View(text, [(0, len(text))])
    return Redacted(whole.text, whole.secrets)


def _find(text: str) -> Found:
    """Spans of secrets, placeholders left out."""
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    found = keyed(text, lower) + headers(text, lower) + shapes(text, lower)
    if not found or "[SECRET-" not in text:
        return found
    return [(a, b) for a, b in found if PLACEHOLDER.sub("", text[a:b])]


def _repeated(text: str, values: set[str]) -> Found:
    """Where else the secrets occur."""
    found: Found = []
    for value in values:
        if len(value) >= _LEAST_REPEATED:
            found += [m.span() for m in re.finditer(re.escape(value), text)]
    return found


def _merged(spans: Found) -> Found:
    """In order, those that overlap as one."""
    merged: Found = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
