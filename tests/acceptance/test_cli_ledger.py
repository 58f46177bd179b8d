from __future__ import annotations

import json
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest
from command import COMMAND, Running, rows, run

LINE = b"2026-01-02T15:04:05Z ERROR payments: card refused"
LEDGER = " ".join([*COMMAND, "ledger"])


def extract(count: int) -> None:
    """Enter ``count`` different lines in the ledger here."""
    done = run("extract", lines=b"".join(b"%b %d\n" % (LINE, n) for n in range(count)))
    assert done.returncode == 0, done.stderr


def test_an_operator_finds_what_was_answered() -> None:
    """From a line to its entry, its sums, and the proof that nothing was changed since."""
    extract(3)
    run("extract", lines=LINE + b" 1\nwho am i\n")
    listed = rows(run("ledger", "list", "--json", "--reason", "service_unknown").stdout)
    assert [entry["seq"] for entry in listed] == [5]
    summary = json.loads(run("ledger", "summary", "--json").stdout)
    assert summary["by_source"] == {"model": 0, "cache": 1, "fallback": 4}
    verified = run("ledger", "verify")
    assert (verified.returncode, verified.stderr) == (0, b"")
    assert verified.stdout.startswith(b"ok: 5 entries, head ")
    exported = rows(run("ledger", "export").stdout)
    assert [entry["seq"] for entry in exported] == [1, 2, 3, 4, 5]
    assert exported[-1]["hash"] == listed[0]["hash"] == verified.stdout.split()[-1].decode()


def test_a_tampered_ledger_fails_a_script() -> None:
    """The exit code is 1, and the entry is named."""
    extract(3)
    with closing(sqlite3.connect("logdocket.db")) as other:
        other.execute("DROP TRIGGER entry_update")
        other.execute("UPDATE entry SET reasons = 'low_confidence' WHERE seq = 2")
        other.commit()
    done = subprocess.run(
        ["sh", "-c", f"{LEDGER} verify && echo safe"], capture_output=True, timeout=20, check=False
    )
    assert done.returncode == 1
    assert done.stdout.startswith(b"broken at entry 2: ")
    assert b"safe" not in done.stdout


@pytest.mark.parametrize("words", ["list", "verify", "export --format csv"])
def test_a_full_disk_is_told_in_one_line(words: str) -> None:
    """With exit code 4: a script does not take half an answer for a whole one."""
    extract(1)
    done = subprocess.run(
        ["sh", "-c", f"{LEDGER} {words} > /dev/full"], capture_output=True, timeout=20, check=False
    )
    assert done.returncode == 4
    assert done.stderr.startswith(b"logdocket: standard output cannot be written")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("words", [["list", "--limit", "5000"], ["export"]], ids=" ".join)
def test_a_reader_that_has_enough_ends_it_quietly(words: list[str]) -> None:
    """As ``| head -1`` does."""
    extract(3_000)
    with Running("ledger", *words) as command:
        assert command.process.stdout is not None
        assert command.process.stderr is not None
        command.process.stdout.readline()
        command.process.stdout.close()
        assert command.process.wait(20) == 141
        assert command.process.stderr.read() == b""


def test_the_ledger_is_read_while_it_is_written() -> None:
    """Neither waits for the other, and what is read is whole."""
    with Running("extract") as command:
        command.send(b"one error\ntwo error\n")
        command.next_rows(2)
        assert run("ledger", "verify").stdout.startswith(b"ok: 2 entries")
        command.send(b"three error\n")
        command.next_rows(1)
        assert len(rows(run("ledger", "export").stdout)) == 3
        assert command.end() == (0, b"", "")


def test_two_commands_share_one_ledger() -> None:
    """One chain, whoever writes: every ticket of both is in it."""
    lines = b"".join(b"%b %d\n" % (LINE, number) for number in range(2_000))
    Path("app.log").write_bytes(lines)
    with Running("extract", "app.log") as first, Running("extract", "app.log") as second:
        ends = [first.end(), second.end()]
    for code, printed, told in ends:
        assert (code, told) == (0, "")
        assert len(rows(printed)) == 2_000
    assert run("ledger", "verify").stdout.startswith(b"ok: 4,000 entries")
