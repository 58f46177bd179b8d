from __future__ import annotations

import asyncio
import csv
import itertools
import json
import os
import re
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from logdocket.calls import CallEnd, CallStatus, Spend, Usage
from logdocket.confidence import shipped
from logdocket.docket import Extractor, Policy
from logdocket.line import NO_CONTEXT, Line
from logdocket.store import CallStart, Lesson, SqliteStore, Started, TicketRecord
from logdocket.store.shown import usd
from logdocket.ticket import Source

from .conftest import Command

# 2026-01-02T15:04:05Z, in µs.
START = 1_767_366_245_000_000
TEMPLATE = sha256(b"a template").digest()
SECOND = 1_000_000
LINES = [
    "2026-01-02T15:04:05Z ERROR payments: card refused",
    "nothing to see",
    "2026-01-02T15:04:05Z ERROR payments: card refused",
    "Jan  2 15:04:05 web-1 sshd[7]: error: no route",
]
Told = Callable[..., tuple[int, str]]


@pytest.fixture(autouse=True)
def ledger() -> Path:
    """``logdocket.db`` here, with an entry a second for each of the lines, the first at START."""
    path = Path("logdocket.db")
    for place, line in enumerate(LINES):
        clock = itertools.repeat(START + place * SECOND).__next__
        store = SqliteStore(path, clock=clock)
        extractor = Extractor(Policy(), shipped(), store, clock)
        extractor.finish(extractor.begin([(Line(line), NO_CONTEXT)]))
        store.close()
    return path


def tamper(path: Path, *statements: str) -> None:
    """Change the database as someone would who knows SQL."""
    with closing(sqlite3.connect(path)) as connection:
        for kind in ("entry_update", "entry_delete", "ticket_update", "ticket_delete"):
            connection.execute(f"DROP TRIGGER {kind}")
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def numbers(printed: str) -> list[int]:
    """The numbers of the entries that were printed as JSON."""
    return [json.loads(row)["seq"] for row in printed.splitlines()]


def test_list_is_for_people(logdocket: Command) -> None:
    """Newest first, under a head: number, time, kind, source, reasons."""
    done = logdocket("ledger", "list", "--limit", "2")
    assert (done.code, done.err) == (0, "")
    head, first, second = done.out.splitlines()
    assert head.split() == ["entry", "at", "kind", "source", "reasons"]
    assert head.index("reasons") == first.index("model_not_configured")
    assert first.startswith("       4  2026-01-02T15:04:08.000000Z  ticket           fallback  ")
    assert first.split()[4].split(",")[:2] == ["model_not_configured", "timestamp_no_year"]
    assert second.split() == [
        "3",
        "2026-01-02T15:04:07.000000Z",
        "ticket",
        "cache",
        "model_not_configured",
    ]


@pytest.mark.parametrize(("number", "first"), [("1", 1), ("3", 1), ("4", 4)])
def test_show_gives_the_ticket_behind_an_entry(number: str, first: int, logdocket: Command) -> None:
    """A cache hit leads to the ticket that it repeated; with the spans that it was read from."""
    done = logdocket("ledger", "show", number)
    assert (done.code, done.err, done.out.count("\n")) == (0, "", 1)
    shown = json.loads(done.out)
    assert list(shown) == [
        "id",
        "at",
        "line_hash",
        "line",
        "ticket",
        "reading",
        "answer",
        "explanation",
    ]
    assert shown["id"] == first
    assert shown["line_hash"] == sha256(LINES[first - 1].encode()).hexdigest()
    assert shown["ticket"]["evidence"] in LINES[first - 1]
    assert shown["reading"]["evidence"]


def test_show_tells_of_an_entry_that_is_not_there(told: Told) -> None:
    """In one line, with where to look."""
    assert told("ledger", "show", "5") == (2, "there is no entry 5: see logdocket ledger list")


def test_show_gives_no_ticket_that_was_changed(ledger: Path, told: Told) -> None:
    """What cannot be read as a ticket is none."""
    tamper(ledger, "UPDATE ticket SET body = x'7b7d' WHERE seq = 1")
    code, line = told("ledger", "show", "1")
    assert code == 3
    assert "its ticket was changed" in line


