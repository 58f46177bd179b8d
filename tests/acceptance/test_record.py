from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from command import run
from processes import nursery

from logdocket.testing import Act, Fault, ModelServer, Seen

KEY = "not-a-real-key-at-all"
LINES = b"""\
2026-01-02T03:04:05Z ERROR harbour: crane 1 stopped
2026-01-02T03:04:06Z ERROR harbour: login failed password=Tr0ub4dor-and-3

2026-01-02T03:04:05Z ERROR harbour: crane 1 stopped
2026-01-02T03:04:07Z WARN pier: plank 2 is loose
"""


def misbehaving(seen: Seen) -> Fault | Act:
    """Good about cranes, an error about logins, and about planks junk, then a good answer."""
    if "login" in seen.text:
        return Fault.HTTP_401
    if "plank" in seen.text and "broke" not in seen.text:
        return (Fault.BAD_JSON, Fault.GOOD)[seen.number > 3]
    return Fault.GOOD


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """A model server."""
    with ModelServer(misbehaving) as running:
        yield running


def model(server: ModelServer) -> dict[str, str]:
    """The settings that name it."""
    return {"MODEL_URL": server.url, "MODEL_KEY": KEY, "MODEL_NAME": "tide"}


def test_a_recording_replays_offline_to_the_byte(server: ModelServer, tmp_path: Path) -> None:
    """Every call is in the ledger, no secret in a file, and no model is needed any more."""
    Path("app.log").write_bytes(LINES)
    words = ("record", "app.log", "-o", "made.jsonl", "--service", "quay", "--db", "live.db")
    done = run(*words, environment=model(server))
    told = done.stderr.decode()
    assert done.returncode == 1, told
    assert "line-3: left out: the line is blank" in told
    assert "made.jsonl: 4 rows, 4 calls" in told
    assert done.stdout == b""
    assert server.count == 4

    first, *rows = map(json.loads, Path("made.jsonl").read_bytes().splitlines())
    assert first["model"]["name"] == "tide"
    assert [(row["id"], len(row.get("attempts", ()))) for row in rows] == [
        ("line-1", 1),
        ("line-2", 1),
        ("line-4", 0),
        ("line-5", 2),
    ]
    assert {row["context"]["service"] for row in rows} == {"quay"}
    for path in tmp_path.glob("made.*"):
        written = path.read_bytes()
        assert KEY.encode() not in written
        assert b"Tr0ub4dor" not in written

    exported = run("ledger", "export", "--db", "live.db")
    kinds = [json.loads(entry)["kind"] for entry in exported.stdout.splitlines()]
    assert kinds.count("call_started") == kinds.count("call_finished") == 4
    assert run("ledger", "verify", "--db", "live.db").returncode == 0

    checked = run("replay", "--check", "made.jsonl")
    assert checked.returncode == 0, checked.stdout.decode() + checked.stderr.decode()
    replayed = run("replay", "made.jsonl").stdout
    assert replayed == Path("made.expected.jsonl").read_bytes()
    sources = [json.loads(row)["ticket"]["source"] for row in replayed.splitlines()]
    assert sources == ["model", "fallback", "cache", "model"]
    assert server.count == 4


def test_what_the_ledger_knows_is_asked_about_again(server: ModelServer) -> None:
    """A recording is of the model, not of the cache; files that are there need --force."""
    environment = model(server)
    words = ("record", "-", "--output", "made.jsonl", "--concurrency", "4")
    line = LINES.splitlines(keepends=True)[0]
    assert run(*words, lines=line, environment=environment).returncode == 0
    before = Path("made.jsonl").read_bytes()
    refused = run(*words, lines=line, environment=environment)
    assert refused.returncode == 2
    assert refused.stderr.count(b"\n") == 1
    assert b"--force" in refused.stderr
    assert (server.count, Path("made.jsonl").read_bytes()) == (1, before)
    forced = run(*words, "--force", lines=line, environment=environment)
    assert forced.returncode == 0, forced.stderr.decode()
    assert server.count == 2
    assert Path("made.jsonl").read_bytes() != before


NO_MODEL = [
    ({}, "MODEL_URL"),
    ({"MODEL_URL": "http://127.0.0.1:9/v1"}, "MODEL_KEY"),
    (
        {"MODEL_URL": "http://127.0.0.1:9/v1", "MODEL_KEY": KEY, "LOGDOCKET_EGRESS": "off"},
        "LOGDOCKET_EGRESS",
    ),
]


@pytest.mark.parametrize(("environment", "named"), NO_MODEL, ids=[name for _, name in NO_MODEL])
def test_without_a_model_the_variable_is_named(
    environment: dict[str, str], named: str, tmp_path: Path
) -> None:
    """On one line, and nothing is written."""
    done = run("record", "-o", "made.jsonl", lines=LINES, environment=environment)
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1
    assert named.encode() in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "lines", "why"),
    [
        (("no-such/made.jsonl",), LINES, "a folder that can be written"),
        (("made.ledger.jsonl",), LINES, "is generated"),
        (("made.jsonl",), b"", "holds no line"),
        (("made.jsonl", "--timezone", "Nowhere"), LINES, "timezone"),
    ],
    ids=["folder", "generated", "empty", "context"],
)
def test_what_cannot_be_recorded_is_told_before_any_call(
    words: tuple[str, ...], lines: bytes, why: str, server: ModelServer
) -> None:
    """A call costs money."""
    done = run("record", "-o", *words, lines=lines, environment=model(server))
    assert done.returncode == 2
    assert why in done.stderr.decode()
    assert server.count == 0


def test_a_recording_that_is_stopped_leaves_no_fixture(tmp_path: Path) -> None:
    """The call that was under way is in the ledger with its end."""
    with ModelServer(Fault.HANG) as server:
        given, printed, told = (tmp_path / name for name in ("given", "printed", "told"))
        given.write_bytes(LINES)
        words = ["record", "-", "-o", "made.jsonl", "--db", "live.db"]
        environment = os.environ | model(server)
        process = nursery().start(tmp_path, told, words, environment, given=given, printed=printed)
        until = time.monotonic() + 30
        while not server.count and time.monotonic() < until:
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 143
    assert not list(tmp_path.glob("*made*"))
    exported = run("ledger", "export", "--db", "live.db").stdout.splitlines()
    assert [json.loads(entry)["kind"] for entry in exported] == [
        "call_started",
        "call_finished",
        "ticket",
    ]
