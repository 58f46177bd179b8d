"""The service as an operator runs it: started, asked, logged, stopped."""

from __future__ import annotations

import concurrent.futures
import json
import os
import re
import signal
import socket
import sqlite3
import threading
import time
from pathlib import Path

import httpx
import pytest
from service import LINE, Service, exchange, head, problem, read_answer, wait_for


def ledger_of(db: Path) -> list[tuple[int, str]]:
    """Number and kind of every entry, oldest first, read from the file alone."""
    connection = sqlite3.connect(db)
    try:
        return connection.execute("SELECT seq, kind FROM entry ORDER BY seq").fetchall()
    finally:
        connection.close()


def test_a_line_in_a_ticket_out_and_the_answer_in_the_ledger(tmp_path: Path) -> None:
    """The whole way, twice: the second answer is the first one again, and still for a person."""
    with Service(tmp_path, fast=False) as service:
        first, second = service.extract(LINE), service.extract(LINE)
        ticket = first.json()
        assert set(ticket) == {
            "service",
            "severity",
            "first_seen",
            "evidence",
            "confidence",
            "needs_human",
            "source",
            "review_reasons",
        }
        assert ticket["service"] == "payments"
        assert ticket["severity"] == "high"
        assert ticket["first_seen"] == "2026-01-02T15:04:05Z"
        assert ticket["evidence"] in LINE
        assert (ticket["source"], ticket["needs_human"]) == ("fallback", True)
        assert "model_not_configured" in ticket["review_reasons"]
        assert second.json() == {**ticket, "source": "cache"}
        entries = service.http.get("/ledger").json()["entries"]
        assert [entry["source"] for entry in entries] == ["cache", "fallback"]
        assert service.http.get("/ledger/verify").json()["ok"] is True
    with Service(tmp_path) as again:
        assert again.extract(LINE).json()["source"] == "cache"
        assert again.http.get("/ledger/summary").json()["tickets"] == 3


def test_context_is_heard(tmp_path: Path) -> None:
    """What the line leaves open, the sender's words settle."""
    with Service(tmp_path) as service:
        line = "<11>Jun 14 15:16:01 web-1 cart[812]: price list gone"
        context = {"received_at": "2026-06-14T15:16:02Z", "timezone": "Europe/Paris"}
        alone = service.extract(line).json()
        told = service.http.post("/extract", json={"line": line, "context": context}).json()
        assert alone["first_seen"] == "unknown"
        assert told["first_seen"] == "2026-06-14T15:16:01+02:00"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_requests_in_flight_finish_when_it_is_told_to_stop(tmp_path: Path, number: int) -> None:
    """Each gets its answer and its entry, the last group commits, and the exit is clean."""
    with Service(tmp_path, fast=False, fallback_ttl="0") as service:
        body = json.dumps({"line": LINE}).encode()
        request = head("/extract", "Content-Type: application/json", f"Content-Length: {len(body)}")
        half = [service.connect() for _ in range(8)]
        for connection in half:
            connection.sendall(request + body[:10])
        idle = service.connect()
        assert exchange(idle, request + body).status_code == 200
        time.sleep(0.2)
        service.process.send_signal(number)
        wait_for(lambda: "Shutting down" in service.log())
        for connection in half:
            answer = exchange(connection, body[10:])
            assert answer.status_code == 200
            assert answer.headers["connection"] == "close"
            connection.close()
        assert idle.recv(1) == b""
        idle.close()
        code = service.process.wait(15)
        assert code == 0, service.log()
        assert [kind for _, kind in ledger_of(service.db)] == ["ticket"] * 9
        service.expected_code = code
        with pytest.raises(OSError, match="refused"):
            service.connect()


def test_a_batch_in_flight_finishes_when_it_is_told_to_stop(tmp_path: Path) -> None:
    """Its sender may send the rest."""
    with Service(tmp_path) as service, service.connect() as connection:
        connection.sendall(
            head("/extract/batch", "Content-Type: text/plain", "Transfer-Encoding: chunked")
        )
        connection.sendall(b"6\r\nfirst\n\r\n")
        answers = connection.makefile("rb")
        while b"first" not in answers.readline():
            pass
        service.process.send_signal(signal.SIGTERM)
        wait_for(lambda: "Shutting down" in service.log())
        connection.sendall(b"7\r\nsecond\n\r\n0\r\n\r\n")
        assert b'"evidence":"second"' in answers.read()
        assert service.process.wait(15) == 0
        assert len(ledger_of(service.db)) == 2


def test_a_stop_under_load_loses_no_answer(tmp_path: Path) -> None:
    """Every ticket that was acknowledged is in the ledger, and no sender gets half an answer."""
    acknowledged: set[int] = set()
    with Service(tmp_path, fallback_ttl="0") as service:
        stop = threading.Event()

        def send(sender: int) -> list[int]:
            got = []
            with httpx.Client(base_url=service.http.base_url, trust_env=False) as client:
                while not stop.is_set():
                    try:
                        answer = client.post("/extract", json={"line": f"load {sender} {len(got)}"})
                    except httpx.TransportError:
                        break
                    assert answer.status_code == 200
                    got.append(int(answer.headers["content-location"].rpartition("/")[2]))
            return got

        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            senders = [pool.submit(send, number) for number in range(6)]
            time.sleep(0.7)
            assert service.stop() == 0
            stop.set()
            for sender in senders:
                acknowledged.update(sender.result())
        assert acknowledged
        entered = {seq for seq, kind in ledger_of(service.db) if kind == "ticket"}
        assert acknowledged <= entered


