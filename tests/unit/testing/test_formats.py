from __future__ import annotations

import json
from collections.abc import Callable, Mapping
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
        (Fault.CONTENT_FILTER, {"finish_reason": "content_filter", "text": ""}),
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


def dug(body: Any, *way: str | int) -> Any:
    """What stands in ``body`` at the end of ``way``."""
    for step in way:
        body = body[step]
    return body


# A path, the body beside the model, headers, and the way to the text of the answer.
SPOKEN: dict[str, tuple[str, Callable[[str], dict[str, Any]], dict[str, str], tuple[Any, ...]]] = {
    "messages anywhere": (
        "/ask",
        lambda text: {"messages": [{"role": "user", "content": text}]},
        {},
        ("choices", 0, "message", "content"),
    ),
    "messages under an anthropic header": (
        "/ask",
        lambda text: {"messages": [{"role": "user", "content": text}]},
        {"anthropic-version": "2023-06-01"},
        ("content", 0, "text"),
    ),
    "messages beside instructions": (
        "/ask",
        lambda text: {"system": "Be brief.", "messages": [{"role": "user", "content": text}]},
        {},
        ("content", 0, "text"),
    ),
    "the path before the header": (
        "/chat/completions",
        lambda text: {"messages": [{"role": "user", "content": text}]},
        {"anthropic-version": "2023-06-01"},
        ("choices", 0, "message", "content"),
    ),
    "a prompt anywhere": ("/ask", lambda text: {"prompt": text}, {}, ("text",)),
    "a prompt at the base address": ("", lambda text: {"prompt": text}, {}, ("text",)),
    "older completions": (
        "/completions",
        lambda text: {"prompt": text},
        {},
        ("choices", 0, "text"),
    ),
    "responses": (
        "/responses",
        lambda text: {"input": text},
        {},
        ("output", 0, "content", 0, "text"),
    ),
    "an input anywhere": (
        "/ask",
        lambda text: {"input": [{"role": "user", "content": text}]},
        {},
        ("output", 0, "content", 0, "text"),
    ),
    "ollama's generate": ("/api/generate", lambda text: {"prompt": text}, {}, ("response",)),
    "ollama's chat": (
        "/api/chat",
        lambda text: {"messages": [{"role": "user", "content": text}]},
        {},
        ("message", "content"),
    ),
    "gemini's contents": (
        "/models/small:generateContent",
        lambda text: {"contents": [{"parts": [{"text": text}]}]},
        {},
        ("candidates", 0, "content", "parts", 0, "text"),
    ),
    "contents anywhere": (
        "/ask",
        lambda text: {"contents": [{"parts": [{"text": text}]}]},
        {},
        ("candidates", 0, "content", "parts", 0, "text"),
    ),
}


@pytest.mark.parametrize("name", SPOKEN)
def test_the_body_says_the_format_where_the_path_does_not(
    server: ModelServer, line: str, name: str
) -> None:
    """And the line is found in each."""
    path, body, headers, way = SPOKEN[name]
    asked = body(f"Read it: {json.dumps({'line': line})}") | {"model": "small"}
    answer = httpx.post(server.url + path, json=asked, headers=headers).json()
    assert json.loads(dug(answer, *way)) == GOOD


USAGE: list[tuple[str, Mapping[str, Any], tuple[str, ...], tuple[str, ...]]] = [
    ("/responses", {"input": "x: ERROR y"}, ("usage", "input_tokens"), ("usage", "output_tokens")),
    ("/api/generate", {"prompt": "x: ERROR y"}, ("prompt_eval_count",), ("eval_count",)),
    (
        "/m:generateContent",
        {"contents": "x: ERROR y"},
        ("usageMetadata", "promptTokenCount"),
        ("usageMetadata", "candidatesTokenCount"),
    ),
]


