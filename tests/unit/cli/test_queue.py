from __future__ import annotations

import csv
import getpass
import io
import itertools
import json
import os
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from logdocket.confidence import shipped
from logdocket.docket import Extractor, Policy
from logdocket.evaluation.sets import read_set
from logdocket.line import NO_CONTEXT, Line
from logdocket.store import SqliteStore

from .conftest import Command

# 2026-01-02T15:04:05Z, in µs.
START = 1_767_366_245_000_000
SECOND = 1_000_000
KEPT = "2026-01-02T15:04:05Z ERROR payments: card refused"
UNKEPT = "Jan  2 15:04:05 web-1.example sshd[7]: error: no route"
HOSTILE = "2026-01-02T15:04:05Z FATAL pay\u202e: \x1b[2Jdisk\udcff is gone <script>\x07"
LEDGER = Path("logdocket.db")
WHO = ("--who", "rev-a")
Told = Callable[..., tuple[int, str]]


def enter(*lines: str, at: int = 0, keep_text: bool = True, into: Path = LEDGER) -> None:
    """Answer the lines at that second, and enter the answers in a ledger."""
    clock = itertools.repeat(START + at * SECOND).__next__
    with closing(SqliteStore(into, clock=clock)) as store:
        extractor = Extractor(Policy(keep_text=keep_text), shipped(), store, clock)
        extractor.finish(extractor.begin([(Line(line), NO_CONTEXT) for line in lines]))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The ledger of ``groups``."""
    ledger = tmp_path_factory.mktemp("made") / LEDGER
    enter(KEPT, KEPT, into=ledger)
    enter(UNKEPT, at=1, keep_text=False, into=ledger)
    enter(HOSTILE, at=2, into=ledger)
    return ledger


@pytest.fixture
def groups(made: Path) -> None:
    """Groups 1 (given twice), 3, whose text is not kept, and 4, which is hostile: a group has the
    number of its first ticket."""
    shutil.copy(made, LEDGER)


Queue = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def queue(logdocket: Command) -> Queue:
    """Runs a command of the queue that prints JSON and must succeed; the rows."""

    def run(*words: str) -> list[dict[str, Any]]:
        done = logdocket("queue", *words, "--json")
        assert (done.code, done.err) == (0, "")
        return [json.loads(row) for row in done.out.split("\n")[:-1]]

    return run


def numbers(rows: list[dict[str, Any]]) -> list[int]:
    """The numbers of the groups that were printed as JSON."""
    return [row["id"] for row in rows]


@contextmanager
def lock() -> Iterator[None]:
    """Hold the write lock on the ledger, as another program would."""
    with closing(sqlite3.connect(LEDGER, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


# List


@pytest.mark.usefixtures("groups")
def test_list_is_for_people(logdocket: Command) -> None:
    """Most severe first, of those the newest, under a head."""
    done = logdocket("queue", "list")
    assert (done.code, done.err) == (0, "")
    head, hostile, unkept, kept = done.out.split("\n")[:-1]
    assert head.split() == "id severity service count since last seen evidence".split()
    assert hostile.split()[:2] == ["4", "critical"]
    assert unkept.split()[:5] == ["3", "high", "sshd", "1", "1"]
    assert kept.split()[:5] == ["1", "high", "payments", "2", "2"]
    assert kept.endswith("card refused")


@pytest.mark.usefixtures("groups")
def test_list_as_json_tells_all_of_a_group(queue: Queue) -> None:
    """As the service does."""
    row = queue("list", "--service", "payments")[0]
    assert (row["state"], row["count"], row["version"]) == ("open", 2, 0)
    assert row["by_source"] == {"model": 0, "cache": 1, "fallback": 1}
    assert row["first_at"] == "2026-01-02T15:04:05.000000Z"


@pytest.mark.usefixtures("groups")
@pytest.mark.parametrize("words", [["list"], ["list", "--state", "all"], ["show", "4"]])
def test_hostile_text_never_reaches_a_terminal(words: list[str], logdocket: Command) -> None:
    """Nothing that is printed but line feeds moves a cursor or turns text around."""
    for form in ([], ["--json"]):
        done = logdocket("queue", *words, *form)
        assert done.code == 0
        assert "disk" in done.out
        assert done.out.replace("\n", "").isprintable()


@pytest.mark.usefixtures("groups")
@pytest.mark.parametrize(
    ("options", "found"),
    [
        ([], [4, 3, 1]),
        (["--severity", "high"], [3, 1]),
        (["--severity", "high", "--severity", "critical"], [4, 3, 1]),
        (["--severity", "low"], []),
        (["--service", "sshd"], [3]),
        (["--reason", "timestamp_no_year"], [3]),
        (["--source", "cache"], [1]),
        (["--source", "model"], []),
        (["--text", "CARD"], [1]),
        (["--text", "card", "--severity", "critical"], []),
        (["--sort", "newest"], [4, 3, 1]),
        (["--sort", "oldest"], [1, 3, 4]),
        (["--sort", "count"], [1, 4, 3]),
        (["--limit", "1"], [4]),
        (["--state", "open"], [4, 3, 1]),
        (["--state", "all"], [4, 3, 1]),
        (["--state", "resolved", "--state", "snoozed"], []),
    ],
)
def test_filters_choose_groups(options: list[str], found: list[int], logdocket: Command) -> None:
    """Each alone and together."""
    done = logdocket("queue", "list", "--json", *options)
    assert done.code == 0
    assert numbers([json.loads(row) for row in done.out.split("\n")[:-1]]) == found


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["list", "--state", "opne"], "--state 'opne' is none of: open, resolved, dismissed, sno"),
        (["list", "--severity", "bad"], "--severity 'bad' is none of: low, medium, high, critical"),
        (["list", "--reason", "x"], "--reason 'x' is none of: model_not_configured, missing_"),
        (["list", "--source", "x"], "--source 'x' is none of: model, cache, fallback"),
        (["list", "--sort", "x"], "--sort 'x' is none of: severity, newest, oldest, count"),
        (["list", "--cursor", "x"], "--cursor 'x' is none that list told with these options: le"),
        (["show", "99"], "there is no group 99: see logdocket queue list --state all"),
        (["resolve", "1", "99", "--right"], "there is no group 99: see logdocket queue list"),
        (["resolve", "1"], "there is no verdict: give one of --right, --not-a-problem, "),
        (["resolve", "1", "--right", "--undo"], "--right and --undo are different verdicts: "),
        (["resolve", "1", "3", "--service", "x"], "a correction is about one group: name one, n"),
        (["resolve", "1", "3", "--right", "--line", "x"], "--line is about one group: name one"),
        (["resolve", "1", "3", "--undo", "--version", "3"], "--version is about one group: name"),
        (["resolve", "1", "--snooze", "soon"], "--snooze 'soon' is no time within ten years: "),
        (["resolve", "1", "--severity", "x"], "--severity 'x' is none of: low, medium, high, c"),
        (["export", "--state", "x"], "--state 'x' is none of: open, "),
    ],
)
@pytest.mark.usefixtures("groups")
def test_a_wrong_word_is_told_with_the_mend(
    options: list[str], said: str, told: Told, queue: Queue
) -> None:
    """On one line, with exit code 2, and nothing is decided."""
    code, line = told("queue", *options)
    assert code == 2
    assert line.startswith(said)
    assert [row["version"] for row in queue("list")] == [0, 0, 0]


@pytest.mark.parametrize("words", [["list"], ["show", "1"], ["resolve", "1", "--right"]])
def test_looking_makes_no_ledger(words: list[str], told: Told) -> None:
    """A name that is not there is most likely misspelt."""
    assert told("queue", *words, "--db", "misspelt.db") == (
        3,
        "there is no misspelt.db: name the ledger with --db or LOGDOCKET_DB",
    )
    assert not Path("misspelt.db").exists()


@pytest.mark.usefixtures("groups")
def test_there_is_more_where_the_page_is_full(logdocket: Command) -> None:
    """The cursor leads on to the end, and is told to programs beside the rows."""
    first = logdocket("queue", "list", "--limit", "2")
    more = first.out.split("\n")[-2]
    assert more.startswith("there are more: add --cursor ")
    rest = logdocket("queue", "list", "--cursor", more.split()[-1])
    assert [row.split()[0] for row in rest.out.split("\n")[1:-1]] == ["1"]
    assert logdocket("queue", "list", "--limit", "2", "--json").err == f"logdocket: {more}\n"


@pytest.mark.usefixtures("groups")
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--state", "resolved"], "no group is resolved: 3 open (--state all shows them)"),
        (["--state", "snoozed", "--state", "dismissed"], "no group is snoozed or dismissed: 3 op"),
        (["--service", "x"], "none of 3 groups fits these options"),
    ],
)
def test_an_empty_page_says_why(options: list[str], said: str, logdocket: Command) -> None:
    """Other states have groups, or no group has these words."""
    assert logdocket("queue", "list", *options).out.startswith(said)
    assert logdocket("queue", "list", *options, "--json").out == ""


def test_an_empty_queue_says_so(logdocket: Command) -> None:
    """A ledger without entries has none."""
    SqliteStore(LEDGER, clock=lambda: START).close()
    done = logdocket("queue", "list")
    assert done == (0, "the queue is empty: no ticket needs a person\n", "")


@pytest.mark.usefixtures("groups")
@pytest.mark.parametrize("words", [["list", "--sort", "oldest"], ["show", "1"], ["export"]])
def test_what_cannot_be_brought_up_to_date_is_shown_as_far_as_it_goes(
    words: list[str], logdocket: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for a lock to see the queue, and nobody takes it for all there is."""
    logdocket("queue", "list")
    enter("2026-01-02T15:04:05Z ERROR tardy: too slow", at=3)
    monkeypatch.setenv("LOGDOCKET_BUSY_TIMEOUT", "0.05")
    with lock():
        done = logdocket("queue", *words)
    assert done.code == 0
    assert "payments" in done.out
    assert "tardy" not in done.out
    assert done.err.startswith("logdocket: the queue follows the ledger up to entry 4 of 5 only: ")
    assert done.err.count("\n") == 1


