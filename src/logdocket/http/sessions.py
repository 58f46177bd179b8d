"""Sessions of people who signed in with a token. Nothing is kept: the cookie proves itself.

The cookie is ``NAME.EXPIRES.NONCE.HMAC``, keyed by the token itself. So it holds in every process,
outlives a restart, and ends with its token.
"""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Final

from logdocket.http.roles import Caller, Token

LASTS: Final = 12 * 3600
"""Seconds until whoever signed in has to do so again."""


def _now() -> float:
    return time.time()


class Sessions:
    """What signs sessions and knows them again. ``clock`` gives seconds since 1970 UTC."""

    def __init__(self, tokens: Iterable[Token], clock: Callable[[], float] = _now) -> None:
        self._clock = clock
        self._known = [
            (sha256(token.secret.encode()).digest(), token, Caller.of(token.name, token.roles))
            for token in tokens
        ]
        self._keys = {
            token.name: (token.secret.encode(), caller) for _, token, caller in self._known
        }

    def __bool__(self) -> bool:
        """Whether there are tokens at all."""
        return bool(self._known)

    def bearer(self, token: bytes) -> Caller | None:
        """Whoever has this token."""
        given = sha256(token).digest()
        found = None
        # Every token is compared, each in constant time: the time tells nothing.
        for known, _, caller in self._known:
            if hmac.compare_digest(given, known):
                found = caller
        return found

    def open(self, token: str) -> str | None:
        """A new session's cookie for whoever has this token; None where nobody has."""
        caller = self.bearer(token.strip().encode("utf-8", "surrogatepass"))
        if caller is None:
            return None
        told = f"{caller.name}.{int(self._clock()) + LASTS}.{secrets.token_hex(16)}"
        return f"{told}.{_signed(self._keys[caller.name][0], told)}"

    def caller(self, cookie: str) -> Caller | None:
        """Whoever the session is of; None where it is none of ours, has expired, or its token is no
        more."""
        told, _, signature = cookie.rpartition(".")
        name, _, expires = told.rpartition(".")[0].rpartition(".")
        key, caller = self._keys.get(name, (b"", None))
        if not hmac.compare_digest(_signed(key, told).encode(), signature.encode()):
            return None
        # Only what we have signed is read as a number.
        return caller if caller is not None and self._clock() < int(expires) else None


def _signed(key: bytes, told: str) -> str:
    return hmac.new(key, b"session\0" + told.encode(), sha256).hexdigest()
