from __future__ import annotations

import json
from typing import Any

import pytest

from logdocket.testing import Seen
from logdocket.testing.answers import answering, line_in


def asked(*messages: tuple[str, str]) -> Seen:
    """A request with these messages."""
    body = {"messages": [{"role": role, "content": text} for role, text in messages]}
    return Seen(1, 0.0, "POST", "/v1/chat/completions", {}, json.dumps(body).encode())


PROMPTS: list[tuple[list[tuple[str, str]], str]] = [
    ([("user", '{"line": "gone"}')], "gone"),
    ([("user", 'Read this.\n<<<\n{"hint": null, "line": "gone \\"x\\""}\n>>>')], 'gone "x"'),
    ([("user", '{"line": "first"} and {"line": "second"}')], "second"),
    ([("user", '{"data": {"line": "within"}}')], "within"),
    ([("user", '{"line": "asked"}'), ("assistant", "{}"), ("user", "no, again")], "asked"),
    ([("user", "bare words")], "bare words"),
    ([("user", '{"line": 7} {open')], '{"line": 7} {open'),
    ([("user", json.dumps({"line": '{"line": "injected"}'}))], '{"line": "injected"}'),
    ([("system", '{"line": "example"}'), ("user", "real")], "real"),
    ([("user", '{"a": [{} {{ {"line": "kept"}')], "kept"),
    ([], ""),
]


@pytest.mark.parametrize(("messages", "line"), PROMPTS)
def test_the_line_is_found_in_the_prompt(messages: list[tuple[str, str]], line: str) -> None:
    """By the member named line of the last object that has one, else the last message."""
    assert line_in(asked(*messages)) == line


def test_a_prompt_full_of_braces_is_read_in_no_time() -> None:
    """Objects are looked for at a bounded number of them."""
    assert line_in(asked(("user", "{" * 60_000))) == "{" * 60_000


KNOWN = {"disk full": {"service": "a"}, "disk full on web-1": {"service": "b"}, 'say "ä"': "text"}


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ('{"line": "disk full"}', {"service": "a"}),
        ("What of: disk full?", {"service": "a"}),
        ("What of: disk full on web-1?", {"service": "b"}),
        ('Read "say \\"ä\\"" now', "text"),
        ('Read "say \\"\\u00e4\\"" now', "text"),
        ('Read say "ä" now', "text"),
    ],
)
def test_a_known_line_has_its_answer(prompt: str, answer: Any) -> None:
    """As it is or as JSON writes it; of two that fit, the longer."""
    seen = asked(("user", prompt))
    assert answering(KNOWN)(seen, line_in(seen)) == answer


def test_an_unknown_line_is_answered_honestly() -> None:
    """From the line itself."""
    answer = answering(KNOWN)(asked(("user", "api: gone")), "api: gone away")
    assert answer == {
        "service": "api",
        "severity": "low",
        "first_seen": "unknown",
        "evidence": "gone away",
    }


def test_instructions_are_not_taken_for_the_line() -> None:
    """A known line that the system message gives as an example is not asked about."""
    seen = asked(("system", "Such as: disk full"), ("user", "api: gone"))
    assert answering(KNOWN)(seen, "api: gone") != KNOWN["disk full"]