# Show


@pytest.mark.usefixtures("groups")
def test_show_tells_what_to_decide_about(logdocket: Command) -> None:
    """The ticket, the line with its evidence marked, and every reason with its mend."""
    done = logdocket("queue", "show", "1")
    assert (done.code, done.err) == (0, "")
    lines = done.out.split("\n")
    assert lines[0] == "group 1: open, version 0"
    assert "  severity    high" in lines
    assert "  tickets     2: 1 from cache, 1 from fallback" in lines
    assert "  line        2026-01-02T15:04:05Z ERROR payments: >>card refused<<" in lines
    why = lines.index("why it needs a person:")
    assert lines[why + 1].startswith("  model_not_configured: No model is set up")
    assert lines[why + 2] == "      Confirm the fields against the line."
    assert "verdicts" not in done.out


@pytest.mark.usefixtures("groups")
def test_show_says_where_the_line_is_not_kept(logdocket: Command) -> None:
    """And what keeps it from now on."""
    assert (
        "  line        not kept; LOGDOCKET_KEEP_TEXT keeps" in logdocket("queue", "show", "3").out
    )


def test_show_leaves_out_most_of_a_long_line(logdocket: Command) -> None:
    """What stands around the evidence is there; how much is not is told."""
    enter("2026-01-02T15:04:05Z ERROR payments: " + "x " * 3_000)
    (line,) = [row for row in logdocket("queue", "show", "1").out.split("\n") if "  line  " in row]
    assert line.startswith("  line        2026-01-02T15:04:05Z ERROR payments: >>x x ")
    assert line.endswith("bytes more]")
    assert len(line) < 1_500