def test_list_as_json_tells_all(logdocket: Command) -> None:
    """Every field of an entry, a row each."""
    row = json.loads(logdocket("ledger", "list", "--json", "--before", "4").out.splitlines()[0])
    assert list(row) == ["seq", "at", "kind", "source", "reasons", "detail", "hash"]
    assert row["source"] == "cache"
    assert row["reasons"] == ["model_not_configured"]
    assert row["detail"]["original"] == 1
    assert row["detail"]["line"] == sha256(LINES[2].encode()).hexdigest()


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ([], [4, 3, 2, 1]),
        (["--limit", "1"], [4]),
        (["--before", "3"], [2, 1]),
        (["--before", "3", "--limit", "1"], [2]),
        (["--source", "cache"], [3]),
        (["--source", "fallback"], [4, 2, 1]),
        (["--source", "model"], []),
        (["--kind", "ticket", "--limit", "2"], [4, 3]),
        (["--kind", "call_started"], []),
        (["--reason", "service_unknown"], [2]),
        (["--reason", "timestamp_no_year"], [4]),
        (["--since", "2026-01-02T15:04:06Z"], [4, 3, 2]),
        (["--until", "2026-01-02T15:04:06Z"], [1]),
        (["--since", "2026-01-02T16:04:06+01:00", "--until", "2026-01-02T15:04:08Z"], [3, 2]),
        (["--since", "2026-01-02T15:04:06Z", "--source", "fallback"], [4, 2]),
        (["--since", "0001-01-01T00:00:00Z", "--until", "9999-12-31T23:59:59Z"], [4, 3, 2, 1]),
    ],
)
def test_filters_choose_entries(options: list[str], found: list[int], logdocket: Command) -> None:
    """Each alone and together; since counts in, until does not."""
    done = logdocket("ledger", "list", "--json", *options)
    assert (done.code, numbers(done.out)) == (0, found)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            ["list", "--source", "modle"],
            "--source 'modle' is none of: model, cache, fallback",
        ),
        (["list", "--kind", "call"], "--kind 'call' is none of: ticket, gap, call_started, call_"),
        (["list", "--reason", "x"], "--reason 'x' is none of: model_not_configured, missing_"),
        (
            ["list", "--since", "noon"],
            "--since 'noon' is no moment: write it as 2026-01-02T15:04:05Z",
        ),
        (["list", "--until", "2026-01-02T15:04:05"], "--until '2026-01-02T15:04:05' is no moment"),
        (["summary", "--since", "2026-02-30T00:00:00Z"], "--since '2026-02-30T00:00:00Z' is no m"),
        (["export", "--until", ""], "--until '' is no moment"),
        (["verify", "--head", "abc"], "--head 'abc' is no hash: give 64 hexadecimal digits"),
    ],
)
def test_a_wrong_word_is_told_with_the_mend(options: list[str], said: str, told: Told) -> None:
    """On one line, with exit code 2."""
    code, line = told("ledger", *options)
    assert code == 2
    assert line.startswith(said)


@pytest.mark.parametrize("name", ["list", "summary", "verify", "export"])
def test_reading_makes_no_ledger(name: str, told: Told) -> None:
    """A name that is not there is most likely misspelt."""
    code, line = told("ledger", name, "--db", "misspelt.db")
    assert (code, line) == (
        3,
        "there is no misspelt.db: name the ledger with --db or LOGDOCKET_DB",
    )
    assert not Path("misspelt.db").exists()


@pytest.mark.parametrize("name", ["list", "summary", "verify", "export"])
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"these are no pages of a database\n" * 100, "is not a database"),
        (b"short", "is not a database"),
        (None, "is a database of another program"),
    ],
)
def test_another_file_is_refused(name: str, content: bytes | None, said: str, told: Told) -> None:
    """With exit code 3, and it stays as it is."""
    path = Path("other")
    if content is None:
        with closing(sqlite3.connect(path)) as other:
            other.execute("CREATE TABLE recipe (name TEXT)")
        content = path.read_bytes()
    else:
        path.write_bytes(content)
    code, line = told("ledger", name, "--db", path)
    assert code == 3
    assert said in line
    assert path.read_bytes() == content


