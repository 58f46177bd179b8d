"""The pages that people read and decide on."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import APIRouter, Request
from starlette.responses import Response

from logdocket.docket import Extractor
from logdocket.docket.review import ReviewDesk
from logdocket.docket.review.second_look import SecondLook
from logdocket.http.deciding import Deciding
from logdocket.http.guard import Guard
from logdocket.http.pages import group, layout, ledger, queue, sign_in, tryout
from logdocket.http.pages.told import PageStore
from logdocket.http.problem import Problem, Refusal
from logdocket.ticket import Extraction

__all__ = ["router"]


def router(
    desk: ReviewDesk,
    store: PageStore,
    extractor: Extractor,
    guard: Guard,
    deciding: Deciding,
    given: Callable[[Extraction], None],
    second_look: SecondLook | None = None,
) -> APIRouter:
    """All pages, their files, and a page for each address below ``/ui/`` that is none; ``given`` is
    told of every ticket that a page asked for, ``second_look`` tells when the next one is due."""
    routes = APIRouter(include_in_schema=False)

    @routes.get("/ui/static/{name}")
    async def file(request: Request) -> Response:
        return layout.static(request.path_params["name"], request.scope)

    routes.include_router(queue.router(desk, store, guard, deciding))
    routes.include_router(group.router(desk, store, guard, deciding))
    routes.include_router(ledger.router(desk, store, extractor, second_look))
    routes.include_router(tryout.router(desk, store, extractor, guard, given))
    routes.include_router(sign_in.router(guard))

    @routes.get("/ui/{path:path}")
    async def nowhere(request: Request) -> Response:
        path = request.scope["path"]
        raise Refusal(Problem.NOT_FOUND, f"there is no page at {path[:200]}")

    return routes