@pytest.mark.usefixtures("groups")
def test_show_as_json_tells_all(queue: Queue) -> None:
    """Group, ticket with its spans, verdicts and calls."""
    (shown,) = queue("show", "1")
    assert list(shown) == ["group", "ticket", "tickets", "verdicts", "calls"]
    assert (shown["group"]["id"], shown["ticket"]["line"]) == (1, KEPT)
    assert (shown["verdicts"], shown["calls"]) == ([], [])


# Resolve


@pytest.mark.usefixtures("groups")
@pytest.mark.parametrize(
    ("options", "state", "verdict", "teaches"),
    [
        (["--right"], "resolved", "right", True),
        (["--not-a-problem"], "dismissed", "not_a_problem", False),
        (["--snooze", "2h"], "snoozed", "snoozed", False),
        (["--severity", "low", "--evidence", "refused"], "resolved", "corrected", True),
    ],
)
def test_a_verdict_is_entered(
    options: list[str], state: str, verdict: str, teaches: bool, logdocket: Command, queue: Queue
) -> None:
    """The group is where it leads, the ledger knows who and what, and what it teaches is told."""
    done = logdocket("queue", "resolve", "1", *options, *WHO, "--note", "as usual")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"group 1: {state}")
    (line,) = done.out.split("\n")[:-1]
    assert line.endswith(
        ", version 5"
        + ("; it answers lines of its template with numbers of the same size" * teaches)
    )
    (shown,) = queue("show", "1")
    assert (shown["group"]["state"], shown["group"]["decided_by"]) == (state, "rev-a")
    (entered,) = shown["verdicts"]
    assert (entered["id"], entered["verdict"], entered["who"]) == (5, verdict, "rev-a")
    assert entered["note"] == "as usual"
    assert logdocket("ledger", "verify").code == 0


