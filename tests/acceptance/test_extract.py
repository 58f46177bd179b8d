from __future__ import annotations

import bz2
import fcntl
import gzip
import json
import lzma
import os
import pty
import select
import signal
import sqlite3
import struct
import subprocess
import sys
import termios
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from command import COMMAND, Running, rows, run, wait_until_gone
from terminal import piece

from logdocket.bootstrap import build_store
from logdocket.settings import Settings
from logdocket.store import Query

LINE = b"2026-01-02T15:04:05Z ERROR payments: card refused"
EXTRACT = " ".join([*COMMAND, "extract"])
JOBS = pytest.mark.parametrize("jobs", [[], ["--jobs", "2"]], ids=["one", "jobs"])


def entered(db: str = "logdocket.db") -> int:
    """How many tickets are in the ledger, which must verify."""
    store = build_store(Settings.load(db=Path(db)))
    try:
        assert store.verify().ok
        return store.summary().tickets
    finally:
        store.close()


def many(count: int) -> bytes:
    """Different lines."""
    return b"".join(b"%b %d\n" % (LINE, number) for number in range(count))


def shell(script: str) -> subprocess.CompletedProcess[str]:
    """What a shell's script does."""
    return subprocess.run(
        ["sh", "-c", script], capture_output=True, text=True, timeout=40, check=False
    )


def hold_lock(path: str) -> sqlite3.Connection:
    """A connection of another program that holds the write lock."""
    other = sqlite3.connect(path)
    other.execute("BEGIN IMMEDIATE")
    return other


# What is compressed

COMPRESSED = pytest.mark.parametrize(
    ("data", "form", "tool"),
    [
        (gzip.compress(LINE), "gzip", "zcat"),
        (bz2.compress(LINE), "bzip2", "bzcat"),
        (lzma.compress(LINE), "xz", "xzcat"),
        (b"\x28\xb5\x2f\xfd\x04\x00", "zstd", "zstdcat"),
    ],
    ids=["gzip", "bzip2", "xz", "zstd"],
)


@COMPRESSED
def test_a_compressed_file_is_refused(data: bytes, form: str, tool: str) -> None:
    """Its bytes are no lines; nothing is printed or made, and the mend is told."""
    Path("app.log.z").write_bytes(data)
    done = run("extract", "app.log.z")
    assert (done.returncode, done.stdout) == (2, b"")
    told = f"logdocket: app.log.z is compressed with {form}: {tool} app.log.z | logdocket extract\n"
    assert done.stderr.decode() == told
    assert list(Path.cwd().iterdir()) == [Path.cwd() / "app.log.z"]


@COMPRESSED
def test_a_compressed_stream_is_refused(data: bytes, form: str, tool: str) -> None:
    """As a file is; its name is not known."""
    done = run("extract", "--no-ledger", lines=data)
    assert (done.returncode, done.stdout) == (2, b"")
    told = f"standard input is compressed with {form}: {tool} FILE | logdocket extract\n"
    assert done.stderr.decode() == f"logdocket: {told}"


def test_a_line_that_speaks_of_a_magic_number_is_a_line() -> None:
    """It is looked for at the very start alone, and whole."""
    done = run("extract", "--no-ledger", lines=b"BZh9 is how it begins\n(B\x1f\x8b\n")
    assert done.returncode == 0
    assert len(rows(done.stdout)) == 2


# One row for each line


@JOBS
def test_each_line_gets_a_row_in_order(jobs: list[str]) -> None:
    """Over several groups, repeated lines too, each entered in the ledger first."""
    lines = [b"%b %d" % (LINE, number % 3_000) for number in range(5_000)]
    Path("app.log").write_bytes(b"\n".join(lines))
    done = run("extract", "app.log", *jobs)
    assert (done.returncode, done.stderr) == (0, b"")
    found = rows(done.stdout)
    assert [row["evidence"].encode() for row in found] == [line[37:] for line in lines]
    assert [row["source"] for row in found] == ["fallback"] * 3_000 + ["cache"] * 2_000
    assert entered() == 5_000


