"""The test bench: an answer's service beside a model that does as it is told."""

from __future__ import annotations

import contextlib
import random
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, TypeVar

from logdocket.grading.client import Client
from logdocket.grading.desk import Desk
from logdocket.grading.finding import NotJudged, Unanswerable
from logdocket.grading.lines import Line, Lines
from logdocket.grading.manifest import Manifest
from logdocket.grading.reply import Reply
from logdocket.grading.report.document import Log
from logdocket.grading.sandbox import Ended, Running, Sandbox
from logdocket.testing import Act, Fault, ModelServer, Seen

__all__ = ["Bench", "Session", "log", "model_env"]

_KEY: Final = "grading-key"
_NAME: Final = "loopback"
_STEP: Final = 0.02
"""Seconds between two looks at whether the service is ready."""
_PORTS: Final = range(20_000, 32_768)
"""Below those that Linux gives away by itself (net.ipv4.ip_local_port_range)."""
_TRIES: Final = 100
_TAIL: Final = 4096
"""Bytes at the end of what a command wrote that the report keeps."""
_LONGEST: Final = 16 * 1024 * 1024
"""Bytes of a request to the model: the longest line, escaped twice over, is shorter."""
_NO_CHECKOUT: Final = "no checkout was given, only a service that runs"
_Found = TypeVar("_Found")


class Session:
    """One run of the service, and the model server that it is given."""

    def __init__(self, client: Client, server: ModelServer, desk: Desk, run: Running | None):
        self.client = client
        self.server = server
        self.desk = desk
        self._run = run

    def ask(
        self,
        line: Line,
        *acts: Fault | Act,
        context: dict[str, Any] | None = None,
        seconds: float | None = None,
    ) -> Reply:
        """The reply about ``line``, when the model does ``acts`` (good, if none) about it.

        For a line that was spoken of before, without ``acts``, that still holds.
        """
        if acts or not self.desk.knows(line):
            self.desk.expect(line, *acts)
        return self.client.ask(line.text, context, seconds=seconds)

    def calls(self, line: Line | None = None) -> list[Seen]:
        """The requests that reached the model, or those of them about ``line``."""
        seen = self.server.seen
        return seen if line is None else [s for s in seen if self.desk.about(s, line)]

    @property
    def alive(self) -> bool:
        """Whether the process that was started still runs, and something listens."""
        return (self._run is None or self._run.alive) and self.client.listens()


