from __future__ import annotations

import json
from typing import Any

import pytest

from logdocket.testing import Seen


def seen(body: object) -> Seen:
    """A request with this body."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Seen(1, 0.0, "POST", "/v1/messages", {"x-client-request-id": "n-1"}, raw)


SAID = [
    ({"messages": [{"role": "user", "content": "one"}]}, [("user", "one")]),
    (
        {"messages": [{"role": "system", "content": "be"}, {"role": "user", "content": "one"}]},
        [("system", "be"), ("user", "one")],
    ),
    (
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "a"}, {}, 3]}]},
        [("user", "a")],
    ),
    (
        {"system": [{"text": "be"}], "messages": [{"role": "user", "content": "one"}]},
        [("system", "be"), ("user", "one")],
    ),
    ({"prompt": "one"}, [("user", "one")]),
    ({"messages": [7, {"content": None}]}, [("user", "")]),
    ({"messages": "one"}, [("user", "one")]),
    ({"messages": 7, "prompt": None}, []),
    ({"prompt": ["one", "two"]}, [("user", "one"), ("user", "two")]),
    ({"system": "be", "prompt": "one"}, [("system", "be"), ("user", "one")]),
    ({"instructions": "be", "input": "one"}, [("system", "be"), ("user", "one")]),
    (
        {"input": [{"role": "user", "content": [{"type": "input_text", "text": "one"}]}]},
        [("user", "one")],
    ),
    (
        {
            "systemInstruction": {"parts": [{"text": "be"}]},
            "contents": [{"parts": [{"text": "one"}]}],
        },
        [("system", "be"), ("user", "one")],
    ),
    ({"inputs": "one"}, [("user", "one")]),
    ([], []),
    (b"no json", []),
    (b"[" * 100_000, []),
]


@pytest.mark.parametrize(("body", "messages"), SAID)
def test_messages_are_read_in_every_format(body: Any, messages: list[tuple[str, str]]) -> None:
    """Whatever the body is, without an error."""
    assert seen(body).messages == messages
    assert seen(body).text == "\n".join(text for _, text in messages)


def test_half_a_surrogate_pair_is_read() -> None:
    """A line's undecodable bytes may travel so."""
    assert seen(b'{"prompt": "\\udc80"}').messages == [("user", "\udc80")]


def test_the_clients_name_for_a_request_is_kept() -> None:
    """By its header."""
    assert seen({}).request_id == "n-1"
