"""How a call ended, judged by what the wire saw and never by a library's exceptions."""

from __future__ import annotations

import email.utils
import json
import re
from datetime import UTC, datetime
from typing import Any, Final

from logdocket.calls import CallStatus
from logdocket.model.exchange import Exchange, Failure

__all__ = ["detail", "retry_after", "status_of"]

_FAILURES: Final[dict[Failure, CallStatus]] = {
    Failure.UNCONNECTED: CallStatus.UNREACHABLE,
    Failure.BROKEN: CallStatus.UNREACHABLE,
    Failure.TOO_LARGE: CallStatus.TOO_LARGE,
    Failure.UNDECODABLE: CallStatus.UNREADABLE,
    Failure.LATE: CallStatus.TIMEOUT,
}

_CODES: Final[dict[int, CallStatus]] = {
    401: CallStatus.UNAUTHORIZED,
    403: CallStatus.UNAUTHORIZED,
    404: CallStatus.NOT_FOUND,
    408: CallStatus.NOT_NOW,
    409: CallStatus.NOT_NOW,
    429: CallStatus.RATE_LIMITED,
}

_CLASSES: Final[dict[int, CallStatus]] = {
    3: CallStatus.REDIRECTED,
    4: CallStatus.REJECTED,
    5: CallStatus.SERVER_ERROR,
}

_FORMS: Final[dict[str, tuple[str, ...]]] = {
    "schema": (
        "response_format",
        "response format",
        "json_schema",
        "json schema",
        "json_object",
        "json mode",
        "structured output",
        "structured_output",
        "output_config",
        "output_format",
        "responseschema",
        "responsejsonschema",
        "guided",
        "grammar",
    ),
    "tool": ("tool", "function call", "function_call", "functions", "functiondeclaration"),
}
"""Words by which an API names what constrains the output, for each mode that does."""

_DENIALS: Final = (
    "not support",
    "n't support",
    "unsupported",
    "no support",
    "not available",
    "unavailable",
    "not allowed",
    "not permitted",
    "not implemented",
    "not enabled",
    "not recognized",
    "not valid",
    "does not exist",
    "invalid",
    "unknown",
    "unrecognized",
    "unexpected",
    "extra inputs",
    "must be",
    "requires",
    "cannot",
    "can't",
    "failed to",
    "不支持",
    "не поддерж",
    "no soport",
    "nicht unterst",
    "pas pris en charge",
)
"""Words by which it says that it cannot."""

_TOLD: Final = 2_000
"""How much of an error is looked at, in characters."""

_FILTERED: Final = ("content_filter", "content_policy", "responsibleaipolicyviolation")
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z_.-]{1,39}")


def status_of(exchange: Exchange, mode: str) -> CallStatus | None:
    """How the call ended, None where a 200 came whole and its content decides.

    ``mode``: how the output was to be constrained.
    """
    if exchange.failure is not None:
        # A body that cannot be had does not hide what the status says of the API.
        ended = None if exchange.status in (None, 200) else _by_code(exchange.status)
        return ended or _FAILURES[exchange.failure]
    if exchange.status is None:
        return None
    if exchange.status == 400:
        return _of_400(_told(exchange.body).lower(), mode)
    return _by_code(exchange.status)


def _by_code(code: int | None) -> CallStatus | None:
    if code is None or code == 200:
        return None
    return _CODES.get(code) or _CLASSES.get(code // 100, CallStatus.UNREADABLE)


def _of_400(told: str, mode: str) -> CallStatus:
    if any(word in told for word in _FILTERED):
        return CallStatus.REFUSED
    if any(word in told for word in _FORMS.get(mode, ())) and any(no in told for no in _DENIALS):
        return CallStatus.NOT_SUPPORTED
    return CallStatus.REJECTED


def _told(body: bytes) -> str:
    """The error as the API words it: the fields that say so, or the body where it is no JSON."""
    error = _error(body)
    if error is None:
        return body[:_TOLD].decode("utf-8", "replace")
    return " ".join(str(error.get(name) or "") for name in _FIELDS)[:_TOLD]


_FIELDS: Final = ("message", "param", "code", "type", "status", "detail", "msg")


def _error(body: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return None
    while isinstance(found, list) and found:
        found = found[0]
    if not isinstance(found, dict):
        return None
    inner = found.get("error", found)
    if isinstance(inner, dict):
        return inner
    return {"message": inner}


def retry_after(exchange: Exchange, now: datetime | None = None) -> float | None:
    """Seconds from now until the API wants to be asked again; None if it said nothing sensible.

    Seconds or a date, as https://www.rfc-editor.org/rfc/rfc9110#name-retry-after has it.
    """
    told = (exchange.retry_after or "").strip()
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,6})?", told):
        return float(told)
    try:
        moment = email.utils.parsedate_to_datetime(told)
    except (ValueError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max((moment - (now or datetime.now(UTC))).total_seconds(), 0.0)


def detail(exchange: Exchange) -> str:
    """What was seen, in a few words for our own log: no text that the API or the line chose."""
    seen = [] if exchange.status is None else [f"HTTP {exchange.status}"]
    if exchange.failure is not None:
        seen.append(f"{exchange.failure}: {exchange.why}")
    elif exchange.status not in (None, 200):
        error = _error(exchange.body) or {}
        words = (error.get("type"), error.get("code"))
        seen += [word for word in words if isinstance(word, str) and _WORD.fullmatch(word)]
    return ", ".join(seen) or f"nothing was sent: {exchange.why or 'no reason given'}"
