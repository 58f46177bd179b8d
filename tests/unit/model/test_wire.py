from __future__ import annotations

import asyncio
import gzip
import zlib
from collections.abc import AsyncIterator, Callable

import httpx2
import pytest

from logdocket.errors import UnaccountedCall
from logdocket.model.exchange import CURRENT, Exchange, Failure, Permit
from logdocket.model.wire import Wire

LARGEST = 1_000
URL = "http://127.0.0.1:1/v1/chat/completions"
Handler = Callable[[httpx2.Request], httpx2.Response]


class Pieces(httpx2.AsyncByteStream):
    """A body that comes in pieces, and counts how many were taken."""

    def __init__(self, *pieces: bytes) -> None:
        self.pieces = pieces
        self.taken = 0
        self.closed = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self.pieces:
            self.taken += 1
            yield piece

    async def aclose(self) -> None:
        """Note that nothing more is wanted."""
        self.closed = True


async def send(
    response: httpx2.Response | Exception, *, times: int = 1, **headers: str
) -> tuple[Exchange, list[httpx2.Request], httpx2.Response | Exception | None]:
    """Send a request over a wire that gets ``response``: what was seen, sent and passed on."""
    seen: list[httpx2.Request] = []

    def handle(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        if isinstance(response, Exception):
            raise response
        return response

    exchange = Exchange(call=7)
    token = CURRENT.set((Permit(7), exchange))
    got: httpx2.Response | Exception | None = None
    try:
        async with httpx2.AsyncClient(
            transport=Wire(httpx2.MockTransport(handle), LARGEST)
        ) as http:
            for _ in range(times):
                got = await http.post(URL, content=b"{}", headers=headers)
    except (httpx2.TransportError, httpx2.DecodingError, UnaccountedCall) as error:
        got = error
    finally:
        CURRENT.reset(token)
    return exchange, seen, got


async def test_no_request_leaves_without_a_permit() -> None:
    """Whoever makes it."""
    seen: list[httpx2.Request] = []
    wire = Wire(httpx2.MockTransport(lambda request: seen.append(request)), LARGEST)  # type: ignore[arg-type, return-value, func-returns-value]
    async with httpx2.AsyncClient(transport=wire) as http:
        with pytest.raises(UnaccountedCall):
            await http.get(URL)
    assert seen == []


async def test_a_permit_is_good_for_one_request() -> None:
    """A retry that a library makes of itself stays here."""
    _, seen, got = await send(httpx2.Response(500), times=2)
    assert len(seen) == 1
    assert isinstance(got, UnaccountedCall)


async def test_a_redirect_is_seen_and_not_passed_on() -> None:
    """There is no address that could be followed."""
    response = httpx2.Response(302, headers={"location": "http://192.0.2.1/"})
    exchange, _, got = await send(response)
    assert exchange.status == 302
    assert isinstance(got, httpx2.Response)
    assert not got.has_redirect_location


async def test_only_headers_that_the_api_needs_leave() -> None:
    """Nothing tells of this machine, and each request names its entry."""
    _, seen, _ = await send(
        httpx2.Response(200),
        authorization="Bearer k",
        **{"x-stainless-os": "Linux", "openai-organization": "o", "cookie": "c=1"},
    )
    assert set(seen[0].headers) == {
        "accept",
        "accept-encoding",
        "authorization",
        "content-length",
        "host",
        "user-agent",
        "x-client-request-id",
    }
    assert seen[0].headers["x-client-request-id"] == "logdocket-7"
    assert seen[0].headers["accept-encoding"] == "identity"
    assert seen[0].headers["user-agent"].startswith("logdocket/")


async def test_what_went_over_the_wire_is_kept() -> None:
    """For the verdict, and for transcripts."""
    response = httpx2.Response(
        429, headers={"retry-after": "3", "content-type": "text/html"}, content=b"<h1>later</h1>"
    )
    exchange, _, got = await send(response)
    assert (exchange.status, exchange.retry_after, exchange.sent) == (429, "3", True)
    assert (exchange.request, exchange.body) == (b"{}", b"<h1>later</h1>")
    assert exchange.content_type == "text/html"
    assert isinstance(got, httpx2.Response)
    assert got.content == b""


@pytest.mark.parametrize("kind", ["text/plain", "", "application/octet-stream"])
async def test_json_is_json_whatever_it_is_called(kind: str) -> None:
    """Some servers send the right body under the wrong type."""
    _, _, got = await send(
        httpx2.Response(200, headers={"content-type": kind}, content=b' {"a":1}')
    )
    assert isinstance(got, httpx2.Response)
    assert got.headers["content-type"] == "application/json"
    assert got.json() == {"a": 1}


async def test_a_body_in_pieces_without_end_is_given_up_and_holds_nobody_up() -> None:
    """Though few bytes come: each piece takes the event loop's time."""
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    beside = asyncio.create_task(others())
    body = Pieces(*[b""] * 20_000)
    exchange, _, _ = await send(httpx2.Response(200, stream=body))
    beside.cancel()
    assert exchange.failure is Failure.TOO_LARGE
    assert body.taken < 20_000
    assert turns > 30


async def test_a_usage_that_is_none_does_not_cost_the_answer() -> None:
    """It is kept as it came, and the libraries never see it."""
    body = b'{"a": 1, "usage": {"prompt_tokens": "many", "completion_tokens": -1}}'
    exchange, _, got = await send(httpx2.Response(200, content=body))
    assert exchange.body == body
    assert isinstance(got, httpx2.Response)
    assert got.json() == {"a": 1}


@pytest.mark.parametrize("part", ["", ', "prompt_tokens_details": "none"', ', "total_tokens": 9'])
async def test_a_usage_is_passed_on_whole(part: str) -> None:
    """Servers leave out the total, or say more in shapes of their own."""
    body = b'{"choices": [], "usage": {"prompt_tokens": 2, "completion_tokens": 3' + part.encode()
    _, _, got = await send(httpx2.Response(200, content=body + b"}}"))
    assert isinstance(got, httpx2.Response)
    whole = {"prompt_tokens": 2, "completion_tokens": 3, "total_tokens": 5}
    assert got.json() == {"choices": [], "usage": whole}


async def test_a_body_of_the_bound_is_whole_and_one_byte_more_is_too_large() -> None:
    """The connection is closed, and nothing of it is kept."""
    exchange, _, _ = await send(httpx2.Response(200, content=b"x" * LARGEST))
    assert exchange.failure is None
    assert len(exchange.body) == LARGEST
    exchange, _, got = await send(httpx2.Response(200, content=b"x" * (LARGEST + 1)))
    assert exchange.failure is Failure.TOO_LARGE
    assert exchange.body == b""
    assert isinstance(got, httpx2.TransportError)


async def test_no_more_is_read_than_shows_that_it_is_too_large() -> None:
    """A body without end ends here."""
    body = Pieces(*[b"x" * 100] * 1_000)
    exchange, _, _ = await send(httpx2.Response(200, stream=body))
    assert exchange.failure is Failure.TOO_LARGE
    assert body.taken == 11
    assert body.closed


@pytest.mark.parametrize("length", ["1001", "9" * 30])
async def test_a_body_that_is_announced_too_large_is_not_read(length: str) -> None:
    """Its first byte is one too many."""
    body = Pieces(b"x")
    response = httpx2.Response(200, headers={"content-length": length}, stream=body)
    exchange, _, _ = await send(response)
    assert exchange.failure is Failure.TOO_LARGE
    assert body.taken == 0


def deflated(body: bytes, window: int) -> bytes:
    """``body`` in the deflate coding, with or without zlib's header."""
    packer = zlib.compressobj(wbits=window)
    return packer.compress(body) + packer.flush()


CODED = {
    "gzip": gzip.compress(b"plain", mtime=0),
    "x-gzip": gzip.compress(b"plain", mtime=0),
    "deflate": deflated(b"plain", zlib.MAX_WBITS),
    "Deflate ": deflated(b"plain", -zlib.MAX_WBITS),
    "identity": b"plain",
}


@pytest.mark.parametrize(("coding", "body"), CODED.items())
async def test_codings_that_nobody_asked_for_are_read(coding: str, body: bytes) -> None:
    """Proxies compress without being asked."""
    response = httpx2.Response(200, headers={"content-encoding": coding}, stream=Pieces(body))
    exchange, _, got = await send(response)
    assert exchange.body == b"plain"
    assert isinstance(got, httpx2.Response)
    assert got.content == b"plain"


async def test_a_bomb_does_not_go_off() -> None:
    """What it would become is bounded like what it is."""
    bomb = gzip.compress(bytes(400_000), mtime=0)
    assert len(bomb) < LARGEST
    response = httpx2.Response(200, headers={"content-encoding": "gzip"}, stream=Pieces(bomb))
    exchange, _, _ = await send(response)
    assert exchange.failure is Failure.TOO_LARGE
    assert exchange.body == b""


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("br", b"\x0b\x02\x80plain\x03"),
        ("gzip, gzip", gzip.compress(gzip.compress(b"plain", mtime=0), mtime=0)),
        ("gzip", b"plain"),
        ("gzip", gzip.compress(b"plain", mtime=0)[:-9]),
        ("deflate", b"\xff\xff\xff"),
    ],
)
async def test_a_body_that_cannot_be_decoded_is_told(coding: str, body: bytes) -> None:
    """Whether the coding is unknown or damaged."""
    response = httpx2.Response(200, headers={"content-encoding": coding}, stream=Pieces(body))
    exchange, _, got = await send(response)
    assert exchange.failure is Failure.UNDECODABLE
    assert isinstance(got, Exception)


FAILURES = {
    httpx2.ConnectError("no"): (Failure.UNCONNECTED, False),
    httpx2.ConnectTimeout("no"): (Failure.UNCONNECTED, False),
    httpx2.ProxyError("no"): (Failure.UNCONNECTED, False),
    httpx2.ReadError("no"): (Failure.BROKEN, True),
    httpx2.RemoteProtocolError("no"): (Failure.BROKEN, True),
    ConnectionResetError("no"): (Failure.BROKEN, True),
}


@pytest.mark.parametrize(("error", "told"), FAILURES.items(), ids=lambda value: repr(value))
async def test_what_breaks_says_whether_anything_may_have_left(
    error: Exception, told: tuple[Failure, bool]
) -> None:
    """Only where there was no connection is it certain that no token was spent."""
    exchange, _, got = await send(error)
    assert (exchange.failure, exchange.sent) == told
    assert isinstance(got, httpx2.TransportError)
    assert exchange.why == type(error).__name__