@JOBS
def test_every_kind_of_line_has_its_row(jobs: list[str]) -> None:
    """Blank and overlong ones an error in their place; control characters are data."""
    lines = [LINE, b"", b"a\x00b error", b"\t ", b"x" * 201, b"a\rb error", "é error".encode()]
    done = subprocess.run(
        [*COMMAND, "extract", *jobs],
        input=b"\r\n".join(lines),
        env=os.environ | {"LOGDOCKET_MAX_LINE": "200"},
        capture_output=True,
        timeout=40,
        check=False,
    )
    found = rows(done.stdout)
    assert [row.get("evidence", row.get("error", {}).get("type")) for row in found] == [
        "card refused",
        "urn:logdocket:problem:line-blank",
        "a\x00b error",
        "urn:logdocket:problem:line-blank",
        "urn:logdocket:problem:line-too-long",
        "a\rb error",
        "é error",
    ]
    assert [row["error"]["row"] for row in found if "error" in row] == [2, 4, 5]
    assert done.returncode == 1
    assert done.stderr == (
        b"logdocket: standard input: 3 of 7 lines got an error row instead of a ticket\n"
    )
    assert entered() == 4


@JOBS
def test_bytes_that_are_no_utf_8_come_back_as_they_were(jobs: list[str]) -> None:
    """The evidence maps to bytes of the file, also from the cache and in the ledger's way."""
    raw = b"2026-01-02T15:04:05Z ERROR pay: caf\xe9 \xff\xfe\xf0\x9f refused\n"
    Path("app.log").write_bytes(raw + LINE + b"\n" + raw)
    for expected in (["fallback", "fallback", "cache"], ["cache"] * 3):
        done = run("extract", "app.log", *jobs)
        assert done.returncode == 0, done.stderr
        done.stdout.decode("utf-8")
        found = rows(done.stdout)
        assert [row["source"] for row in found] == expected
        evidence = found[0]["evidence"].encode("utf-8", "surrogateescape")
        assert evidence == b"caf\xe9 \xff\xfe\xf0\x9f refused"
        assert found[2]["evidence"] == found[0]["evidence"]


@pytest.mark.parametrize("content", [b"", b"\n", LINE, LINE + b"\n", LINE + b"\r\n"])
def test_a_file_may_end_as_it_likes(content: bytes) -> None:
    """Empty, or with a last line that is not ended: a row for each line there is."""
    Path("app.log").write_bytes(content)
    done = run("extract", "app.log")
    assert len(rows(done.stdout)) == (content.count(b"\n") or bool(content))
    assert done.returncode == (1 if content == b"\n" else 0)


@pytest.mark.parametrize("words", [[], ["-"]], ids=["nothing", "dash"])
def test_standard_input_is_read_where_no_file_is_named(words: list[str]) -> None:
    """To its end, which may come at once."""
    assert run("extract", *words).stdout == b""
    assert len(rows(run("extract", *words, lines=LINE).stdout)) == 1


def test_lines_of_any_length_take_bounded_memory() -> None:
    """A file of one line of 200 MB is refused with a row, within memory that it would fill."""
    size = 200_000_000
    with Path("app.log").open("wb") as file:
        file.truncate(size)
        file.seek(size)
        file.write(b"\n" + LINE + b"\n")
    # Not getrusage: what it tells of the peak includes the process that started this one.
    script = (
        "import pathlib, runpy, sys\n"
        "sys.argv = ['logdocket', 'extract', 'app.log', '--no-ledger']\n"
        "try: runpy.run_module('logdocket', run_name='__main__')\n"
        "finally:\n"
        "    status = pathlib.Path('/proc/self/status').read_text()\n"
        "    print(status.partition('VmHWM:')[2].split()[0], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, timeout=40, check=False
    )
    first, second = rows(done.stdout)
    assert first["error"]["type"].endswith("line-too-long")
    assert second["evidence"] == "card refused"
    assert int(done.stderr.split()[-1]) * 1024 < size


# Options


