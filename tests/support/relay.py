"""A relay before an OpenAI-compatible API that counts what passes, and changes nothing of it."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import io
import json
import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

_LONGEST = 1 << 24


@dataclass
class Passed:
    """One request and what became of it.

    ``mode``: how it asked for its output: ``schema``, ``tool`` or ``text``. ``status``, tokens,
    ``finish`` (why the model stopped) and ``text`` are the response's, None where there was none.
    ``hung_up``: the caller left before the response was whole. ``seconds``: until either.
    """

    request_id: str | None
    mode: str
    status: int | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    finish: str | None = None
    text: str | None = None
    hung_up: bool = False
    seconds: float = 0.0


class Relay:
    """Use as a context manager: ``url`` takes the place of the API's, ``passed`` is the count."""

    def __init__(self, target: str) -> None:
        """``target`` is the base URL of the API, on this machine."""
        parts = urlsplit(target)
        assert parts.hostname is not None
        self._host, self._port, self._path = parts.hostname, parts.port, parts.path
        self.url = ""
        self.passed: list[Passed] = []
        self._open: set[asyncio.Task[None]] = set()
        self._ready: Future[int] = Future()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()))

    def __enter__(self) -> Relay:
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._ready.result(10)}{self._path}"
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(10)

    async def _run(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._over = asyncio.Event()
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=_LONGEST)
        self._ready.set_result(server.sockets[0].getsockname()[1])
        await self._over.wait()
        server.close()
        if self._open:
            await asyncio.wait(self._open, timeout=5)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        try:
            await self._relay(reader, writer)
        finally:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()
            self._open.discard(task)

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One request of one connection; both sides are told that it ends after the response."""
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            headers = _headers(head)
            body = await reader.readexactly(int(headers.get("content-length") or 0))
        except asyncio.IncompleteReadError:
            # Opened ahead of need, and not used.
            return
        passed = Passed(headers.get("x-client-request-id"), _mode(body))
        self.passed.append(passed)
        began = time.monotonic()
        answer = asyncio.create_task(self._answer(_closing(head) + body, writer, passed))
        # Nothing more is to come from the caller, so a read ends only when it hangs up.
        hang_up = asyncio.create_task(reader.read(1))
        await asyncio.wait({answer, hang_up}, return_when=asyncio.FIRST_COMPLETED)
        passed.hung_up = not answer.done()
        passed.seconds = time.monotonic() - began
        for task in (answer, hang_up):
            task.cancel()
        await asyncio.gather(answer, hang_up, return_exceptions=True)

    async def _answer(self, request: bytes, writer: asyncio.StreamWriter, passed: Passed) -> None:
        reader, upstream = await asyncio.open_connection(self._host, self._port)
        try:
            upstream.write(request)
            response = b""
            while data := await reader.read(65_536):
                response += data
            # Counted before the caller can have it: whatever it knows of is counted here.
            _count(response, passed)
            writer.write(response)
            await writer.drain()
        finally:
            upstream.close()
            with contextlib.suppress(OSError):
                await upstream.wait_closed()


def _headers(head: bytes) -> dict[str, str]:
    lines = head.decode("latin-1").split("\r\n")[1:]
    pairs = (line.partition(":") for line in lines if line)
    return {name.strip().lower(): value.strip() for name, _, value in pairs}


def _closing(head: bytes) -> bytes:
    """The head, asking for a connection that ends with the response."""
    lines = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
    kept = [line for line in lines if not line.lower().startswith(b"connection:")]
    return b"\r\n".join([*kept, b"Connection: close", b"", b""])


def _mode(body: bytes) -> str:
    asked = _object(body)
    if "tools" in asked:
        return "tool"
    return "schema" if "response_format" in asked else "text"


class _Wire:
    """What http.client reads a response from."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw

    def makefile(self, mode: str) -> io.BytesIO:
        return io.BytesIO(self._raw)


def _count(raw: bytes, passed: Passed) -> None:
    response = http.client.HTTPResponse(_Wire(raw))  # type: ignore[arg-type]
    response.begin()
    passed.status = response.status
    answered = _object(response.read())
    usage = answered.get("usage")
    if isinstance(usage, dict):
        passed.tokens_in, passed.tokens_out = usage["prompt_tokens"], usage["completion_tokens"]
    for choice in answered.get("choices", [])[:1]:
        passed.finish = choice["finish_reason"]
        passed.text = choice["message"].get("content")


def _object(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(body)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