class Bench:
    """What probes work with: the answer's checkout, its commands, its service, the model, lines.

    Without ``sandbox`` only a service that runs already is asked, at ``port``; the model is then
    ours only if ``model_port`` says where that service looks for it. ``broken`` is why no command
    of the checkout can be run, as when its set-up failed.
    """

    def __init__(
        self,
        manifest: Manifest,
        *,
        seed: int,
        sandbox: Sandbox | None = None,
        port: int | None = None,
        model_port: int | None = None,
        broken: str | None = None,
    ) -> None:
        self.manifest = manifest
        self.lines = Lines(seed)
        self.seed = seed
        self._sandbox = sandbox
        self._port = port
        self._model_port = model_port
        self._broken = broken
        self._logs: dict[str, Log] = {}
        self._found: dict[Callable[[Bench], Any], Any] = {}

    def once(self, look: Callable[[Bench], _Found]) -> _Found:
        """What ``look`` finds; it looks once, and what it raises it raises again."""
        if look not in self._found:
            try:
                self._found[look] = look(self)
            except (NotJudged, Unanswerable) as error:
                self._found[look] = error
        found = self._found[look]
        if isinstance(found, NotJudged | Unanswerable):
            raise found
        return found  # type: ignore[no-any-return]

    # The checkout and its commands.

    @property
    def checkout(self) -> Path:
        """The copy of the checkout; raises NotJudged without one."""
        return self.sandbox.checkout

    @property
    def sandbox(self) -> Sandbox:
        """Where commands run; raises NotJudged without a checkout."""
        if self._sandbox is None:
            raise NotJudged(_NO_CHECKOUT)
        return self._sandbox

    def command(self, told: str | None, what: str) -> str:
        """The command that is ``told``; raises NotJudged without a checkout, and Unanswerable
        where there is a checkout and no command, with ``what`` it would do.
        """
        if self._sandbox is None:
            raise NotJudged(_NO_CHECKOUT)
        if told is None:
            raise Unanswerable(f"no command that {what} was told or found")
        return told

    def run(self, command: str, *, seconds: float, env: dict[str, str] | None = None) -> Ended:
        """How ``command`` ended, in the sandbox, without a key and without the network.

        Raises NotJudged without a checkout, Unanswerable where none of its commands can be run.
        """
        ended = self._whole().run(command, env=env or {}, seconds=seconds)
        self._keep("run", command, ended)
        return ended

    @property
    def logs(self) -> tuple[Log, ...]:
        """The end of what each command wrote when it was last run."""
        return tuple(self._logs.values())

    def _whole(self) -> Sandbox:
        if self._sandbox is not None and self._broken is not None:
            raise Unanswerable(self._broken)
        return self.sandbox

    def _keep(self, name: str, command: str, ended: Ended) -> None:
        self._logs[command] = log(name, command, ended)

    # The service and its model.

    @contextlib.contextmanager
    def session(self, *, key: bool = True) -> Iterator[Session]:
        """The service, started anew, and its model; both are ended afterwards.

        Without ``key`` the service has the model's address and no key. Raises Unanswerable when
        the service does not start, and NotJudged when this grading cannot give it a model.
        """
        desk = Desk()
        with ModelServer(desk.act, port=self._model_port or 0, longest=_LONGEST) as server:
            if self._port is not None:
                yield from self._running(desk, server, key=key)
                return
            port = _free_port()
            client = Client(port, self.manifest.service)
            try:
                with self._started(port, model_env(self.manifest, server, key=key)) as run:
                    self._await(client, run)
                    yield Session(client, server, desk, run)
            finally:
                client.close()

    def _running(self, desk: Desk, server: ModelServer, *, key: bool) -> Iterator[Session]:
        """A session with the service that runs already."""
        if self._model_port is None:
            raise NotJudged(
                "the service that runs has a model of its own: tell its port by --model-port"
            )
        if not key:
            raise NotJudged("the service that runs has a key")
        assert self._port is not None
        client = Client(self._port, self.manifest.service)
        try:
            if not client.listens():
                raise Unanswerable("nothing listens where the service should run")
            yield Session(client, server, desk, None)
        finally:
            client.close()

    @contextlib.contextmanager
    def _started(self, port: int, env: dict[str, str]) -> Iterator[Running]:
        command = self.command(self.manifest.service.start, "starts the service")
        env = {"PORT": str(port)} | self.manifest.service.env | env
        with self._whole().start(command.replace("{port}", str(port)), env=env) as run:
            try:
                yield run
            finally:
                self._keep("service", command, run.stop())

    def _await(self, client: Client, run: Running) -> None:
        """Wait until the service can be asked; raises Unanswerable."""
        service = self.manifest.service
        until = time.monotonic() + service.start_seconds
        while time.monotonic() < until:
            if client.listens() and (service.ready is None or client.get(service.ready).ok):
                return
            if not run.alive:
                raise Unanswerable("the command that starts the service ended by itself")
            time.sleep(_STEP)
        raise Unanswerable(f"the service was not ready {service.start_seconds:g} s after its start")


def model_env(manifest: Manifest, server: ModelServer, *, key: bool) -> dict[str, str]:
    """The variables by which an answer finds its model, with a key or without one."""
    model = manifest.model
    env = {
        model.url_env: f"http://127.0.0.1:{server.port}{model.path}",
        model.name_env: _NAME,
    }
    return env | {model.key_env: _KEY} if key else env


def log(name: str, command: str, ended: Ended) -> Log:
    """The end of what ``command`` wrote."""
    return Log(name, command, ended.said, _tail(ended.out), _tail(ended.err))


def _tail(written: bytes) -> str:
    return written[-_TAIL:].decode("utf-8", "replace")


def _free_port() -> int:
    """A port that nobody listens at and that nobody is given who asks for any: between now and
    the start of the service, another process must not come to have it.
    """
    for _ in range(_TRIES):
        port = random.SystemRandom().choice(_PORTS)
        with socket.socket() as taken, contextlib.suppress(OSError):
            taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            taken.bind(("127.0.0.1", port))
            return port
    raise Unanswerable("this machine has no free port for the service")