@pytest.mark.parametrize(
    ("options", "line", "fields"),
    [
        (
            ["--received-at", "2026-01-03T00:00:00Z"],
            b"Jan  2 15:04:05 web-1 pay[7]: card refused",
            {"first_seen": "2026-01-02T15:04:05", "service": "pay"},
        ),
        (
            ["--received-at", "2026-01-03T00:00:00Z"],
            b"Dec 31 23:59:59 web-1 pay[7]: card refused",
            {"first_seen": "2025-12-31T23:59:59"},
        ),
        (
            ["--timezone", "Europe/Zurich"],
            b"2026-07-02 15:04:05 ERROR pay: card refused",
            {"first_seen": "2026-07-02T15:04:05+02:00"},
        ),
        (
            ["--timezone=-03:30"],
            b"2026-07-02 15:04:05 ERROR pay: card refused",
            {"first_seen": "2026-07-02T15:04:05-03:30"},
        ),
        (["--service", "päy-1"], b"card refused, retry failed", {"service": "päy-1"}),
        (["--service", "other"], LINE, {"service": "payments"}),
    ],
)
def test_what_the_caller_knows_fills_what_the_line_leaves_open(
    options: list[str], line: bytes, fields: dict[str, str]
) -> None:
    """A year, a zone, a service; the line's own word wins."""
    (row,) = rows(run("extract", *options, lines=line).stdout)
    assert fields.items() <= row.items()


def test_now_gives_the_year_of_lines_that_come_now() -> None:
    """A stamp of this minute, without a year, is of this year."""
    now = datetime.now(UTC) - timedelta(minutes=1)
    line = now.strftime("%b %d %H:%M:%S web-1 pay[7]: card refused").encode()
    (row,) = rows(run("extract", "--received-at", "now", "--timezone", "+00:00", lines=line).stdout)
    assert row["first_seen"] == now.strftime("%Y-%m-%dT%H:%M:%SZ")


def test_the_same_line_arriving_at_another_time_is_another_question() -> None:
    """The cache does not answer it with another year."""
    line = b"Jan  2 15:04:05 web-1 pay[7]: card refused"
    years = []
    for year in ("2025", "2026"):
        done = run("extract", "--received-at", f"{year}-01-03T00:00:00Z", lines=line)
        years.append(rows(done.stdout)[0]["first_seen"][:4])
    assert years == ["2025", "2026"]


@pytest.mark.parametrize("way", ["default", "environment", "option"])
def test_the_ledger_is_where_it_was_asked_for(way: str) -> None:
    """Here, or where the variable says, or where the option says, which wins."""
    environment = {} if way == "default" else {"LOGDOCKET_DB": "variable.db"}
    options = ["--db", "option.db"] if way == "option" else []
    run("extract", *options, lines=LINE, environment=environment)
    expected = {"default": "logdocket", "environment": "variable", "option": "option"}[way]
    assert [path.name for path in Path.cwd().glob("*.db")] == [f"{expected}.db"]
    assert entered(f"{expected}.db") == 1


def test_without_a_ledger_nothing_is_made() -> None:
    """And the ticket does not claim that one was missing."""
    done = run("extract", "--no-ledger", lines=LINE + b"\n" + LINE)
    assert [row["source"] for row in rows(done.stdout)] == ["fallback", "cache"]
    assert (done.returncode, done.stderr) == (0, b"")
    assert list(Path.cwd().iterdir()) == []


# As lines come


@JOBS
def test_each_line_is_answered_while_the_pipe_stays_open(jobs: list[str]) -> None:
    """As with ``tail -f``: a row comes when its line is whole, and not before."""
    with Running("extract", *jobs) as command:
        for number in range(3):
            command.send(b"%b %d\nhalf a li" % (LINE, number))
            (row,) = command.next_rows(1)
            assert row["evidence"] == f"card refused {number}"
            command.send(b"ne\n")
            assert command.next_rows(1)[0]["evidence"] == "half a line"
        command.send(b"\n")
        assert "error" in command.next_rows(1)[0]
        command.send(b"the end")
        code, printed, told = command.end()
    assert code == 1
    assert [row["evidence"] for row in rows(printed)] == ["the end"]
    assert told.count("\n") == 1
    assert entered() == 7


def test_a_line_is_in_the_ledger_before_it_is_printed() -> None:
    """Whoever has the row can find the entry."""
    with Running("extract") as command:
        command.send(LINE + b"\n")
        command.next_rows(1)
        store = build_store(Settings())
        assert len(store.entries(Query())) == 1
        store.close()


def test_a_pipe_that_does_not_block_is_waited_for() -> None:
    """Another program may have set it so."""
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    with subprocess.Popen(
        [*COMMAND, "extract", "--no-ledger"], stdin=reader, stdout=subprocess.PIPE
    ) as process:
        os.close(reader)
        assert process.stdout is not None
        for _ in range(2):
            os.write(writer, LINE + b"\n")
            assert json.loads(process.stdout.readline())["evidence"] == "card refused"
        os.close(writer)
        assert process.wait(20) == 0