@pytest.mark.usefixtures("groups")
def test_a_correction_is_told_field_by_field(logdocket: Command) -> None:
    """What changed, and nothing else; then what took it back."""
    words = ("--severity", "low", "--service", "card", "--note", "not ours")
    assert logdocket("queue", "resolve", "1", *words, *WHO).code == 0
    assert logdocket("queue", "resolve", "1", "--undo", "--who", "rev-b").code == 0
    lines = logdocket("queue", "show", "1").out.split("\n")
    told = lines[lines.index("verdicts, newest first:") + 1 : -1]
    assert len(told) == 5
    assert told[0].startswith("  entry 6  ")
    assert told[0].endswith("undone entry 5 by rev-b, of ticket 1")
    assert told[1].endswith("corrected by rev-a, of ticket 1, undone by entry 6")
    assert told[2:] == [
        "      service: payments -> card",
        "      severity: high -> low",
        "      note: not ours",
    ]


@pytest.mark.usefixtures("groups")
def test_several_groups_are_decided_about_at_once(queue: Queue) -> None:
    """In the order that they were named, each once."""
    decided = queue("resolve", "4", "1", "4", "--not-a-problem", *WHO)
    assert [row["group"]["id"] for row in decided] == [4, 1]
    assert [row["verdict"] for row in decided] == [5, 6]
    assert numbers(queue("list")) == [3]
    queue("resolve", "4", "1", "--reopen", *WHO)
    assert numbers(queue("list")) == [4, 3, 1]


@pytest.mark.usefixtures("groups")
def test_whoever_is_late_overwrites_nobody(logdocket: Command) -> None:
    """A version that was looked at and is old gets exit code 1 and how the group stands."""
    assert logdocket("queue", "resolve", "1", "--right", "--version", "0", *WHO).code == 0
    late = ("queue", "resolve", "1", "--not-a-problem", "--version", "0", "--who", "rev-b")
    done = logdocket(*late)
    assert (done.code, done.out) == (1, "")
    first, second = done.err.split("\n")[:-1]
    assert first.startswith("logdocket: group 1: nothing was decided: someone else has decided ")
    assert second.startswith("logdocket: group 1 stands: resolved, right by rev-a at 20")
    as_json = logdocket(*late, "--json")
    assert (as_json.code, as_json.err) == (1, "")
    told = json.loads(as_json.out)
    assert told["problem"]["type"] == "urn:logdocket:problem:review-conflict"
    assert (told["group"]["verdict"], told["group"]["version"]) == ("right", 5)


@pytest.mark.usefixtures("groups")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["1", "--evidence", "card accepted"],
            "--evidence 'card accepted' is no quote of the line",
        ),
        (["1", "--service", "ledger"], "--service 'ledger' stands neither in the line nor in "),
        (["1", "--first-seen", "noon"], "--first-seen 'noon' is no time that the line has"),
        (["3", "--service", "web-1.example"], "--service 'web-1.example' does not stand in the "),
        (["3", "--right", "--line", "another line"], "--line is not the line of the judged ticket"),
        (["1", "--undo"], ""),
        (["1", "--right", "--who", "a\nb"], ""),
        (["1", "--right", "--who", ""], ""),
    ],
)
def test_a_verdict_that_breaks_a_law_is_refused(
    words: list[str], said: str, logdocket: Command, queue: Queue
) -> None:
    """With exit code 1, why, and how the group stands: as before."""
    done = logdocket("queue", "resolve", *words)
    assert (done.code, done.out) == (1, "")
    first, second = done.err.split("\n")[:-1]
    assert first.startswith(f"logdocket: group {words[0]}: nothing was decided: {said}")
    assert second == f"logdocket: group {words[0]} stands: open, version 0"
    assert {row["version"] for row in queue("list")} == {0}


