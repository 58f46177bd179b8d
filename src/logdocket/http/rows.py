"""What a request holds: one line with its context, as JSON or as plain text."""

from __future__ import annotations

import contextlib
import json
import re
from typing import Final, NoReturn

import msgspec

from logdocket.docket import Item
from logdocket.errors import InputError
from logdocket.http.problem import Problem, Refusal
from logdocket.line import NO_CONTEXT, Context, Line
from logdocket.reading import check_context


class ContextBody(msgspec.Struct, forbid_unknown_fields=True):
    """The ``context`` object of a request, as it is sent."""

    received_at: str | None = None
    service: str | None = None
    timezone: str | None = None
    labels: dict[str, str] | None = None


class ExtractBody(msgspec.Struct, forbid_unknown_fields=True):
    """The body of ``POST /extract``, and a row of a batch."""

    line: str
    context: ContextBody | None = None


_SURROGATE: Final = re.compile(rb"\\u[dD][89a-fA-F]")
_decoder = msgspec.json.Decoder(ExtractBody)


def json_row(raw: bytes, max_line: int) -> Item:
    """The line and context of a JSON object; raises Refusal."""
    try:
        body = _decoder.decode(raw)
    except msgspec.ValidationError as error:
        detail = f'{error}: send {{"line": "..."}}, with "context" beside it if need be'
        raise Refusal(Problem.BODY_INVALID, detail) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _no_json(raw, error) from None
    try:
        line = Line.of(body.line, max_line)
        context = NO_CONTEXT if body.context is None else _context(body.context)
    except InputError as error:
        raise Refusal.of(error) from None
    return line, context


def text_row(raw: bytes, max_line: int) -> Item:
    """The line that the bytes of a text row are; raises Refusal."""
    try:
        return Line.of(raw.decode("utf-8"), max_line), NO_CONTEXT
    except UnicodeDecodeError as error:
        detail = f"byte {error.start} of the line is not UTF-8: send UTF-8 text"
        raise Refusal(Problem.TEXT_NOT_UTF8, detail) from None
    except InputError as error:
        raise Refusal.of(error) from None


def _no_json(raw: bytes, error: Exception) -> Refusal:
    """What is wrong with ``raw``. JSON's grammar allows lone surrogates, and our decoder does not,
    so a body that any other decoder takes holds one.
    """
    with contextlib.suppress(ValueError, RecursionError):
        if _SURROGATE.search(raw) and json.loads(raw.decode("utf-8"), parse_constant=_no_constant):
            detail = "a lone surrogate (\\ud800 to \\udfff) is no character: send Unicode text"
            return Refusal(Problem.LINE_NOT_TEXT, detail)
    return Refusal(Problem.JSON_INVALID, f"{error}: send one JSON object in UTF-8")


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _context(body: ContextBody) -> Context:
    return check_context(body.received_at, body.service, body.timezone, body.labels)
