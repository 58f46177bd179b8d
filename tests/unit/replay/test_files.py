from __future__ import annotations

import json
from pathlib import Path

import pytest

from logdocket.errors import FixtureError
from logdocket.replay import check, expected_path, ledger_path, replay, update


@pytest.fixture
def fixture(tmp_path: Path) -> Path:
    """A fixture of many rows, without files beside it."""
    path = tmp_path / "made.jsonl"
    path.write_text(
        "".join(
            json.dumps(
                {"id": f"row-{n}", "at": "2026-01-02T03:04:05Z", "line": f"ERROR pier: plank {n}"}
            )
            + "\n"
            for n in range(100)
        ),
        encoding="utf-8",
    )
    return path


def test_the_files_lie_beside_the_fixture(fixture: Path) -> None:
    """Their names say whose they are."""
    assert expected_path(fixture) == fixture.parent / "made.expected.jsonl"
    assert ledger_path(fixture) == fixture.parent / "made.ledger.jsonl"


def test_update_writes_what_a_replay_gives(fixture: Path) -> None:
    """Both files, and nothing else."""
    assert update(fixture) == [expected_path(fixture), ledger_path(fixture)]
    replayed = replay(fixture)
    assert expected_path(fixture).read_bytes() == replayed.tickets
    assert ledger_path(fixture).read_bytes() == replayed.ledger
    assert len(list(fixture.parent.iterdir())) == 3


def test_update_twice_changes_nothing(fixture: Path) -> None:
    """A file that is right already is left alone."""
    update(fixture)
    assert update(fixture) == []


def test_update_keeps_the_permissions_of_a_file(fixture: Path) -> None:
    """A file shared with a group stays shared."""
    update(fixture)
    expected_path(fixture).write_bytes(b"old")
    expected_path(fixture).chmod(0o664)
    assert update(fixture) == [expected_path(fixture)]
    assert expected_path(fixture).stat().st_mode & 0o777 == 0o664


def test_a_file_that_cannot_be_replaced_leaves_no_trace(fixture: Path) -> None:
    """The half-written file is removed, and the message names the one in the way."""
    (expected_path(fixture) / "full").mkdir(parents=True)
    before = sorted(fixture.parent.iterdir())
    with pytest.raises(FixtureError, match=r"made\.expected\.jsonl cannot be written"):
        update(fixture)
    assert sorted(fixture.parent.iterdir()) == before


def test_a_replay_of_its_own_files_shows_no_difference(fixture: Path) -> None:
    """Empty means identical."""
    update(fixture)
    assert check(fixture) == ""


def test_missing_files_are_an_error_that_names_the_mend(fixture: Path) -> None:
    """A fixture that was never written has no right answer to compare with."""
    with pytest.raises(FixtureError, match="--update"):
        check(fixture)


def test_a_changed_byte_is_shown_as_a_unified_diff(fixture: Path) -> None:
    """The recorded line, the replayed line, and their place."""
    update(fixture)
    path = expected_path(fixture)
    path.write_bytes(path.read_bytes().replace(b"plank 50", b"plank 05"))
    lines = check(fixture).splitlines()
    assert lines[0] == f"--- {path}"
    assert lines[1] == f"+++ replay of {fixture}"
    assert lines[2] == "@@ -49,5 +49,5 @@"
    (removed,) = (line for line in lines[2:] if line.startswith("-"))
    (added,) = (line for line in lines[2:] if line.startswith("+"))
    assert "plank 05" in removed
    assert "plank 50" in added


def test_a_missing_row_does_not_make_all_after_it_differ(fixture: Path) -> None:
    """One line that is gone is one line of difference."""
    update(fixture)
    path = ledger_path(fixture)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:20] + lines[21:]))
    shown = check(fixture).splitlines()
    assert shown[2] == "@@ -19,4 +19,5 @@"
    assert sum(line.startswith("+{") for line in shown) == 1
    assert not any(line.startswith("-{") for line in shown)


@pytest.mark.parametrize("old", [b"", b"\n", b"\x1b[2J\xff\r\n\x7f\xc2\x85", b"x\n" * 5000])
def test_any_old_file_is_shown_in_plain_ascii_and_bounded(old: bytes, fixture: Path) -> None:
    """Whatever lies there cannot command a terminal or flood it."""
    update(fixture)
    expected_path(fixture).write_bytes(old)
    difference = check(fixture)
    assert difference
    assert difference.isascii()
    assert all(character.isprintable() or character == "\n" for character in difference)
    assert difference.count("\n") <= 64


def test_a_last_newline_that_is_missing_is_a_difference(fixture: Path) -> None:
    """Every byte counts."""
    update(fixture)
    path = expected_path(fixture)
    path.write_bytes(path.read_bytes()[:-1])
    assert check(fixture)


@pytest.mark.parametrize("act", [check, update])
def test_a_generated_file_is_no_fixture(act: object, fixture: Path) -> None:
    """`*.jsonl` on a command line may well catch one."""
    update(fixture)
    assert callable(act)
    with pytest.raises(FixtureError, match="is generated"):
        act(expected_path(fixture))
