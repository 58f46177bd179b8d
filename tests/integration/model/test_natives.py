"""APIs that are spoken in their own words, where the library for them is installed."""

from __future__ import annotations

import importlib.util

import pytest

from logdocket.calls import CallStatus
from logdocket.errors import BadModel
from logdocket.model import Client, Junk, Permit, Question, parse
from logdocket.testing import Fault, ModelServer

QUESTION = Question.about("2026-01-02T03:04:05Z ERROR pay: card refused for order 17")


@pytest.mark.parametrize("output", ["auto", "tool", "text"])
async def test_messages_are_spoken_as_chat_completions_are(output: str) -> None:
    """With the same account of how the call ended; or it is told what to install."""
    with ModelServer([Fault.GOOD, Fault.HTTP_529, Fault.LENGTH]) as server:
        base_url = server.url.removesuffix("/v1")
        if importlib.util.find_spec("anthropic") is None:
            with pytest.raises(BadModel, match="anthropic"):
                Client(base_url=base_url, provider="anthropic", name="m", key="k", output=output)
            return
        client = Client(base_url=base_url, provider="anthropic", name="m", key="k", output=output)
        try:
            replies = [await client.ask(QUESTION, (), Permit(n), 10) for n in range(3)]
        finally:
            await client.close()
        assert [reply.status for reply in replies] == [
            CallStatus.OK,
            CallStatus.SERVER_ERROR,
            CallStatus.CUT_SHORT,
        ]
        assert replies[0].text is not None
        assert not isinstance(parse(replies[0].text), Junk)
        assert server.count == 3
        assert sum(reply.usage.tokens for reply in replies if reply.usage) == server.tokens
