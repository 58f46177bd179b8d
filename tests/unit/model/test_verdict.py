from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logdocket.calls import CallStatus
from logdocket.model.exchange import Exchange, Failure
from logdocket.model.verdict import detail, retry_after, status_of

NOW = datetime(2026, 6, 15, 12, 0, 0, tzinfo=UTC)

CODES = {
    200: None,
    201: CallStatus.UNREADABLE,
    204: CallStatus.UNREADABLE,
    302: CallStatus.REDIRECTED,
    400: CallStatus.REJECTED,
    401: CallStatus.UNAUTHORIZED,
    402: CallStatus.REJECTED,
    403: CallStatus.UNAUTHORIZED,
    404: CallStatus.NOT_FOUND,
    408: CallStatus.NOT_NOW,
    409: CallStatus.NOT_NOW,
    413: CallStatus.REJECTED,
    422: CallStatus.REJECTED,
    429: CallStatus.RATE_LIMITED,
    500: CallStatus.SERVER_ERROR,
    503: CallStatus.SERVER_ERROR,
    529: CallStatus.SERVER_ERROR,
    600: CallStatus.UNREADABLE,
}


@pytest.mark.parametrize(("code", "status"), CODES.items())
def test_the_status_of_a_response_tells_how_the_call_ended(
    code: int, status: CallStatus | None
) -> None:
    """Whatever its body says."""
    assert status_of(Exchange(call=1, status=code, body=b"<html>"), "schema") is status


FAILURES = {
    Failure.UNCONNECTED: CallStatus.UNREACHABLE,
    Failure.BROKEN: CallStatus.UNREACHABLE,
    Failure.TOO_LARGE: CallStatus.TOO_LARGE,
    Failure.UNDECODABLE: CallStatus.UNREADABLE,
}


@pytest.mark.parametrize(("failure", "status"), FAILURES.items())
@pytest.mark.parametrize("code", [None, 200])
def test_a_response_that_is_not_whole_has_failed(
    failure: Failure, status: CallStatus, code: int | None
) -> None:
    """Even where it began well."""
    assert status_of(Exchange(call=1, status=code, failure=failure), "text") is status


def test_an_error_whose_body_is_lost_is_that_error_still() -> None:
    """A 429 with a page of 50 MB is a 429."""
    exchange = Exchange(call=1, status=429, failure=Failure.TOO_LARGE)
    assert status_of(exchange, "text") is CallStatus.RATE_LIMITED


CANNOT = {
    "schema": [
        {"error": {"message": "'response_format' of type 'json_schema' is not supported"}},
        {"error": {"message": "This response_format type is unavailable now"}},
        {"error": {"message": "Unknown parameter", "param": "response_format"}},
        {"error": "structured outputs are not supported by this model"},
        {"detail": [{"msg": "Extra inputs are not permitted: response_format"}]},
        {"message": "Invalid schema for response_format 'ticket'"},
        {"error": {"message": "failed to parse grammar"}},
        {"error": {"message": "模型不支持 response_format 参数"}},
        [{"error": {"message": "responseJsonSchema is not supported", "status": "INVALID"}}],
    ],
    "tool": [
        {"error": {"message": "m does not support tools"}},
        {"error": {"message": "tool_choice must be auto"}},
        {"object": "error", "message": '"auto" tool choice requires --enable-auto-tool-choice'},
        {"error": {"message": "Function calling is not enabled for models/m"}},
    ],
}


@pytest.mark.parametrize(
    ("mode", "body"), [(mode, body) for mode, bodies in CANNOT.items() for body in bodies]
)
def test_a_400_that_cannot_constrain_output_is_told_from_others(mode: str, body: object) -> None:
    """It is the one after which asking differently helps."""
    exchange = Exchange(call=1, status=400, body=json.dumps(body).encode())
    assert status_of(exchange, mode) is CallStatus.NOT_SUPPORTED
    assert status_of(exchange, "text") is CallStatus.REJECTED


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "max_tokens is too large", "param": "max_tokens"}},
        {"error": {"message": "The model m does not exist"}},
        {"error": {"message": "Unsupported value: temperature"}},
        {"error": {"message": "bad"}, "request": {"response_format": "unknown"}},
        "Bad Request",
    ],
)
def test_any_other_400_is_rejected(body: object) -> None:
    """Asking without a schema would not help."""
    exchange = Exchange(call=1, status=400, body=json.dumps(body).encode())
    assert status_of(exchange, "schema") is CallStatus.REJECTED


def test_a_400_of_a_content_filter_is_a_refusal() -> None:
    """Some APIs filter before the model is asked."""
    body = b'{"error": {"message": "filtered", "code": "content_filter"}}'
    assert status_of(Exchange(call=1, status=400, body=body), "schema") is CallStatus.REFUSED


WAITS = {
    "2": 2.0,
    " 0 ": 0.0,
    "1.5": 1.5,
    "Mon, 15 Jun 2026 12:00:30 GMT": 30.0,
    "Mon, 15 Jun 2026 14:00:30 +0200": 30.0,
    "Mon, 15 Jun 2026 11:59:00 GMT": 0.0,
    "Monday, 15-Jun-26 12:00:30 GMT": 30.0,
    "Mon Jun 15 12:00:30 2026": 30.0,
    "-1": None,
    "soon": None,
    "": None,
    "1e9": None,
    "inf": None,
    "NaN": None,
    "9" * 400: None,
    "Mon, 99 Jun 2026 12:00:30 GMT": None,
    None: None,
}


@pytest.mark.parametrize(("told", "seconds"), WAITS.items())
def test_retry_after_is_seconds_or_a_date(told: str | None, seconds: float | None) -> None:
    """Anything else is not heard."""
    assert retry_after(Exchange(call=1, retry_after=told), NOW) == seconds


@given(st.text())
def test_no_retry_after_raises(told: str) -> None:
    """Servers send anything."""
    waited = retry_after(Exchange(call=1, retry_after=told))
    assert waited is None or waited >= 0


@given(st.binary(), st.integers(100, 999))
def test_no_body_of_an_error_raises(body: bytes, code: int) -> None:
    """Nor is it quoted, for it may quote the line."""
    exchange = Exchange(call=1, status=code, body=body)
    status_of(exchange, "schema")
    assert len(detail(exchange)) < 120


def test_the_detail_names_the_kind_of_an_error_and_not_its_text() -> None:
    """A key or a line may stand in a message."""
    error = {"message": "bad key k-123", "type": "auth_error", "code": "key k-123 is bad"}
    exchange = Exchange(call=1, status=401, body=json.dumps({"error": error}).encode())
    assert detail(exchange) == "HTTP 401, auth_error"


def test_the_detail_tells_why_nothing_came() -> None:
    """By the kind of error."""
    exchange = Exchange(call=1, failure=Failure.UNCONNECTED, why="ConnectError")
    assert detail(exchange) == "unconnected: ConnectError"
    assert detail(Exchange(call=1, why="UserError")) == "nothing was sent: UserError"
