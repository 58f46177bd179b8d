"""The OpenAPI document: FastAPI's own, mended, and the two hot routes that it does not see."""

from __future__ import annotations

from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from logdocket.errors import URN
from logdocket.http.guard import Guard
from logdocket.http.problem import MEDIA_TYPE, Problem
from logdocket.http.requests import context_schema, request_schema
from logdocket.http.roles import OPEN
from logdocket.schema import ticket_schema

_PROBLEM: Final = {"$ref": "#/components/schemas/Problem"}
_CONFLICT: Final = {"$ref": "#/components/schemas/ReviewConflict"}
_STRICT_PROBLEM: Final = {"$ref": "#/components/schemas/UnrecordedTicket"}
_HEADERS: Final[dict[Problem, dict[str, str]]] = {
    Problem.TOKEN_REQUIRED: {"WWW-Authenticate": "The scheme that opens the service."},
    Problem.LEDGER_UNAVAILABLE: {"Retry-After": "Seconds after which to try again."},
    Problem.ENCODING_UNSUPPORTED: {"Accept-Encoding": "The encodings that are supported."},
}
"""Headers that come with a problem. (One that shares its status with others may lack them.)"""

_ANY: Final = (Problem.TOKEN_REQUIRED, Problem.ORIGIN_REFUSED, Problem.ROLE_REQUIRED)
_BODY: Final = (
    *_ANY,
    Problem.ENCODING_INVALID,
    Problem.BODY_TOO_SLOW,
    Problem.BODY_TOO_LARGE,
    Problem.MEDIA_TYPE_UNSUPPORTED,
    Problem.ENCODING_UNSUPPORTED,
)
_READING: Final = (*_ANY, Problem.PARAMETER_INVALID, Problem.LEDGER_UNAVAILABLE)
_JSON: Final = (
    *_BODY,
    Problem.JSON_INVALID,
    Problem.BODY_INVALID,
    Problem.PARAMETER_INVALID,
    Problem.CSRF_INVALID,
    Problem.LEDGER_UNAVAILABLE,
)
_OTHER: Final[dict[str, tuple[Problem, ...]]] = {
    "/ledger": _READING,
    "/ledger/summary": _READING,
    "/ledger/verify": _READING,
    "/tickets/{id}": (*_READING, Problem.NOT_FOUND),
    "/readyz": (Problem.ORIGIN_REFUSED, Problem.LEDGER_UNAVAILABLE),
    "/queue": _READING,
    "/queue/export": _READING,
    "/queue/changes": _READING,
    "/queue/{id}": (*_READING, Problem.NOT_FOUND),
    "/queue/{id}/verdict": (*_JSON, Problem.VERDICT_INVALID, Problem.NOT_FOUND),
    "/queue/verdicts": _JSON,
}
"""What a route may answer instead, where that is more than :data:`_ANY`."""


def describe(app: FastAPI, guard: Guard) -> dict[str, Any]:
    """The OpenAPI document of ``app`` as ``guard`` bounds it, made once and then kept."""
    if app.openapi_schema is None:
        document = get_openapi(
            title=app.title, version=app.version, description=app.description, routes=app.routes
        )
        components = document.setdefault("components", {})
        components["schemas"] = _schemas(components.get("schemas", {}), guard)
        paths = document["paths"]
        for path, operations in paths.items():
            for operation in operations.values():
                _mend(operation, _OTHER.get(path, _ANY))
        paths["/queue/{id}/verdict"]["post"]["responses"].update(
            _refusals(Problem.REVIEW_CONFLICT, schema=_CONFLICT)
        )
        paths["/extract"] = {"post": _extract()}
        paths["/extract/batch"] = {"post": _batch()}
        if guard.tokens:
            components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
            document["security"] = [{"token": []}]
        for path in OPEN & set(paths):
            paths[path]["get"]["security"] = []
            paths[path]["get"]["responses"].pop("401", None)
        app.openapi_schema = document
    return app.openapi_schema


