from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from logdocket.testing import Fault, ModelServer

Ask = Callable[..., httpx.Response]
GOOD = {
    "service": "nginx",
    "severity": "high",
    "first_seen": "2026-01-02T03:04:05Z",
    "evidence": "upstream timed out",
}
TOOL = {"type": "function", "function": {"name": "file_ticket", "parameters": {}}}
FORCED = {"type": "function", "function": {"name": "file_ticket"}}


def test_a_chat_completion_has_its_members(server: ModelServer, ask: Ask) -> None:
    """As clients of that API read them."""
    body = ask().json()
    assert (body["object"], body["model"], body["id"]) == ("chat.completion", "small", "chatcmpl-1")
    assert body["choices"][0]["message"]["role"] == "assistant"
    assert body["choices"][0]["finish_reason"] == "stop"
    assert body["usage"]["total_tokens"] == sum(list(body["usage"].values())[:2])


@pytest.mark.parametrize(
    "more",
    [
        {"tools": [TOOL], "tool_choice": FORCED},
        {"tools": [TOOL], "tool_choice": "required"},
        {"tools": [TOOL]},
    ],
)
def test_a_tool_that_is_asked_for_is_called(
    server: ModelServer, ask: Ask, more: dict[str, Any]
) -> None:
    """With the answer as its arguments, and no content."""
    (choice,) = ask(**more).json()["choices"]
    (call,) = choice["message"]["tool_calls"]
    assert choice["finish_reason"] == "tool_calls"
    assert choice["message"]["content"] is None
    assert call["function"]["name"] == "file_ticket"
    assert json.loads(call["function"]["arguments"]) == GOOD


@pytest.mark.parametrize("more", [{}, {"tools": []}, {"tools": [TOOL], "tool_choice": "none"}])
def test_content_comes_where_no_tool_is_asked_for(
    server: ModelServer, ask: Ask, more: dict[str, Any]
) -> None:
    """No tool is called."""
    (choice,) = ask(**more).json()["choices"]
    assert json.loads(choice["message"]["content"]) == GOOD
    assert "tool_calls" not in choice["message"]


def test_bad_content_comes_as_arguments_as_well(server: ModelServer, ask: Ask) -> None:
    """A tool call is no better than the model behind it."""
    server.script = Fault.PROSE
    (choice,) = ask(tools=[TOOL], tool_choice=FORCED).json()["choices"]
    assert choice["message"]["tool_calls"][0]["function"]["arguments"].startswith("Sure!")


def test_messages_are_answered_as_anthropics_api_does(server: ModelServer, ask: Ask) -> None:
    """A block of text."""
    body = ask("/messages").json()
    (block,) = body["content"]
    assert (body["type"], body["stop_reason"], block["type"]) == ("message", "end_turn", "text")
    assert json.loads(block["text"]) == GOOD
    assert sum(body["usage"].values()) == server.tokens


def test_messages_with_a_tool_are_answered_with_its_use(server: ModelServer, ask: Ask) -> None:
    """The answer is the input, as an object."""
    more = {"tools": [{"name": "file"}], "tool_choice": {"type": "tool", "name": "file"}}
    body = ask("/messages", **more).json()
    (block,) = body["content"]
    assert (body["stop_reason"], block["name"], block["input"]) == ("tool_use", "file", GOOD)


def test_what_is_no_object_comes_as_text_beside_a_tool(server: ModelServer, ask: Ask) -> None:
    """An input cannot hold it."""
    server.script = Fault.PROSE
    body = ask("/messages", tools=[{"name": "file"}]).json()
    assert body["content"][0]["text"].startswith("Sure!")


@pytest.mark.parametrize(
    ("fault", "stop", "blocks"),
    [
        (Fault.LENGTH, "max_tokens", 1),
        (Fault.CONTENT_FILTER, "refusal", 0),
        (Fault.REFUSAL, "refusal", 0),
    ],
)
def test_messages_end_in_their_own_words(
    server: ModelServer, ask: Ask, fault: Fault, stop: str, blocks: int
) -> None:
    """The reason by that API's name."""
    server.script = fault
    body = ask("/messages").json()
    assert (body["stop_reason"], len(body["content"])) == (stop, blocks)


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("/chat/completions", {"type": "server_error", "param": None, "code": "server_error"}),
        ("/messages", {"type": "server_error"}),
    ],
)
def test_an_error_is_written_as_the_format_does(
    server: ModelServer, ask: Ask, path: str, error: dict[str, Any]
) -> None:
    """With the same message."""
    server.script = Fault.HTTP_500
    assert ask(path).json()["error"] == error | {"message": "The server had an error."}


def test_a_bare_prompt_gets_a_bare_text(server: ModelServer, line: str) -> None:
    """On any other path."""
    body = httpx.post(f"{server.url}/anything", json={"prompt": line}).json()
    assert json.loads(body["text"]) == GOOD
    assert sum(body["usage"].values()) == server.tokens


@pytest.mark.parametrize(
    ("fault", "body"),
    [
        (Fault.HTTP_500, {"error": "The server had an error."}),
        (Fault.CONTENT_FILTER, {"finish_reason": "content_filter"}),
    ],
)
def test_a_bare_failure_is_bare(
    server: ModelServer, line: str, fault: Fault, body: dict[str, Any]
) -> None:
    """As the rest of that format."""
    server.script = fault
    got = httpx.post(f"{server.url}/anything", json={"prompt": line}).json()
    assert body.items() <= got.items()


@pytest.mark.parametrize("path", ["/chat/completions/", "/chat/completions?api-version=1"])
def test_the_format_is_that_of_the_paths_end(server: ModelServer, ask: Ask, path: str) -> None:
    """A slash or a query after it changes nothing."""
    assert ask(path).json()["choices"]
