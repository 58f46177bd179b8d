"""Ollama: generate and chat, whole."""

from __future__ import annotations

from typing import Final

from logdocket.testing.formats.said import Json, Said, object_in, wanted_tool

__all__ = ["chat", "error", "generated"]

_CREATED_AT: Final = "2026-01-01T00:00:00Z"


def generated(asked: Json, said: Said) -> Json:
    """The completion of a prompt, under ``response``."""
    return _done(asked, said, {"response": _text(said)})


def chat(asked: Json, said: Said) -> Json:
    """A message: content, or a call of the tool that the request wants."""
    message: Json = {"role": "assistant", "content": _text(said)}
    tool = wanted_tool(asked)
    given = object_in(said.text) if tool is not None and not said.withheld else None
    if given is not None:
        # Arguments are an object here, so what is none can only come as content.
        calls = [{"function": {"name": tool, "arguments": given}}]
        message |= {"content": "", "tool_calls": calls}
    return _done(asked, said, {"message": message})


def _text(said: Said) -> str:
    """The API knows neither refusals nor filters: the one comes as text, the other is empty."""
    return "" if said.finish == "content_filter" else said.words


def _done(asked: Json, said: Said, content: Json) -> Json:
    body: Json = {
        "model": str(asked.get("model", "loopback")),
        "created_at": _CREATED_AT,
        **content,
        "done": True,
        "done_reason": "length" if said.finish == "length" else "stop",
    }
    if said.usage is not None:
        body |= {"prompt_eval_count": said.usage[0], "eval_count": said.usage[1]}
    return body


def error(status: int, kind: str, message: str) -> Json:
    """An error."""
    return {"error": message}
