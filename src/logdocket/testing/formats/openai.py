"""OpenAI: chat completions, the older completions, and responses."""

from __future__ import annotations

from typing import Final

from logdocket.testing.formats.said import CREATED, Json, Said, total, wanted_tool

__all__ = ["chat", "completion", "error", "response"]


def chat(asked: Json, said: Said) -> Json:
    """A chat completion: content, or a call of the tool that the request wants."""
    message: Json = {"role": "assistant", "content": said.text, "refusal": said.refusal}
    finish, tool = said.finish, wanted_tool(asked)
    if said.withheld:
        message["content"] = None
    elif tool is not None:
        call = {"name": tool, "arguments": said.text}
        message |= {
            "content": None,
            "tool_calls": [{"id": f"call_{said.number}", "type": "function", "function": call}],
        }
        finish = "tool_calls" if finish == "stop" else finish
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": finish}
    return _completed("chatcmpl", "chat.completion", asked, said, choice)


def completion(asked: Json, said: Said) -> Json:
    """A completion of a prompt: text, without tools or refusals."""
    text = "" if said.finish == "content_filter" else said.words
    choice = {"index": 0, "text": text, "logprobs": None, "finish_reason": said.finish}
    return _completed("cmpl", "text_completion", asked, said, choice)


def _completed(prefix: str, kind: str, asked: Json, said: Said, choice: Json) -> Json:
    body: Json = {
        "id": f"{prefix}-{said.number}",
        "object": kind,
        "created": CREATED,
        "model": str(asked.get("model", "loopback")),
        "choices": [choice],
    }
    if said.usage is not None:
        body["usage"] = {
            "prompt_tokens": said.usage[0],
            "completion_tokens": said.usage[1],
            "total_tokens": total(said.usage),
        }
    return body


_INCOMPLETE: Final = {"length": "max_output_tokens", "content_filter": "content_filter"}


def response(asked: Json, said: Said) -> Json:
    """A response: a message of output_text or of a refusal, or a call of the wanted function."""
    cut = _INCOMPLETE.get(said.finish)
    status = "incomplete" if cut else "completed"
    body: Json = {
        "id": f"resp_{said.number}",
        "object": "response",
        "created_at": CREATED,
        "status": status,
        "error": None,
        "incomplete_details": {"reason": cut} if cut else None,
        "model": str(asked.get("model", "loopback")),
        "output": [_item(asked, said, status)],
        "parallel_tool_calls": True,
        "tool_choice": asked.get("tool_choice", "auto"),
        "tools": asked.get("tools", []),
    }
    if said.usage is not None:
        body["usage"] = {
            "input_tokens": said.usage[0],
            "output_tokens": said.usage[1],
            "total_tokens": total(said.usage),
        }
    return body


def _item(asked: Json, said: Said, status: str) -> Json:
    tool = wanted_tool(asked)
    if tool is not None and not said.withheld:
        return {
            "type": "function_call",
            "id": f"fc_{said.number}",
            "call_id": f"call_{said.number}",
            "name": tool,
            "arguments": said.text,
            "status": status,
        }
    parts: list[Json] = [{"type": "output_text", "text": said.text, "annotations": []}]
    if said.refusal is not None:
        parts = [{"type": "refusal", "refusal": said.refusal}]
    elif said.withheld:
        parts = []
    return {
        "type": "message",
        "id": f"msg_{said.number}",
        "role": "assistant",
        "status": status,
        "content": parts,
    }


def error(status: int, kind: str, message: str) -> Json:
    """An error, as all three write it."""
    return {"error": {"message": message, "type": kind, "param": None, "code": kind}}
