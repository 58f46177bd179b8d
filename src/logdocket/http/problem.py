"""What the service answers when it gives no ticket: problem details (RFC 9457), typed words."""

from __future__ import annotations

import enum
from typing import Any, Final

import msgspec
from starlette.types import Send

from logdocket.errors import URN, InputError, LedgerUnavailable, LogdocketError
from logdocket.ticket import encode

MEDIA_TYPE: Final = "application/problem+json"
_MEDIA_TYPE: Final = MEDIA_TYPE.encode()
Headers = tuple[tuple[bytes, bytes], ...]


class Problem(enum.Enum):
    """Every problem that a client can be told: its word, HTTP status and title."""

    LINE_BLANK = ("line-blank", 422, "The line is blank")
    LINE_NOT_TEXT = ("line-not-text", 422, "The line is not Unicode text")
    LINE_TOO_LONG = ("line-too-long", 413, "The line is too long")
    CONTEXT_INVALID = ("context-invalid", 422, "The context is malformed")
    JSON_INVALID = ("json-invalid", 400, "The body is not JSON")
    TEXT_NOT_UTF8 = ("text-not-utf8", 400, "The text is not UTF-8")
    BODY_INVALID = ("body-invalid", 422, "The body has the wrong shape")
    BODY_TOO_LARGE = ("body-too-large", 413, "The body is too large")
    BODY_TOO_SLOW = ("body-too-slow", 408, "The body came too slowly")
    BODY_NOT_HELD = ("body-not-held", 507, "The body could not be held")
    ENCODING_INVALID = ("encoding-invalid", 400, "The body is not what its encoding says")
    ENCODING_UNSUPPORTED = ("encoding-unsupported", 415, "The content encoding is not supported")
    MEDIA_TYPE_UNSUPPORTED = ("media-type-unsupported", 415, "The media type is not supported")
    PARAMETER_INVALID = ("query-invalid", 422, "A parameter is malformed")
    HTTP_INVALID = ("http-invalid", 400, "The request is not HTTP")
    HEADERS_TOO_SLOW = ("headers-too-slow", 408, "The headers came too slowly")
    HEADERS_TOO_LARGE = ("headers-too-large", 431, "The headers are too large")
    ORIGIN_REFUSED = ("origin-refused", 403, "Other sites' pages may not call this service")
    TOKEN_REQUIRED = ("token-required", 401, "A bearer token is required")
    ROLE_REQUIRED = ("role-required", 403, "The token does not allow that")
    CSRF_INVALID = ("csrf-invalid", 403, "The request is not from a page of this service")
    VERDICT_INVALID = ("verdict-invalid", 422, "The verdict breaks a law of tickets")
    REVIEW_CONFLICT = ("review-conflict", 409, "Someone else has decided meanwhile")
    NOT_FOUND = ("not-found", 404, "There is nothing here")
    METHOD_NOT_ALLOWED = ("method-not-allowed", 405, "The method is not allowed here")
    LEDGER_UNAVAILABLE = ("ledger-unavailable", 503, "The ledger cannot be read or written now")
    STOPPING = ("stopping", 503, "The service is being stopped")
    INTERNAL = ("internal", 500, "The service has a fault")

    def __init__(self, word: str, status: int, title: str) -> None:
        self.word = word
        self.status = status
        self.title = title


_BY_WORD: Final = {problem.word: problem for problem in Problem}
_BY_STATUS: Final = {404: Problem.NOT_FOUND, 405: Problem.METHOD_NOT_ALLOWED}


class Refusal(Exception):
    """A request that gets ``problem`` instead of its answer; ``detail`` names input and mend.

    ``members``: what else the problem document tells.
    """

    leads = False
    """Whether it leads elsewhere rather than tell of a problem."""

    def __init__(
        self, problem: Problem, detail: str, headers: Headers = (), **members: Any
    ) -> None:
        super().__init__(detail)
        self.problem = problem
        self.detail = detail
        self.headers = headers
        self.members = members

    @classmethod
    def of(cls, error: LogdocketError) -> Refusal:
        """The refusal that tells of one of our own errors."""
        problem = _BY_WORD.get(error.word)
        if problem is None:
            problem = Problem.BODY_INVALID if isinstance(error, InputError) else Problem.INTERNAL
        retry: Headers = ((b"retry-after", b"5"),) if isinstance(error, LedgerUnavailable) else ()
        return cls(problem, str(error), retry)

    @classmethod
    def of_status(cls, status: int, path: str) -> Refusal:
        """The refusal for a status that routing gave."""
        problem = _BY_STATUS.get(status, Problem.INTERNAL)
        return cls(problem, f"{path} does not answer that: see /docs for what does")

    def document(self, **more: Any) -> dict[str, Any]:
        """The problem details object, with extension members ``more``."""
        return {
            "type": URN + self.problem.word,
            "title": self.problem.title,
            "status": self.problem.status,
            "detail": self.detail,
            **self.members,
            **more,
        }

    async def send(self, send: Send, *, last: bool = False, **more: Any) -> None:
        """Answer with the problem document.

        ``last``: the connection closes after it, and the caller sends the end of the answer.
        """
        # A member may quote bytes of a line that are not UTF-8; nothing else here may.
        body = (encode if self.members else encode_ascii)(self.document(**more))
        head = [(b"content-type", _MEDIA_TYPE), (b"content-length", b"%d" % len(body))]
        if last:
            head.append((b"connection", b"close"))
        await send(
            {
                "type": "http.response.start",
                "status": self.problem.status,
                "headers": [*head, *self.headers],
            }
        )
        await send({"type": "http.response.body", "body": body, "more_body": last})


def encode_ascii(value: object) -> bytes:
    """``value`` as JSON; text that is no Unicode (a path may hold such) is replaced."""
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        return msgspec.json.encode(_replaced(value))


def _replaced(value: object) -> object:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {key: _replaced(item) for key, item in value.items()}
    return value
