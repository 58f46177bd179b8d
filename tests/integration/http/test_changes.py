"""The stream of changes, as a browser hears it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from service import Service, head, problem, wait_for

EVENT = re.compile(rb"event: (\w+)\n(?:id: (\d+)\n)?data: (.*)\n\n")
LISTENERS = 200


class Ear:
    """One who listens, over a connection of their own."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.heard = b""

    def events(self) -> list[tuple[str, int | None, dict[str, Any]]]:
        """Kind, number and document of all events so far."""
        return [
            (kind.decode(), int(number) if number else None, json.loads(data))
            for kind, number, data in EVENT.findall(self.heard)
        ]

    def wait(self, kind: str, count: int = 1, seconds: float = 10) -> list[dict[str, Any]]:
        """The documents of the events of ``kind``, as soon as there are ``count``."""
        deadline = time.monotonic() + seconds
        while True:
            found = [document for name, _, document in self.events() if name == kind]
            if len(found) >= count:
                return found
            self.connection.settimeout(max(0.01, deadline - time.monotonic()))
            data = self.connection.recv(65_536)
            assert data, f"the stream ended after {self.heard!r}"
            self.heard += data


@contextlib.contextmanager
def listening(service: Service, query: str = "", *headers: str) -> Iterator[Ear]:
    """Someone listens."""
    with service.connect() as connection:
        connection.sendall(head(f"/queue/changes{query}", *headers, method="GET"))
        yield Ear(connection)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with one group in its queue."""
    with Service(tmp_path_factory.mktemp("told")) as running:
        running.extract("ERROR the first thing broke")
        yield running


def test_a_listener_hears_how_things_stand_and_then_what_changes(told: Service) -> None:
    """A new ticket, and a verdict about its group; each with the group as it stands."""
    with listening(told) as ear:
        (counts,) = ear.wait("counts")
        assert counts["by_state"]["open"] >= 1
        told.extract("ERROR something new broke")
        (group,) = ear.wait("group")
        assert group["evidence"] == "something new broke"
        assert group == told.http.get(f"/queue/{group['id']}").json()["group"]
        assert ear.wait("counts", 2)[1]["by_state"]["open"] == counts["by_state"]["open"] + 1
        body = {"verdict": "not_a_problem", "version": 0}
        done = told.http.post(f"/queue/{group['id']}/verdict", json=body).json()
        assert ear.wait("group", 2)[1] == done["group"]
        numbers = [number for kind, number, _ in ear.events() if kind == "group"]
        assert numbers == [group["changed"], done["group"]["changed"]]


@pytest.mark.parametrize("how", ["after", "Last-Event-ID"])
def test_who_comes_back_hears_what_was_missed(told: Service, how: str) -> None:
    """A browser sends the number of the last event by itself."""
    before = told.http.get("/queue").json()["counts"]["changed"]
    for word in ("alpha", "beta"):
        told.extract(f"ERROR {how} {word} broke")
    back = (f"?after={before}",) if how == "after" else ("?after=0", f"Last-Event-ID: {before}")
    with listening(told, *back) as ear:
        groups = ear.wait("group", 2)
        ear.wait("counts")
        assert [group["evidence"] for group in groups] == [
            f"{how} alpha broke",
            f"{how} beta broke",
        ]
        told.extract(f"ERROR {how} gamma broke")
        assert ear.wait("group", 3)[2]["evidence"] == f"{how} gamma broke"


def test_a_number_that_is_not_of_this_ledger_begins_anew(told: Service) -> None:
    """The page is told to load its list again."""
    with listening(told, f"?after={2**53 - 1}") as ear:
        (reset,) = ear.wait("reset")
    assert reset == {"changed": told.http.get("/queue").json()["counts"]["changed"]}


@pytest.mark.parametrize("number", ["", "x", "-1", "9" * 30, "²", "1.5"])
def test_a_number_that_is_none_is_passed_over(told: Service, number: str) -> None:
    """Nobody's stream fails for it."""
    headers = [(b"last-event-id", number.encode())]
    with told.http.stream("GET", "/queue/changes", headers=headers) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert next(answer.iter_text()).startswith("event: counts\n")


