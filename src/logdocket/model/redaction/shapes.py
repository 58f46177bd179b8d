"""Secrets that give themselves away: keys of known shape, passwords in URLs, cards."""

from __future__ import annotations

import re
from typing import Final

from logdocket.model.redaction.keyed import Places
from logdocket.model.redaction.table import BEGINNING, PATTERNS, SHAPES
from logdocket.model.redaction.values import by_chance, plausible

_DIGIT: Final = re.compile(r"[0-9]")
_AWS_SECRET: Final = re.compile(r"(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])")
_ARMOUR: Final = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}?PRIVATE KEY(?: BLOCK)?-----")
_ARMOUR_END: Final = re.compile(r"-----END [A-Z0-9 ]{0,40}+-{0,5}+")
_AUTHORITY: Final = re.compile(r"[^\s\"'`<>\\/?#]{1,512}+")
_MORE: Final = re.compile(r"[^\s\"'`<>\\]{1,256}+")
_WEB: Final = ("http", "ttps", "HTTP", "TTPS")
"""Ends of schemes whose paths may well hold an @."""
_CARD: Final = re.compile(
    rf"{BEGINNING}"
    r"(?:4[0-9]{3}|5[1-5][0-9]{2}|2[2-7][0-9]{2}|6011|65[0-9]{2}|3[47][0-9]{2})"
    r"[ -]?(?:[0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]{4}|[0-9]{6}[ -]?[0-9]{5})(?![\w-])"
)
_TOKEN_AS_USER: Final = 20


def shapes(text: str, lower: str) -> Places:
    """Secrets that need no name beside them."""
    yield from _known(text)
    for hint, pattern in PATTERNS:
        if hint in text:
            for match in pattern.finditer(text):
                yield match.span(1) if plausible(match[1]) else None
    if "aws" in lower or "AKIA" in text or "ASIA" in text:
        for match in _AWS_SECRET.finditer(text):
            yield match.span() if _mixed(match[0]) else None
    if "-----BEGIN " in text:
        yield from _private_keys(text)
    if "://" in text:
        yield from _in_urls(text)
    for match in _CARD.finditer(text):
        yield match.span() if _luhn(match[0]) else None


def _known(text: str) -> Places:
    for prefix, tail, chance, keep in SHAPES:
        at = text.find(prefix)
        while at >= 0:
            match = tail.match(text, at + len(prefix)) if _begins(text, at) else None
            if match is None:
                yield None
                at = text.find(prefix, at + len(prefix))
                continue
            secret = not chance or _DIGIT.search(match[0])
            yield (match.start() if keep else at, match.end()) if secret else None
            at = text.find(prefix, match.end())


def _begins(text: str, at: int) -> bool:
    """Whether a word can begin here; escapes of JSON and URLs end in letters and digits."""
    if at == 0 or not text[at - 1].isalnum():
        return True
    before = text[max(0, at - 6) : at]
    return before[-2:] in ("\\n", "\\t", "\\r") or before[-3:-2] == "%" or before[:2] == "\\u"


def _mixed(value: str) -> bool:
    """Small and capital letters and digits, as no hash in hexadecimal has them."""
    return (
        any(c.islower() for c in value)
        and any(c.isupper() for c in value)
        and _DIGIT.search(value) is not None
        and value.count("/") < 6
    )


def _private_keys(text: str) -> Places:
    """Whole blocks, also where the line was cut before their end."""
    at = 0
    while (begin := _ARMOUR.search(text, at)) is not None:
        end = _ARMOUR_END.search(text, begin.end())
        at = end.end() if end is not None else len(text)
        yield begin.start(), at


def _in_urls(text: str) -> Places:
    at = text.find("://")
    while at >= 0:
        at += 3
        span = _userinfo(text, at)
        yield span if span is not None and plausible(text[slice(*span)]) else None
        at = text.find("://", at)


def _userinfo(text: str, start: int) -> tuple[int, int] | None:
    """The password before a host, or a token in a user's place."""
    authority = _AUTHORITY.match(text, start)
    if authority is None:
        return None
    end = authority.end()
    colon = text.find(":", start, end)
    at = text.rfind("@", start, end)
    port = colon < 0 or text[colon + 1 : end].isdigit()
    if (at < 0 and not port) or (at >= 0 and text[start - 7 : start - 3] not in _WEB):
        # A password that was not escaped may hold what ends an authority.
        more = _MORE.match(text, end)
        stop = end if more is None else more.end()
        query = text.find("?", end, stop) if at >= 0 else -1
        at = max(at, text.rfind("@", end, query if query >= 0 else stop))
    if at < 0:
        return None
    if 0 <= colon < at:
        return colon + 1, at
    return (start, at) if by_chance(text[start:at], _TOKEN_AS_USER) else None


def _luhn(card: str) -> bool:
    """Whether the check digit is right (ISO/IEC 7812-1), and not all digits are the same."""
    digits = [int(c) for c in card if c.isdigit()]
    doubled = [sum(divmod(2 * d, 10)) for d in digits[-2::-2]]
    return len(set(digits)) > 1 and (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0
