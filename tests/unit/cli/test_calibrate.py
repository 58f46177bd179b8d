from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from logdocket.bootstrap import microseconds
from logdocket.confidence import Table, shipped
from logdocket.docket import Ask, Extractor, Policy, ReviewDesk
from logdocket.line import NO_CONTEXT, Line
from logdocket.store import SqliteStore
from logdocket.store.review import Decided, VerdictWord

from .conftest import Command

Told = Callable[..., tuple[int, str]]
STAMP = "2026-01-02T15:04:05Z"


def written(name: str, right: int, wrong: int = 0) -> Path:
    """A set of one system: so many lines, each of a template of its own."""
    rows = [
        {
            "line": f"{STAMP} ERROR pay: card refused",
            "severity": "high" if number < right else "low",
            "first_seen": [STAMP],
            "service": "pay",
            "template": f"T{number}",
        }
        for number in range(right + wrong)
    ]
    path = Path(f"{name}.jsonl")
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize("word", [[], ["fit"]])
def test_a_table_is_fitted_to_standard_output(word: list[str], logdocket: Command) -> None:
    """And what went into it is told beside it."""
    done = logdocket("calibrate", *word, written("bank", 3, 1), written("shop", 4))
    assert done.code == 0
    assert Table.from_json(done.out.encode()).cells == {
        "level": (7, 8),
        "level/logger": (7, 8),
        "level/logger/read": (7, 8),
    }
    assert done.err.startswith("fitted on 8 tickets, 8 templates of 2 systems\n")
    assert f"{'level/logger/read':<29}{8:>11}{7:>10}{0.8639:>12}\n" in done.err
    assert "no threshold meets a risk of 0.02" in done.err