def test_the_ledger_is_found_by_the_environment(
    logdocket: Command, ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And an option wins over it."""
    ledger.rename("elsewhere.db")
    monkeypatch.setenv("LOGDOCKET_DB", "elsewhere.db")
    assert numbers(logdocket("ledger", "list", "--json").out) == [4, 3, 2, 1]
    assert logdocket("ledger", "list", "--db", "missing.db").code == 3


def test_summary_is_for_people(logdocket: Command) -> None:
    """Tickets, then counts by source and by reason."""
    done = logdocket("ledger", "summary")
    first, *rest = done.out.splitlines()
    assert first == "4 tickets, 25.0% from the cache"
    counts = {(row.split()[0], row.split()[1]): int(row.split()[2]) for row in rest}
    assert counts["source", "model"] == 0
    assert counts["source", "cache"] == 1
    assert counts["source", "fallback"] == 3
    assert counts["reason", "model_not_configured"] == 4
    assert counts["reason", "service_unknown"] == 1


def test_summary_as_json_adds_up(logdocket: Command) -> None:
    """By source it is the number of tickets."""
    told = json.loads(logdocket("ledger", "summary", "--json").out)
    assert list(told) == [
        *("tickets", "by_source", "by_reason", "unledgered", "hit_ratio"),
        *("calls_avoided", "shared", "calls", "by_day", "budget"),
    ]
    assert told["tickets"] == sum(told["by_source"].values()) == 4
    assert (told["hit_ratio"], told["unledgered"]) == (0.25, 0)


def test_summary_keeps_to_a_period(logdocket: Command) -> None:
    """An empty one has no ratio."""
    period = ["--since", "2026-01-02T15:04:06Z", "--until", "2026-01-02T15:04:07Z"]
    assert json.loads(logdocket("ledger", "summary", "--json", *period).out)["tickets"] == 1
    empty = logdocket("ledger", "summary", "--since", "2030-01-01T00:00:00Z")
    assert empty.out.splitlines()[0] == "0 tickets"


def start(line: bytes, attempt: int) -> CallStart:
    """A call that has expired long ago by the real clock."""
    return CallStart(
        key=line[:16],
        line_hash=line,
        holder=line[16:],
        expires=START + 100_000 * SECOND,
        seen=0,
        attempt=attempt,
        model="small\x1b[2J",
        mode="schema",
        prompt=1,
        reserve=Spend(2_000, 2_000_000_000),
    )


async def call(store: SqliteStore) -> None:
    """Three calls: one gave junk, the next an answer that is repeated twice, the last is open."""
    line = sha256(b"a line for the model").digest()
    numbers = []
    for attempt, status in ((1, CallStatus.JUNK), (2, CallStatus.OK)):
        begun = await store.start(start(line, attempt))
        assert isinstance(begun, Started)
        numbers.append(begun.call)
        ended = CallEnd(
            call=begun.call,
            status=status,
            ms=5,
            charge=Spend(1_250, 12_300_000),
            usage=Usage(1_200, 50),
            nano_usd=12_300_000,
        )
        await store.submit([], ended)
    key = {"key": line[:16], "line_hash": line, "reasons": ()}
    ticket = TicketRecord(
        **key,
        source=Source.MODEL,
        body=b"{}",
        calls=tuple(numbers),
        tokens=2_500,
        template=TEMPLATE,
        lesson=Lesson(wide=TEMPLATE[:16], narrow=TEMPLATE[16:], says=bytes(16)),
    )
    hit = TicketRecord(**key, source=Source.CACHE, same_as=0)
    await store.submit([ticket, hit, hit])
    await store.start(start(sha256(b"another").digest(), 1))


@pytest.fixture
def called(ledger: Path) -> None:
    """The ledger with these calls, a day after its other entries."""
    store = SqliteStore(ledger, clock=lambda: START + 86_400 * SECOND)
    asyncio.run(call(store))
    store.close()


@pytest.mark.usefixtures("called")
def test_summary_tells_how_calls_ended_and_what_they_cost(logdocket: Command) -> None:
    """In all, then a row for each day and model; names cannot move the cursor."""
    lines = logdocket("ledger", "summary").out.splitlines()
    rows = lines[lines.index("3 calls of models") + 1 :]
    counts = {row.split()[1]: row.split()[2] for row in rows[: rows.index("") - 1]}
    assert counts == {
        "finished": "2",
        "interrupted": "0",
        "in_flight": "1",
        "junk": "1",
        "ok": "1",
        "retries": "1",
        "unreported": "0",
        "tokens_in": "2,400",
        "tokens_out": "100",
        "calls_avoided": "2",
        "shared": "0",
    }
    assert "2,500 tokens charged; what was reported costs 0.0246 USD" in rows
    head, day = rows[rows.index("") + 1 :]
    assert head.split() == "day model calls ok retries tokens in tokens out charged cost".split()
    numbers = ["3", "1", "1", "2,400", "100", "2,500", "0.0246", "USD"]
    assert day.split() == ["2026-01-03", "small\\x1b[2J", *numbers]


@pytest.mark.usefixtures("called")
def test_list_tells_of_calls_in_a_few_words(logdocket: Command) -> None:
    """How they began and how they ended; all else is in their JSON."""
    rows = logdocket("ledger", "list", "--kind", "call_started").out.splitlines()[1:]
    assert [row.split("  -  ")[-1].strip() for row in rows]
    assert all("attempt 1, small" in row or "attempt 2, small" in row for row in rows)
    (first, second) = logdocket("ledger", "list", "--kind", "call_finished").out.splitlines()[1:]
    assert re.search(r"- +call \d+: ok, 5 ms, 1200 \+ 50 tokens$", first)
    assert re.search(r"- +call \d+: junk, 5 ms, 1200 \+ 50 tokens$", second)


@pytest.mark.usefixtures("called")
def test_show_prints_an_entry_that_made_no_ticket(logdocket: Command) -> None:
    """As list does in JSON."""
    listed = logdocket("ledger", "list", "--kind", "call_finished", "--limit", "1", "--json").out
    assert logdocket("ledger", "show", str(json.loads(listed)["seq"])).out == listed


@pytest.mark.usefixtures("called")
def test_looking_adds_nothing(ledger: Path, logdocket: Command) -> None:
    """Though a call has expired: a copy of a ledger keeps the head that was noted."""
    before = logdocket("ledger", "verify").out
    for words in (["list"], ["summary"], ["export"], ["show", "1"]):
        assert logdocket("ledger", *words).code == 0
    assert logdocket("ledger", "verify").out == before
    SqliteStore(ledger, clock=lambda: START + 3_650 * 86_400 * SECOND).close()
    assert logdocket("ledger", "verify").out != before


@pytest.mark.usefixtures("called")
def test_summary_as_json_tells_of_calls_in_whole_numbers(logdocket: Command) -> None:
    """Money in billionths of a dollar, so that sums of it stay exact."""
    told = json.loads(logdocket("ledger", "summary", "--json").out)
    calls = told["calls"]
    assert calls["started"] == calls["finished"] + calls["interrupted"] + calls["in_flight"] == 3
    assert calls["charged"] == {"tokens": 2_500, "nano_usd": 24_600_000}
    assert (calls["nano_usd"], told["calls_avoided"]) == (24_600_000, 2)
    assert [(day["day"], day["calls"]) for day in told["by_day"]] == [("2026-01-03", calls)]
    assert told["budget"]["spent"] == {"tokens": 0, "nano_usd": 0}


@pytest.mark.parametrize(
    ("nano", "shown"),
    [
        (0, "0 USD"),
        (1, "0.000000001 USD"),
        (24_600_000, "0.0246 USD"),
        (1_000_000_000, "1 USD"),
        (10_000_000_000, "10 USD"),
        (1_234_567_890_123, "1,234.567890123 USD"),
    ],
)
def test_money_is_shown_to_the_last_billionth(nano: int, shown: str) -> None:
    """And with no more decimals than it takes."""
    assert usd(nano) == shown


@pytest.mark.usefixtures("called")
def test_calls_are_listed_by_their_kind(logdocket: Command) -> None:
    """What each was started with, newest first."""
    rows = logdocket("ledger", "list", "--json", "--kind", "call_started").out.splitlines()
    assert [json.loads(row)["detail"]["attempt"] for row in rows] == [1, 2, 1]
    assert logdocket("ledger", "verify").code == 0


def test_verify_names_the_head(logdocket: Command) -> None:
    """To be noted elsewhere and asked for again."""
    done = logdocket("ledger", "verify")
    head = json.loads(logdocket("ledger", "list", "--json").out.splitlines()[0])["hash"]
    assert (done.code, done.out) == (0, f"ok: 4 entries, head {head}\n")
    assert logdocket("ledger", "verify", "--head", head).code == 0


def test_verify_as_json(logdocket: Command) -> None:
    """The same for programs."""
    told = json.loads(logdocket("ledger", "verify", "--json").out)
    assert told["ok"] is True
    assert told["entries"] == 4
    assert told["bad_seq"] is None
    assert told["problem"] is None
    assert len(told["head"]) == 64


@pytest.mark.parametrize(
    ("statement", "bad"),
    [
        ("UPDATE entry SET source = 'model' WHERE seq = 2", 2),
        ("UPDATE entry SET reasons = '' WHERE seq = 3", 3),
        ("UPDATE entry SET at = at - 1 WHERE seq = 4", 4),
        ("DELETE FROM entry WHERE seq = 2", 2),
        ("UPDATE ticket SET body = '{}' WHERE seq = 1", 1),
        ("DELETE FROM ticket WHERE seq = 4", 4),
    ],
)
def test_verify_names_the_first_entry_that_was_tampered_with(
    statement: str, bad: int, logdocket: Command, ledger: Path
) -> None:
    """With exit code 1, for people and for programs."""
    tamper(ledger, statement)
    done = logdocket("ledger", "verify")
    assert (done.code, done.err) == (1, "")
    assert done.out.startswith(f"broken at entry {bad}: ")
    assert done.out.count("\n") == 1
    told = json.loads(logdocket("ledger", "verify", "--json").out)
    assert (told["ok"], told["bad_seq"]) == (False, bad)


def test_verify_misses_a_head_that_was_cut_off(logdocket: Command, ledger: Path) -> None:
    """What a shortened chain cannot show by itself, a head noted elsewhere does."""
    head = json.loads(logdocket("ledger", "verify", "--json").out)["head"]
    tamper(ledger, "DELETE FROM entry WHERE seq = 4", "DELETE FROM ticket WHERE seq = 4")
    assert logdocket("ledger", "verify").code == 0
    done = logdocket("ledger", "verify", "--head", head)
    assert done.code == 1
    assert done.out.startswith("broken: no entry has the expected hash")


@pytest.mark.parametrize("at", ["9223372036854775807", "-9223372036854775807", "'noon'"])
def test_an_impossible_time_can_still_be_listed(at: str, logdocket: Command, ledger: Path) -> None:
    """Whoever looks into a tampered ledger sees what is there."""
    tamper(ledger, f"UPDATE entry SET at = {at} WHERE seq = 2")
    done = logdocket("ledger", "list")
    assert done.code == 0
    assert done.out.splitlines()[3].split()[:2] == ["2", at.strip("'")]


def test_what_was_tampered_with_cannot_forge_a_row(logdocket: Command, ledger: Path) -> None:
    """Control characters in the database are shown, not obeyed."""
    tamper(ledger, "UPDATE entry SET kind = 'x' || char(10) || char(27) || '[2J' WHERE seq = 2")
    done = logdocket("ledger", "list")
    assert done.out.count("\n") == 5
    assert "\\n\\x1b[2J" in done.out
    assert "\x1b" not in logdocket("ledger", "verify").out


def linked(entry: dict[str, Any], before: bytes) -> bytes:
    """The hash of an exported entry, by the recipe that the store documents."""
    whole, _, micros = entry["at"].rstrip("Z").partition(".")
    assert len(micros) == 6
    seconds = int(datetime.fromisoformat(whole).replace(tzinfo=UTC).timestamp())
    text = f"{entry['seq']}:{seconds * SECOND + int(micros)}:"
    detail = json.dumps(entry["detail"], separators=(",", ":"), ensure_ascii=False)
    for part in (entry["kind"], entry["source"], ",".join(entry["reasons"]), detail):
        text += "-," if part is None else f"{len(part.encode())}:{part},"
    return sha256(before + text.encode()).digest()


def test_an_export_proves_itself(logdocket: Command) -> None:
    """Oldest first, and every hash follows from the row and the hash before."""
    done = logdocket("ledger", "export")
    assert done.code == 0
    before = bytes(32)
    for seq, row in enumerate(done.out.splitlines(), 1):
        entry = json.loads(row)
        assert entry["seq"] == seq
        before = linked(entry, before)
        assert entry["hash"] == before.hex()
    assert seq == len(LINES)


def test_an_export_as_csv_holds_the_same(logdocket: Command) -> None:
    """Columns by name; reasons with blanks between, detail as JSON."""
    entries = [json.loads(row) for row in logdocket("ledger", "export").out.splitlines()]
    logdocket("ledger", "export", "--format", "csv", "-o", "ledger.csv")
    with Path("ledger.csv").open(newline="", encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    assert [
        {
            "seq": int(row["seq"]),
            "at": row["at"],
            "kind": row["kind"],
            "source": row["source"] or None,
            "reasons": row["reasons"].split(),
            "detail": json.loads(row["detail"]),
            "hash": row["hash"],
        }
        for row in table
    ] == entries


def test_an_export_keeps_to_a_period(logdocket: Command) -> None:
    """In either form; an empty table still has its head."""
    period = ["--since", "2026-01-02T15:04:06Z", "--until", "2026-01-02T15:04:08Z"]
    assert numbers(logdocket("ledger", "export", *period).out) == [2, 3]
    empty = logdocket("ledger", "export", "--format", "csv", "--since", "2030-01-01T00:00:00Z")
    assert empty.out.splitlines() == ["seq,at,kind,source,reasons,detail,hash"]


def test_an_export_replaces_a_file_at_once(logdocket: Command) -> None:
    """Through a link too; nothing else is left in the folder."""
    Path("target.jsonl").write_text("old")
    Path("link.jsonl").symlink_to("target.jsonl")
    assert logdocket("ledger", "export", "-o", "link.jsonl") == (0, "", "")
    assert Path("link.jsonl").is_symlink()
    assert numbers(Path("target.jsonl").read_text()) == [1, 2, 3, 4]
    assert {path.name for path in Path.cwd().iterdir()} == {
        "link.jsonl",
        "logdocket.db",
        "target.jsonl",
    }


def test_an_export_to_a_dash_is_printed(logdocket: Command) -> None:
    """As other programs understand it."""
    assert numbers(logdocket("ledger", "export", "-o", "-").out) == [1, 2, 3, 4]
    assert not Path("-").exists()


def test_an_export_writes_into_a_device_and_does_not_replace_it(
    logdocket: Command, tmp_path: Path
) -> None:
    """Or into a pipe: what is there and is no plain file stays what it is."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert logdocket("ledger", "export", "-o", pipe).code == 0
        assert numbers(os.read(reader, 1 << 16).decode()) == [1, 2, 3, 4]
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert logdocket("ledger", "export", "-o", "/dev/null").code == 0
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("missing/x.jsonl", "no such file or directory"),
        ("logdocket.db/x.jsonl", "not a directory"),
        (".", "is a directory"),
        ("/dev/full", "no space left on device"),
        ("x" * 250, "file name too long"),
    ],
)
def test_an_output_that_cannot_be_written_is_told(output: str, said: str, told: Told) -> None:
    """On one line, with exit code 4, and nothing is left behind."""
    assert told("ledger", "export", "-o", output) == (
        4,
        f"--output {output} cannot be written ({said}): name a file",
    )
    assert [path.name for path in Path.cwd().iterdir()] == ["logdocket.db"]


