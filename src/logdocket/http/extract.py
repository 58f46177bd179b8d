"""``POST /extract``: one line in, one ticket out.

A plain ASGI endpoint, because this is the hot path; ``openapi.py`` describes it.
"""

from __future__ import annotations

import re
from typing import Final

from starlette.types import Receive, Scope, Send

from logdocket.docket import Extractor
from logdocket.http.body import headers, joined_header, media_type, read_body
from logdocket.http.guard import Guard
from logdocket.http.metrics import Metrics
from logdocket.http.problem import Problem, Refusal
from logdocket.http.rows import json_row
from logdocket.ticket import Extraction

_JSON = (b"content-type", b"application/json")
# Of a preference that is stated twice, the first counts (RFC 7240, section 2).
_HANDLING: Final = re.compile(
    rb"(?:\A|,)[ \t]*handling[ \t]*=[ \t]*\"?([a-z]+)\"?[ \t]*(?:[;,]|\Z)"
)


class Extract:
    """The endpoint."""

    path = "/extract"

    def __init__(self, extractor: Extractor, guard: Guard, metrics: Metrics) -> None:
        self._extractor = extractor
        self._guard = guard
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with a ticket, or with the problem that keeps the body from having one."""
        scope["route"] = self
        check_json(scope)
        body = await read_body(scope, receive, self._guard)
        line, context = json_row(body, self._guard.max_line)
        extraction = await self._extractor.extract(line, context)
        self._metrics.ticket(extraction)
        if extraction.id is None and _is_strict(scope):
            await _refuse(extraction, send)
        else:
            await _answer(extraction, send)


def check_json(scope: Scope) -> None:
    """Refuse a body that is not declared as JSON.

    A page in a browser can send a form to a service on loopback without asking; it cannot send
    JSON.
    """
    if headers(scope).get(b"content-type") == b"application/json":
        return
    kind = media_type(scope)
    if kind != b"application/json" and not (
        kind.startswith(b"application/") and kind.endswith(b"+json")
    ):
        raise Refusal(
            Problem.MEDIA_TYPE_UNSUPPORTED,
            "the body is not declared as JSON: send Content-Type: application/json",
        )


async def _answer(extraction: Extraction, send: Send) -> None:
    body = extraction.json
    head = [_JSON, (b"content-length", b"%d" % len(body))]
    if extraction.id is not None:
        head.append((b"content-location", b"/tickets/%d" % extraction.id))
    await send({"type": "http.response.start", "status": 200, "headers": head})
    await send({"type": "http.response.body", "body": body})


def _is_strict(scope: Scope) -> bool:
    """Whether the sender would rather send again than have a ticket outside the ledger
    (RFC 7240).
    """
    found = _HANDLING.search(joined_header(scope, b"prefer").lower())
    return found is not None and found[1] == b"strict"


async def _refuse(extraction: Extraction, send: Send) -> None:
    refusal = Refusal(
        Problem.LEDGER_UNAVAILABLE,
        "the ticket is not in the ledger: send the line again later",
        ((b"retry-after", b"5"), (b"preference-applied", b"handling=strict")),
    )
    await refusal.send(send, ticket=extraction.ticket)
