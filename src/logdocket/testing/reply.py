"""The response to a request: status, headers and body, before any fault of delivery."""

from __future__ import annotations

import email.utils
import gzip
import http
import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from logdocket.testing.content import content
from logdocket.testing.fault import Fault
from logdocket.testing.formats import Format, Said, format_of
from logdocket.testing.seen import MOST_TOKENS, Act, Seen, is_count

__all__ = ["BODY", "ELSEWHERE", "ENDS", "STATUS", "USAGE", "Reply", "error", "reply"]

ELSEWHERE: Final = "/elsewhere"
"""What stands before the path of an address that redirects lead to."""
_JSON: Final = "application/json"


class Reply(NamedTuple):
    """A response; ``usage`` is what its body reports, None where it reports nothing."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    usage: tuple[Any, Any] | None = None

    def head(self, length: int | None = None) -> bytes:
        """Status line and headers; Content-Length is the body's unless ``length`` is told, and a
        negative one means that the body comes in chunks.
        """
        length = len(self.body) if length is None else length
        framing = f"content-length: {length}" if length >= 0 else "transfer-encoding: chunked"
        reason = _REASONS.get(self.status, "Unknown")
        lines = [f"HTTP/1.1 {self.status} {reason}", *(f"{k}: {v}" for k, v in self.headers)]
        return "\r\n".join((*lines, framing, "", "")).encode("latin-1")


class _Status(NamedTuple):
    """An error: its status, the API's word for it, the message; ``after`` is Retry-After."""

    code: int
    kind: str
    message: str
    after: float | None = None
    dated: bool = False


_REASONS: Final = {status.value: status.phrase for status in http.HTTPStatus} | {529: "Overloaded"}
_NO_SCHEMA: Final = "response_format of type 'json_schema' is not supported by this model"
_NO_TOOLS: Final = "tools and tool_choice are not supported by this model"

STATUS: Final = {
    Fault.HTTP_400: _Status(400, "invalid_request_error", "The request is invalid."),
    Fault.HTTP_401: _Status(401, "authentication_error", "Incorrect API key provided."),
    Fault.HTTP_403: _Status(403, "permission_error", "This key has no access to this model."),
    Fault.HTTP_404: _Status(404, "not_found_error", "The model does not exist."),
    Fault.HTTP_408: _Status(408, "timeout_error", "The request took too long."),
    Fault.HTTP_409: _Status(409, "conflict_error", "Another request holds this resource."),
    Fault.HTTP_422: _Status(422, "invalid_request_error", "The request cannot be processed."),
    Fault.HTTP_429: _Status(429, "rate_limit_error", "Too many requests."),
    Fault.HTTP_429_SECONDS: _Status(429, "rate_limit_error", "Too many requests.", 1),
    Fault.HTTP_429_DATE: _Status(429, "rate_limit_error", "Too many requests.", 2, True),
    Fault.HTTP_500: _Status(500, "server_error", "The server had an error."),
    Fault.HTTP_503: _Status(503, "server_error", "The model is being loaded."),
    Fault.HTTP_529: _Status(529, "overloaded_error", "Overloaded."),
    Fault.NO_SCHEMA: _Status(400, "invalid_request_error", _NO_SCHEMA),
    Fault.NO_TOOLS: _Status(400, "invalid_request_error", _NO_TOOLS),
    Fault.TEXT_ONLY: _Status(400, "invalid_request_error", f"{_NO_SCHEMA}; {_NO_TOOLS}"),
}
"""Errors that every format writes in its own way."""

_PAGE: Final = (
    b"<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n"
    b"<center><h1>502 Bad Gateway</h1></center>\r\n<hr><center>proxy</center>\r\n</body>\r\n</html>"
)
_RUSSIAN: Final = "Сервис временно недоступен. Повторите попытку позже."
_JAPANESE: Final = "申し訳ありませんが、現在このモデルは利用できません。"


def _plain(status: int, kind: str, body: bytes, **headers: str) -> Callable[[Seen, Reply], Reply]:
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return lambda seen, good: Reply(status, (("content-type", kind), *named), body)


def _redirect(status: int) -> Callable[[Seen, Reply], Reply]:
    def made(seen: Seen, good: Reply) -> Reply:
        address = f"http://{seen.headers.get('host', '127.0.0.1')}{ELSEWHERE}{seen.path}"
        return Reply(status, (("location", address), ("content-type", "text/plain")), b"Moved.")

    return made