# On a terminal


def on_terminal(*arguments: str, columns: int = 80) -> tuple[int, bytes, bytes]:
    """Run with a real terminal as standard error; exit code, standard output, what it showed."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=theirs,
        env=os.environ | {"TERM": "xterm-256color"},
    )
    os.close(theirs)
    assert process.stdout is not None
    shown, printed = b"", b""
    open_ends = {ours, process.stdout.fileno()}
    while open_ends:
        for end in select.select(list(open_ends), [], [], 20)[0]:
            data = piece(end)
            if not data:
                open_ends.remove(end)
            elif end == ours:
                shown += data
            else:
                printed += data
    os.close(ours)
    process.stdout.close()
    return process.wait(20), printed, shown


def test_progress_is_shown_on_a_terminal() -> None:
    """How many lines, while the rows go elsewhere, and they stay whole."""
    Path("app.log").write_bytes(many(2_000))
    code, printed, shown = on_terminal("extract", "app.log", "--no-ledger")
    assert code == 0
    assert len(rows(printed)) == 2_000
    assert b"2,000 lines" in shown


def test_help_on_a_terminal_keeps_to_its_width() -> None:
    """And to 100 columns where there are more."""
    for columns in (60, 200):
        code, printed, _ = on_terminal("extract", "--help", columns=columns)
        assert code == 0
        assert max(map(len, printed.decode().splitlines())) <= 100


# What goes wrong


@pytest.mark.parametrize(
    ("redirection", "code", "said"),
    [
        ("<&-", 2, "standard input is closed: name a file, or send lines into it"),
        (">&-", 4, "standard output is closed: leave it open, or send it to a file"),
        (
            "> /dev/full",
            4,
            "standard output cannot be written (No space left on device): "
            "make room, or send it elsewhere",
        ),
        (
            "--jobs 2 > /dev/full",
            4,
            "standard output cannot be written (No space left on device): "
            "make room, or send it elsewhere",
        ),
    ],
)
def test_a_stream_that_cannot_be_used_is_told_in_one_line(
    redirection: str, code: int, said: str
) -> None:
    """No traceback, and an exit code of its own."""
    done = shell(f"echo 'x error' | {EXTRACT} {redirection}")
    assert (done.returncode, done.stderr) == (code, f"logdocket: {said}\n")


def test_a_closed_standard_error_leaves_the_rows_alone() -> None:
    """What would be told there goes nowhere, least of all among the rows or into a file."""
    done = shell(f"printf 'x error\\n\\n' | {EXTRACT} 2>&-")
    assert done.returncode == 1
    assert [next(iter(row)) for row in rows(done.stdout.encode())] == ["service", "error"]
    assert entered() == 1


def test_a_full_disk_costs_the_entry_and_not_the_ticket() -> None:
    """The rows go on, the reason is told, and what was entered before still verifies."""
    Path("app.log").write_bytes(many(3_000))
    done = shell(f"ulimit -f 300; {EXTRACT} app.log")
    found = rows(done.stdout.encode())
    assert len(found) == 3_000
    unrecorded = ["ledger_unavailable" in row["review_reasons"] for row in found]
    assert unrecorded[-1]
    assert done.returncode == 1
    assert (
        f"{sum(unrecorded):,} of 3,000 lines got a ticket that is not in the ledger" in done.stderr
    )
    assert done.stderr.count("\n") == 1
    assert entered() == unrecorded.count(False)


@JOBS
def test_a_reader_that_has_enough_ends_it_quietly(jobs: list[str]) -> None:
    """As ``| head -1`` does."""
    Path("app.log").write_bytes(many(20_000))
    with Running("extract", "app.log", "--no-ledger", *jobs) as command:
        command.next_rows(1)
        assert command.process.stdout is not None
        command.process.stdout.close()
        assert command.process.wait(20) == 141
        assert command.process.stderr is not None
        assert command.process.stderr.read() == b""


@pytest.mark.parametrize(
    ("db", "said"),
    [
        ("locked.db", "is locked"),
        ("garbage.db", "is not a database"),
        (".", "is not a file"),
        ("missing/t.db", "cannot be opened (No such file or directory)"),
    ],
)
def test_without_a_ledger_that_can_be_written_tickets_still_come(db: str, said: str) -> None:
    """Each says so and goes to a person; the reason is told once, with exit code 1."""
    Path("garbage.db").write_bytes(b"no pages of a database " * 1_000)
    build_store(Settings.load(db=Path("locked.db"))).close()
    with closing(hold_lock("locked.db")):
        done = run(
            "extract",
            "--db",
            db,
            lines=LINE + b"\n" + LINE + b"\nother error\n",
            environment={"LOGDOCKET_BUSY_TIMEOUT": "0.1"},
        )
    found = rows(done.stdout)
    assert [row["evidence"] for row in found] == ["card refused", "card refused", "other error"]
    assert all(row["needs_human"] for row in found)
    assert all("ledger_unavailable" in row["review_reasons"] for row in found)
    assert done.returncode == 1
    told = done.stderr.decode()
    assert told.startswith(
        "logdocket: standard input: 3 of 3 lines got a ticket that is not in the ledger: the ledger"
    )
    assert said in told
    assert told.endswith("; no gap in it tells of 3 of them\n")
    assert told.count("\n") == 1


def test_a_misspelt_variable_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has no effect, and its owner should know."""
    monkeypatch.setenv("LOGDOCKET_KEEPTEXT", "true")
    done = run("extract", "--no-ledger", lines=LINE)
    assert done.returncode == 0
    assert done.stderr == b"logdocket: LOGDOCKET_KEEPTEXT is no setting and has no effect\n"


