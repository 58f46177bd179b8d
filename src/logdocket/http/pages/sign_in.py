"""Signing in with a token, and out."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from logdocket.http.body import read_body
from logdocket.http.guard import Guard
from logdocket.http.pages.layout import SAFE, first_page, render
from logdocket.http.pages.verdicts import field, read_form
from logdocket.http.problem import Headers
from logdocket.http.sessions import Sessions
from logdocket.http.visitor import close_session, local_path, open_session


def router(guard: Guard) -> APIRouter:
    """The page, and what its form and the button to sign out send."""
    routes = APIRouter(include_in_schema=False)
    needed = bool(guard.tokens)
    known = Sessions(guard.tokens)

    def shown(request: Request, aim: str, *, refused: bool = False) -> Response:
        return render(
            "sign_in.html",
            request.scope,
            401 if refused else 200,
            aim=aim,
            needed=needed,
            refused=refused,
        )

    @routes.get("/ui/sign-in")
    async def page(request: Request) -> Response:
        return shown(request, local_path(request.query_params.get("next")))

    @routes.post("/ui/sign-in")
    async def enter(request: Request) -> Response:
        form = read_form(await read_body(request.scope, request.receive, guard))
        aim = local_path(field(form, "next"))
        if not needed:
            return _led(aim)
        # All tokens are compared, in constant time, and what was typed is not shown again.
        token = field(form, "token").strip()
        session = open_session(request.scope, token)
        if session is None:
            return shown(request, aim, refused=True)
        who = known.bearer(token.encode("utf-8", "surrogatepass"))
        return _led(aim if who is None else first_page(who, aim), session)

    @routes.post("/ui/sign-out")
    async def leave(request: Request) -> Response:
        return _led("/ui/sign-in", close_session(request.scope))

    return routes


def _led(where: str, more: Headers = ()) -> Response:
    """An answer that leads to ``where``."""
    response = RedirectResponse(where, 303, headers=SAFE)
    response.raw_headers.extend(more)
    return response
