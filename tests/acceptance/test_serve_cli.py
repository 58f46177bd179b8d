from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from command import Running, rows, run, wait_until_gone

LINE = "2026-01-02T15:04:05Z ERROR payments: card refused"
LISTENING = re.compile(rb"listening on http://(\S+):(\d+)")


@contextlib.contextmanager
def serving(*arguments: str | Path) -> Iterator[tuple[Running, httpx.Client]]:
    """The service at work on a free port, and a client of it."""
    with Running("serve", "--port", "0", *arguments) as command:
        assert command.process.stderr is not None
        said = b""
        while (found := LISTENING.search(said)) is None:
            line = command.process.stderr.readline()
            assert line, said
            said += line
        address = f"http://{found[1].decode()}:{found[2].decode()}"
        with httpx.Client(base_url=address, timeout=20, trust_env=False) as client:
            client.get("/readyz").raise_for_status()
            yield command, client


def workers(command: Running, count: int) -> list[int]:
    """The processes that serve, once there are ``count``."""
    deadline = time.monotonic() + 20
    while len(found := command.children()) < count:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return found


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_port_in_use_is_told_in_one_line(workers: str) -> None:
    """With an exit code, and no log of a service that never was."""
    with closing(socket.create_server(("127.0.0.1", 0))) as other:
        port = other.getsockname()[1]
        done = run("serve", "--port", str(port), "--workers", workers)
    assert done.returncode == 2
    assert done.stderr.decode().startswith(f"logdocket: cannot listen on 127.0.0.1 port {port} (")
    assert done.stderr.count(b"\n") == 1
    assert done.stdout == b""


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["--host", "0.0.0.0"], 2, "set LOGDOCKET_TOKENS, or listen on 127.0.0.1"),
        (["--db", "other.db"], 3, "is a database of another program"),
    ],
)
def test_what_would_not_serve_honestly_is_refused(options: list[str], code: int, said: str) -> None:
    """In one line, before it listens."""
    with closing(sqlite3.connect("other.db")) as other:
        other.execute("CREATE TABLE recipe (name TEXT)")
    done = run("serve", "--port", "0", *options)
    assert done.returncode == code
    assert said in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1


def test_options_win_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it listens, and on what it writes."""
    monkeypatch.setenv("LOGDOCKET_HOST", "192.0.2.1")
    monkeypatch.setenv("LOGDOCKET_PORT", "1")
    monkeypatch.setenv("LOGDOCKET_DB", "environment.db")
    with serving("--host", "127.0.0.1", "--db", "option.db") as (command, client):
        assert client.post("/extract", json={"line": LINE}).status_code == 200
        code, _, _ = command.end(signal.SIGTERM)
    assert code == 0
    assert [path.name for path in Path.cwd().glob("*.db")] == ["option.db"]


def test_a_misspelt_variable_is_told_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has no effect, and its owner should know."""
    monkeypatch.setenv("LOGDOCKET_TOKEN", "not-a-real-token")
    with Running("serve", "--port", "0") as command:
        assert command.process.stderr is not None
        first = json.loads(command.process.stderr.readline())
    assert first["event"] == "LOGDOCKET_TOKEN is no setting and has no effect"
    assert first["level"] == "warning"


def test_a_risk_that_no_threshold_meets_is_told_at_the_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every ticket goes to a person then, and its owner should know."""
    monkeypatch.setenv("LOGDOCKET_RISK", "0")
    with Running("serve", "--port", "0") as command:
        assert command.process.stderr is not None
        first = json.loads(command.process.stderr.readline())
    assert first["event"] == (
        "no threshold of confidence meets a risk of 0: every ticket goes to a person"
    )
    assert first["level"] == "warning"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("workers", ["1", "2"])
def test_it_ends_as_asked(workers: str, number: signal.Signals) -> None:
    """With code 0, by either signal and with any number of workers, and no traceback."""
    with serving("--workers", workers) as (command, client):
        assert client.post("/extract", json={"line": LINE}).status_code == 200
        code, _, told = command.end(number, group=True)
    assert code == 0
    assert "Traceback" not in told
    assert run("ledger", "verify").stdout.startswith(b"ok: 1 entry")


def test_several_workers_share_one_ledger_and_end_together() -> None:
    """Options reach them; each answers while the other is held; SIGTERM ends them all."""
    with serving("--workers", "2", "--db", "shared.db") as (command, client):
        pids = workers(command, 2)
        for held in pids:
            os.kill(held, signal.SIGSTOP)
            # On a connection of its own, which only the other can take.
            answer = httpx.post(client.base_url.join("/extract"), json={"line": LINE}, timeout=20)
            os.kill(held, signal.SIGCONT)
            assert answer.status_code == 200
        code, _, told = command.end(signal.SIGTERM)
    assert code == 0
    assert "Traceback" not in told
    wait_until_gone(pids)
    entries = rows(run("ledger", "list", "--json", "--db", "shared.db").stdout)
    assert [entry["source"] for entry in entries] == ["cache", "fallback"]
