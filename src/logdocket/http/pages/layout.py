"""What all pages share: how they are drawn, what protects them, where their files are."""

from __future__ import annotations

import importlib.resources
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from typing import Any, Final
from urllib.parse import urlencode

import jinja2
import msgspec
from starlette.responses import Response
from starlette.types import Scope

from logdocket import __version__
from logdocket.http.body import headers
from logdocket.http.callers import SIGNED_IN
from logdocket.http.pages import shown, visible, words
from logdocket.http.problem import Problem, Refusal
from logdocket.http.roles import Caller, Role, caller, is_safe, wanted
from logdocket.http.visitor import csrf_token

SAFE: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    # What a page shows is for whoever signed in.
    "Cache-Control": "no-store",
    "Vary": "Accept, Cookie",
}
"""Headers of every page."""

_KINDS: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_OTHERS: Final = frozenset({"start.js"})
"""Files beside the pages' own that belong to another page."""


_MENU: Final = (
    (Role.READ, "queue", "/", "Queue"),
    (Role.READ, "ledger", "/ui/ledger", "Ledger"),
    (Role.EXTRACT, "try", "/ui/try", "Try"),
)
"""The navigation: the role that an entry wants, its word, where it leads and what it is called."""


class Asset(msgspec.Struct, frozen=True):
    """A file that pages load; ``tag`` changes with its bytes."""

    body: bytes
    kind: str
    tag: str


@cache
def assets() -> Mapping[str, Asset]:
    """Every file that pages load, by name."""
    folder = importlib.resources.files("logdocket.http").joinpath("static")
    found = {}
    for file in folder.iterdir():
        kind = _KINDS.get("." + file.name.rpartition(".")[2])
        if kind is not None and file.name not in _OTHERS:
            body = file.read_bytes()
            found[file.name] = Asset(body, kind, sha256(body).hexdigest()[:16])
    return found


@cache
def _environment() -> jinja2.Environment:
    """The templates; a name that a template uses and nobody gave is an error."""
    made = jinja2.Environment(
        loader=jinja2.PackageLoader("logdocket.http", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters.update(
        ago=shown.ago,
        date=shown.date,
        moment=shown.moment,
        number=shown.number,
        percent=shown.percent,
        likely=shown.likely,
        visible=visible.marked,
        short=lambda value: visible.shortened(value, 80),
        cut=lambda value: visible.shortened(value, 240),
        iso=shown.iso,
    )
    made.globals.update(asset=_address, like_it=words.LIKE_IT, version=__version__)
    return made


def _address(name: str) -> str:
    """Where a file is, as long as it is what it is now.

    Modules ask for each other by plain name, so that is what pages ask for too: a module that came
    from two addresses would run twice.
    """
    tag = assets()[name].tag
    return f"/ui/static/{name}" if name.endswith(".js") else f"/ui/static/{name}?v={tag}"


def render(name: str, scope: Scope, status: int = 200, **values: Any) -> Response:
    """The page that template ``name`` makes of ``values``, with the headers that protect it.

    Templates also see ``caller`` (``name`` and ``roles``; None for who has not signed in),
    ``signed_in`` (by a session, which can be ended), ``csrf``, ``now`` (µs since 1970 UTC),
    ``path``, ``menu`` (word, address and name of each page that the caller may look at), ``home``
    (where the caller begins) and ``may`` (``may("review")``: whether the caller has that role).
    ``values`` may give ``page`` (the word of the entry of the menu that is this page) and
    ``flash``.
    """
    return Response(
        text(name, scope, **values),
        status,
        headers=SAFE,
        media_type="text/html; charset=utf-8",
    )


def text(name: str, scope: Scope, **values: Any) -> bytes:
    """The same as bytes, without headers: for a part of a page."""
    given: dict[str, Any] = {
        "caller": caller(scope),
        "signed_in": SIGNED_IN in scope,
        "csrf": csrf_token(scope),
        "flash": None,
        "home": home(scope),
        "menu": [entry[1:] for entry in _MENU if may(scope, entry[0])],
        "may": lambda role: may(scope, role),
        "now": shown.now(),
        "origin": _origin(scope),
        "page": None,
        "path": scope["path"],
        **values,
    }
    # Text of a line may hold half a surrogate pair where the page forgot to show it visibly.
    return _environment().get_template(name).render(given).encode("utf-8", "replace")


def _origin(scope: Scope) -> str:
    """The address of the service as whoever asks knows it."""
    host = headers(scope).get(b"host", b"127.0.0.1:8000").decode("latin-1")
    return f"{scope.get('scheme', 'http')}://{host}"


def may(scope: Scope, role: str) -> bool:
    """Whether whoever asks has ``role``."""
    who = caller(scope)
    return who is not None and role in who.roles


def home(scope: Scope) -> str:
    """Where whoever asks may begin: at the queue, or where lines are sent for who may do only
    that."""
    who = caller(scope)
    return "/" if who is None else first_page(who, "/")


def first_page(who: Caller, aim: str) -> str:
    """``aim``, or the page to try a line where that is for others than ``who``."""
    role = wanted("GET", aim.partition("?")[0])
    return aim if role is None or who.may(role) or not who.may(Role.EXTRACT) else "/ui/try"


def problem(refusal: Refusal, scope: Scope) -> Response:
    """A refusal as a page that says what to do."""
    barred = refusal.problem is Problem.ROLE_REQUIRED
    response = render(
        "problem.html",
        scope,
        refusal.problem.status,
        title=refusal.problem.title,
        detail=words.told_on_page(refusal.detail),
        sign_in=_sign_in(scope) if barred and SIGNED_IN in scope else None,
        word=refusal.problem.word,
        waits=refusal.problem is Problem.LEDGER_UNAVAILABLE,
        again=refusal.problem.status >= 500 or refusal.problem is Problem.CSRF_INVALID,
    )
    for name, value in refusal.headers:
        response.headers[name.decode()] = value.decode()
    return response


def _sign_in(scope: Scope) -> str:
    """Where one signs in with another token, to come back to this page."""
    aim = scope["path"] if is_safe(scope["method"]) else "/"
    if aim != "/" and scope["query_string"]:
        aim += "?" + scope["query_string"].decode("latin-1")
    return f"/ui/sign-in?{urlencode({'next': aim})}"


def static(name: str, scope: Scope) -> Response:
    """The file ``name``; raises Refusal where there is none."""
    asset = assets().get(name)
    if asset is None:
        raise Refusal(Problem.NOT_FOUND, f"no file of the pages is called {name!r}")
    tag = f'"{asset.tag}"'
    # An address that names the bytes may be kept for good; a module asks for others by plain name.
    named = scope.get("query_string", b"") == b"v=" + asset.tag.encode()
    kept = "public, max-age=31536000, immutable" if named else "no-cache"
    sent = {
        "Cache-Control": kept,
        "ETag": tag,
        "X-Content-Type-Options": "nosniff",
        "Cross-Origin-Resource-Policy": "same-origin",
    }
    if headers(scope).get(b"if-none-match") == tag.encode():
        return Response(status_code=304, headers=sent)
    return Response(asset.body, headers=sent, media_type=asset.kind)