@pytest.mark.usefixtures("groups")
def test_of_several_verdicts_those_that_hold_are_entered(logdocket: Command, queue: Queue) -> None:
    """And the exit code tells that one was not."""
    queue("resolve", "1", "--right", *WHO)
    done = logdocket("queue", "resolve", "1", "3", "--undo", *WHO)
    assert done.code == 1
    assert done.out.startswith("group 1: open, version 6")
    assert done.err.startswith("logdocket: group 3: nothing was decided: ")


@pytest.mark.usefixtures("groups")
def test_a_verdict_about_an_unknown_line_answers_that_line_alone(logdocket: Command) -> None:
    """And says so, when it is entered and later."""
    done = logdocket("queue", "resolve", "3", "--right", *WHO)
    assert done.out.endswith("; it answers the same line\n")
    assert logdocket("queue", "show", "3").out.endswith("\n      it answers the same line\n")


@pytest.mark.usefixtures("groups")
def test_the_line_can_be_given_where_it_is_not_kept(logdocket: Command, queue: Queue) -> None:
    """Then a correction may use all of it, and lines of its template are answered."""
    queue("resolve", "3", "--service", "web-1.example", "--line", UNKEPT, *WHO)
    (verdict,) = queue("show", "3")[0]["verdicts"]
    assert (verdict["after"]["service"], verdict["answers"]) == ("web-1.example", "template")


