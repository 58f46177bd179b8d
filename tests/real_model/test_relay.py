"""The count that the ledger is held against can itself be trusted."""

from __future__ import annotations

import httpx
import pytest
from relay import Relay
from service import wait_for

from real_model import RealModel

QUESTION = {"messages": [{"role": "user", "content": "Name a colour."}], "max_tokens": 8}
SCHEMA = {"type": "object", "properties": {"colour": {"type": "string", "maxLength": 8}}}
FORMAT = {"type": "json_schema", "json_schema": {"name": "c", "schema": SCHEMA, "strict": True}}


def ask(relay: Relay, timeout: float = 30, **options: object) -> httpx.Response:
    """One question through the relay."""
    with httpx.Client(trust_env=False, timeout=timeout) as client:
        return client.post(
            f"{relay.url}/chat/completions",
            json=QUESTION | options,
            headers={"X-Client-Request-Id": "logdocket-7"},
        )


def test_it_counts_what_the_model_counts(real_model: RealModel) -> None:
    """Tokens by the responses that passed are the tokens of the model's own metrics."""
    before = real_model.counted()
    with Relay(real_model.url) as relay:
        for _ in range(3):
            ask(relay).raise_for_status()
    after = real_model.counted()
    read = sum(passed.tokens_in or 0 for passed in relay.passed)
    written = sum(passed.tokens_out or 0 for passed in relay.passed)
    assert len(relay.passed) == 3
    assert (after[0] - before[0], after[1] - before[1]) == (read, written)


def test_it_changes_nothing(real_model: RealModel) -> None:
    """The model's own word reaches the caller, and is what was counted."""
    with Relay(real_model.url) as relay:
        document = ask(relay, response_format=FORMAT, max_tokens=40).json()
    (passed,) = relay.passed
    (choice,) = document["choices"]
    assert passed.text == choice["message"]["content"]
    assert passed.finish == choice["finish_reason"]
    assert passed.tokens_out == document["usage"]["completion_tokens"]
    assert (passed.mode, passed.request_id, passed.hung_up) == ("schema", "logdocket-7", False)


def test_an_error_passes_too(real_model: RealModel) -> None:
    """A request that the model's server does not take is a request all the same."""
    with Relay(real_model.url) as relay:
        assert ask(relay, messages="none").status_code == 400
    assert [(passed.status, passed.tokens_in) for passed in relay.passed] == [(400, None)]


def test_a_caller_that_hangs_up_is_told_from_the_others(real_model: RealModel) -> None:
    """The model writes on for one who has left, so its own count and what was reported differ."""
    before = real_model.counted()
    with Relay(real_model.url) as relay:
        with pytest.raises(httpx.ReadTimeout):
            ask(relay, timeout=0.1, max_tokens=40, ignore_eos=True)
        wait_for(lambda: relay.passed[0].hung_up)
        wait_for(lambda: real_model.busy() == 0, 30)
    assert (relay.passed[0].status, relay.passed[0].tokens_out) == (None, None)
    assert real_model.counted()[1] - before[1] == 40
