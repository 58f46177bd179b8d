from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import httpx2
import pytest

from logdocket.calls import CallStatus, Usage
from logdocket.errors import BadModel, UnaccountedCall
from logdocket.model import Client, Exchange, Permit, Question
from logdocket.model.address import NATIVE
from logdocket.model.prompt import TOOL, user_message

ANSWER = json.dumps(
    {"service": "pay", "severity": "high", "first_seen": "unknown", "evidence": "card refused"}
)
QUESTION = Question.about("2026-01-02T03:04:05Z ERROR pay: card refused")
MESSAGE = {"role": "assistant", "content": ANSWER}
ONE_EACH = {"prompt_tokens": 1, "completion_tokens": 1}

Handler = Callable[[httpx2.Request], httpx2.Response]
Make = Callable[..., Client]


def completion(
    message: dict[str, Any] = MESSAGE, finish: str | None = "stop", **changes: Any
) -> httpx2.Response:
    """A response in the form of chat completions."""
    choice = {"index": 0, "message": message, "finish_reason": finish}
    choice["native_finish_reason"] = finish  # which one router adds, as it does its provider
    body = {
        "id": "c-1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": "m",
        "provider": "p",
        "choices": [choice],
        "usage": ONE_EACH,
    }
    return httpx2.Response(200, json={**body, **changes})


class Api:
    """Stands behind the wire: gives ``response``, or what it is called to give, to each request."""

    def __init__(self) -> None:
        self.response: httpx2.Response | Handler | Exception = completion()
        self.requests: list[httpx2.Request] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        """Answer one request."""
        self.requests.append(request)
        if isinstance(self.response, Exception):
            raise self.response
        return (
            self.response if isinstance(self.response, httpx2.Response) else self.response(request)
        )

    @property
    def body(self) -> dict[str, Any]:
        """What the last request asked."""
        asked = json.loads(self.requests[-1].content)
        assert isinstance(asked, dict)
        return asked


@pytest.fixture
def api() -> Api:
    """What the client of a test talks to."""
    return Api()


@pytest.fixture
async def make(api: Api) -> AsyncIterator[Make]:
    """Makes clients that talk to it."""
    made = []

    def build(**changes: Any) -> Client:
        fields: dict[str, Any] = {
            "base_url": "http://model.example/v1",
            "provider": None,
            "name": "m",
            "key": "k-1",
            "transport": httpx2.MockTransport(api),
        }
        made.append(Client(**{**fields, **changes}))
        return made[-1]

    yield build
    for client in made:
        await client.close()


async def ask(client: Client, wrong: tuple[str, ...] = ()) -> Any:
    """Ask once, with time enough."""
    return await client.ask(QUESTION, wrong, Permit(3), 5)


async def test_an_answer_comes_with_what_it_cost(make: Make) -> None:
    """And with nothing else."""
    reply = await ask(make())
    assert reply.status is CallStatus.OK
    assert reply.text == ANSWER
    assert reply.usage == Usage(1, 1)
    assert (reply.http, reply.sent, reply.retry_after) == (200, True, None)


async def test_the_request_holds_the_line_as_data_and_asks_for_few_tokens(
    make: Make, api: Api
) -> None:
    """Without chance, and without more than was reserved."""
    await ask(make(max_output=77), ("It was blank.",))
    system, user = api.body["messages"]
    assert system["role"] == "system"
    assert user == {"role": "user", "content": user_message(QUESTION, ["It was blank."])}
    assert api.body["max_tokens"] == 77
    assert api.body["temperature"] == 0
    assert api.body["model"] == "m"
    assert str(api.requests[0].url) == "http://model.example/v1/chat/completions"
    assert api.requests[0].headers["authorization"] == "Bearer k-1"
    assert api.requests[0].headers["x-client-request-id"] == "logdocket-3"


async def test_each_mode_constrains_the_output_its_own_way(make: Make, api: Api) -> None:
    """By a schema, by a tool, or by words alone."""
    await ask(make(output="schema"))
    assert api.body["response_format"]["json_schema"]["strict"] is True
    await ask(make(output="tool"))
    assert api.body["tools"][0]["function"]["name"] == TOOL
    assert api.body["tool_choice"] == "required"
    assert "response_format" not in api.body
    await ask(make(output="text"))
    assert not {"tools", "tool_choice", "response_format"} & set(api.body)