def _schemas(found: dict[str, Any], guard: Guard) -> dict[str, Any]:
    ticket = ticket_schema()
    ours = {
        "ExtractRequest": request_schema(guard.max_line),
        "Context": context_schema(),
        "Ticket": {key: ticket[key] for key in ticket if key not in ("$schema", "$id")},
        "Problem": _problem_schema(),
        "ReviewConflict": {
            "description": "The problem, and the group as it stands.",
            "allOf": [_PROBLEM],
            "required": ["group"],
            "properties": {"group": {"$ref": "#/components/schemas/GroupBody"}},
        },
        "UnrecordedTicket": {
            "description": "The problem, and the ticket that could not be entered.",
            "allOf": [_PROBLEM],
            "required": ["ticket"],
            "properties": {"ticket": {"$ref": "#/components/schemas/Ticket"}},
        },
    }
    # FastAPI's own errors, and words that stand in place where they are used.
    foreign = ("HTTPValidationError", "ValidationError", "ExportFormat", "GroupSort")
    return {**{name: found[name] for name in found if name not in foreign}, **ours}


def _problem_schema() -> dict[str, Any]:
    return {
        "type": "object",
        "description": "Problem details (RFC 9457).",
        "required": ["type", "title", "status", "detail"],
        "properties": {
            "type": {"type": "string", "enum": [URN + problem.word for problem in Problem]},
            "title": {"type": "string"},
            "status": {"type": "integer", "minimum": 400, "maximum": 599},
            "detail": {"type": "string", "description": "Names the bad input and the mend."},
        },
    }


def _mend(operation: dict[str, Any], problems: tuple[Problem, ...]) -> None:
    """FastAPI describes its own validation errors; this service answers with problems."""
    responses = operation["responses"]
    for status in [status for status in responses if not status.startswith("2")]:
        del responses[status]
    responses.update(_refusals(*problems))


def _refusals(*problems: Problem, schema: dict[str, str] = _PROBLEM) -> dict[str, Any]:
    """The responses that tell of ``problems``, by status."""
    told: dict[str, Any] = {}
    for problem in problems:
        response = told.setdefault(
            str(problem.status),
            {"description": "", "content": {MEDIA_TYPE: {"schema": schema}}},
        )
        before = response["description"]
        response["description"] = f"{before}; {problem.title}" if before else problem.title
        for name, text in _HEADERS.get(problem, {}).items():
            headers = response.setdefault("headers", {})
            headers[name] = {"description": text, "schema": {"type": "string"}}
    return told


def _extract() -> dict[str, Any]:
    return {
        "tags": ["tickets"],
        "summary": "One line in, one ticket out",
        "operationId": "extract",
        "description": (
            "With `Prefer: handling=strict` a ticket that could not be entered in the ledger "
            "answers 503 with the ticket inside, for senders that retry. The body may be "
            "compressed with gzip. Of a repeated field the last counts."
        ),
        "parameters": [
            {
                "name": "Prefer",
                "in": "header",
                "required": False,
                "description": "RFC 7240; preferences that are not known are passed over.",
                "schema": {"type": "string"},
                "examples": {"strict": {"value": "handling=strict"}},
            }
        ],
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {"schema": {"$ref": "#/components/schemas/ExtractRequest"}}
            },
        },
        "responses": {
            "200": {
                "description": "The ticket",
                "headers": {
                    "Content-Location": {
                        "description": "The ticket's own address; absent when not in the ledger.",
                        "schema": {"type": "string", "pattern": "^/tickets/[0-9]+$"},
                    }
                },
                "content": {
                    "application/json": {"schema": {"$ref": "#/components/schemas/Ticket"}}
                },
            },
            **_refusals(
                *_BODY,
                Problem.JSON_INVALID,
                Problem.LINE_BLANK,
                Problem.LINE_NOT_TEXT,
                Problem.LINE_TOO_LONG,
                Problem.CONTEXT_INVALID,
                Problem.BODY_INVALID,
            ),
            **_refusals(Problem.LEDGER_UNAVAILABLE, schema=_STRICT_PROBLEM),
        },
    }


def _batch() -> dict[str, Any]:
    rows = {"type": "string", "description": "One row a line."}
    return {
        "tags": ["tickets"],
        "summary": "Many lines in, one answer line for each, in order",
        "operationId": "extract_batch",
        "description": (
            "Rows are objects as for `/extract`, or plain lines in UTF-8. Each gets a ticket, or "
            '`{"error": problem}` with its `row` number, and the rest go on. A fault that ends '
            "the batch early is its last line, with `row` null."
        ),
        "requestBody": {
            "required": True,
            "content": {
                "application/x-ndjson": {"schema": rows},
                "text/plain": {"schema": rows},
            },
        },
        "responses": {
            "200": {
                "description": "NDJSON, one line for each row",
                "content": {"application/x-ndjson": {"schema": {"type": "string"}}},
            },
            **_refusals(*_BODY),
        },
    }
