"""The two cookies of this service: names, reading, setting."""

from __future__ import annotations

from typing import Final

from starlette.types import Scope

from logdocket.http.body import headers

SESSION: Final = "logdocket_session"
VISITOR: Final = "logdocket_visitor"


def cookies(scope: Scope) -> dict[str, str]:
    """The request's cookies by name; of one that is repeated, the first.

    A browser sends the one of the narrowest path first, and ours have none but ``/`` (RFC 6265,
    section 5.4).
    """
    found: dict[str, str] = {}
    for name, value in scope["headers"]:
        if name == b"cookie":
            for pair in value.decode("latin-1").split(";"):
                key, separator, held = pair.partition("=")
                if separator:
                    found.setdefault(key.strip(), held.strip())
    return found


def setting(scope: Scope, name: str, value: str, lasts: int | None = None) -> tuple[bytes, bytes]:
    """The header that sets a cookie for ``lasts`` seconds; None: until the browser ends.

    No script can read it, no other site's page has it sent, and where the browser came by HTTPS it
    is sent by no other way.
    """
    parts = [f"{name}={value}", "Path=/", "HttpOnly", "SameSite=Strict"]
    if lasts is not None:
        parts.append(f"Max-Age={lasts}")
    if _is_secure(scope):
        parts.append("Secure")
    return b"set-cookie", "; ".join(parts).encode("ascii")


def _is_secure(scope: Scope) -> bool:
    """Whether the browser came by HTTPS, perhaps to a proxy before this service. Whoever lies in
    these headers only gets a cookie that is sent less often."""
    given = headers(scope)
    return (
        scope.get("scheme") == "https"
        or given.get(b"x-forwarded-proto", b"").partition(b",")[0].strip().lower() == b"https"
        or given.get(b"origin", b"").lower().startswith(b"https://")
    )