def test_a_malformed_parameter_is_a_problem(told: Service) -> None:
    """Before the stream begins."""
    for query in ("after=-1", "after=x", "since=1"):
        answer = told.http.get(f"/queue/changes?{query}")
        assert (answer.status_code, problem(answer)) == (422, "query-invalid")


def test_a_look_at_the_head_has_an_end(told: Service) -> None:
    """There is nobody to tell anything."""
    answer = told.http.head("/queue/changes", timeout=5)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/event-stream")


def test_a_line_cannot_forge_an_event(told: Service) -> None:
    """Whatever stands in it, its event is one line of JSON."""
    with listening(told) as ear:
        ear.wait("counts")
        told.extract("ERROR x\r\n\r\nevent: reset\r\ndata: {}\n\n\u2028\u2029 <script> broke")
        ear.wait("group")
        assert [kind for kind, _, _ in ear.events()].count("reset") == 0
        assert b"\nevent: reset" not in ear.heard


async def _listen(port: int, ready: asyncio.Event, count: list[int]) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(head("/queue/changes", method="GET"))
        await reader.readuntil(b"event: counts")
        count[0] += 1
        if count[0] == LISTENERS:
            ready.set()
        return await reader.readuntil(b"event: group")
    finally:
        writer.close()


async def test_two_hundred_listen_at_once(told: Service) -> None:
    """All hear of a ticket, while lines are answered and probes too."""
    ready, count = asyncio.Event(), [0]
    async with asyncio.timeout(30):
        ears = [asyncio.create_task(_listen(told.port, ready, count)) for _ in range(LISTENERS)]
        await ready.wait()
        began = time.monotonic()
        assert (await asyncio.to_thread(told.extract, "ERROR two hundred broke")).is_success
        assert time.monotonic() - began < 2
        heard = await asyncio.gather(*ears)
    assert len(heard) == LISTENERS
    assert time.monotonic() - began < 10
    assert told.http.get("/healthz").is_success


def test_the_service_stops_at_once_with_streams_open(tmp_path: Path) -> None:
    """Those who read hear the end; those who do not are not waited for."""
    with Service(tmp_path) as service:
        for number in range(40):
            service.extract(f"ERROR {chr(97 + number % 26)}{number // 26} " + "y" * 3_000)
        with listening(service) as ear, listening(service, "?after=0") as deaf:
            deaf.connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
            ear.wait("counts")
            began = time.monotonic()
            assert service.stop() == 0
            assert time.monotonic() - began < 5
            rest = b""
            while data := ear.connection.recv(65_536):
                rest += data
            assert (ear.heard + rest).endswith(b"0\r\n\r\n")


def test_what_another_worker_does_is_told_too(tmp_path: Path) -> None:
    """Whichever of them has the stream, took the line or entered the verdict."""
    with Service(tmp_path, "--workers", "2") as service, contextlib.ExitStack() as open_streams:
        ears = [open_streams.enter_context(listening(service)) for _ in range(6)]
        for ear in ears:
            ear.wait("counts")
        service.extract("ERROR it broke")
        assert [ear.wait("group")[0]["evidence"] for ear in ears] == ["it broke"] * len(ears)
        body = {"verdict": "right", "version": 0}
        service.http.post("/queue/1/verdict", json=body).raise_for_status()
        assert [ear.wait("group", 2)[1]["state"] for ear in ears] == ["resolved"] * len(ears)


def streams(service: Service) -> int:
    """How many streams have come to their end."""
    found = re.findall(
        r'requests_total\{method="GET",route="/queue/changes",status="200"\} (\d+)',
        service.http.get("/metrics").text,
    )
    return int(found[0]) if found else 0


def test_a_stream_ends_when_its_listener_goes_away(told: Service) -> None:
    """Nothing is kept for whoever is gone."""
    with listening(told) as ear:
        ear.wait("counts")
        before = streams(told)
    wait_for(lambda: streams(told) > before)


def test_whoever_has_nothing_more_to_say_hears_how_things_stand_and_no_more(told: Service) -> None:
    """They may be gone before the stream begins: nothing waits for a sign of them."""
    with listening(told) as ear:
        ear.connection.shutdown(socket.SHUT_WR)
        ear.connection.settimeout(5)
        while data := ear.connection.recv(65_536):
            ear.heard += data
    assert [kind for kind, _, _ in ear.events()] in (["counts"], [])
