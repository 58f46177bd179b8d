"""The client against a server that misbehaves, over real connections."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from logdocket.calls import CallStatus
from logdocket.model import Client, Junk, Permit, Question, Reply, parse
from logdocket.testing import Act, Fault, ModelServer, closed_port

LINE = "2026-01-02T03:04:05Z ERROR pay: card refused for order 17"
LARGEST = 200_000

ENDS: dict[Fault, CallStatus] = {
    Fault.HANG: CallStatus.TIMEOUT,
    Fault.HANG_AMID: CallStatus.TIMEOUT,
    Fault.DRIP: CallStatus.TIMEOUT,
    Fault.DRIP_HEAD: CallStatus.TIMEOUT,
    Fault.RESET: CallStatus.UNREACHABLE,
    Fault.RESET_AMID: CallStatus.UNREACHABLE,
    Fault.CLOSE: CallStatus.UNREACHABLE,
    Fault.NOT_HTTP: CallStatus.UNREACHABLE,
    Fault.BIG_HEAD: CallStatus.UNREACHABLE,
    Fault.SHORT: CallStatus.UNREACHABLE,
    Fault.HTTP_400: CallStatus.REJECTED,
    Fault.HTTP_401: CallStatus.UNAUTHORIZED,
    Fault.HTTP_403: CallStatus.UNAUTHORIZED,
    Fault.HTTP_404: CallStatus.NOT_FOUND,
    Fault.HTTP_408: CallStatus.NOT_NOW,
    Fault.HTTP_409: CallStatus.NOT_NOW,
    Fault.HTTP_422: CallStatus.REJECTED,
    Fault.HTTP_429: CallStatus.RATE_LIMITED,
    Fault.HTTP_429_SECONDS: CallStatus.RATE_LIMITED,
    Fault.HTTP_429_DATE: CallStatus.RATE_LIMITED,
    Fault.HTTP_500: CallStatus.SERVER_ERROR,
    Fault.HTTP_502: CallStatus.SERVER_ERROR,
    Fault.HTTP_503: CallStatus.SERVER_ERROR,
    Fault.HTTP_529: CallStatus.SERVER_ERROR,
    Fault.FOREIGN_ERROR: CallStatus.SERVER_ERROR,
    Fault.ERROR_IN_200: CallStatus.UNREADABLE,
    Fault.REDIRECT_302: CallStatus.REDIRECTED,
    Fault.REDIRECT_307: CallStatus.REDIRECTED,
    Fault.NO_SCHEMA: CallStatus.NOT_SUPPORTED,
    Fault.TEXT_ONLY: CallStatus.NOT_SUPPORTED,
    Fault.EMPTY: CallStatus.UNREADABLE,
    Fault.TRUNCATED: CallStatus.UNREADABLE,
    Fault.INVALID_JSON: CallStatus.UNREADABLE,
    Fault.FOREIGN_TEXT: CallStatus.UNREADABLE,
    Fault.NOT_AN_OBJECT: CallStatus.UNREADABLE,
    Fault.NO_CHOICES: CallStatus.UNREADABLE,
    Fault.EVENT_STREAM: CallStatus.UNREADABLE,
    Fault.BIG_BODY: CallStatus.TOO_LARGE,
    Fault.BIG_DECLARED: CallStatus.TOO_LARGE,
    Fault.GZIP_BOMB: CallStatus.TOO_LARGE,
    Fault.DEEP_JSON: CallStatus.TOO_LARGE,
    Fault.LENGTH: CallStatus.CUT_SHORT,
    Fault.CONTENT_FILTER: CallStatus.REFUSED,
    Fault.REFUSAL: CallStatus.REFUSED,
}
"""How a call ends; with every fault that is not named here a text comes, good or bad."""

JUNK = frozenset(
    {
        Fault.REFUSAL_TEXT,
        Fault.NO_CONTENT,
        Fault.TWO_OBJECTS,
        Fault.BAD_JSON,
        Fault.DUPLICATE_KEYS,
        Fault.MISSING_FIELD,
        Fault.WRONG_ENUM,
        Fault.WRONG_TYPES,
        Fault.NAN,
        Fault.HUGE_NUMBERS,
        Fault.EVIDENCE_BLANK,
    }
)
"""The faults whose text is no answer; whether the line bears an answer out is not asked here."""


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    """The server, which each test gives its script."""
    with ModelServer() as running:
        yield running


async def ask(url: str, seconds: float = 5, **changes: object) -> Reply:
    """One call of the model at ``url``."""
    fields: dict[str, object] = {"base_url": url, "provider": None, "name": "m", "key": "k"}
    client = Client(**{**fields, "largest_response": LARGEST, **changes})  # type: ignore[arg-type]
    try:
        return await client.ask(Question.about(LINE), (), Permit(41), seconds)
    finally:
        await client.close()


@pytest.mark.parametrize("fault", Fault)
async def test_every_fault_ends_in_its_status_after_one_request(
    server: ModelServer, fault: Fault
) -> None:
    """Within the time there is, and with the tokens that the server says it reported."""
    server.script = Act(fault, seconds=0.01) if fault is Fault.SLOW else fault
    before, followed = server.count, server.followed
    hangs = ENDS.get(fault) is CallStatus.TIMEOUT
    reply = await ask(server.url, 0.3 if hangs else 5)
    assert reply.status is ENDS.get(fault, CallStatus.OK)
    assert (reply.text is not None) == (reply.status is CallStatus.OK)
    assert reply.sent
    assert reply.ms < 1_500
    assert server.wait_idle()
    assert (server.count - before, server.followed - followed) == (1, 0)
    seen = server.seen[-1]
    assert seen.request_id == "logdocket-41"
    if fault not in (Fault.BIG_HEAD, Fault.DEEP_JSON):  # which are not read to where it stands
        reported = 0 if reply.usage is None else reply.usage.tokens
        assert reported == seen.tokens_in + seen.tokens_out
    if reply.text is not None:
        assert isinstance(parse(reply.text), Junk) == (fault in JUNK)


async def test_a_time_to_wait_is_passed_on(server: ModelServer) -> None:
    """In seconds from now, however it was told."""
    server.script = Act(Fault.HTTP_429_SECONDS, retry_after=7)
    assert (await ask(server.url)).retry_after == 7
    server.script = Act(Fault.HTTP_429_DATE, retry_after=30)
    waited = (await ask(server.url)).retry_after
    assert waited is not None
    assert 25 < waited <= 31


@pytest.mark.parametrize("output", ["schema", "tool", "text"])
async def test_each_mode_gets_an_answer(server: ModelServer, output: str) -> None:
    """From the same server."""
    server.script = Fault.GOOD
    reply = await ask(server.url, output=output)
    assert reply.text is not None
    assert not isinstance(parse(reply.text), Junk)


async def test_a_server_without_tools_is_told_from_one_that_is_down(server: ModelServer) -> None:
    """It can be asked in words."""
    server.script = Fault.NO_TOOLS
    assert (await ask(server.url, output="tool")).status is CallStatus.NOT_SUPPORTED


async def test_where_nobody_listens_nothing_is_sent() -> None:
    """So that nothing is charged."""
    reply = await ask(f"http://127.0.0.1:{closed_port()}/v1")
    assert (reply.status, reply.sent, reply.http) == (CallStatus.UNREACHABLE, False, None)


async def test_a_server_without_tls_is_unreachable_over_it(server: ModelServer) -> None:
    """The hands were never shaken, so no line has left."""
    reply = await ask(server.url.replace("http://", "https://"))
    assert (reply.status, reply.sent) == (CallStatus.UNREACHABLE, False)


async def test_a_proxy_of_the_environment_is_no_way_to_this_machine(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It could not reach it, and would learn what it should not."""
    monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{closed_port()}")
    monkeypatch.setenv("ALL_PROXY", f"http://127.0.0.1:{closed_port()}")
    server.script = Fault.GOOD
    assert (await ask(server.url)).status is CallStatus.OK


@pytest.mark.parametrize("bypass", [False, True])
async def test_a_proxy_of_the_environment_is_the_way_to_other_machines(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch, bypass: bool
) -> None:
    """Here it is the server itself that stands in for the proxy."""
    for name in ("http_proxy", "no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("http_proxy", server.url.removesuffix("/v1"))
    server.script = Fault.GOOD
    if bypass:
        monkeypatch.setenv("no_proxy", "model.example")
    before = server.count
    reply = await ask("http://model.example/v1")
    if bypass:
        # A test may not look the name up, so it ends there, and the proxy was not asked.
        assert (reply.status, server.count) == (CallStatus.UNREACHABLE, before)
        return
    assert reply.status is CallStatus.OK
    assert server.seen[-1].headers["host"] == "model.example"