def test_a_table_is_written_to_a_file(logdocket: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the setting can name it; the threshold follows from the risk."""
    monkeypatch.setenv("LOGDOCKET_RISK", "0.5")
    done = logdocket("calibrate", "-o", "table.json", written("bank", 40))
    assert (done.code, done.err) == (0, "")
    assert "threshold for a risk of 0.5: 0.9" in done.out
    assert Table.from_json(Path("table.json").read_bytes()).cells["level"] == (40, 40)
    assert sorted(path.name for path in Path.cwd().iterdir()) == ["bank.jsonl", "table.json"]


def test_what_is_no_file_is_written_to_and_stays_what_it_is(logdocket: Command) -> None:
    """Such as a pipe or a device: neither is replaced by a file, nor is a link."""
    shop = written("shop", 1)
    os.mkfifo("pipe")
    os.symlink("real.json", "link.json")
    reader = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert logdocket("calibrate", shop, "-o", "pipe").code == 0
        assert b"cells" in os.read(reader, 65_536)
    finally:
        os.close(reader)
    assert Path("pipe").is_fifo()
    assert logdocket("calibrate", shop, "-o", "link.json").code == 0
    assert Path("link.json").is_symlink()
    assert b"cells" in Path("real.json").read_bytes()


def test_a_table_that_cannot_be_written_is_told(told: Told) -> None:
    """With exit code 4, as any output."""
    code, line = told("calibrate", written("bank", 1), "-o", "none/table.json")
    assert code == 4
    assert line.startswith("none/table.json cannot be written (No such file")


def test_a_set_without_full_labels_gives_no_table(told: Told) -> None:
    """An empty table would look like one."""
    Path("bare.jsonl").write_text('{"line":"card refused"}\n')
    code, line = told("calibrate", "bare.jsonl")
    assert code == 2
    assert line.startswith("no line of bare.jsonl has severity, first_seen and service: ")


def test_a_set_that_is_not_there_is_told(told: Told) -> None:
    """By its name."""
    code, line = told("calibrate", "none.jsonl")
    assert code == 2
    assert line.startswith("none.jsonl cannot be read")


def test_help_is_of_both_commands(logdocket: Command) -> None:
    """And the word for help is no set."""
    done = logdocket("calibrate", "--help")
    assert done.code == 0
    assert "\n  fit " in done.out
    assert "\n  report " in done.out


def test_a_report_is_printed(logdocket: Command) -> None:
    """For people."""
    done = logdocket("calibrate", "report", written("bank", 200), written("shop", 200))
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("400 tickets of 400 templates and 2 systems, ")
    assert "Threshold for a risk of 0.02: 0.99" in done.out


def test_a_report_is_printed_as_json(logdocket: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """For programs: one object on one line, by the same risk."""
    monkeypatch.setenv("LOGDOCKET_RISK", "0.001")
    done = logdocket("calibrate", "report", "--json", written("bank", 200), written("shop", 200))
    assert done.out.count("\n") == 1
    found = json.loads(done.out)
    assert (found["tickets"], found["risk"], found["threshold"]) == (400, 0.001, None)
    assert set(found["left_out"]) == {"ece", "ece_by_template", "brier", "brier_by_template"}
    assert found["curve"][0]["wrong"] == 0


def test_without_a_set_the_shipped_ones_are_reported_on(logdocket: Command) -> None:
    """So that what is shipped can be checked anywhere."""
    found = json.loads(logdocket("calibrate", "report", "--json").out)
    assert found["tickets"] > 500
    assert len(found["systems"]) > 10


def test_one_system_cannot_be_left_out(told: Told) -> None:
    """There is no other to judge it by."""
    code, line = told("calibrate", "report", written("bank", 20))
    assert code == 2
    assert line.startswith("bank is one system, and each is held against the table of all others")


def test_a_plot_is_drawn_beside_the_report(logdocket: Command) -> None:
    """As the name of the file says."""
    done = logdocket("calibrate", "report", "--plot", "r.svg", written("a", 20), written("b", 20))
    assert done.code == 0
    assert b"<svg" in Path("r.svg").read_bytes()


def test_a_plot_of_another_kind_is_refused(told: Told) -> None:
    """With what would do."""
    code, line = told("calibrate", "report", "--plot", "r.pdf", written("a", 20), written("b", 20))
    assert (code, line) == (4, "r.pdf is neither SVG nor PNG: give a name ending in .svg or .png")


def reviewed(word: str, lines: int = 2, **asked: str) -> Path:
    """A ledger with tickets of one template, each decided about so by a person."""
    path = Path("reviews.db")
    store = SqliteStore(path, clock=microseconds)
    extractor = Extractor(Policy(keep_text=True, fallback_ttl=0), shipped(), store, microseconds)
    desk = ReviewDesk(store, clock=microseconds, max_line=65_536)
    begun = [(Line(f"{STAMP} ERROR pay: task {task} gave up"), NO_CONTEXT) for task in range(lines)]
    for given in extractor.finish(extractor.begin(begun)):
        desk.catch_up()
        assert given.id is not None
        group = store.group_of(given.id)
        assert group is not None
        about = {"group": group.id, "version": group.version, "ticket": given.id}
        (outcome,) = desk.decide([Ask(verdict=VerdictWord(word), **about, **asked)], "rev-a")
        assert isinstance(outcome, Decided)
    store.close()
    return path


def test_what_people_said_is_counted_without_any_set(logdocket: Command) -> None:
    """Each group once; and how far what they said of one line holds for the others."""
    done = logdocket("calibrate", "--from-reviews", "--db", reviewed("right"))
    assert done.code == 0
    assert Table.from_json(done.out.encode()).cells == {
        "level": (1, 1),
        "level/logger": (1, 1),
        "level/logger/read": (1, 1),
        "reviewed": (1, 1),
        "reviewed/level": (1, 1),
        "reviewed/level/logger": (1, 1),
        "reviewed/level/logger/read": (1, 1),
    }
    assert "from reviews: 1 label, 1 of them right\n" in done.err
    assert "repeated: 2 tickets that the label of another line answers, 1 template\n" in done.err
    assert "for tickets that repeat a person's word none does" in done.err
    assert "worth less than the shipped table" in done.err


def test_the_shipped_sets_keep_what_reviews_do_not_tell(logdocket: Command) -> None:
    """The sets that the advice names are there, and then there is no more advice."""
    db = reviewed("right")
    advice = logdocket("calibrate", "--from-reviews", "--db", db).err.split("\n")[-2]
    named = next(word for word in advice.split(" ") if word.endswith("*.jsonl"))
    one = min(Path(named).parent.glob("*.jsonl"))
    done = logdocket("calibrate", one, "--from-reviews", "--db", db)
    assert done.code == 0
    assert "worth less" not in done.err


def test_a_correction_counts_against_the_rules_and_for_who_corrects_alike(
    logdocket: Command,
) -> None:
    """Beside the labels of a set."""
    db = reviewed("corrected", severity="critical")
    done = logdocket("calibrate", written("bank", 3), "--from-reviews", "--db", db)
    cells = Table.from_json(done.out.encode()).cells
    assert cells["level/logger/read"] == (3, 4)
    assert cells["reviewed/level/logger/read"] == (1, 1)
    assert "from reviews: 1 label, 0 of them right\n" in done.err


def test_a_ledger_without_verdicts_gives_no_table(told: Told) -> None:
    """Beside a set it does no harm."""
    SqliteStore("empty.db", clock=microseconds).close()
    code, line = told("calibrate", "--from-reviews", "--db", "empty.db")
    assert code == 2
    assert line.startswith("nobody has said yet of any ticket whether it is right: ")


def test_without_sets_and_reviews_there_is_nothing_to_fit(told: Told) -> None:
    """Nor is a ledger made by asking."""
    code, line = told("calibrate", "fit", "-o", "table.json")
    assert (code, line) == (2, "there is nothing to fit: name a set, or add --from-reviews")
    assert told("calibrate", "--from-reviews")[1].startswith("there is no logdocket.db: ")
    assert list(Path.cwd().iterdir()) == []
