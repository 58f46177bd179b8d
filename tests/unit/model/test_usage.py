from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logdocket.calls import Usage
from logdocket.model.usage import reported, usage_in

SANE = {
    "chat completions": {"usage": {"prompt_tokens": 5, "completion_tokens": 7, "total_tokens": 12}},
    "messages": {"usage": {"input_tokens": 5, "output_tokens": 7}},
    "messages through a cache": {
        "usage": {
            "input_tokens": 1,
            "cache_read_input_tokens": 4,
            "cache_creation_input_tokens": None,
            "output_tokens": 7,
        }
    },
    "generate content": {
        "usageMetadata": {
            "promptTokenCount": 5,
            "candidatesTokenCount": 4,
            "thoughtsTokenCount": 3,
        }
    },
}


@pytest.mark.parametrize("response", SANE.values(), ids=SANE)
def test_each_api_reports_in_its_own_words(response: dict[str, object]) -> None:
    """What counts as in and out is the same for all."""
    assert usage_in(response) == Usage(5, 7)


SENSELESS = [-1, 1.5, "5", True, None, float("nan"), float("inf"), 10_000_001, 10**30, [], {}]


@pytest.mark.parametrize("count", SENSELESS, ids=repr)
def test_what_is_no_count_is_no_report(count: object) -> None:
    """Half a report is none either."""
    assert usage_in({"usage": {"prompt_tokens": count, "completion_tokens": 1}}) is None
    assert usage_in({"usage": {"prompt_tokens": 1, "completion_tokens": count}}) is None


def test_counts_that_pass_the_bound_together_are_no_report() -> None:
    """The bound holds for what is summed up, too."""
    cached = {"input_tokens": 9_000_000, "cache_read_input_tokens": 9_000_000, "output_tokens": 1}
    assert usage_in({"usage": cached}) is None


@pytest.mark.parametrize("body", [b"", b"<html>", b"[1]", b"null", b'{"usage": 3}', b"[" * 200_000])
def test_a_body_that_reports_nothing_costs_nothing_to_ask(body: bytes) -> None:
    """Errors, pages and nonsense."""
    assert reported(body) is None


def test_a_body_reports_beside_anything_else() -> None:
    """Junk was paid for as well."""
    body = json.dumps({"choices": "junk", "usage": {"prompt_tokens": 0, "completion_tokens": 3}})
    assert reported(body.encode()) == Usage(0, 3)


@given(st.binary())
def test_no_body_raises(body: bytes) -> None:
    """Whatever was sent."""
    reported(body)
