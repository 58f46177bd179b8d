from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from logdocket import fixtures

PLAIN = {"PATH": os.defpath, "PYTHONPATH": os.environ.get("PYTHONPATH", "")}
WORLDS = {
    "plain": {},
    "east": {"TZ": "Pacific/Kiritimati", "LC_ALL": "C", "PYTHONHASHSEED": "1"},
    "west": {
        "TZ": "America/St_Johns",
        "LC_ALL": "de_DE.ISO-8859-1",
        "LANGUAGE": "de",
        "PYTHONHASHSEED": "4294967295",
        "PYTHONUTF8": "0",
        "PYTHONIOENCODING": "ascii",
        "HOME": "/nonexistent",
        "COLUMNS": "20",
    },
    "settings": {
        "LOGDOCKET_CACHE_TTL": "0",
        "LOGDOCKET_FALLBACK_TTL": "0",
        "LOGDOCKET_KEEP_TEXT": "true",
        "LOGDOCKET_RISK": "0.5",
        "LOGDOCKET_DB": "elsewhere.db",
        "LOGDOCKET_TOKENS": "not-a-real-token",
    },
}


def logdocket(
    folder: Path, *arguments: str | Path, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own, in ``folder``, with nothing else in its environment."""
    return subprocess.run(
        [sys.executable, "-c", "from logdocket.cli import main; main()", *map(str, arguments)],
        cwd=folder,
        env=PLAIN | (environment or {}),
        capture_output=True,
        timeout=50,
        check=False,
    )


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    """A copy of the shipped demo, to be written beside."""
    path = tmp_path / "copy.jsonl"
    path.write_bytes(fixtures.path("demo").read_bytes())
    return path


def test_the_shipped_fixtures_replay_to_the_byte(tmp_path: Path) -> None:
    """The tickets and the ledgers in the package are those that this code gives, wherever it is
    installed; nothing is written.
    """
    done = logdocket(tmp_path, "replay", "--check")
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
    assert done.stderr == b""
    told = done.stdout.decode().rstrip("\n").split("\n")
    assert told == [f"{fixtures.path(name)}: identical" for name in fixtures.NAMES]
    assert list(tmp_path.iterdir()) == []


def test_other_zones_locales_seeds_folders_and_settings_change_no_byte(tmp_path: Path) -> None:
    """Every world prints the same tickets, and its check finds no difference."""
    shapes = fixtures.path("shapes")
    printed = set()
    for name, environment in WORLDS.items():
        folder = tmp_path / name / "ordner mit ümlaut"
        folder.mkdir(parents=True)
        done = logdocket(folder, "replay", shapes, environment=environment)
        assert done.returncode == 0, f"{name}: {done.stderr.decode()}"
        printed.add(done.stdout)
        assert list(folder.iterdir()) == []
    assert len(printed) == 1
    assert printed.pop().count(b"\n") == shapes.read_bytes().count(b"\n")


def test_a_recorded_model_is_the_same_in_every_world(tmp_path: Path) -> None:
    """Even in one with a model, a key, a proxy and a budget, of which nothing is used."""
    environment = {
        **WORLDS["west"],
        **WORLDS["settings"],
        "MODEL_URL": "http://127.0.0.1:9/v1",
        "MODEL_KEY": "not-a-real-key",
        "OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
        "HTTPS_PROXY": "http://127.0.0.1:9",
        "ALL_PROXY": "http://127.0.0.1:9",
        "LOGDOCKET_EGRESS": "off",
        "LOGDOCKET_BUDGET_TOKENS": "0",
        "LOGDOCKET_DEADLINE": "0.1",
    }
    folder = tmp_path / "ordner mit ümlaut"
    folder.mkdir()
    done = logdocket(folder, "replay", "--check", fixtures.path("model"), environment=environment)
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
    assert list(folder.iterdir()) == []


def test_files_written_in_one_world_are_checked_in_another(demo: Path) -> None:
    """The ledger's bytes too."""
    assert logdocket(demo.parent, "replay", "--update", demo.name).returncode == 0
    for environment in WORLDS.values():
        done = logdocket(Path("/"), "replay", "--check", demo, environment=environment)
        assert done.returncode == 0, done.stdout.decode()


def test_a_byte_of_difference_fails_and_is_shown(demo: Path) -> None:
    """The exit code is 1, and the diff names the row."""
    logdocket(demo.parent, "replay", "--update", demo)
    written = demo.with_name("copy.expected.jsonl")
    written.write_bytes(written.read_bytes().replace(b'"source":"cache"', b'"source":"model"'))
    done = logdocket(demo.parent, "replay", "--check", demo)
    assert done.returncode == 1
    assert b'-{"id":"seen-again"' in done.stdout
    assert b'+{"id":"seen-again"' in done.stdout


def test_the_demo_tells_of_a_hit_and_an_expiry(demo: Path) -> None:
    """A line a second time within a minute is a hit on the first entry, and later is not."""
    done = logdocket(demo.parent, "replay", demo)
    rows = {row["id"]: row for row in map(json.loads, done.stdout.splitlines())}
    assert rows["seen-again"]["ticket"]["source"] == "cache"
    assert rows["seen-again"]["ticket_id"] == rows["first-sight"]["ticket_id"]
    assert rows["after-the-minute"]["ticket"]["source"] == "fallback"
    assert rows["after-the-minute"]["ticket_id"] != rows["first-sight"]["ticket_id"]


def test_a_bad_row_is_named_on_one_line(demo: Path) -> None:
    """File, row and mend, and no traceback."""
    with demo.open("ab") as file:
        file.write(b'{"id":"late","at":"2026-01-02T03:04:05Z","line":"x"}\n')
    done = logdocket(demo.parent, "replay", demo)
    assert done.returncode not in {0, 1}
    assert done.stdout == b""
    message = done.stderr.decode()
    assert "copy.jsonl, row 10: at is before that of the row above" in message
    assert message.count("\n") == 1
