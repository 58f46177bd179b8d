from __future__ import annotations

import json
import signal
import subprocess
import sys
from typing import IO

import httpx
import pytest

from logdocket.testing import Fault, ModelServer

COMMAND = [sys.executable, "-m", "logdocket.testing"]


def started(*arguments: str) -> subprocess.Popen[str]:
    """The command as a process."""
    return subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, text=True)


def read(stream: IO[str] | None) -> str:
    """The next line of output."""
    assert stream is not None
    return stream.readline()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_prints_its_url_at_once_and_what_it_saw_at_the_end(number: int) -> None:
    """One line each; the exit status is 0."""
    with started("--fault", "http_503,good", "--latency", "0.01") as process:
        url = read(process.stdout).strip()
        address, body = f"{url}/chat/completions", {"prompt": "api: gone"}
        headers = {"x-client-request-id": "n-1"}
        assert httpx.post(address, json=body, headers=headers).status_code == 503
        assert httpx.post(address, json=body).status_code == 200
        process.send_signal(number)
        told = json.loads(read(process.stdout))
        assert read(process.stdout) == ""
        assert process.wait(timeout=5) == 0
    assert told["url"] == url
    assert (told["requests"], told["faults"]) == (2, {"http_503": 1, "good": 1})
    first, second = told["seen"]
    assert (first["request_id"], first["status"], first["tokens_in"]) == ("n-1", 503, 0)
    assert (second["tokens_in"], second["tokens_out"]) == (told["tokens_in"], told["tokens_out"])
    assert told["tokens_in"] == 2


def refused(*arguments: str) -> str:
    """What it says of arguments that it does not take."""
    done = subprocess.run(
        [*COMMAND, *arguments], capture_output=True, text=True, timeout=10, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    return line


def test_an_unknown_fault_is_told_with_the_choices() -> None:
    """On one line, exit 2."""
    line = refused("--fault", "good,hangs")
    assert line.startswith("--fault: no such fault: hangs (choose from good, slow, ")
    assert all(fault in line for fault in Fault)


def test_a_port_that_is_taken_is_told(server: ModelServer) -> None:
    """On one line, exit 2."""
    assert refused("--port", str(server.port)).startswith(f"cannot listen on port {server.port}: ")


def test_a_seed_chooses_among_the_faults() -> None:
    """The same ones on every run."""
    told = []
    for _ in range(2):
        with (
            started("--fault", "http_500,http_400,good", "--seed", "3") as process,
            httpx.Client(base_url=read(process.stdout).strip()) as client,
        ):
            told.append([client.post("/chat/completions").status_code for _ in range(12)])
            process.terminate()
    assert told[0] == told[1]
    assert len(set(told[0])) == 3


def test_help_shows_an_example_and_every_fault() -> None:
    """One can start from it."""
    text = subprocess.run([*COMMAND, "--help"], capture_output=True, text=True, check=True).stdout
    assert "curl -s http://127.0.0.1:8642/v1/chat/completions" in text
    assert all(fault in text for fault in Fault)
