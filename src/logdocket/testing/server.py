"""The model server: a thread of its own, a script, and a record of what came."""

from __future__ import annotations

import asyncio
import itertools
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from types import TracebackType
from typing import Final, Self

import msgspec

from logdocket.testing.answers import answering, line_in
from logdocket.testing.connection import Connection, Request
from logdocket.testing.delivery import DRIPS, UNREPORTED, deliver
from logdocket.testing.fault import Fault
from logdocket.testing.formats import format_of
from logdocket.testing.reply import ELSEWHERE, Reply, reply
from logdocket.testing.seen import Act, Answers, Script, Seen
from logdocket.testing.way import Way

__all__ = ["ModelServer"]

_BACKLOG: Final = 1024
_HOST: Final = "127.0.0.1"
_STOP_SECONDS: Final = 10.0
_MOST_KEPT: Final = 256 << 20
"""Bytes of bodies that are kept for whoever reads ``seen``."""
_MODELS: Final = b'{"object": "list", "data": [{"id": "loopback", "object": "model"}]}'


class ModelServer:
    """A loopback HTTP server that speaks as a model's API does, and misbehaves as told.

    Used as a context manager; ``script`` says what to do with each request, ``answers`` what a
    good answer says (without it, what the line in the prompt plainly tells). ``latency`` is
    seconds before every answer; ``port`` 0 takes a free one. ``keep_bodies=False`` forgets what a
    request said once it is answered, for long runs; so is what comes once 256 MiB are kept, since a
    client may mean harm. A body longer than ``longest`` bytes gets its client reset.

    A script or ``answers`` that raises gets its client a 500, and its error is raised again when
    the server is left.
    """

    def __init__(
        self,
        script: Script = Fault.GOOD,
        *,
        answers: Answers | None = None,
        latency: float = 0.0,
        port: int = 0,
        keep_bodies: bool = True,
        longest: int = 64 << 20,
    ) -> None:
        self.script = script
        self.latency = latency
        self._answer_to = answering(answers)
        self._port = port
        self._keep_bodies = keep_bodies
        self._longest = longest
        self._kept = 0
        self._seen: list[Seen] = []
        self._other: list[Seen] = []
        self._unfinished: list[Seen] = []
        self._changed = threading.Condition()
        self._open = self._peak = 0
        self._connections: set[Connection] = set()
        self._error: Exception | None = None
        self._thread: threading.Thread | None = None

    # What a test reads.

    @property
    def url(self) -> str:
        """The base URL for an OpenAI client: ``http://127.0.0.1:PORT/v1``."""
        return f"http://{_HOST}:{self._port}/v1"

    @property
    def port(self) -> int:
        """The port it listens on."""
        return self._port

    @property
    def script(self) -> Script:
        """What is done with requests; set it at any time, and a sequence begins anew."""
        return self._script

    @script.setter
    def script(self, script: Script) -> None:
        self._choose = _chooser(script)
        self._script = script

    @property
    def seen(self) -> list[Seen]:
        """Every request for an answer that came whole, in order of arrival, redirects that were
        followed among them.
        """
        return list(self._seen)

    @property
    def count(self) -> int:
        """How many those are."""
        return len(self._seen)

    @property
    def tokens(self) -> int:
        """Tokens reported, in and out, in answers that were handed over whole."""
        return sum(seen.tokens_in + seen.tokens_out for seen in self.seen)

    @property
    def followed(self) -> int:
        """How many requests came to an address that a redirect named."""
        return sum(seen.path.startswith(ELSEWHERE) for seen in self.seen)

    @property
    def other(self) -> list[Seen]:
        """Requests for anything else, such as the list of models."""
        return list(self._other)

    @property
    def unfinished(self) -> list[Seen]:
        """Requests of which only a part came before the client went; their number is 0."""
        return list(self._unfinished)

    @property
    def peak(self) -> int:
        """The most requests that were being answered at once."""
        return self._peak

    def wait(self, count: int, seconds: float = 5.0) -> bool:
        """Wait until ``count`` requests have come; whether they have within ``seconds``."""
        with self._changed:
            return self._changed.wait_for(lambda: len(self._seen) >= count, seconds)

    def wait_idle(self, seconds: float = 5.0) -> bool:
        """Wait until no request is being answered; whether that is so within ``seconds``."""
        with self._changed:
            return self._changed.wait_for(lambda: self._open == 0, seconds)

    # Life.

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
        if error is None and self._error is not None:
            raise self._error

    def start(self) -> None:
        """Listen; raises OSError when the port is taken. After ``stop`` it listens there again."""
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((_HOST, self._port))
            listener.listen(_BACKLOG)
        except OSError:
            listener.close()
            raise
        self._port = listener.getsockname()[1]
        ready: Future[Callable[[], object]] = Future()
        self._thread = threading.Thread(
            target=self._live, args=(listener, ready), name="model-server", daemon=True
        )
        self._thread.start()
        self._end = ready.result()

    def stop(self) -> None:
        """End every connection, whatever is under way, and the thread; the port is free then."""
        if self._thread is None:
            return
        self._end()
        self._thread.join(_STOP_SECONDS)
        if self._thread.is_alive():
            raise RuntimeError("the model server does not end: its script does not return")
        self._thread = None

    def _live(self, listener: socket.socket, ready: Future[Callable[[], object]]) -> None:
        """The life of the thread; ``ready`` is given what ends it."""
        try:
            asyncio.run(self._run(listener, ready))
        except BaseException as error:
            if ready.done():
                raise
            listener.close()
            ready.set_exception(error)

    async def _run(self, listener: socket.socket, ready: Future[Callable[[], object]]) -> None:
        loop, stopping = asyncio.get_running_loop(), asyncio.Event()
        server = await loop.create_server(
            lambda: Connection(self._serve, self._connections.add, self._lost, self._longest),
            sock=listener,
            backlog=_BACKLOG,
        )
        ready.set_result(lambda: loop.call_soon_threadsafe(stopping.set))
        await stopping.wait()
        server.close()
        while self._connections:
            tasks = [c.task for c in self._connections if c.task is not None]
            for connection in tuple(self._connections):
                connection.abort()
            await asyncio.gather(*tasks, return_exceptions=True)
            await asyncio.sleep(0)
        await server.wait_closed()

    # One request.

    def _lost(self, connection: Connection, request: Request | None) -> None:
        self._connections.discard(connection)
        if request is not None:
            self._unfinished.append(self._bounded(_seen(0, request)))

    async def _serve(self, connection: Connection, request: Request) -> None:
        if request.method != "POST" and not request.path.startswith(ELSEWHERE):
            self._other.append(self._bounded(_seen(len(self._other) + 1, request)))
            await connection.write(_aside(request).head() + _aside(request).body)
            return
        seen = _seen(len(self._seen) + 1, request)
        self._enter(seen)
        try:
            await self._answer(connection, seen)
        except ConnectionError:
            raise
        except Exception as error:
            self._error = self._error or error
            raise ConnectionAbortedError("the server itself failed") from error
        finally:
            seen.ended = seen.ended or time.monotonic()
            self._leave(seen)

    def _bounded(self, seen: Seen) -> Seen:
        """Without its body, where too much is kept already."""
        self._kept += len(seen.body)
        if self._kept > _MOST_KEPT:
            self._kept -= len(seen.body)
            seen.body = b""
        return seen

    def _enter(self, seen: Seen) -> None:
        with self._changed:
            self._seen.append(seen)
            self._open += 1
            self._peak = max(self._peak, self._open)
            self._changed.notify_all()

    def _leave(self, seen: Seen) -> None:
        with self._changed:
            self._open -= 1
            self._changed.notify_all()
        if not self._keep_bodies or not self._bounded(seen).body:
            seen.body = b""
            seen.__dict__.clear()

    async def _answer(self, connection: Connection, seen: Seen) -> None:
        act, made = self._decide(seen)
        seen.fault, seen.status = act.fault, made.status
        wait = self.latency + _wait(act)
        if wait > 0:
            await asyncio.sleep(wait)
        usage = None if act.fault in UNREPORTED else made.usage
        await deliver(act.fault, Way(connection, seen, usage), made, act.seconds)

    def _decide(self, seen: Seen) -> tuple[Act, Reply]:
        """What is to be done; a script that fails is remembered, and its client told so."""
        try:
            chosen = Fault.GOOD if seen.path.startswith(ELSEWHERE) else self._choose(seen)
            act = chosen if isinstance(chosen, Act) else Act(Fault(chosen))
            line = line_in(seen)
            good = self._answer_to(seen, line) if act.answer is None else act.answer
            return act, reply(seen, act, good, line)
        except Exception as error:  # noqa: BLE001 - raised again where the server is left
            self._error = self._error or error
            body = format_of(seen).error(500, "server_error", f"the script raised {error!r}")
            kind = (("content-type", "application/json"),)
            return Act(Fault.HTTP_500), Reply(500, kind, msgspec.json.encode(body))


def _seen(number: int, request: Request) -> Seen:
    return Seen(
        number, time.monotonic(), request.method, request.path, request.headers, request.body
    )


def _wait(act: Act) -> float:
    """Seconds before the first byte of an answer."""
    if act.seconds is None:
        return 1.0 if act.fault is Fault.SLOW else 0.0
    return 0.0 if act.fault in DRIPS else act.seconds


def _aside(request: Request) -> Reply:
    """The response to what is no request for an answer."""
    kind = (("content-type", "application/json"),)
    if request.path.partition("?")[0].rstrip("/").endswith("/models"):
        return Reply(200, kind, _MODELS)
    return Reply(404, kind, b'{"error": {"message": "There is nothing here."}}')


def _chooser(script: Script) -> Callable[[Seen], Fault | Act]:
    """The script as a function; raises ValueError for an empty sequence."""
    if callable(script):
        return script
    acts: tuple[Fault | Act, ...] = (script,) if isinstance(script, Fault | Act) else tuple(script)
    if not acts:
        raise ValueError("a script needs one act at least")
    places = itertools.count()
    return lambda seen: acts[min(next(places), len(acts) - 1)]