def test_two_workers_share_one_ledger(tmp_path: Path) -> None:
    """Whoever answers, the chain is one; a worker that dies is replaced; a stop ends both."""
    with Service(tmp_path, "--workers", "2", fallback_ttl="0") as service:
        wait_for(lambda: service.log().count("Application startup complete") == 2)

        def send(number: int) -> int:
            answer = httpx.post(
                f"http://127.0.0.1:{service.port}/extract",
                json={"line": f"shared {number}"},
                trust_env=False,
            )
            return int(answer.headers["content-location"].rpartition("/")[2])

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            numbers = list(pool.map(send, range(60)))
        assert sorted(numbers) == list(range(1, 61))
        verified = service.http.get("/ledger/verify").json()
        assert (verified["ok"], verified["entries"]) == (True, 60)
        workers = re.findall(r"Started server process \[(\d+)\]", service.log())
        os.kill(int(workers[0]), signal.SIGKILL)
        wait_for(lambda: service.log().count("Application startup complete") == 3)
        for number in range(60, 70):
            assert send(number) == number + 1
        metrics = httpx.get(f"http://127.0.0.1:{service.port}/metrics", trust_env=False).text
        ups = re.findall(r"^logdocket_ledger_up\S* (\S+)$", metrics, re.MULTILINE)
        assert ups == ["1.0"]
        assert 'logdocket_tickets_total{source="fallback"} 70.0' in metrics


def test_the_log_is_json_and_strangers_cannot_write_in_it(tmp_path: Path) -> None:
    """Control characters of a request neither begin a line nor move a terminal's cursor."""
    with Service(tmp_path, log_level="debug") as service:
        for path in ("/%0a%1b[31mforged%0d", "/%e2%80%a8%c2%9b", "/%7f"):
            service.http.get(path)
        with service.connect() as connection:
            connection.sendall(b"GET /x\x1b[2J HTTP/1.1\r\nHost: \x1b]0;x\x07\r\n\r\n")
            connection.recv(65_536)
        service.extract("a line with \x1b[31m and \n in it")
        log = service.log_path.read_bytes()
        assert log
        assert all(byte == 10 or 32 <= byte < 127 for byte in log)
        assert all(
            {"event", "level", "timestamp"} <= set(message) for message in service.messages()
        )
        # What a stranger named stands inside one JSON string, as it was sent.
        told = [message for message in service.messages() if "forged" in json.dumps(message)]
        assert [message["path"] for message in told] == ["/\n\x1b[31mforged\r"]


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"no http at all\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET / HTTP/1.1\r\nHost 127.0.0.1\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET http:// HTTP/1.1\r\nHost: x\r\n\r\n",
        b"CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: x\r\n\r\n",
        b"POST /extract HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        b"POST /extract HTTP/1.1\r\nHost: x\r\nContent-Length: " + b"9" * 5_000 + b"\r\n\r\n",
        b"POST /extract HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
        b"POST /extract HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ids=[
        "text",
        "TLS",
        "a broken header",
        "a broken path",
        "no address",
        "CONNECT",
        "a negative length",
        "a huge length",
        "two lengths",
        "length and chunks",
    ],
)
def test_what_is_not_http_is_refused(shared: Service, request_bytes: bytes) -> None:
    """As a problem like any other, and the connection closes."""
    with shared.connect() as connection:
        answer = exchange(connection, request_bytes)
        assert (answer.status_code, problem(answer)) == (400, "http-invalid")
        assert connection.recv(1) == b""


def test_endless_headers_are_refused(shared: Service) -> None:
    """They take no more memory than a bound."""
    with shared.connect() as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\n")
        line = b"X-Filler: " + b"a" * 1_000 + b"\r\n"
        answer = exchange(connection, line * 70)
        assert (answer.status_code, problem(answer)) == (431, "headers-too-large")


def test_a_request_for_another_protocol_is_answered_in_this_one(shared: Service) -> None:
    """Some clients offer HTTP/2 or a web socket along with a request."""
    with shared.connect() as connection:
        offer = ("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13")
        request = head("/healthz", *offer, "Sec-WebSocket-Key: YQ==", method="GET")
        assert exchange(connection, request).json() == {"status": "ok"}


def test_a_sender_that_closed_its_half_is_answered(shared: Service) -> None:
    """As ``printf … | nc`` does."""
    body = json.dumps({"line": LINE}).encode()
    with shared.connect() as connection:
        connection.sendall(
            head("/extract", "Content-Type: application/json", f"Content-Length: {len(body)}")
            + body
        )
        connection.shutdown(socket.SHUT_WR)
        assert read_answer(connection).status_code == 200
        assert connection.recv(1) == b""


def test_senders_that_hang_up_leave_no_trace(shared: Service) -> None:
    """Reset while the answer is under way, many at once."""
    body = json.dumps({"line": "a sender that hangs up"}).encode()
    request = head("/extract", "Content-Type: application/json", f"Content-Length: {len(body)}")
    for _ in range(100):
        connection = shared.connect()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        connection.sendall((request + body) * 3)
        connection.close()
    assert shared.extract(LINE).status_code == 200
    assert shared.faults() == []
