"""Who may ask: those who know a token; without tokens, those on this machine, but no web page."""

from __future__ import annotations

import hmac
import ipaddress
from hashlib import sha256
from typing import Final
from urllib.parse import urlsplit

from starlette.types import Scope

from logdocket.http.body import headers
from logdocket.http.problem import Problem, Refusal

# Probes carry no token, and what the service can do is no secret.
OPEN: Final = frozenset({"/healthz", "/readyz", "/openapi.json", "/docs", "/schema/ticket"})
_OPEN_BELOW: Final = "/docs/"
_TELLING: Final = ("/ledger", "/tickets")
"""Below these stands what others have sent."""


class Callers:
    """The check of who asks. ``tokens``: any of them opens the service; empty opens it to all."""

    def __init__(self, tokens: tuple[str, ...]) -> None:
        self._tokens = [sha256(token.encode()).digest() for token in tokens]

    def check(self, scope: Scope) -> None:
        """Raise Refusal unless the request may be answered."""
        if not self._tokens:
            _check_browser(headers(scope), scope["path"].startswith(_TELLING))
            return
        path = scope["path"]
        if path in OPEN or path.startswith(_OPEN_BELOW):
            return
        scheme, _, token = headers(scope).get(b"authorization", b"").partition(b" ")
        given = sha256(token.strip()).digest()
        # Every token is compared, each in constant time: the time tells nothing.
        matches = [hmac.compare_digest(given, known) for known in self._tokens]
        if scheme.lower() != b"bearer" or not any(matches):
            raise Refusal(
                Problem.TOKEN_REQUIRED,
                "send Authorization: Bearer TOKEN with one of the service's tokens",
                ((b"www-authenticate", b'Bearer realm="logdocket"'),),
            )


def _check_browser(given: dict[bytes, bytes], telling: bool) -> None:
    """Refuse what another site's page makes a browser on this machine send.

    Only browsers send these headers (https://www.w3.org/TR/fetch-metadata/). A page may also come
    to this address under a name of its own, which its owner points here; hence the look at Host.
    When such a page only reads, over plain HTTP, the browser sends neither header: what is
    ``telling`` is read under this machine's own names alone, by whomever.
    """
    origin = given.get(b"origin")
    site = given.get(b"sec-fetch-site")
    if origin is None and site is None and not (telling and b"host" in given):
        return
    host = given.get(b"host", b"")
    foreign = site not in (None, b"same-origin", b"none") or (
        origin is not None and origin.partition(b"://")[2].lower() != host.lower()
    )
    if foreign or not _is_this_machine(host):
        raise Refusal(
            Problem.ORIGIN_REFUSED,
            "without LOGDOCKET_TOKENS only pages of this service may call it, and the ledger is "
            "read at an IP address or localhost: set LOGDOCKET_TOKENS and send one",
        )


def _is_this_machine(host: bytes) -> bool:
    try:
        name = urlsplit(b"//" + host).hostname or b""
        if name == b"localhost":
            return True
        ipaddress.ip_address(name.decode("ascii"))
    except ValueError:
        return False
    return True
