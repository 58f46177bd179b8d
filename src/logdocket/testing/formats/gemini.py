"""Gemini: generateContent."""

from __future__ import annotations

from typing import Final

from logdocket.testing.formats.said import Json, Said, total

__all__ = ["error", "generated"]

_FINISH: Final = {"stop": "STOP", "length": "MAX_TOKENS", "content_filter": "SAFETY"}


def generated(asked: Json, said: Said) -> Json:
    """One candidate with one part of text."""
    parts = [] if said.finish == "content_filter" else [{"text": said.words}]
    candidate = {
        "content": {"role": "model", "parts": parts},
        "finishReason": _FINISH[said.finish],
        "index": 0,
    }
    body: Json = {"candidates": [candidate], "modelVersion": "loopback"}
    if said.usage is not None:
        body["usageMetadata"] = {
            "promptTokenCount": said.usage[0],
            "candidatesTokenCount": said.usage[1],
            "totalTokenCount": total(said.usage),
        }
    return body


def error(status: int, kind: str, message: str) -> Json:
    """An error."""
    return {"error": {"code": status, "message": message, "status": kind.upper()}}