@pytest.mark.parametrize(("path", "asked", "tokens_in", "tokens_out"), USAGE)
def test_usage_is_reported_under_the_formats_own_names(
    server: ModelServer,
    path: str,
    asked: Mapping[str, Any],
    tokens_in: tuple[str, ...],
    tokens_out: tuple[str, ...],
) -> None:
    """As the server counts it."""
    body = httpx.post(server.url + path, json=dict(asked)).json()
    (seen,) = server.seen
    assert dug(body, *tokens_in) == seen.tokens_in == 3
    assert dug(body, *tokens_out) == seen.tokens_out > 0


@pytest.mark.parametrize(
    ("path", "tools", "way"),
    [
        ("/responses", [{"type": "function", "name": "file"}], ("output", 0)),
        (
            "/api/chat",
            [{"type": "function", "function": {"name": "file"}}],
            ("message", "tool_calls", 0, "function"),
        ),
    ],
)
def test_a_tool_is_called_in_the_formats_own_way(
    server: ModelServer, line: str, path: str, tools: list[Any], way: tuple[str | int, ...]
) -> None:
    """With the answer as its arguments, as text or as an object."""
    call = dug(httpx.post(server.url + path, json={"input": line, "tools": tools}).json(), *way)
    given = call["arguments"]
    assert call["name"] == "file"
    assert (json.loads(given) if isinstance(given, str) else given) == GOOD


@pytest.mark.parametrize(
    ("path", "fault", "way", "said"),
    [
        ("/responses", Fault.LENGTH, ("incomplete_details", "reason"), "max_output_tokens"),
        ("/responses", Fault.CONTENT_FILTER, ("output", 0, "content"), []),
        ("/responses", Fault.REFUSAL, ("output", 0, "content", 0, "type"), "refusal"),
        ("/responses", Fault.NO_CHOICES, ("output",), []),
        ("/completions", Fault.LENGTH, ("choices", 0, "finish_reason"), "length"),
        ("/completions", Fault.CONTENT_FILTER, ("choices", 0, "text"), ""),
        ("/api/generate", Fault.LENGTH, ("done_reason",), "length"),
        ("/api/generate", Fault.CONTENT_FILTER, ("response",), ""),
        ("/api/generate", Fault.NO_CHOICES, ("response",), []),
        ("/api/chat", Fault.HTTP_500, ("error",), "The server had an error."),
        ("/m:generateContent", Fault.CONTENT_FILTER, ("candidates", 0, "content", "parts"), []),
        ("/m:generateContent", Fault.LENGTH, ("candidates", 0, "finishReason"), "MAX_TOKENS"),
        ("/m:generateContent", Fault.HTTP_429, ("error", "code"), 429),
    ],
)
def test_every_format_fails_in_its_own_words(
    server: ModelServer, path: str, fault: Fault, way: tuple[str | int, ...], said: Any
) -> None:
    """As its clients would read it."""
    server.script = fault
    assert dug(httpx.post(server.url + path, json={"prompt": "x"}).json(), *way) == said


def test_older_completions_know_no_deltas(server: ModelServer) -> None:
    """Their events hold text."""
    server.script = Fault.EVENT_STREAM
    text = httpx.post(f"{server.url}/completions", json={"prompt": "x: ERROR y"}).text
    assert json.loads(text.removeprefix("data: ").partition("\n")[0])["choices"][0]["text"]


def test_a_limit_bounds_the_reported_words_of_a_response(server: ModelServer) -> None:
    """By that API's name for it."""
    body = {"input": "x: ERROR a b c d", "max_output_tokens": 2}
    httpx.post(f"{server.url}/responses", json=body)
    assert server.seen[0].tokens_out == 2


def test_a_schema_is_refused_to_a_response_as_well(server: ModelServer) -> None:
    """Where that API asks for it."""
    server.script = Fault.NO_SCHEMA
    schema = {"text": {"format": {"type": "json_schema"}}}
    asked = httpx.post(f"{server.url}/responses", json={"input": "x"} | schema)
    plain = httpx.post(f"{server.url}/responses", json={"input": "x", "text": {"format": None}})
    assert (asked.status_code, plain.status_code) == (400, 200)
