from __future__ import annotations

import fcntl
import json
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from command import COMMAND, Running, rows, run
from terminal import piece, shown

LINE = b"2026-01-02T15:04:05Z ERROR payments: card refused"
QUEUE = " ".join([*COMMAND, "queue"])
KEPT = {"LOGDOCKET_KEEP_TEXT": "true"}


def extract(lines: bytes) -> None:
    """Enter answers to ``lines`` in the ledger here."""
    done = run("extract", lines=lines, environment=KEPT)
    assert done.returncode == 0, done.stderr


def many(count: int) -> None:
    """So many lines, each of a group of its own."""
    extract(b"".join(b"%b: %d failed\n" % (LINE, number) for number in range(count)))


def on_terminal(*arguments: str, columns: int = 80) -> tuple[subprocess.Popen[bytes], int]:
    """The command with a terminal as standard output and standard error, and our end of it."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        env={name: value for name, value in os.environ.items() if name != "COLUMNS"}
        | {"TERM": "xterm-256color"},
        start_new_session=True,
    )
    os.close(theirs)
    return process, ours


def test_a_reviewer_works_through_the_queue() -> None:
    """From what waits to a decision that answers the next line, can be exported and taken back."""
    extract(LINE + b"\n" + LINE.replace(b"05Z", b"06Z") + b"\nwho am i\n")
    first, second = rows(run("queue", "list", "--json").stdout)
    assert (first["service"], first["severity"], first["count"]) == ("payments", "high", 2)
    assert (second["service"], second["reasons"][-1]) == ("unknown", "low_confidence")
    group = str(first["id"])
    assert b">>card refused<<" in run("queue", "show", group).stdout
    decided = run("queue", "resolve", group, "--severity", "low", "--who", "rev-a", "--json")
    assert rows(decided.stdout)[0]["group"]["state"] == "resolved"
    (ticket,) = rows(run("extract", lines=LINE.replace(b"05Z", b"07Z"), environment=KEPT).stdout)
    assert (ticket["severity"], ticket["source"]) == ("low", "cache")
    assert "reviewed" in ticket["review_reasons"]
    assert [row["id"] for row in rows(run("queue", "list", "--json").stdout)] == [second["id"]]
    run("queue", "export", "--format", "labelled", "-o", "shop.jsonl")
    measured = json.loads(run("eval", "shop.jsonl", "--json").stdout)
    assert measured
    assert run("queue", "resolve", group, "--undo", "--who", "rev-b").returncode == 0
    assert [row["id"] for row in rows(run("queue", "list", "--json").stdout)] == [
        first["id"],
        second["id"],
    ]
    (again,) = rows(run("extract", lines=LINE.replace(b"05Z", b"08Z"), environment=KEPT).stdout)
    assert (again["severity"], again["source"]) == ("high", "fallback")
    assert run("ledger", "verify").returncode == 0


def test_of_two_reviewers_one_is_told() -> None:
    """A script that looked before somebody else decided gets exit code 1."""
    extract(LINE)
    script = (
        f"version=$({QUEUE} list --json | sed 's/.*\"version\":\\([0-9]*\\).*/\\1/')\n"
        f"{QUEUE} resolve 1 --right --who rev-a > /dev/null\n"
        f'{QUEUE} resolve 1 --not-a-problem --who rev-b --version "$version"'
    )
    done = subprocess.run(["sh", "-c", script], capture_output=True, timeout=20, check=False)
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"stands: resolved, right by rev-a" in done.stderr


def test_a_list_fits_the_terminal() -> None:
    """In 80 columns, whatever the lines hold; nothing in them moves the cursor."""
    extract(LINE + b" \x1b[2J\xe2\x80\xae " + b"and so on " * 60 + b"\n" + LINE)
    process, terminal = on_terminal("queue", "list")
    told = shown(terminal).decode().split("\r\n")[:-1]
    os.close(terminal)
    assert process.wait(20) == 0
    assert len(told) == 3
    assert max(map(len, told)) == 80
    assert all(row.isprintable() for row in told)


def test_show_marks_the_evidence_on_a_terminal() -> None:
    """In a way that a line cannot imitate."""
    extract(b"2026-01-02T15:04:05Z ERROR payments: >>card<< \x1b[7mrefused\x1b[27m")
    process, terminal = on_terminal("queue", "show", "1", columns=200)
    told = shown(terminal)
    os.close(terminal)
    assert process.wait(20) == 0
    assert told.count(b"\x1b") == 2
    (line,) = [row for row in told.split(b"\r\n") if row.startswith(b"  line ")]
    assert b"payments: \x1b[7m>>card<<" in line


@pytest.mark.parametrize("words", ["list", "export --format csv", "show 1"])
def test_a_full_disk_is_told_in_one_line(words: str) -> None:
    """With exit code 4: a script does not take half an answer for a whole one."""
    extract(LINE)
    done = subprocess.run(
        ["sh", "-c", f"{QUEUE} {words} > /dev/full"], capture_output=True, timeout=20, check=False
    )
    assert done.returncode == 4
    assert done.stderr.startswith(b"logdocket: standard output cannot be written")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("words", [["list", "--limit", "5000"], ["export"]], ids=" ".join)
def test_a_reader_that_has_enough_ends_it_quietly(words: list[str]) -> None:
    """As ``| head -1`` does."""
    many(2_000)
    with Running("queue", *words) as command:
        assert command.process.stdout is not None
        assert command.process.stderr is not None
        command.process.stdout.readline()
        command.process.stdout.close()
        assert command.process.wait(20) == 141
        assert command.process.stderr.read() == b""


def test_whoever_does_not_wait_for_the_queue_leaves_it_whole() -> None:
    """Ctrl-C while a big ledger is sorted into groups: the next command goes on from there."""
    many(12_000)
    process, terminal = on_terminal("queue", "list", "--limit", "1")
    told = b""
    while b"sorting the ledger into groups: " not in told:
        told += piece(terminal) or pytest.fail(f"it ended: {told!r}")
    process.send_signal(signal.SIGINT)
    told += shown(terminal)
    os.close(terminal)
    assert process.wait(20) == 130
    assert told.endswith(b"\r\x1b[K")
    assert b"Traceback" not in told
    done = run("queue", "export")
    assert (done.returncode, done.stderr) == (0, b"")
    assert len({row["key"] for row in rows(done.stdout)}) == 12_000


READ_ONLY = """
import os, sys, tempfile
from logdocket.cli import ledger, queue, queue_export, queue_resolve, extract, app
with tempfile.TemporaryDirectory() as folder:
    if os.geteuid() == 0:  # who may write to everything
        os.chown(folder, 65534, 65534)
        os.setegid(65534)
        os.seteuid(65534)
    os.chdir(folder)
    def logdocket(*words):
        sys.argv = ["logdocket", *words]
        try:
            app.main()
        except SystemExit as ended:
            return ended.code
    for name in ("payments", "tardy"):
        with open("app.log", "w") as file:
            file.write(f"2026-01-02T15:04:05Z ERROR {name}: card refused")
        logdocket("extract", "app.log")
        if name == "payments":
            logdocket("queue", "list")
    os.chmod("logdocket.db", 0o400)
    sys.stdout.flush()
    os.write(1, b"---\\n")
    commands = ("list", "show 1", "export", "resolve 1 --right --who rev-a")
    codes = [logdocket("queue", *words.split()) for words in commands]
    os.write(1, f"{codes}\\n".encode())
