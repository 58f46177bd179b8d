"""The bodies of three wire formats: OpenAI chat completions, Anthropic messages, bare text."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

__all__ = ["FORMATS", "Format", "Said", "format_of"]

_CREATED: Final = 1_767_225_600
"""2026-01-01 UTC, in every response: the same bytes on every run."""
_Json: TypeAlias = dict[str, Any]


class Said(NamedTuple):
    """What an answer says, in no format: ``finish`` is stop, length or content_filter."""

    number: int
    text: str
    finish: str
    refusal: str | None
    usage: tuple[Any, Any] | None


class Format(NamedTuple):
    """How one API writes an answer to a request, and an error."""

    answer: Callable[[_Json, Said], _Json]
    error: Callable[[int, str, str], _Json]


def format_of(path: str) -> Format:
    """The format spoken under ``path``."""
    bare = path.partition("?")[0].rstrip("/")
    return next((made for end, made in FORMATS.items() if bare.endswith(end)), FORMATS[""])


def _tool(asked: _Json) -> str | None:
    """The name of the tool to call, None when none is offered or none is wanted."""
    tools, choice = asked.get("tools"), asked.get("tool_choice", "auto")
    if not isinstance(tools, list) or not tools or choice in ("none", {"type": "none"}):
        return None
    if isinstance(choice, dict):
        named = choice.get("function", choice)
        if isinstance(named, dict) and isinstance(named.get("name"), str):
            return str(named["name"])
    first = tools[0].get("function", tools[0]) if isinstance(tools[0], dict) else {}
    return str(first.get("name", "answer")) if isinstance(first, dict) else "answer"


def _openai(asked: _Json, said: Said) -> _Json:
    message: _Json = {"role": "assistant", "content": said.text, "refusal": said.refusal}
    finish, tool = said.finish, _tool(asked)
    if said.refusal is not None or finish == "content_filter":
        message["content"] = None
    elif tool is not None:
        call = {"name": tool, "arguments": said.text}
        message |= {
            "content": None,
            "tool_calls": [{"id": f"call_{said.number}", "type": "function", "function": call}],
        }
        finish = "tool_calls" if finish == "stop" else finish
    body: _Json = {
        "id": f"chatcmpl-{said.number}",
        "object": "chat.completion",
        "created": _CREATED,
        "model": str(asked.get("model", "loopback")),
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": finish}],
    }
    if said.usage is not None:
        tokens_in, tokens_out = said.usage
        body["usage"] = {
            "prompt_tokens": tokens_in,
            "completion_tokens": tokens_out,
            "total_tokens": _sum(tokens_in, tokens_out),
        }
    return body


def _sum(tokens_in: Any, tokens_out: Any) -> Any:
    numbers = isinstance(tokens_in, int | float) and isinstance(tokens_out, int | float)
    return tokens_in + tokens_out if numbers else tokens_in


def _openai_error(status: int, kind: str, message: str) -> _Json:
    return {"error": {"message": message, "type": kind, "param": None, "code": kind}}


_ANTHROPIC_STOPS: Final = {
    "stop": "end_turn",
    "length": "max_tokens",
    "content_filter": "refusal",
}


def _anthropic(asked: _Json, said: Said) -> _Json:
    blocks: list[_Json] = [{"type": "text", "text": said.text}]
    stop, tool = _ANTHROPIC_STOPS[said.finish], _tool(asked)
    given = _object(said.text) if tool is not None else None
    if said.refusal is not None:
        blocks, stop = [], "refusal"
    elif said.finish == "content_filter":
        blocks = []
    elif given is not None:
        # The input of a tool is an object here, so what is none can only come as text.
        identity = f"toolu_{said.number}"
        blocks = [{"type": "tool_use", "id": identity, "name": tool, "input": given}]
        stop = "tool_use" if said.finish == "stop" else stop
    body: _Json = {
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


def _object(text: str) -> _Json | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _anthropic_error(status: int, kind: str, message: str) -> _Json:
    return {"type": "error", "error": {"type": kind, "message": message}}


def _bare(asked: _Json, said: Said) -> _Json:
    body: _Json = {"text": said.refusal if said.refusal is not None else said.text}
    if said.finish != "stop":
        body["finish_reason"] = said.finish
    if said.usage is not None:
        body["usage"] = {"tokens_in": said.usage[0], "tokens_out": said.usage[1]}
    return body


def _bare_error(status: int, kind: str, message: str) -> _Json:
    return {"error": message}


FORMATS: Final = {
    "/chat/completions": Format(_openai, _openai_error),
    "/messages": Format(_anthropic, _anthropic_error),
    "": Format(_bare, _bare_error),
}
"""The format by the end of the path; the last is for every other path."""