async def test_the_arguments_of_a_tool_are_the_text(make: Make, api: Api) -> None:
    """Whatever is said beside the call."""
    call = {"id": "t", "type": "function", "function": {"name": TOOL, "arguments": ANSWER}}
    api.response = completion({"role": "assistant", "content": "Sure.", "tool_calls": [call]})
    assert (await ask(make(output="tool"))).text == ANSWER
    api.response = completion({"role": "assistant", "content": None, "tool_calls": [call, call]})
    assert (await ask(make(output="tool"))).text == f"{ANSWER}\n{ANSWER}"


REFUSES = {"error": {"message": "response_format json_schema is not supported"}}


async def test_a_refused_schema_is_remembered(make: Make, api: Api) -> None:
    """The next call asks in words, and so does every later one."""
    client = make(output="auto")
    assert client.mode == "schema"
    api.response = httpx2.Response(400, json=REFUSES)
    assert (await ask(client)).status is CallStatus.NOT_SUPPORTED
    assert client.mode == "text"
    api.response = completion()
    assert (await ask(client)).status is CallStatus.OK
    assert "response_format" not in api.body


async def test_a_mode_that_was_chosen_is_kept(make: Make, api: Api) -> None:
    """The operator's word stands."""
    client = make(output="schema")
    api.response = httpx2.Response(400, json=REFUSES)
    assert (await ask(client)).status is CallStatus.NOT_SUPPORTED
    assert client.mode == "schema"


ENDS: dict[str, tuple[httpx2.Response, CallStatus]] = {
    "cut short": (
        completion({"role": "assistant", "content": ANSWER[:20]}, "length"),
        CallStatus.CUT_SHORT,
    ),
    "cut short but whole": (completion(finish="length"), CallStatus.OK),
    "cut short in its thoughts": (
        completion({"role": "assistant", "content": None}, "length"),
        CallStatus.CUT_SHORT,
    ),
    "filtered": (
        completion({"role": "assistant", "content": ""}, "content_filter"),
        CallStatus.REFUSED,
    ),
    "refused": (
        completion({"role": "assistant", "content": None, "refusal": "I will not."}),
        CallStatus.REFUSED,
    ),
    "no finish reason": (completion(finish=None), CallStatus.OK),
    "a finish reason of its own": (completion(finish="guardrail"), CallStatus.OK),
    "no content": (completion({"role": "assistant", "content": None}), CallStatus.OK),
    "no choices": (completion(choices=[]), CallStatus.UNREADABLE),
    "null choices": (completion(choices=None), CallStatus.UNREADABLE),
    "no message": (completion(choices=[{"index": 0}]), CallStatus.UNREADABLE),
    "content that is a number": (
        completion({"role": "assistant", "content": 7}),
        CallStatus.UNREADABLE,
    ),
    "a custom tool": (
        completion({"role": "assistant", "tool_calls": [{"id": "x", "type": "what"}]}),
        CallStatus.UNREADABLE,
    ),
    "a crowd of choices": (
        completion(choices=[{"index": 0, "message": MESSAGE, "finish_reason": "stop"}] * 1_000),
        CallStatus.UNREADABLE,
    ),
    "a crowd of numbers": (completion(more=[1] * 20_000), CallStatus.UNREADABLE),
    "some numbers beside": (completion(more=[1] * 10_000), CallStatus.OK),
    "text without end": (
        completion({"role": "assistant", "content": "{" * 200_000}),
        CallStatus.TOO_LARGE,
    ),
    "a list": (httpx2.Response(200, json=[]), CallStatus.UNREADABLE),
    "an error": (httpx2.Response(200, json={"error": {"code": 502}}), CallStatus.UNREADABLE),
    "a page": (httpx2.Response(200, text="<html>Log in</html>"), CallStatus.UNREADABLE),
    "nothing": (httpx2.Response(200), CallStatus.UNREADABLE),
    "no content at all": (httpx2.Response(204), CallStatus.UNREADABLE),
    "deep nesting": (httpx2.Response(200, text='{"a":' * 50_000), CallStatus.UNREADABLE),
    "no UTF-8": (httpx2.Response(200, content=b'{"choices": "\xff"}'), CallStatus.UNREADABLE),
}


@pytest.mark.parametrize(("response", "status"), ENDS.values(), ids=ENDS)
async def test_every_end_of_a_call_has_its_status(
    make: Make, api: Api, response: httpx2.Response, status: CallStatus
) -> None:
    """And text comes with OK alone."""
    api.response = response
    reply = await ask(make())
    assert reply.status is status
    assert (reply.text is not None) == (status is CallStatus.OK)