def test_a_lock_that_goes_away_is_forgotten() -> None:
    """What could not be entered is counted in the ledger as soon as it can be written."""
    build_store(Settings()).close()
    os.environ["LOGDOCKET_BUSY_TIMEOUT"] = "0.1"
    with Running("extract") as command:
        other = hold_lock("logdocket.db")
        command.send(LINE + b"\n")
        assert "ledger_unavailable" in command.next_rows(1)[0]["review_reasons"]
        other.close()
        command.send(LINE + b"\n")
        assert "ledger_unavailable" not in command.next_rows(1)[0]["review_reasons"]
        code, _, told = command.end()
    assert code == 1
    assert "1 of 2 lines got a ticket that is not in the ledger" in told
    assert "no gap" not in told
    assert entered() == 1
    store = build_store(Settings())
    assert store.summary().unledgered == 1
    store.close()


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("PRAGMA user_version = 99", "has schema 99, and this Logdocket knows up to"),
        ("PRAGMA application_id = 7", "is a database of another program"),
    ],
)
def test_a_ledger_that_is_not_ours_to_write_is_refused(statement: str, said: str) -> None:
    """Before any line is read: with exit code 3, one line, and the file as it was."""
    build_store(Settings()).close()
    with closing(sqlite3.connect("logdocket.db")) as other:
        other.execute(statement)
    before = Path("logdocket.db").read_bytes()
    done = run("extract", lines=LINE)
    assert (done.returncode, done.stdout) == (3, b"")
    assert said in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1
    assert Path("logdocket.db").read_bytes() == before


def test_a_locale_without_utf_8_changes_no_byte() -> None:
    """Rows are UTF-8 in every world, and a message can always be told."""
    world = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    world["PYTHONIOENCODING"] = "ascii"
    line = "2026-01-02T15:04:05Z ERROR päy: café refused".encode()
    here = run("extract", "--no-ledger", lines=line)
    there = run("extract", "--no-ledger", lines=line, environment=world)
    assert here.stdout == there.stdout
    missing = run("extract", "é.log", environment=world)
    assert missing.returncode == 2
    assert missing.stderr.startswith(b"logdocket: ")
    assert run("extract", "--help", environment=world).returncode == 0


