from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from logdocket.errors import FixtureError, LedgerUnavailable
from logdocket.replay import replay

LINE = "2026-01-02T03:04:05Z ERROR harbour: crane stopped"


def fixture(folder: Path, *rows: tuple[str, str]) -> Path:
    """A fixture of lines, each with the seconds and fraction of its clock past 03:04."""
    path = folder / "made.jsonl"
    path.write_text(
        "".join(
            json.dumps({"id": f"row-{n}", "at": f"2026-01-02T03:{at}Z", "line": line}) + "\n"
            for n, (at, line) in enumerate(rows, 1)
        ),
        encoding="utf-8",
    )
    return path


def files(path: Path) -> tuple[bytes, bytes]:
    """What a replay prints."""
    replayed = replay(path)
    return replayed.tickets, replayed.ledger


def parsed(lines: bytes) -> list[dict[str, Any]]:
    """JSON lines as objects."""
    assert lines.endswith(b"\n")
    return [json.loads(line) for line in lines[:-1].split(b"\n")]


def test_each_row_gives_a_ticket_of_its_own(tmp_path: Path) -> None:
    """Id, the public form of the ticket, and the number of its ledger entry."""
    replayed = replay(fixture(tmp_path, ("04:05", LINE), ("04:06", "WARN pier: wet")))
    first, second = parsed(replayed.tickets)
    assert (first["id"], first["ticket_id"]) == ("row-1", 1)
    assert (second["id"], second["ticket_id"]) == ("row-2", 2)
    assert first["ticket"]["evidence"] == "crane stopped"
    assert first["ticket"]["source"] == "fallback"
    assert second["ticket"]["severity"] == "medium"


def test_the_clock_is_the_rows_own(tmp_path: Path) -> None:
    """Entries carry the fixture's time, to the microsecond."""
    replayed = replay(fixture(tmp_path, ("04:05.000001", LINE), ("04:06.5", "WARN pier: wet")))
    assert [entry["at"] for entry in parsed(replayed.ledger)] == [
        1_767_323_045_000_001,
        1_767_323_046_500_000,
    ]


def test_a_repeated_line_is_a_cache_hit_for_a_minute_and_then_judged_anew(tmp_path: Path) -> None:
    """The cache lives by the rows' clock, not by the machine's."""
    replayed = replay(fixture(tmp_path, ("04:05", LINE), ("05:04.999999", LINE), ("05:05", LINE)))
    tickets = parsed(replayed.tickets)
    assert [row["ticket"]["source"] for row in tickets] == ["fallback", "cache", "fallback"]
    assert [row["ticket_id"] for row in tickets] == [1, 1, 3]


def test_the_ledger_is_the_chain_that_its_description_says(tmp_path: Path) -> None:
    """The hashes can be computed again from the printed entries alone."""
    replayed = replay(fixture(tmp_path, ("04:05", LINE), ("04:06", LINE), ("04:07", "pier café")))
    before = bytes(32)
    for number, entry in enumerate(parsed(replayed.ledger), 1):
        assert entry["seq"] == number
        detail = json.dumps(entry["detail"], sort_keys=True, separators=(",", ":"))
        words = (entry["kind"], entry["source"], ",".join(entry["reasons"]), detail)
        sized = "".join(f"{len(word.encode())}:{word}," for word in words)
        text = f"{entry['seq']}:{entry['at']}:{sized}"
        before = hashlib.sha256(before + text.encode()).digest()
        assert entry["hash"] == before.hex()


def test_two_runs_give_the_same_bytes(tmp_path: Path) -> None:
    """Nothing of the run itself is in what it prints."""
    path = fixture(tmp_path, ("04:05", LINE), ("04:06", LINE))
    assert files(path) == files(path)


def test_settings_of_the_operator_do_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cache that is switched off, or another database, changes no byte."""
    path = fixture(tmp_path, ("04:05", LINE), ("04:06", LINE))
    before = files(path)
    monkeypatch.setenv("LOGDOCKET_CACHE_TTL", "0")
    monkeypatch.setenv("LOGDOCKET_KEEP_TEXT", "true")
    monkeypatch.setenv("LOGDOCKET_DB", str(tmp_path / "other.db"))
    assert files(path) == before
    assert not (tmp_path / "other.db").exists()


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The temporary ledger goes with the run."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    replay(fixture(tmp_path, ("04:05", LINE)))
    assert list(temporary.iterdir()) == []


def test_undecodable_bytes_are_printed_as_escapes(tmp_path: Path) -> None:
    """What is printed is always UTF-8."""
    replayed = replay(fixture(tmp_path, ("04:05", "ERROR harbour: caf\udce9 closed")))
    assert b"caf\\udce9 closed" in replayed.tickets
    (ticket,) = parsed(replayed.tickets)
    assert ticket["ticket"]["evidence"] == "caf\udce9 closed"


def test_a_ledger_that_cannot_be_written_is_no_replay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tickets without entries would pass for the fixture's own."""
    path = fixture(tmp_path, ("04:05", LINE))
    monkeypatch.setattr("logdocket.store.SqliteStore.temporary", _on_a_folder(tmp_path))
    with pytest.raises(LedgerUnavailable):
        replay(path)


def _on_a_folder(folder: Path) -> Any:
    from logdocket.store import SqliteStore

    def temporary(*, clock: Any) -> SqliteStore:
        return SqliteStore(folder, clock=clock)

    return temporary


def test_a_bad_fixture_runs_no_row(tmp_path: Path) -> None:
    """All rows are read before the first is run."""
    path = fixture(tmp_path, ("04:05", LINE), ("04:04", LINE))
    with pytest.raises(FixtureError, match="row 2"):
        replay(path)