@pytest.mark.parametrize("finish", ["length", "content_filter", "stop"])
async def test_what_was_reported_counts_however_the_call_ended(
    make: Make, api: Api, finish: str
) -> None:
    """Junk is paid for as well."""
    api.response = completion({"role": "assistant", "content": "{"}, finish)
    assert (await ask(make())).usage == Usage(1, 1)
    api.response = httpx2.Response(503, json={"usage": ONE_EACH})
    assert (await ask(make())).usage == Usage(1, 1)


async def test_no_line_and_no_key_stands_in_the_detail(make: Make, api: Api) -> None:
    """APIs quote both in their errors."""
    said = "bad key k-1 for card refused"
    api.response = httpx2.Response(401, json={"error": {"message": said, "type": said}})
    assert (await ask(make())).detail == "HTTP 401"


async def test_a_permit_that_was_used_is_refused(make: Make, api: Api) -> None:
    """Before anything is sent."""
    client, permit = make(), Permit(3)
    await client.ask(QUESTION, (), permit, 5)
    with pytest.raises(UnaccountedCall):
        await client.ask(QUESTION, (), permit, 5)
    assert len(api.requests) == 1


@pytest.mark.parametrize("status", [408, 409, 429, 500, 503])
async def test_no_library_asks_again_of_itself(make: Make, api: Api, status: int) -> None:
    """Each request is entered first, so a hidden one would be one too many."""
    api.response = httpx2.Response(status, headers={"retry-after": "0", "x-should-retry": "true"})
    reply = await ask(make())
    assert reply.http == status
    assert len(api.requests) == 1


async def test_what_a_tool_was_given_comes_as_it_was_written(make: Make, api: Api) -> None:
    """Decoding it would hide a field that stands in it twice."""
    twice = ANSWER[:-1] + ', "severity": "low"}'
    call = {"id": "t", "type": "function", "function": {"name": TOOL, "arguments": twice}}
    api.response = completion({"role": "assistant", "content": None, "tool_calls": [call]})
    assert (await ask(make(output="tool"))).text == twice


