"""What is to be done about a request, and what was seen of it."""

from __future__ import annotations

import functools
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, TypeAlias

import msgspec

from logdocket.testing.fault import Fault

__all__ = ["MOST_TOKENS", "Act", "Answers", "Script", "Seen", "is_count"]

MOST_TOKENS: Final = 10_000_000
"""More than any one answer can have."""
_INSTRUCTIONS: Final = ("system", "instructions", "systemInstruction", "system_instruction")
_PROMPTS: Final = ("prompt", "input", "inputs", "contents", "messages")
"""The members of a body that hold what is asked, in one format or another."""


class Act(msgspec.Struct, frozen=True):
    """A fault with its particulars; None leaves each to the fault.

    ``seconds``: for the drips, between two bytes; for all else, the wait before the answer.
    ``retry_after``: the Retry-After header, on any status but 200: seconds, a moment (with its
    zone), or the header's text as it is.
    ``answer``: what a good answer says, as an object or as the content's text; the fault then
    works on it.
    ``usage``: what is reported as tokens in and tokens out, of any type.
    """

    fault: Fault = Fault.GOOD
    seconds: float | None = None
    retry_after: float | datetime | str | None = None
    answer: Mapping[str, Any] | str | None = None
    usage: tuple[Any, Any] | None = None


class Seen(msgspec.Struct, eq=False, dict=True):
    """One request that came whole, and what became of it.

    ``number`` counts from 1 in the order of arrival; ``at`` is monotonic seconds. ``headers`` have
    lower-case names; a key's value is only ``"present"``. ``status`` is the HTTP status that the
    answer has, or would have had. ``whole`` is whether all of it was handed to the socket with the
    client still there; ``usage`` is then what it reported, None for nothing, and ``tokens_in`` and
    ``tokens_out`` are the same as counts: 0 where nothing was reported, or no number from 0 to
    10,000,000. ``ended`` is when all was handed over, or the client had gone.
    """

    number: int
    at: float
    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    fault: Fault = Fault.GOOD
    status: int = 0
    usage: tuple[Any, Any] | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    whole: bool = False
    ended: float | None = None

    def note(self, usage: tuple[Any, Any] | None) -> None:
        """Note that the answer is whole, and what it reports."""
        self.whole, self.usage, self.ended = True, usage, time.monotonic()
        if usage is not None and all(is_count(tokens) for tokens in usage):
            self.tokens_in, self.tokens_out = usage

    def take_back(self) -> None:
        """Note that it did not get out after all."""
        self.whole, self.usage, self.ended = False, None, None
        self.tokens_in = self.tokens_out = 0

    @property
    def request_id(self) -> str | None:
        """The client's own name for the request, of its header X-Client-Request-Id."""
        return self.headers.get("x-client-request-id")

    @functools.cached_property
    def json(self) -> Any:
        """The body decoded; None when it is no JSON."""
        try:
            return msgspec.json.decode(self.body)
        except (msgspec.DecodeError, RecursionError):
            # Half a surrogate pair, escaped, is JSON to the one and not to the other.
            return _lenient(self.body)

    @functools.cached_property
    def messages(self) -> list[tuple[str, str]]:
        """Role and text of each message, in their order, instructions first."""
        asked = self.json if isinstance(self.json, dict) else {}
        told = [("system", _text(asked[key])) for key in _INSTRUCTIONS if key in asked]
        return told + [said for key in _PROMPTS for said in _said(asked.get(key))]

    @property
    def text(self) -> str:
        """The text of all messages."""
        return "\n".join(text for _, text in self.messages)


def is_count(tokens: object) -> bool:
    """Whether ``tokens`` is a number of tokens that one answer can have."""
    return type(tokens) is int and 0 <= tokens <= MOST_TOKENS


def _lenient(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _said(prompt: object) -> Iterator[tuple[str, str]]:
    """Role and text of what is a user's prompt, or a list of them and of messages."""
    for one in prompt if isinstance(prompt, list) else (prompt,):
        if isinstance(one, str):
            yield "user", one
        elif isinstance(one, dict):
            yield str(one.get("role", "user")), _text(one.get("content", one.get("parts")))


def _text(content: object) -> str:
    """The text of a message's content: a string, a list of parts, or an object that holds one."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        content = content.get("parts")
    parts = content if isinstance(content, list) else ()
    texts = (part.get("text") for part in parts if isinstance(part, dict))
    return "\n".join(text for text in texts if isinstance(text, str))


Script: TypeAlias = Fault | Act | Sequence[Fault | Act] | Callable[[Seen], Fault | Act]
"""One act for all requests, acts in order of which the last repeats, or a choice by request."""

Answers: TypeAlias = (
    Mapping[str, Mapping[str, Any] | str] | Callable[[Seen], Mapping[str, Any] | str]
)
"""What a good answer says: by the line that stands in the prompt, or made of the request."""
