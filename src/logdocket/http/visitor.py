"""What pages need of whoever looks at them: signing in and out, and a proof in every form.

The proof (against CSRF) is bound to two cookies that no script reads: one that any visitor has, and
the session's where there is one. A page of another site can neither read a form here nor set the
session's cookie, so it cannot know the proof.
"""

from __future__ import annotations

import hmac
import re
import secrets
from hashlib import sha256
from typing import Final
from urllib.parse import parse_qsl

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from logdocket.http.body import forget_encoding, headers, media_type, read_body
from logdocket.http.callers import SIGNED_IN, check_origin
from logdocket.http.cookies import SESSION, VISITOR, cookies, setting
from logdocket.http.extract import check_json
from logdocket.http.guard import Guard
from logdocket.http.problem import Headers, Problem, Refusal
from logdocket.http.roles import is_safe
from logdocket.http.sessions import LASTS, Sessions

__all__ = ["FIELD", "Visitors", "close_session", "csrf_token", "local_path", "open_session"]

FIELD: Final = "csrf"
"""The name of the form field that carries the proof."""
_HEADER: Final = b"x-csrf-token"
_FORM: Final = b"application/x-www-form-urlencoded"
_VISIT: Final = "logdocket.visit"
_VALUE: Final = re.compile(r"[0-9a-f]{64}")
_DOCUMENTS: Final = re.compile(r"/queue/(?:verdicts|[^/]+/verdict)")
"""Paths that are sent JSON."""
_MOST_FIELDS: Final = 2_000
_LOCAL: Final = re.compile(r"/(?![/\\])[!-\[\]-~]*")
_LONGEST_PATH: Final = 2_000


class _Visit:
    """One request's visitor."""

    def __init__(self, scope: Scope, sessions: Sessions) -> None:
        self.sessions = sessions
        value = cookies(scope).get(VISITOR, "")
        self.fresh = _VALUE.fullmatch(value) is None
        self._value = secrets.token_hex(32) if self.fresh else value
        self._session: str = scope.get(SIGNED_IN, "")
        self.told = False

    def proof(self) -> str:
        """What a form of this visitor carries."""
        return hmac.new(
            self._value.encode(), b"csrf\0" + self._session.encode("latin-1"), sha256
        ).hexdigest()

    def cookie(self, scope: Scope) -> tuple[bytes, bytes]:
        """The header that makes the visitor known by the next request."""
        return setting(scope, VISITOR, self._value)


def csrf_token(scope: Scope) -> str:
    """The proof that a form or a script of this visitor has to send: as the form field ``csrf``, or
    as the header ``X-CSRF-Token``. The answer then sets the visitor's cookie where need be."""
    visit: _Visit | None = scope.get(_VISIT)
    if visit is None:
        # Refused at the door: whoever has been here before has the cookie.
        visit = scope[_VISIT] = _Visit(scope, Sessions(()))
    visit.told = True
    return visit.proof()


def open_session(scope: Scope, token: str) -> Headers | None:
    """The headers that sign in whoever has ``token``; None where it is none of the service's."""
    visit: _Visit = scope[_VISIT]
    cookie = visit.sessions.open(token)
    return None if cookie is None else (setting(scope, SESSION, cookie, LASTS),)


def close_session(scope: Scope) -> Headers:
    """The headers that sign out."""
    return (setting(scope, SESSION, "", 0),)


def local_path(text: str | None) -> str:
    """``text`` where that is a path of this service, else ``/``: what leads to another site, and
    what would end a header, does not pass."""
    if text is None or len(text) > _LONGEST_PATH or _LOCAL.fullmatch(text) is None:
        return "/"
    return text


class Visitors:
    """An ASGI middleware: reads what pages and the queue are sent, in bounds, and checks the proof
    of what a browser sends by itself."""

    def __init__(self, app: ASGIApp, sessions: Sessions, guard: Guard) -> None:
        self._app = app
        self._sessions = sessions
        self._guard = guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the request through; raises Refusal."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        visit = scope[_VISIT] = _Visit(scope, self._sessions)
        if not is_safe(scope["method"]):
            receive = await self._admit(scope, visit, receive)

        async def sent(message: Message) -> None:
            if visit.told and message["type"] == "http.response.start":
                message = {**message, "headers": _with_cookie(scope, visit, message)}
            await send(message)

        await self._app(scope, receive, sent)

    async def _admit(self, scope: Scope, visit: _Visit, receive: Receive) -> Receive:
        path = scope["path"]
        page = path.startswith("/ui/")
        proves = SIGNED_IN in scope or (page and not self._by_token(scope))
        if proves:
            check_origin(scope)
        document = _DOCUMENTS.fullmatch(path) is not None
        if scope["method"] != "POST" or not (page or document):
            # No route reads it.
            if proves:
                _check(visit, headers(scope).get(_HEADER, b""))
            return receive
        if document:
            check_json(scope)
        body = await read_body(scope, receive, self._guard)
        forget_encoding(scope)
        if proves:
            _check(visit, headers(scope).get(_HEADER) or _field(scope, body))
        return _replayed(body, receive)

    def _by_token(self, scope: Scope) -> bool:
        """Whether a token says who asks: no page of another site has one to send."""
        return bool(self._sessions) and SIGNED_IN not in scope and scope["path"] != "/ui/sign-in"


def _check(visit: _Visit, given: bytes) -> None:
    if not hmac.compare_digest(visit.proof().encode(), given):
        raise Refusal(
            Problem.CSRF_INVALID,
            "the form is from before you signed in, or another page's: load the page again, then "
            "send it",
        )


def _field(scope: Scope, body: bytes) -> bytes:
    """The proof in a form; empty where there is none."""
    if media_type(scope) != _FORM:
        return b""
    try:
        fields = parse_qsl(body.decode("ascii", "replace"), max_num_fields=_MOST_FIELDS)
    except ValueError:
        return b""
    return next((value for name, value in fields if name == FIELD), "").encode("utf-8", "replace")


def _replayed(body: bytes, receive: Receive) -> Receive:
    """A source that gives ``body`` first, and then what still comes."""
    message: Message | None = {"type": "http.request", "body": body, "more_body": False}

    async def again() -> Message:
        nonlocal message
        if message is None:
            return await receive()
        given, message = message, None
        return given

    return again


def _with_cookie(scope: Scope, visit: _Visit, message: Message) -> list[tuple[bytes, bytes]]:
    """An answer with a proof in it is one visitor's own: it is kept nowhere."""
    given = list(message.get("headers", ()))
    if not any(name.lower() == b"cache-control" for name, _ in given):
        given.append((b"cache-control", b"no-store"))
    if visit.fresh:
        given.append(visit.cookie(scope))
    return given
