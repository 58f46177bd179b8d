from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from logdocket.errors import BadSet
from logdocket.evaluation import read_set, shipped_sets, system
from logdocket.line import NO_CONTEXT, Severity

GOOD = {"line": "ERROR harbour: crane stopped"}


def written(folder: Path, *rows: object) -> Path:
    """A set of these rows; bytes stand as they are."""
    path = folder / "harbour.jsonl"
    path.write_bytes(
        b"".join((r if isinstance(r, bytes) else json.dumps(r).encode()) + b"\n" for r in rows)
    )
    return path


def test_a_row_carries_the_line_and_its_labels(tmp_path: Path) -> None:
    """As the set has them, with the number of its line in the file."""
    full = {
        **GOOD,
        "severity": "high",
        "first_seen": ["unknown", "2026-01-02T15:04:05Z"],
        "service": "harbour",
        "template": "T1",
        "context": {"received_at": "2026-01-02T15:04:06Z", "service": "port"},
    }
    (row,) = read_set(written(tmp_path, b"", full))
    assert (row.line, row.severity, row.service) == (GOOD["line"], Severity.HIGH, "harbour")
    assert row.first_seen == ("unknown", "2026-01-02T15:04:05Z")
    assert (row.template, row.number) == ("T1", 2)
    assert row.context is not None
    assert row.context.received_at == datetime(2026, 1, 2, 15, 4, 6, tzinfo=UTC)
    assert row.context.service == "port"


@pytest.mark.parametrize("empty", [{}, {"severity": None, "first_seen": None, "service": None}])
def test_what_has_no_label_is_none(empty: dict[str, None], tmp_path: Path) -> None:
    """Left out and null are the same."""
    (row,) = read_set(written(tmp_path, {**GOOD, **empty}))
    assert (row.severity, row.first_seen, row.service, row.template) == (None, (), None, None)
    assert row.context is None


def test_an_empty_context_is_a_context(tmp_path: Path) -> None:
    """A set says with it that nothing is known beside the line, whatever is given from outside."""
    (row,) = read_set(written(tmp_path, {**GOOD, "context": {}}))
    assert row.context is NO_CONTEXT


def test_a_set_may_carry_more(tmp_path: Path) -> None:
    """Keys for its own readers are passed over."""
    assert len(list(read_set(written(tmp_path, {**GOOD, "note": "drawn by hand"})))) == 1


def test_blank_lines_are_passed_over_and_counted(tmp_path: Path) -> None:
    """So that a number leads to the line in an editor."""
    rows = read_set(written(tmp_path, b"", GOOD, b"  ", GOOD))
    assert [row.number for row in rows] == [2, 4]


def test_a_line_may_hold_what_ends_lines_elsewhere(tmp_path: Path) -> None:
    """A row ends at a line feed alone."""
    line = "ERROR harbour:\u2028crane\x0cstopped"
    raw = json.dumps({"line": line}, ensure_ascii=False).encode()
    (row,) = read_set(written(tmp_path, raw))
    assert row.line == line


def test_bytes_that_are_no_utf_8_are_written_as_escapes(tmp_path: Path) -> None:
    """An undecodable byte travels as the surrogate that stands for it."""
    (row,) = read_set(written(tmp_path, rb'{"line": "caf\udce9 closed"}'))
    assert row.line == "caf\udce9 closed"


@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        (b'{"line": ', "is not JSON"),
        (b"[]", "is no labelled line (Expected `object`, got `array`)"),
        (b'{"line": "caf\xe9"}', "has byte 0xe9 that is not UTF-8"),
        (b"[" * 100_000, "is nested too deep"),
        ({"severity": "low"}, "is no labelled line (Object missing required field `line`)"),
        ({"line": " "}, "has a bad line: the line is blank"),
        ({"line": "\ud800"}, "has a bad line: the line holds a lone surrogate"),
        ({**GOOD, "severity": "bad"}, "is no labelled line (Invalid enum value 'bad'"),
        ({**GOOD, "first_seen": "unknown"}, "is no labelled line (Expected `array"),
        ({**GOOD, "first_seen": []}, "first_seen is empty"),
        ({**GOOD, "first_seen": ["noon"]}, "first_seen 'noon' is no time"),
        ({**GOOD, "first_seen": ["2026-01-02 15:04:05"]}, "first_seen '2026-01-02 15:04:05' is no"),
        ({**GOOD, "context": {"received_at": "noon"}}, "has a bad context: received_at 'noon'"),
        ({**GOOD, "context": {"arrived": "noon"}}, "is no labelled line (Object contains unknown"),
    ],
)
def test_a_bad_row_is_told_with_file_line_and_mend(row: object, wrong: str, tmp_path: Path) -> None:
    """The first words lead to the place, the last ones say what to do."""
    path = written(tmp_path, GOOD, row)
    with pytest.raises(BadSet) as caught:
        list(read_set(path))
    assert str(caught.value).startswith(f"{path}:2: {wrong}")
    assert str(caught.value).count(": ") >= 2


def test_a_missing_set_is_told(tmp_path: Path) -> None:
    """With the reason that the system gives."""
    with pytest.raises(BadSet, match=r"none\.jsonl cannot be read \(No such file or directory\)"):
        list(read_set(tmp_path / "none.jsonl"))


def test_a_folder_is_no_set(tmp_path: Path) -> None:
    """Told as anything else that cannot be read."""
    with pytest.raises(BadSet, match="cannot be read"):
        list(read_set(tmp_path))


def test_a_set_is_called_by_its_file() -> None:
    """Without folder and ending."""
    assert system(Path("sets", "harbour.jsonl")) == "harbour"


@pytest.mark.parametrize("path", shipped_sets(), ids=system)
def test_a_shipped_set_is_whole(path: Path) -> None:
    """Every line is distinct and has a template, and a service stands in the line that it names."""
    rows = list(read_set(path))
    assert len(rows) >= 40
    assert len({row.line for row in rows}) == len(rows)
    assert all(row.template and row.first_seen for row in rows)
    assert len({row.template for row in rows}) >= 8
    for row in rows:
        told = None if row.context is None else row.context.service
        assert row.service in (None, "unknown", told) or row.service in row.line


def test_there_are_shipped_sets() -> None:
    """What `logdocket eval` measures where none is named."""
    assert len(shipped_sets()) >= 8