"""


def test_a_read_only_ledger_shows_its_queue_as_far_as_it_goes() -> None:
    """And takes no verdict."""
    done = subprocess.run(
        [sys.executable, "-c", READ_ONLY], capture_output=True, timeout=30, check=False
    )
    assert done.returncode == 0, done.stderr
    printed = done.stdout.partition(b"---\n")[2]
    assert printed.endswith(b"[0, 0, 0, 3]\n")
    assert printed.count(b"payments") >= 3
    assert b"tardy" not in printed
    *told, refused = done.stderr.split(b"\n")[:-1]
    assert len(told) == 3
    assert all(b"up to entry 1 of 2 only: " in line and b"is read-only" in line for line in told)
    assert b"is read-only" in refused


def test_what_was_there_is_left_where_the_disk_is_full() -> None:
    """An export takes its file's name when it is whole."""
    many(2_000)
    Path("queue.jsonl").write_bytes(b"what was there before")
    limited = f"ulimit -f 100; trap '' XFSZ; {QUEUE} export -o queue.jsonl"
    run("queue", "list")
    done = subprocess.run(["bash", "-c", limited], capture_output=True, timeout=20, check=False)
    assert done.returncode == 4
    assert b"--output queue.jsonl cannot be written (file too large)" in done.stderr
    assert Path("queue.jsonl").read_bytes() == b"what was there before"
    assert [path.name for path in Path.cwd().iterdir() if ".part" in path.name] == []