def test_an_export_that_fails_leaves_the_old_file(
    logdocket: Command, told: Told, ledger: Path
) -> None:
    """A half-written export never takes the place of a whole one."""
    logdocket("ledger", "export", "-o", "out.jsonl")
    whole = Path("out.jsonl").read_bytes()
    tamper(ledger, "UPDATE entry SET source = 'oracle' WHERE seq = 3")
    code, line = told("ledger", "export", "-o", "out.jsonl")
    assert code == 3
    assert "entry 3" in line
    assert Path("out.jsonl").read_bytes() == whole
    assert {path.name for path in Path.cwd().iterdir()} == {"out.jsonl", "logdocket.db"}


@pytest.mark.usefixtures("called")
def test_a_wrong_answer_is_taken_out_of_sharing(ledger: Path, logdocket: Command) -> None:
    """By the number of the ticket, or of a hit on it; again is no error."""
    with closing(SqliteStore(ledger, clock=lambda: START)) as store:
        number = next(entry.seq for entry in store.export() if entry.source is Source.MODEL)
        assert store.known(TEMPLATE[:16], TEMPLATE[16:]) is not None
    for entry in (number, number + 2):
        done = logdocket("ledger", "unshare", str(entry))
        assert (done.code, done.err) == (0, "")
        assert f"entry {entry}" in done.out
    with closing(SqliteStore(ledger, clock=lambda: START)) as store:
        assert store.known(TEMPLATE[:16], TEMPLATE[16:]) is None
        assert store.verify().ok


@pytest.mark.parametrize("number", ["1", "3", "99"])
def test_what_is_not_shared_cannot_be_unshared(number: str, logdocket: Command) -> None:
    """The rules' own ticket, a hit on it, and an entry that there is not."""
    done = logdocket("ledger", "unshare", number)
    assert (done.code, done.out) == (2, "")
    assert f"entry {number} " in done.err
    assert "logdocket ledger list --source model" in done.err
