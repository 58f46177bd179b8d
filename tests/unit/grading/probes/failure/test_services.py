"""Asks tiny services over real HTTP, beside a real model server: right ones, and each wrong in one
way, which fails what is meant for it and keeps the rest.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer
from typing import Any, ClassVar

import pytest

from logdocket.grading.bench import Bench, Session
from logdocket.grading.client import Client
from logdocket.grading.desk import Desk
from logdocket.grading.finding import NotJudged, Unanswerable, Verdict
from logdocket.grading.manifest import Manifest, Service
from logdocket.grading.probes.failure import PROBES, cache, outage, timeout
from logdocket.testing import Act, Fault, ModelServer

SECONDS = 0.4
"""The deadline of a service; its manifest allows a little more."""
FIELDS = {"service": str, "severity": str, "first_seen": str, "evidence": str}


class Tiny:
    """A right service; its faults are methods and members that a class below it changes."""

    server: ClassVar[type[HTTPServer]] = ThreadingHTTPServer
    retries = 1
    remembers_failure = 0.3

    def __init__(self, model_port: int, key: str | None) -> None:
        self.model_port = model_port
        self.key = key
        self.cache: dict[str, tuple[float, dict[str, Any]]] = {}
        self.locks: dict[str, threading.Lock] = {}

    def extract(self, line: str, context: dict[str, Any]) -> dict[str, Any]:
        """The ticket about a line, remembered or new."""
        name = self._name(line, context)
        with self._lock(name):
            until, ticket = self.cache.get(name, (0.0, {}))
            if time.monotonic() < until:
                return self._remembered(ticket)
            ticket = self._ask(line, context)
            lasts = 3600 if not ticket["needs_human"] else self.remembers_failure
            self.cache[name] = time.monotonic() + lasts, ticket
            return ticket

    def _name(self, line: str, context: dict[str, Any]) -> str:
        return json.dumps([line, context])

    def _lock(self, name: str) -> threading.Lock:
        return self.locks.setdefault(name, threading.Lock())

    def _remembered(self, ticket: dict[str, Any]) -> dict[str, Any]:
        return ticket

    def _ask(self, line: str, context: dict[str, Any]) -> dict[str, Any]:
        until = time.monotonic() + SECONDS
        for _ in range(1 + self.retries if self._may_call() else 0):
            try:
                return self._ticket(line, context, self._call(f"{context} {line}", until))
            except (OSError, http.client.HTTPException):
                continue
            except (ValueError, LookupError, TypeError, RecursionError):
                break
        return self._fallback(line)

    def _may_call(self) -> bool:
        return self.key is not None

    def _fallback(self, line: str) -> dict[str, Any]:
        ticket = {"service": "unknown", "severity": "medium", "first_seen": "unknown"}
        return ticket | {"evidence": line.strip(), "confidence": 0.1, "needs_human": True}

    def _call(self, prompt: str, until: float) -> str:
        left = max(0.01, until - time.monotonic())
        wire = http.client.HTTPConnection("127.0.0.1", self.model_port, timeout=left)
        with contextlib.closing(wire):
            wire.request("POST", "/v1/generate", json.dumps({"prompt": prompt}))
            response, body = wire.getresponse(), b""
            while part := response.read1(1 << 16):
                body += part
                if time.monotonic() > until:
                    raise TimeoutError
        if response.status != 200:
            raise ConnectionError
        return str(json.loads(body)["text"])

    def _ticket(self, line: str, context: dict[str, Any], said: str) -> dict[str, Any]:
        answer = json.loads(said)
        made = {field: kind(answer[field]) for field, kind in FIELDS.items()}
        if any(type(answer[field]) is not kind for field, kind in FIELDS.items()):
            raise TypeError
        if made["severity"] not in ("low", "medium", "high", "critical"):
            raise ValueError
        if not made["evidence"].strip() or made["evidence"] not in line:
            raise ValueError
        doubt = made["first_seen"] == "unknown"
        return made | {"confidence": 0.8, "needs_human": doubt}


class OneAtATime(Tiny):
    """As right, and slower: lines wait for one another."""

    server = HTTPServer


class Stateless(Tiny):
    """Remembers no failure."""

    remembers_failure = 0.0


class Hangs(Tiny):
    """Waits for the model for ever."""

    def _call(self, prompt: str, until: float) -> str:
        return super()._call(prompt, until + 60)


class Crashes(Tiny):
    """Answers 500 to what is no JSON."""

    def _ask(self, line: str, context: dict[str, Any]) -> dict[str, Any]:
        try:
            return self._ticket(line, context, self._call(line, time.monotonic() + SECONDS))
        except (OSError, http.client.HTTPException):
            return self._fallback(line)


class Unmarked(Tiny):
    """Gives the fallback for a ticket that nobody need look at."""

    def _fallback(self, line: str) -> dict[str, Any]:
        return super()._fallback(line) | {"needs_human": False}


class Believes(Tiny):
    """Takes any evidence for a quote."""

    def _ticket(self, line: str, context: dict[str, Any], said: str) -> dict[str, Any]:
        evidence = json.loads(said)["evidence"]
        return super()._ticket(f"{line}{evidence}", context, said)


class Storms(Tiny):
    """Retries again and again."""

    retries = 7


class Keyless(Tiny):
    """Calls without a key."""

    def _may_call(self) -> bool:
        return True


class Forgets(Tiny):
    """Has no cache."""

    def _name(self, line: str, context: dict[str, Any]) -> str:
        return str(time.monotonic())


class Races(Tiny):
    """Looks into the cache, and lets others do the same while it asks."""

    def _lock(self, name: str) -> threading.Lock:
        return threading.Lock()


class Blurs(Tiny):
    """Takes lines for the same that differ in their service."""

    def _name(self, line: str, context: dict[str, Any]) -> str:
        return re.sub(r"\b[a-z]+(?=:)", "SERVICE", super()._name(line, context))


class LosesTheMark(Tiny):
    """Tells of a remembered fallback as if it were an answer."""

    def _remembered(self, ticket: dict[str, Any]) -> dict[str, Any]:
        return ticket | {"needs_human": False}


class Contextless(Tiny):
    """Takes a context, and leaves it out of the name under which it remembers."""

    def _name(self, line: str, context: dict[str, Any]) -> str:
        return line


class GivesUp(Tiny):
    """Remembers a failure for ever."""

    remembers_failure = 3600.0


class Beside(Bench):
    """A bench whose service is one of these, started anew for each session."""

    def __init__(self, service: type[Tiny]) -> None:
        seconds = Service(answer_seconds=SECONDS + 0.2, failure_cache_seconds=0.3)
        super().__init__(Manifest(service=seconds), seed=5)
        self.service = service

    @contextlib.contextmanager
    def session(self, *, key: bool = True) -> Iterator[Session]:
        """The service in a thread, and its model."""
        desk = Desk()
        with ModelServer(desk.act) as server:
            tiny = self.service(server.port, "key" if key else None)
            with served(tiny) as port:
                client = Client(port, self.manifest.service)
                try:
                    yield Session(client, server, desk, None)
                finally:
                    client.close()
                    server.stop()


@contextlib.contextmanager
def served(tiny: Tiny) -> Iterator[int]:
    """The port at which ``tiny`` is asked."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            try:
                status, body = 200, tiny.extract(asked["line"], asked.get("context", {}))
            except (ValueError, LookupError, TypeError, RecursionError):
                status, body = 500, {}
            with contextlib.suppress(ConnectionError):
                self.send_response(status)
                self.end_headers()
                self.wfile.write(json.dumps(body).encode())

        def log_message(self, *said: object) -> None:
            pass

    server = tiny.server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield int(server.server_address[1])
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def verdicts(service: type[Tiny], prefixes: tuple[str, ...]) -> dict[str, Verdict]:
    """What the probes of some topics find."""
    bench = Beside(service)

    def found(run: Callable[[Bench], Any]) -> Verdict:
        try:
            return Verdict(run(bench).verdict)
        except Unanswerable:
            return Verdict.FAIL
        except NotJudged:
            return Verdict.SKIPPED

    return {probe.id: found(probe.run) for probe in PROBES if probe.id.startswith(prefixes)}


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine is this one, and breakers are not waited for: these have none."""
    monkeypatch.setattr(outage, "_SLACK", 0.3)
    monkeypatch.setattr(timeout, "_SLACK", 0.3)
    monkeypatch.setattr(cache, "_SLOWLY", Act(Fault.SLOW, seconds=0.15))


RIGHT: list[tuple[type[Tiny], tuple[str, ...]]] = [
    (Tiny, ("failure/",)),
    (OneAtATime, ("failure/timeout", "failure/cache")),
    (Stateless, ("failure/cache", "failure/recovery")),
]


@pytest.mark.parametrize(("service", "topics"), RIGHT)
def test_a_right_service_passes_all(service: type[Tiny], topics: tuple[str, ...]) -> None:
    """Whatever its design."""
    found = verdicts(service, topics)
    assert {name for name, verdict in found.items() if verdict is not Verdict.PASS} == set()


WRONG: list[tuple[type[Tiny], tuple[str, ...], dict[str, Verdict]]] = [
    (
        Hangs,
        ("failure/timeout",),
        {"timeout/falls-back": Verdict.FAIL, "timeout/in-time": Verdict.FAIL},
    ),
    (
        Crashes,
        ("failure/junk", "failure/status"),
        {
            "junk/not-json": Verdict.FAIL,
            "junk/wrong-shape": Verdict.PARTIAL,
            "junk/empty": Verdict.FAIL,
            "junk/ungrounded": Verdict.FAIL,
        },
    ),
    (
        Unmarked,
        ("failure/status", "failure/key"),
        {
            "status/429": Verdict.FAIL,
            "status/5xx": Verdict.FAIL,
            "status/reset": Verdict.FAIL,
            "status/unreachable": Verdict.FAIL,
            "key/falls-back": Verdict.FAIL,
        },
    ),
    (Believes, ("failure/junk",), {"junk/ungrounded": Verdict.PARTIAL}),
    (
        Storms,
        ("failure/retry", "failure/status", "failure/recovery"),
        {"retry/bounded": Verdict.FAIL, "retry/storm": Verdict.FAIL},
    ),
    (Keyless, ("failure/key",), {"key/no-call": Verdict.FAIL, "key/falls-back": Verdict.FAIL}),
    (Forgets, ("failure/cache",), {"cache/repeat": Verdict.FAIL, "cache/concurrent": Verdict.FAIL}),
    (Races, ("failure/cache",), {"cache/concurrent": Verdict.FAIL}),
    (Blurs, ("failure/cache",), {"cache/other-line": Verdict.PARTIAL}),
    (LosesTheMark, ("failure/cache",), {"cache/fallback-stays-marked": Verdict.FAIL}),
    (Contextless, ("failure/cache",), {"cache/context": Verdict.FAIL}),
    (GivesUp, ("failure/recovery", "failure/status"), {"recovery/asked-again": Verdict.FAIL}),
]


@pytest.mark.parametrize(("service", "topics", "wrong"), WRONG)
def test_a_fault_fails_what_is_meant_for_it(
    service: type[Tiny], topics: tuple[str, ...], wrong: dict[str, Verdict]
) -> None:
    """And nothing else of the topics that it touches."""
    found = verdicts(service, topics)
    failed = {name: verdict for name, verdict in found.items() if verdict is not Verdict.PASS}
    assert failed == {f"failure/{name}": verdict for name, verdict in wrong.items()}
