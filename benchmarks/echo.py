"""The ceiling: a bare Starlette application that decodes a JSON body and sends it back."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route


async def extract(request: Request) -> JSONResponse:
    """The body that came."""
    return JSONResponse(await request.json())


app = Starlette(routes=[Route("/extract", extract, methods=["POST"])])
