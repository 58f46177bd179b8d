"""One recorded attempt: what came back from the model, as far as it may be kept in a file."""

from __future__ import annotations

import base64
import binascii
import json
import re
from typing import Annotated, Final

import msgspec

from logdocket.model import Exchange, Failure, redact
from logdocket.model.verdict import retry_after

_STATUS = Annotated[int, msgspec.Meta(ge=100, le=599)]
_MS = Annotated[int, msgspec.Meta(ge=0, le=86_400_000)]

_UNANSWERED: Final = (Failure.UNCONNECTED, Failure.BROKEN, Failure.LATE)
"""What may happen before there is a status."""

_SHORTEST_SECRET: Final = 8
"""Characters. A shorter key is a word such as ``none``, which models that want no key are given."""


class Attempt(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """An exchange as a row holds it, without any header but two.

    ``status`` and ``content_type``: of the response; None and empty if none came. ``retry_after``:
    in seconds, as the header has them. ``body``: decoded, as text; ``base64`` where it is no UTF-8.
    ``failure``: why there is no whole response, which then has no body. ``sent``: whether any byte
    of the request may have left. ``ms``: how long it took.

    Raises ValueError where these contradict each other.
    """

    status: _STATUS | None = None
    content_type: str = ""
    retry_after: str | None = None
    body: str | None = None
    base64: str | None = None
    failure: Failure | None = None
    sent: bool = True
    ms: _MS

    def __post_init__(self) -> None:
        if self.failure is None and self.status is None:
            raise ValueError("an attempt has a status, a failure, or both")
        if self.status is None and self.failure not in _UNANSWERED:
            raise ValueError(f"an attempt that is {self.failure} has a status")
        if self.status is not None and self.failure is Failure.UNCONNECTED:
            raise ValueError("an attempt that is unconnected has no status")
        bodies = (self.body, self.base64)
        if self.failure is not None and bodies != (None, None):
            raise ValueError(f"an attempt that is {self.failure} has no body")
        if None not in bodies:
            raise ValueError("an attempt has its body as text or in base64, not both")
        if not (self.content_type + (self.retry_after or "")).isascii():
            raise ValueError("a header that is recorded has ASCII characters alone")
        _ = self.content

    @property
    def content(self) -> bytes:
        """The body, empty where there was none."""
        if self.base64 is None:
            try:
                return (self.body or "").encode()
            except UnicodeEncodeError:
                raise ValueError("the body holds a lone surrogate: give it in base64") from None
        try:
            return base64.b64decode(self.base64, validate=True)
        except binascii.Error as error:
            raise ValueError(f"base64 is none ({error})") from None

    @classmethod
    def of(cls, exchange: Exchange, key: str) -> Attempt | None:
        """``exchange`` as it may be kept; None where the library never came to ask.

        Errors quote what was sent, so ``key`` and whatever looks like a secret is taken out of
        them. An answer was made of a redacted line; only ``key`` is looked for there.
        """
        if exchange.status is None and exchange.failure is None:
            return None
        whole = exchange.failure is None
        body = _cleared(exchange.body, key, answer=exchange.status == 200) if whole else b""
        text = _text(body)
        kind = exchange.content_type
        return cls(
            status=exchange.status,
            content_type=kind if kind.isascii() and kind.isprintable() else "",
            retry_after=seconds_to_wait(exchange),
            body=text if body else None,
            base64=base64.b64encode(body).decode() if text is None else None,
            failure=exchange.failure,
            sent=exchange.sent,
            ms=exchange.ms,
        )


def seconds_to_wait(exchange: Exchange) -> str | None:
    """The Retry-After of ``exchange`` in seconds from now, None if it has none that is sensible.

    A date would mean another time to wait whenever it is read.
    """
    wait = retry_after(exchange)
    return None if wait is None else f"{wait:.3f}".rstrip("0").rstrip(".")


def _text(body: bytes) -> str | None:
    try:
        return body.decode()
    except UnicodeDecodeError:
        return None


def _cleared(body: bytes, key: str, *, answer: bool) -> bytes:
    """``body`` without ``key``, and without secrets where it is no answer in JSON."""
    text = body.decode("utf-8", "surrogateescape")
    if answer and _is_json(text):
        return _encoded(_without(key, text)) if len(key) >= _SHORTEST_SECRET else body
    return _encoded(redact(_without(key, text)).text)


def _without(key: str, text: str) -> str:
    """``text`` with the key taken out, as it is or escaped; a short one only as a whole word."""
    for form in {key, json.dumps(key)[1:-1]}:
        pattern = re.escape(form)
        if len(key) < _SHORTEST_SECRET:
            pattern = rf"(?<![A-Za-z0-9]){pattern}(?![A-Za-z0-9])"
        text = re.sub(pattern, "[MODEL_KEY]", text)
    return text


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
