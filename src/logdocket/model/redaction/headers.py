"""Secrets in HTTP headers: Authorization of any scheme, and cookies."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Final

from logdocket.model.redaction.keyed import Places
from logdocket.model.redaction.table import COOKIE_ATTRIBUTES, SCHEMES
from logdocket.model.redaction.values import ESCAPED_QUOTE, by_chance, plausible, quoted_end

_BEGIN: Final = (
    rf"(?P<close>\\{{0,16}}+[\"'`]|{ESCAPED_QUOTE})?\]?"
    r"[ \t]{0,4}+(?:=>|:=?|=|%3[ad])[ \t]{0,4}+\[?"
    rf"(?:%20)?(?:(?P<slashes>\\{{0,16}}+)(?P<quote>[\"'`])|(?:{ESCAPED_QUOTE}))?"
)
_AUTHORIZATION: Final = re.compile(
    rf"(?P<outer>\\{{0,16}}+[\"'`])?(?:proxy[-_])?authori[sz]ation{_BEGIN}"
)
_SCHEME: Final = re.compile(r"([a-z][a-z0-9_-]{1,40}+)(?:[ \t]{1,4}+|%20|\+(?=\S)|:(?=\S))")
_TOKEN: Final = re.compile(r"(?:[^\s\"'`,;<>()\[\]{}\\&%]|%(?!2[0267])[0-9a-fA-F]{2})++")
_TOKEN68: Final = re.compile(r"[A-Za-z0-9._~+/-]++=*+(?![=\w])")
_PARAMETERS: Final = re.compile(
    r"[\w-]{1,40}+=(?:\\{0,16}+\"[^\"]*+\"|[^\s,\"']*+)(?:[ \t]{0,4},?[ \t]{0,4}[\w-]{1,40}+="
    r"(?:\\{0,16}+\"[^\"]*+\"|[^\s,\"']*+))*+"
)
_ALONE: Final = re.compile(r"(?<![a-z])(bearer|basic)(?:[ \t]{1,4}+|%20|\+)")
_ALONE_LEAST: Final = 8
_COOKIES: Final = re.compile(
    rf"cookie2?s?(?:{_BEGIN}|\\{{0,16}}+[\"'],[ ]?b?\\{{0,16}}+[\"'](?=[^\s\"'=]{{1,64}}+=))"
)
_COOKIE: Final = re.compile(
    r"([\w!#$%&*+.^|~-]{1,128}+)(?:[ \t]?=[ \t]?\\{0,16}+[\"']?([^;\s,\"'\\]*+))?\\{0,16}+[\"']?"
)
_NEXT_COOKIE: Final = re.compile(r";[ \t]{0,4}+|[ \t]?,[ \t]{0,4}+\\{0,16}+[\"']")


def headers(text: str, lower: str) -> Places:
    """Credentials and the values of cookies."""
    if "authori" in lower:
        yield from _authorization(text, lower)
    if "bearer" in lower or "basic" in lower:
        yield from _alone(text, lower)
    if "cookie" in lower:
        yield from _cookies(text, lower)


def _authorization(text: str, lower: str) -> Places:
    at = 0
    while (key := _AUTHORIZATION.search(lower, at)) is not None:
        at = key.end()
        span = _credentials(text, lower, at, _end(text, key))
        if span is not None:
            at = span[1]
        yield span


def _end(text: str, key: re.Match[str]) -> int | None:
    """Where the header's value ends, if a quote says so."""
    if key["quote"] is not None:
        return quoted_end(text, key.end(), key["quote"], len(key["slashes"]))
    outer = key["outer"]
    if outer is not None and key["close"] is None:
        return quoted_end(text, key.end(), outer[-1], len(outer) - 1)
    return None


def _credentials(text: str, lower: str, at: int, end: int | None) -> tuple[int, int] | None:
    """The credentials in a header's value from ``at``, without their scheme."""
    scheme = _SCHEME.match(lower, at, len(text) if end is None else end)
    known = scheme is not None and scheme[1] in SCHEMES
    start = scheme.end() if scheme is not None else at
    if end is not None:
        value = text[start:end]
        if known or scheme is None:
            return (start, end) if plausible(value) else None
        if "=" in value or not any(c.isspace() for c in value):
            return (start, end) if by_chance(value, 6) else None
        return None
    stop = _stop(text, start)
    if known and scheme is not None:
        return (start, stop) if plausible(text[start:stop]) else None
    for begin in (start, at):
        stop = _stop(text, begin)
        if plausible(text[begin:stop]) and by_chance(text[begin:stop], 6):
            return begin, stop
    return None


def _stop(text: str, start: int) -> int:
    """Where credentials without quotes end: parameters, or one token."""
    match = _PARAMETERS.match(text, start) or _TOKEN.match(text, start)
    return start if match is None else match.end()


def _alone(text: str, lower: str) -> Places:
    """Credentials whose scheme stands alone, where they look like it."""
    for scheme in _ALONE.finditer(lower):
        token = _TOKEN68.match(text, scheme.end())
        if token is None or not plausible(token[0]):
            yield None
        elif _pair(token[0]) if scheme[1] == "basic" else by_chance(token[0], _ALONE_LEAST):
            yield token.span()
        else:
            yield None


def _pair(token: str) -> bool:
    """Whether it is a user and a password in base64."""
    try:
        return b":" in base64.b64decode(token[:512] + "=" * (-len(token[:512]) % 4), validate=True)
    except (binascii.Error, ValueError):
        return False


def _cookies(text: str, lower: str) -> Places:
    at = 0
    while (key := _COOKIES.search(lower, at)) is not None:
        at = key.end()
        yield None
        while (cookie := _COOKIE.match(text, at)) is not None:
            at = cookie.end()
            value = (cookie[2] or "").rstrip("]})")
            secret = cookie[1].lower() not in COOKIE_ATTRIBUTES and plausible(value)
            yield (cookie.start(2), cookie.start(2) + len(value)) if secret else None
            following = _NEXT_COOKIE.match(text, at)
            if following is None:
                break
            at = following.end()
