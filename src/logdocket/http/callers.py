"""Who may ask: those who know a token or signed in with one; without tokens, those on this machine,
but no other site's page."""

from __future__ import annotations

import ipaddress
from typing import Final
from urllib.parse import quote, urlsplit

from starlette.types import Scope, Send

from logdocket.http.body import headers
from logdocket.http.cookies import SESSION, cookies
from logdocket.http.problem import Problem, Refusal
from logdocket.http.roles import CALLER, LOCAL, Caller, is_open, is_safe, wanted
from logdocket.http.sessions import Sessions

__all__ = ["SIGNED_IN", "Callers", "check_origin", "wants_page"]

SIGNED_IN: Final = "logdocket.signed_in"
"""Key of a request's scope: the session's cookie, where that and no token says who asks."""

_TELLING: Final = ("/ledger", "/tickets", "/queue", "/ui")
"""Below these, and at ``/``, stands what others have sent."""
_SENT: Final = ("/extract", "/extract/batch")
"""Programs send these, by the thousand: there is no look for a session."""


class Callers:
    """The check of who asks. Where ``sessions`` knows no token, the service is open to all here."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._guarded = bool(sessions)

    def check(self, scope: Scope) -> None:
        """Raise Refusal unless the request may be answered; note in ``scope`` who asks."""
        path = scope["path"]
        if not self._guarded:
            _check_browser(headers(scope), path == "/" or path.startswith(_TELLING))
            scope[CALLER] = LOCAL
            return
        if is_open(path):
            return
        caller = scope[CALLER] = self._known(scope, path)
        role = wanted(scope["method"], path)
        if role is not None and role not in caller.roles:
            raise Refusal(
                Problem.ROLE_REQUIRED,
                f"{caller.name} has not the role {role}: send a token that has it, or add it in "
                "LOGDOCKET_TOKENS",
            )

    def _known(self, scope: Scope, path: str) -> Caller:
        given = headers(scope)
        authorization = given.get(b"authorization")
        if authorization is not None:
            # Whoever sends a token is not known by a cookie as well: that would need more proof.
            scheme, _, token = authorization.partition(b" ")
            caller = self._sessions.bearer(token.strip())
            if caller is not None and scheme.lower() == b"bearer":
                return caller
        elif path not in _SENT:
            cookie = cookies(scope).get(SESSION, "")
            caller = self._sessions.caller(cookie)
            if caller is not None:
                scope[SIGNED_IN] = cookie
                return caller
            if wants_page(scope):
                if is_safe(scope["method"]):
                    raise _SignIn(scope)
                raise Refusal(
                    Problem.TOKEN_REQUIRED,
                    "you are not signed in any more: sign in at /ui/sign-in, then do it again",
                )
        raise Refusal(
            Problem.TOKEN_REQUIRED,
            "send Authorization: Bearer TOKEN with one of the service's tokens",
            ((b"www-authenticate", b'Bearer realm="logdocket"'),),
        )


class _SignIn(Refusal):
    """A person without a session is led to where one begins, and from there to where they would."""

    leads = True

    def __init__(self, scope: Scope) -> None:
        super().__init__(Problem.TOKEN_REQUIRED, "sign in first")
        aim = scope.get("raw_path") or quote(scope["path"]).encode()
        if scope["query_string"]:
            aim += b"?" + scope["query_string"]
        self.headers = (
            (b"location", b"/ui/sign-in?next=" + quote(aim, safe="").encode()),
            (b"cache-control", b"no-store"),
        )

    async def send(self, send: Send, *, last: bool = False, **more: object) -> None:
        """Lead there. ``last``: as for any refusal."""
        closing = ((b"connection", b"close"),) if last else ()
        head = [(b"content-length", b"0"), *closing, *self.headers]
        await send({"type": "http.response.start", "status": 303, "headers": head})
        await send({"type": "http.response.body", "body": b"", "more_body": last})


def wants_page(scope: Scope) -> bool:
    """Whether a person in a browser asks for one of the service's pages, or sends a form of one."""
    path = scope["path"]
    return (path in ("/", "/ui") or path.startswith("/ui/")) and b"text/html" in headers(scope).get(
        b"accept", b""
    )


def check_origin(scope: Scope) -> None:
    """Refuse what no page of this service sent.

    Only browsers send these headers, and no script can set them
    (https://www.w3.org/TR/fetch-metadata/). Where a proxy changes Host, the browser's own word on
    the site counts; where the site is plain HTTP it gives none, and Origin has to name this host.
    """
    given = headers(scope)
    site = given.get(b"sec-fetch-site")
    if site != b"same-origin" and (site is not None or not _is_ours(given)):
        raise Refusal(
            Problem.ORIGIN_REFUSED,
            "only a page of this service may send this with a session: open the page, or send "
            "Authorization: Bearer TOKEN",
        )


def _is_ours(given: dict[bytes, bytes]) -> bool:
    """Whether Origin names the host that was asked."""
    _, separator, place = given.get(b"origin", b"").partition(b"://")
    return bool(separator) and place.lower() == given.get(b"host", b"").lower()


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
        origin is not None and not _is_ours(given)
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