async def test_a_call_that_takes_too_long_is_ended(make: Make, api: Api) -> None:
    """Whatever it hangs in."""

    class Hanging(httpx2.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            await asyncio.Event().wait()
            raise AssertionError

    reply = await make(transport=Hanging()).ask(QUESTION, (), Permit(1), 0.05)
    assert (reply.status, reply.http, reply.sent) == (CallStatus.TIMEOUT, None, False)
    assert 40 <= reply.ms < 2_000


async def test_a_call_without_any_time_is_not_made(make: Make, api: Api) -> None:
    """A deadline that has passed is one."""
    reply = await make().ask(QUESTION, (), Permit(1), 0)
    assert reply.status in (CallStatus.TIMEOUT, CallStatus.OK)
    assert (reply.status is CallStatus.OK) == (len(api.requests) == 1)


async def test_a_call_can_be_cancelled(make: Make) -> None:
    """The service stops when it is told to."""

    class Hanging(httpx2.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            await asyncio.Event().wait()
            raise AssertionError

    task = asyncio.ensure_future(ask(make(transport=Hanging())))
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_exchanges_are_recorded_as_they_end(make: Make, api: Api) -> None:
    """Whether or not a response came."""
    recorded: list[Exchange] = []
    client = make(record=recorded.append)
    await ask(client)
    api.response = httpx2.ConnectError("no")
    await ask(client)
    assert [exchange.status for exchange in recorded] == [200, None]
    assert json.loads(recorded[0].request) == api.body
    assert json.loads(recorded[0].body)["choices"][0]["message"] == MESSAGE
    assert b"k-1" not in recorded[0].request


async def test_calls_at_once_do_not_mix(make: Make, api: Api) -> None:
    """Each permit and each exchange stays with its own call."""

    def echo(request: httpx2.Request) -> httpx2.Response:
        number = request.headers["x-client-request-id"]
        return completion({"role": "assistant", "content": number})

    api.response = echo
    client = make()
    replies = await asyncio.gather(
        *(client.ask(QUESTION, (), Permit(number), 5) for number in range(30))
    )
    assert [reply.text for reply in replies] == [f"logdocket-{number}" for number in range(30)]


@pytest.fixture
def _ambient(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Variables that the libraries read, each with a value that must go nowhere."""
    for name in (
        "OPENAI_API_KEY OPENAI_ADMIN_KEY OPENAI_BASE_URL OPENAI_ORG_ID OPENAI_PROJECT_ID "
        "OPENROUTER_API_KEY OPENROUTER_APP_TITLE DEEPSEEK_API_KEY DASHSCOPE_API_KEY"
    ).split():
        monkeypatch.setenv(name, "https://stray.example")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "Authorization: stray\nX-Stray: stray")


@pytest.mark.usefixtures("_ambient")
async def test_nothing_of_the_environment_reaches_the_request(make: Make, api: Api) -> None:
    """A key for one API must never be sent to another."""
    await ask(make())
    request = api.requests[0]
    sent = f"{request.url} {request.headers.raw!r} {request.content!r}"
    assert "stray" not in sent
    assert request.headers["authorization"] == "Bearer k-1"


PLAIN = [provider for provider, extra in NATIVE.items() if extra is None]


@pytest.mark.usefixtures("_ambient")
@pytest.mark.parametrize("provider", PLAIN)
async def test_providers_are_asked_at_their_own_address_with_our_key(
    make: Make, api: Api, provider: str
) -> None:
    """Once for each permit, in the mode that they are known to take."""
    client = make(base_url=None, provider=provider, name="openai/gpt-oss-20b")
    reply = await ask(client)
    assert reply.status is CallStatus.OK
    request = api.requests[0]
    assert request.url.scheme == "https"
    assert request.url.host not in ("model.example", "stray.example")
    assert request.headers["authorization"] == "Bearer k-1"
    assert "stray" not in repr(request.headers.raw)
    api.response = httpx2.Response(503)
    assert (await ask(client)).status is CallStatus.SERVER_ERROR
    assert len(api.requests) == 2


@pytest.mark.parametrize(
    ("name", "value", "mend"),
    [
        ("HTTP_PROXY", "somewhere", "NO_PROXY"),
        ("HTTP_PROXY", "socks5://127.0.0.1:1", "NO_PROXY"),
        ("ALL_PROXY", "http://bob:s3cret@[::1", "NO_PROXY"),
        ("SSL_CERT_FILE", "/nowhere/ca.pem", "SSL_CERT_FILE"),
    ],
)
def test_an_environment_that_cannot_be_used_is_told_with_its_mend(
    make: Make, monkeypatch: pytest.MonkeyPatch, name: str, value: str, mend: str
) -> None:
    """When the client is made, without the secret that an address may hold."""
    for variable in ("HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv(name, value)
    with pytest.raises(BadModel, match=mend) as caught:
        make(transport=None)
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize(
    ("extra", "module"),
    [("anthropic", "anthropic"), ("google", "google.genai"), ("mistral", "mistralai")],
)
def test_a_missing_extra_is_told_with_its_mend(
    make: Make, monkeypatch: pytest.MonkeyPatch, extra: str, module: str
) -> None:
    """In one line, when the client is made."""
    for name in [name for name in sys.modules if name.startswith((f"{module}.", "pydantic_ai."))]:
        if extra in name or name.startswith(module):
            monkeypatch.delitem(sys.modules, name)
    # What Python itself does with a module that is not there.
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(BadModel, match=re.escape(f"pip install 'logdocket[{extra}]'")):
        make(base_url=None, provider=extra, name="m")


@pytest.mark.parametrize("key", ["", "two words", "naïve", "line\nbreak", "\u200bk"])
def test_a_key_that_no_header_can_carry_is_refused_unseen(make: Make, key: str) -> None:
    """It is not repeated in the message."""
    with pytest.raises(BadModel, match="MODEL_KEY") as caught:
        make(key=key)
    assert not key or key not in str(caught.value)


async def test_the_most_that_a_call_can_cost_is_known_before(make: Make) -> None:
    """In tokens always, in money where a price is known."""
    free, paid = make(), make(per_million=(1.0, 2.0))
    assert not free.priced
    assert free.most(QUESTION).nano_usd == 0
    assert paid.priced
    most = paid.most(QUESTION)
    assert most.tokens == free.most(QUESTION).tokens > 400
    assert most.nano_usd == (most.tokens - 400) * 1_000 + 400 * 2_000
    assert paid.price(Usage(10, 10)) == 30_000