# Stopping


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@JOBS
def test_a_signal_ends_a_quiet_stream(number: int, code: int, jobs: list[str]) -> None:
    """At once and without a word; a line that was not whole is not answered."""
    with Running("extract", *jobs) as command:
        command.send(LINE + b"\nhalf a li")
        command.next_rows(1)
        children = command.children()
        assert len(children) == (1 if jobs else 0)
        assert command.end(number, group=True) == (code, b"", "")
    wait_until_gone(children)
    assert entered() == 1


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@JOBS
def test_a_signal_in_the_middle_leaves_whole_rows(number: int, code: int, jobs: list[str]) -> None:
    """What was printed is in the ledger, and the other processes end too."""
    Path("app.log").write_bytes(many(60_000))
    with Running("extract", "app.log", *jobs) as command:
        command.next_rows(1)
        children = command.children()
        got, printed, told = command.end(number)
        assert (got, told) == (code, "")
    printed_rows = 1 + len(rows(printed))
    assert 1 < printed_rows < 60_000
    assert entered() == printed_rows
    wait_until_gone(children)


def test_a_second_signal_ends_it_where_it_stands() -> None:
    """When nobody reads its output, and so the first cannot be obeyed."""
    Path("app.log").write_bytes(many(20_000))
    with Running("extract", "app.log", "--no-ledger") as command:
        command.next_rows(1)
        command.process.send_signal(signal.SIGINT)
        with pytest.raises(subprocess.TimeoutExpired):
            command.process.wait(0.3)
        command.process.send_signal(signal.SIGINT)
        assert command.process.wait(10) == 130


def test_a_signal_that_was_told_to_be_ignored_is() -> None:
    """A script's job in the background goes on when Ctrl-C ends the script."""
    with subprocess.Popen(
        ["sh", "-c", f"trap '' INT; exec {EXTRACT}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(2):
            process.stdin.write(LINE + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["evidence"] == "card refused"
            process.send_signal(signal.SIGINT)
        process.stdin.close()
        assert process.wait(20) == 0


def test_a_killed_process_that_reads_lines_costs_no_ticket() -> None:
    """The others go on, with one line about it."""
    Path("app.log").write_bytes(many(30_000))
    with Running("extract", "app.log", "--jobs", "2") as command:
        first = command.next_rows(1)
        children = command.children()
        assert len(children) == 2
        os.kill(children[0], signal.SIGKILL)
        code, printed, told = command.end()
    found = [*first, *rows(printed)]
    assert [row["evidence"] for row in found] == [f"card refused {n}" for n in range(30_000)]
    assert code == 0
    assert told == "logdocket: a process that reads lines was killed: going on without it\n"
    assert entered() == 30_000
    wait_until_gone(children)


def test_processes_that_read_lines_end_with_the_first() -> None:
    """Also when it is killed and can tell nobody."""
    with Running("extract", "--jobs", "2") as command:
        command.send(LINE + b"\n")
        command.next_rows(1)
        children = command.children()
        assert children
        command.process.kill()
        command.process.wait()
        wait_until_gone(children)
    assert entered() == 1


@JOBS
@pytest.mark.parametrize("ledger", [[], ["--no-ledger"]], ids=["ledger", "no-ledger"])
def test_tickets_explain_themselves(jobs: list[str], ledger: list[str]) -> None:
    """Where each field stands, and the counts behind the confidence; also of a cache hit, beside a
    row that is none, and where nothing is entered."""
    given = b"%b\n\n%b\n\xc3\xa9 tide tables\n" % (LINE, LINE)
    done = run("extract", "--explain", *jobs, *ledger, lines=given)
    made = rows(done.stdout)
    assert [("error" in row, "explanation" in row) for row in made] == [
        (False, True),
        (True, False),
        (False, True),
        (False, True),
    ]
    fields = made[0]["explanation"]["fields"]
    spans = {name: LINE[slice(*field["span"])].decode() for name, field in fields.items()}
    assert spans == {
        "service": "payments",
        "severity": "ERROR",
        "first_seen": "2026-01-02T15:04:05Z",
        "evidence": "card refused",
    }
    told = made[0]["explanation"]["confidence"]
    assert told["value"] == made[0]["confidence"]
    assert 0 < told["right"] <= told["total"]
    assert made[2]["explanation"] == made[0]["explanation"]
    assert made[3]["explanation"]["fields"]["evidence"]["span"] == [0, 14]


def test_what_is_explained_is_the_ticket_itself() -> None:
    """Without the explanation the rows are those that are given otherwise."""
    given = b"%b\ntide tables\n" % LINE
    plain = rows(run("extract", "--no-ledger", lines=given).stdout)
    explained = rows(run("extract", "--no-ledger", "--explain", lines=given).stdout)
    for row in explained:
        del row["explanation"]
    assert explained == plain
