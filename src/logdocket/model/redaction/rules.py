"""The text with its secrets replaced, and the way back.

Replacing a secret changes what stands around the next one, so the text is looked at again until
nothing more is found: what then leaves is what would leave if it were redacted again. A text that
does not come to rest in a few turns, or that holds more secrets than a log line does, is withheld
as a whole.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import chain
from typing import Final, TypeAlias

from logdocket.model.redaction.headers import headers
from logdocket.model.redaction.keyed import keyed
from logdocket.model.redaction.shapes import shapes
from logdocket.model.redaction.table import PLACEHOLDER

__all__ = ["Redacted", "redact"]

Spans: TypeAlias = list[tuple[int, int]]

_TURNS: Final = 4
_MOST_PLACES: Final = 500
"""Places in a text where a secret could stand and is looked for."""
_MOST_SECRETS: Final = 64
"""Different secrets in one text."""
_LONGEST_NAME: Final = 20
_LEAST_REPEATED: Final = 8
"""Characters from which a secret is replaced wherever it occurs, also where nothing tells of it;
shorter ones are words too often."""


class Redacted:
    """A text that may leave. ``text`` has ``[SECRET-n]`` where secrets stood, the same n for the
    same secret, and an n that the text did not hold before.
    """

    __slots__ = ("_length", "_secrets", "text")

    text: str

    def __init__(self, text: str, secrets: dict[str, str], length: int) -> None:
        self.text = text
        self._secrets = secrets
        self._length = length

    def __repr__(self) -> str:
        return f"Redacted({self.text!r})"

    def __len__(self) -> int:
        """How many different secrets were replaced."""
        return len(self._secrets)

    def restore(self, quote: str) -> str:
        """A quote of :attr:`text` as it stands in the original; what is cut off stays as it is.

        So does what would be longer than the original: no quote is, and a few placeholders can
        stand for gigabytes.
        """
        if not self._secrets:
            return quote
        named = PLACEHOLDER.findall(quote)
        more = sum(len(self._secrets.get(name, name)) - len(name) for name in named)
        if len(quote) + more > self._length:
            return quote
        return PLACEHOLDER.sub(lambda m: self._secrets.get(m[0], m[0]), quote)


class _View:
    """A text with some spans of it replaced, and where each replacement came from."""

    def __init__(self, text: str, spans: Spans) -> None:
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
    """``text`` as it may leave. Deterministic, linear in time; done again it changes nothing."""
    spans: Spans = []
    values: set[str] = set()
    view = _View(text, spans)
    for _ in range(_TURNS):
        found = _find(view.text)
        if found is None:
            break
        if not found:
            return Redacted(view.text, view.secrets, len(text))
        found = [(view.original(a, False), view.original(b, True)) for a, b in found]
        values |= {text[a:b] for a, b in found}
        if len(values) > _MOST_SECRETS:
            break
        spans = _merged(spans + found + _repeated(text, values))
        view = _View(text, spans)
    whole = _View(text, [(0, len(text))])
    return Redacted(whole.text, whole.secrets, len(text))


def _find(text: str) -> Spans | None:
    """Spans of secrets, placeholders left out; None where there are too many places to look at."""
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    found: Spans = []
    places = chain(keyed(text, lower), headers(text, lower), shapes(text, lower))
    for looked, span in enumerate(places):
        if looked >= _MOST_PLACES:
            return None
        if span is not None:
            found.append(span)
    if found and "[SECRET-" in text:
        return [whole for whole in (_whole(text, *span) for span in found) if whole is not None]
    return found


def _whole(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The span with the placeholders that it cuts; None where it holds nothing else."""
    cut = text.rfind("[", max(0, start - _LONGEST_NAME), start)
    if cut >= 0 and (name := PLACEHOLDER.match(text, cut)) is not None:
        start = cut if name.end() > start else start
    cut = text.rfind("[", max(start, end - _LONGEST_NAME), end)
    if cut >= 0 and (name := PLACEHOLDER.match(text, cut)) is not None:
        end = max(end, name.end())
    return (start, end) if PLACEHOLDER.sub("", text[start:end]) else None


def _repeated(text: str, values: set[str]) -> Spans:
    """Where else the secrets occur."""
    found: Spans = []
    for value in values:
        unpadded = value.removesuffix("%3D").removesuffix("%3D").rstrip("=")
        at = text.find(unpadded) if len(unpadded) >= _LEAST_REPEATED else -1
        while at >= 0:
            found.append((at, at + len(unpadded)))
            at = text.find(unpadded, at + len(unpadded))
    return found


def _merged(spans: Spans) -> Spans:
    """In order, those that overlap as one."""
    merged: Spans = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
