"""Anthropic: messages."""

from __future__ import annotations

from typing import Final

from logdocket.testing.formats.said import Json, Said, object_in, wanted_tool

__all__ = ["error", "message"]

_STOPS: Final = {
    "stop": "end_turn",
    "length": "max_tokens",
    "content_filter": "refusal",
}


def message(asked: Json, said: Said) -> Json:
    """A message: a block of text, or the use of the tool that the request wants."""
    blocks: list[Json] = [{"type": "text", "text": said.text}]
    stop, tool = _STOPS[said.finish], wanted_tool(asked)
    given = object_in(said.text) if tool is not None else None
    if said.withheld:
        blocks, stop = [], "refusal"
    elif given is not None:
        # The input of a tool is an object here, so what is none can only come as text.
        identity = f"toolu_{said.number}"
        blocks = [{"type": "tool_use", "id": identity, "name": tool, "input": given}]
        stop = "tool_use" if said.finish == "stop" else stop
    body: Json = {
        "id": f"msg_{said.number}",
        "type": "message",
        "role": "assistant",
        "model": str(asked.get("model", "loopback")),
        "content": blocks,
        "stop_reason": stop,
        "stop_sequence": None,
    }
    if said.usage is not None:
        body["usage"] = {"input_tokens": said.usage[0], "output_tokens": said.usage[1]}
    return body


def error(status: int, kind: str, message: str) -> Json:
    """An error."""
    return {"type": "error", "error": {"type": kind, "message": message}}
