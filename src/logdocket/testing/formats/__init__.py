"""The bodies of the wire formats, and which of them a request asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from logdocket.testing.formats import anthropic, bare, gemini, ollama, openai
from logdocket.testing.formats.said import Json, Said
from logdocket.testing.seen import Seen

__all__ = ["FORMATS", "Format", "Said", "format_of"]

_Asks = Callable[[Json, Mapping[str, str]], bool]


class Format(NamedTuple):
    """One API: how it writes an answer to a request, and an error of a status, a word for it and
    a message. It is spoken under paths that end with ``end``; elsewhere to requests whose body
    and headers ``asks`` takes for its own.
    """

    end: str
    answer: Callable[[Json, Said], Json]
    error: Callable[[int, str, str], Json]
    asks: _Asks = lambda body, headers: False


def _anthropic(body: Json, headers: Mapping[str, str]) -> bool:
    """Instructions beside the messages are that API's alone, and so is the header."""
    listed = isinstance(body.get("messages"), list)
    return listed and ("anthropic-version" in headers or "system" in body)


def _has(key: str, *kinds: type) -> _Asks:
    return lambda body, headers: isinstance(body.get(key), kinds)


FORMATS: Final = (
    Format("/api/generate", ollama.generated, ollama.error),
    Format("/api/chat", ollama.chat, ollama.error),
    Format("/messages", anthropic.message, anthropic.error, _anthropic),
    Format("/chat/completions", openai.chat, openai.error, _has("messages", list)),
    Format("/completions", openai.completion, openai.error),
    Format("/responses", openai.response, openai.error, _has("input", str, list)),
    Format(":generateContent", gemini.generated, gemini.error, _has("contents", str, list)),
    Format("", bare.text, bare.error),
)
"""By the end of the path, the longer before the shorter; the last is for what asks for no other."""


def format_of(seen: Seen) -> Format:
    """The format that is spoken to ``seen``: its path's, else the one its body asks for."""
    path = seen.path.partition("?")[0].rstrip("/")
    body = seen.json if isinstance(seen.json, dict) else {}
    *named, last = FORMATS
    by_path = (row for row in named if path.endswith(row.end))
    by_body = (row for row in named if row.asks(body, seen.headers))
    return next(by_path, None) or next(by_body, last)