def _half(seen: Seen, good: Reply) -> Reply:
    return good._replace(body=good.body[: len(good.body) // 2], usage=None)


def _rewritten(change: Callable[[dict[str, Any]], object]) -> Callable[[Seen, Reply], Reply]:
    """A good body, changed as an object; it reports no usage that counts."""

    def made(seen: Seen, good: Reply) -> Reply:
        changed = json.dumps(change(json.loads(good.body))).encode()
        return good._replace(body=changed, usage=None)

    return made


_CHOSEN: Final = "choices content text output response message candidates".split()
"""What holds the answer, in each of the formats."""


def _unchosen(body: dict[str, Any]) -> object:
    return {k: v for k, v in body.items() if k != "usage"} | {
        key: [] for key in _CHOSEN if key in body
    }


def _events(seen: Seen, good: Reply) -> Reply:
    body = json.loads(good.body)
    body.pop("usage", None)
    for choice in body.get("choices", ()):
        if "message" in choice:
            choice["delta"] = choice.pop("message")
    events = f"data: {json.dumps(body)}\n\ndata: [DONE]\n\n".encode()
    return Reply(200, (("content-type", "text/event-stream"),), events)


def _gzipped(seen: Seen, good: Reply) -> Reply:
    packed = gzip.compress(good.body, compresslevel=1, mtime=0)
    return good._replace(body=packed, headers=(*good.headers, ("content-encoding", "gzip")))


BODY: Final[dict[Fault, Callable[[Seen, Reply], Reply]]] = {
    Fault.HTTP_502: _plain(502, "text/html", _PAGE),
    Fault.FOREIGN_ERROR: _plain(
        503, "text/plain; charset=windows-1251", _RUSSIAN.encode("windows-1251")
    ),
    Fault.FOREIGN_TEXT: _plain(200, "text/plain; charset=Shift_JIS", _JAPANESE.encode("shift_jis")),
    Fault.ERROR_IN_200: _plain(
        200, _JSON, b'{"error": {"message": "The upstream provider failed.", "code": 502}}'
    ),
    Fault.REDIRECT_302: _redirect(302),
    Fault.REDIRECT_307: _redirect(307),
    Fault.EMPTY: _plain(200, _JSON, b""),
    Fault.TRUNCATED: _half,
    Fault.INVALID_JSON: _plain(200, _JSON, b'{"choices": [{"message": {"content": ok}}], }'),
    Fault.NOT_AN_OBJECT: _rewritten(lambda body: [body]),
    Fault.NO_CHOICES: _rewritten(_unchosen),
    Fault.EVENT_STREAM: _events,
    Fault.GZIPPED: _gzipped,
}
"""What is made of the good response."""

USAGE: Final[dict[Fault, Callable[[int, int], tuple[Any, Any] | None]]] = {
    Fault.USAGE_MISSING: lambda tokens_in, tokens_out: None,
    Fault.USAGE_NEGATIVE: lambda tokens_in, tokens_out: (-tokens_in, -tokens_out),
    Fault.USAGE_TEXT: lambda tokens_in, tokens_out: (f"about {tokens_in}", "a few"),
    Fault.USAGE_HUGE: lambda tokens_in, tokens_out: (10**15, 10**15),
}
"""What is reported, of the true counts in and out."""

ENDS: Final = {
    Fault.LENGTH: ("length", None),
    Fault.CONTENT_FILTER: ("content_filter", None),
    Fault.REFUSAL: ("stop", "I'm sorry, but I can't help with that."),
}
"""Why the answer ended, and its refusal."""

_ONLY_FOR: Final[dict[Fault, Callable[[Mapping[str, Any]], bool]]] = {
    Fault.NO_SCHEMA: lambda asked: _wants_schema(asked),
    Fault.NO_TOOLS: lambda asked: bool(asked.get("tools")),
    Fault.TEXT_ONLY: lambda asked: _wants_schema(asked) or bool(asked.get("tools")),
}
"""The requests that a fault is for; any other gets a good answer."""


def _wants_schema(asked: Mapping[str, Any]) -> bool:
    text = asked.get("text")
    wanted = text.get("format") if isinstance(text, dict) else asked.get("response_format")
    return isinstance(wanted, dict) and wanted.get("type") == "json_schema"


def reply(seen: Seen, act: Act, answer: Mapping[str, Any] | str, line: str) -> Reply:
    """The response that ``act`` has for ``seen``, where an honest one would say ``answer``."""
    asked = seen.json if isinstance(seen.json, dict) else {}
    spoken, fault = format_of(seen), act.fault
    if fault in _ONLY_FOR and not _ONLY_FOR[fault](asked):
        fault = Fault.GOOD
    if fault in STATUS:
        return error(spoken, STATUS[fault], act.retry_after)
    good = _answered(seen, fault, act, spoken, content(fault, answer, line))
    made = BODY[fault](seen, good) if fault in BODY else good
    if act.retry_after is not None and made.status != 200:
        made = made._replace(headers=(*made.headers, _retry_after(act.retry_after)))
    return made


def _answered(seen: Seen, fault: Fault, act: Act, spoken: Format, text: str) -> Reply:
    asked = seen.json if isinstance(seen.json, dict) else {}
    finish, refusal = ENDS.get(fault, ("stop", None))
    if finish == "length":
        text = text[: len(text) // 2]
    tokens = max(1, len(seen.text.split())), _tokens_out(asked, refusal or text)
    usage = USAGE[fault](*tokens) if fault in USAGE else tokens
    usage = usage if act.usage is None else act.usage
    body = spoken.answer(asked, Said(seen.number, text, finish, refusal, usage))
    return Reply(200, (("content-type", _JSON),), json.dumps(body).encode(), usage)


_LIMITS: Final = ("max_completion_tokens", "max_output_tokens", "max_tokens")
"""What bounds the words of an answer: the first of them that the request holds."""


def _tokens_out(asked: Mapping[str, Any], text: str) -> int:
    """The words of ``text``, at least 1 and at most what the request allows."""
    limits = [asked.get(key) for key in _LIMITS]
    known = [limit for limit in limits if isinstance(limit, int) and is_count(limit)]
    return min(max(1, len(text.split())), *known[:1], MOST_TOKENS)


def error(spoken: Format, status: _Status, after: float | datetime | str | None = None) -> Reply:
    """An error as the format writes it."""
    body = json.dumps(spoken.error(status.code, status.kind, status.message)).encode()
    headers = [("content-type", _JSON)]
    if after is None:
        after = status.after
    if after is not None:
        if status.dated and isinstance(after, int | float):
            after = datetime.now(UTC) + timedelta(seconds=after)
        headers.append(_retry_after(after))
    return Reply(status.code, tuple(headers), body)


def _retry_after(after: float | datetime | str) -> tuple[str, str]:
    if isinstance(after, datetime):
        return "retry-after", email.utils.format_datetime(after.astimezone(UTC), usegmt=True)
    return "retry-after", after if isinstance(after, str) else f"{after:g}"