@pytest.mark.parametrize("ending", ["", "\n", "\r\n", "\nand another\n"])
@pytest.mark.usefixtures("groups")
def test_the_line_can_be_piped(ending: str, queue: Queue, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a shell has nothing to quote; what ends it does not belong to it."""
    Path("line").write_bytes((UNKEPT + ending).encode())
    with Path("line").open() as given:
        monkeypatch.setattr(sys, "stdin", given)
        queue("resolve", "3", "--right", "--line", "-", *WHO)
    assert queue("show", "3")[0]["verdicts"][0]["answers"] == "template"


@pytest.mark.usefixtures("groups")
def test_no_line_on_standard_input_is_told(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it is empty, closed, or no file."""
    words = ("queue", "resolve", "3", "--right", "--line", "-")
    monkeypatch.setattr(sys, "stdin", None)
    assert told(*words) == (2, "standard input is closed: send the ticket's line into it")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
    assert told(*words) == (2, "standard input is empty: send the ticket's line into it")


@pytest.mark.usefixtures("groups")
def test_who_decides_is_who_is_logged_in(queue: Queue, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the operating system's word."""
    monkeypatch.setenv("LOGNAME", "rev-c")
    assert queue("resolve", "1", "--right")[0]["group"]["decided_by"] == "rev-c"


@pytest.mark.usefixtures("groups")
def test_who_has_no_name_is_asked_for_one(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container whose user is a bare number."""
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os, "getuid", lambda: 2**31 - 9)
    with pytest.raises((OSError, KeyError)):
        getpass.getuser()
    assert told("queue", "resolve", "1", "--right") == (
        2,
        "you have no login name here: tell who decides by --who",
    )


@pytest.mark.usefixtures("groups")
def test_nothing_is_decided_where_it_cannot_be_entered(
    told: Told, queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With exit code 3; a verdict is an entry or nothing."""
    with monkeypatch.context() as patch, lock():
        patch.setenv("LOGDOCKET_BUSY_TIMEOUT", "0.05")
        code, line = told("queue", "resolve", "1", "--right")
    assert code == 3
    assert "is locked" in line
    assert {row["version"] for row in queue("list")} == {0}


def test_a_new_ticket_opens_a_group_again(logdocket: Command, queue: Queue) -> None:
    """With how many came since, and its state where groups are listed."""
    enter(UNKEPT, keep_text=False)
    queue("resolve", "1", "--right", *WHO)
    enter(UNKEPT.replace("sshd[7]", "sshd[8]"), keep_text=False)
    assert logdocket("queue", "list").out.split("\n")[1].split()[:7] == (
        "1 open again high sshd 2 1".split()
    )
    assert "2 from fallback; 1 since the last decision" in logdocket("queue", "show", "1").out


# Export


@pytest.mark.usefixtures("groups")
def test_an_export_has_every_group_oldest_first(logdocket: Command, queue: Queue) -> None:
    """Whatever its state; as list prints it in JSON."""
    queue("resolve", "3", "--right", *WHO)
    done = logdocket("queue", "export")
    assert (done.code, done.err) == (0, "")
    exported = [json.loads(row) for row in done.out.split("\n")[:-1]]
    assert exported == queue("list", "--state", "all", "--sort", "oldest")
    assert numbers(exported) == [1, 3, 4]
    some = logdocket("queue", "export", "--state", "resolved", "--severity", "high").out
    assert numbers([json.loads(some)]) == [3]


@pytest.mark.usefixtures("groups")
def test_an_export_as_csv_is_for_spreadsheets(logdocket: Command) -> None:
    """Into a file that takes its name when it is whole."""
    enter("2026-01-02T15:04:05Z ERROR payments: =1+1 is what came", at=3)
    Path("queue.csv").write_text("what was there before")
    assert logdocket("queue", "export", "--format", "csv", "-o", "queue.csv") == (0, "", "")
    with Path("queue.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["id"] for row in rows] == ["1", "3", "4", "5"]
    assert rows[3]["evidence"] == "'=1+1 is what came"
    assert {path.name for path in Path.cwd().iterdir()} == {"queue.csv", "logdocket.db"}


@pytest.mark.usefixtures("groups")
def test_verdicts_are_a_set_of_labelled_lines(logdocket: Command, queue: Queue) -> None:
    """Of lines that are kept, by the latest verdict that stands; the others are counted."""
    queue("resolve", "1", "--severity", "low", *WHO)
    queue("resolve", "3", "4", "--right", *WHO)
    done = logdocket("queue", "export", "--format", "labelled", "-o", "shop.jsonl")
    told = "logdocket: 1 ticket that was judged is left out: the text of the line is not kept\n"
    assert done == (0, "", told)
    kept, hostile = read_set(Path("shop.jsonl"))
    assert (kept.line, kept.severity, kept.service) == (KEPT, "low", "payments")
    assert hostile.line == HOSTILE
    some = logdocket("queue", "export", "--format", "labelled", "--service", "payments")
    assert (some.err, json.loads(some.out)["line"]) == ("", KEPT)
    queue("resolve", "1", "--undo", *WHO)
    rest = logdocket("queue", "export", "--format", "labelled").out
    assert [json.loads(row)["line"] for row in rest.split("\n")[:-1]] == [HOSTILE]


@pytest.mark.usefixtures("groups")
def test_verdicts_are_rows_of_a_fixture(logdocket: Command, queue: Queue) -> None:
    """That replay reads; what people said is what is expected."""
    queue("resolve", "1", "4", "--right", *WHO)
    assert logdocket("queue", "export", "--format", "fixture", "-o", "shop.jsonl").code == 0
    rows = [json.loads(row) for row in Path("shop.jsonl").read_text().split("\n")[:-1]]
    assert [row["line"] for row in rows] == [KEPT, HOSTILE]
    assert rows[0]["expect"]["service"] == "payments"
    done = logdocket("replay", "shop.jsonl")
    assert (done.code, done.err) == (0, "")
    first = json.loads(done.out.partition("\n")[0])
    assert first["ticket"]["service"] == "payments"


@pytest.mark.usefixtures("groups")
@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("missing/x.csv", "no such file or directory"),
        (".", "is a directory"),
        ("/dev/full", "no space left on device"),
    ],
)
def test_an_output_that_cannot_be_written_is_told(output: str, said: str, told: Told) -> None:
    """On one line, with exit code 4, and nothing is left behind."""
    assert told("queue", "export", "--format", "csv", "-o", output) == (
        4,
        f"--output {output} cannot be written ({said}): name a file",
    )
    assert [path.name for path in Path.cwd().iterdir()] == ["logdocket.db"]
