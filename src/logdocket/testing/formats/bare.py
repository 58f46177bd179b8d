"""The least that a model's API can be: a prompt, and a text."""

from __future__ import annotations

from logdocket.testing.formats.said import Json, Said

__all__ = ["error", "text"]


def text(asked: Json, said: Said) -> Json:
    """The text, and why it ended where it is cut."""
    body: Json = {"text": "" if said.finish == "content_filter" else said.words}
    if said.finish != "stop":
        body["finish_reason"] = said.finish
    if said.usage is not None:
        body["usage"] = {"tokens_in": said.usage[0], "tokens_out": said.usage[1]}
    return body


def error(status: int, kind: str, message: str) -> Json:
    """An error."""
    return {"error": message}
