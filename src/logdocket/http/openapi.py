"""The OpenAPI document: FastAPI's own, and the two hot routes that it does not see."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from logdocket.errors import URN
from logdocket.http.problem import MEDIA_TYPE, Problem
from logdocket.schema import ticket_schema

_TEXT = r"\S"
_TICKET = {"$ref": "#/components/schemas/Ticket"}
_PROBLEM = {"$ref": "#/components/schemas/Problem"}

_CONTEXT: dict[str, Any] = {
    "type": ["object", "null"],
    "description": "What the sender knows beside the line.",
    "additionalProperties": False,
    "properties": {
        "received_at": {
            "type": ["string", "null"],
            "format": "date-time",
            "description": "When the line arrived; resolves a stamp that has no year.",
        },
        "service": {
            "type": ["string", "null"],
            "description": "Used where the line names no service.",
        },
        "timezone": {
            "type": ["string", "null"],
            "description": "IANA name or ±HH:MM, given to stamps without a zone.",
        },
        "labels": {
            "type": ["object", "null"],
            "additionalProperties": {"type": "string"},
            "description": "The sender's own words; part of the ticket's identity.",
        },
    },
}
_REQUEST: dict[str, Any] = {
    "type": "object",
    "required": ["line"],
    "additionalProperties": False,
    "properties": {
        "line": {
            "type": "string",
            "pattern": _TEXT,
            "description": "One log line; control characters are data.",
        },
        "context": _CONTEXT,
    },
    "examples": [{"line": "2026-01-02T15:04:05Z ERROR payments: card network timed out"}],
}
_PROBLEM_SCHEMA: dict[str, Any] = {
    "type": "object",
    "description": "Problem details (RFC 9457).",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string", "enum": [URN + problem.word for problem in Problem]},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "Names the bad input and the mend."},
    },
}


def describe(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document of ``app``, made once and then kept."""
    if app.openapi_schema is None:
        document = get_openapi(
            title=app.title, version=app.version, description=app.description, routes=app.routes
        )
        schemas = document.setdefault("components", {}).setdefault("schemas", {})
        ticket = ticket_schema()
        schemas["Ticket"] = {key: ticket[key] for key in ticket if key not in ("$schema", "$id")}
        schemas["Problem"] = _PROBLEM_SCHEMA
        schemas["ExtractRequest"] = _REQUEST
        for unused in ("HTTPValidationError", "ValidationError"):
            schemas.pop(unused, None)
        for operations in document["paths"].values():
            for operation in operations.values():
                _tell_problems(operation)
        document["paths"]["/extract"] = {"post": _extract()}
        document["paths"]["/extract/batch"] = {"post": _batch()}
        document["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        document["security"] = [{}, {"token": []}]
        app.openapi_schema = document
    return app.openapi_schema


def _tell_problems(operation: dict[str, Any]) -> None:
    """FastAPI describes its own validation errors; this service answers with problems."""
    responses = operation["responses"]
    for status in responses:
        if not status.startswith("2"):
            responses[status] = _problem(responses[status]["description"])
    responses["401"] = _problem(Problem.TOKEN_REQUIRED.title)
    responses.setdefault("503", _problem(Problem.LEDGER_UNAVAILABLE.title))


def _problem(description: str) -> dict[str, Any]:
    return {"description": description, "content": {MEDIA_TYPE: {"schema": _PROBLEM}}}


def _refusals(*problems: Problem) -> dict[str, Any]:
    titles: dict[str, list[str]] = {}
    for problem in problems:
        titles.setdefault(str(problem.status), []).append(problem.title)
    return {status: _problem("; ".join(words)) for status, words in titles.items()}


def _extract() -> dict[str, Any]:
    return {
        "tags": ["tickets"],
        "summary": "One line in, one ticket out",
        "operationId": "extract",
        "description": (
            "With `Prefer: handling=strict` a ticket that could not be entered in the ledger "
            "answers 503 with the ticket inside, for senders that retry."
        ),
        "parameters": [
            {
                "name": "Prefer",
                "in": "header",
                "required": False,
                "schema": {"type": "string", "enum": ["handling=strict", "handling=lenient"]},
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
                        "schema": {"type": "string"},
                    }
                },
                "content": {"application/json": {"schema": _TICKET}},
            },
            **_refusals(
                Problem.JSON_INVALID,
                Problem.ENCODING_INVALID,
                Problem.TOKEN_REQUIRED,
                Problem.BODY_TOO_SLOW,
                Problem.LINE_TOO_LONG,
                Problem.BODY_TOO_LARGE,
                Problem.MEDIA_TYPE_UNSUPPORTED,
                Problem.ENCODING_UNSUPPORTED,
                Problem.LINE_BLANK,
                Problem.LINE_NOT_TEXT,
                Problem.CONTEXT_INVALID,
                Problem.BODY_INVALID,
                Problem.LEDGER_UNAVAILABLE,
            ),
        },
    }


def _batch() -> dict[str, Any]:
    rows = {"type": "string", "description": "One row a line."}
    return {
        "tags": ["tickets"],
        "summary": "Many lines in, one answer line for each, in order",
        "operationId": "extract_batch",
        "description": (
            "Rows are objects as for `/extract`, or plain lines. Each gets a ticket, or "
            '`{"error": problem}` with its `row` number, and the rest go on.'
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
            **_refusals(
                Problem.TOKEN_REQUIRED,
                Problem.BODY_TOO_LARGE,
                Problem.MEDIA_TYPE_UNSUPPORTED,
                Problem.ENCODING_UNSUPPORTED,
            ),
        },
    }
