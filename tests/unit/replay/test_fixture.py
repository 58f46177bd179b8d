from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from logdocket.errors import FixtureError
from logdocket.line import NO_CONTEXT, Severity
from logdocket.replay import load

AT = "2026-01-02T03:04:05.000000Z"


def row(**changes: object) -> str:
    """A good row as JSON, with ``changes``; None leaves a field out."""
    fields = {"id": "a", "at": AT, "line": "ERROR harbour: crane stopped", **changes}
    return json.dumps({name: value for name, value in fields.items() if value is not None})


def fixture(folder: Path, *rows: str | bytes) -> Path:
    """A fixture of these rows."""
    path = folder / "made.jsonl"
    path.write_bytes(b"".join((r.encode() if isinstance(r, str) else r) + b"\n" for r in rows))
    return path


def test_a_row_carries_line_context_clock_and_answers(tmp_path: Path) -> None:
    """What is written is what is run."""
    path = fixture(
        tmp_path,
        row(
            context={"received_at": "2026-01-02T03:04:06+01:00", "labels": {"team": "north"}},
            expect={"service": ["harbour", "crane"], "severity": "high"},
            shape="plain",
        ),
    )
    (read,) = load(path)
    assert (read.number, read.id, read.shape, read.base) == (1, "a", "plain", None)
    assert read.line.text == "ERROR harbour: crane stopped"
    assert read.context.labels == {"team": "north"}
    assert read.context.received_at == datetime(2026, 1, 2, 2, 4, 6, tzinfo=UTC)
    assert read.at == 1_767_323_045_000_000
    assert read.expect.service == ["harbour", "crane"]
    assert read.expect.severity is Severity.HIGH


def test_a_row_needs_no_context_and_no_answers(tmp_path: Path) -> None:
    """Id, line and clock are enough to replay."""
    (read,) = load(fixture(tmp_path, row()))
    assert read.context is NO_CONTEXT
    assert read.expect.service is None


def test_bytes_that_are_no_utf_8_are_written_as_escapes(tmp_path: Path) -> None:
    """An undecodable byte travels as the surrogate that stands for it."""
    (read,) = load(fixture(tmp_path, row(line="caf\udce9 closed")))
    assert read.line.raw == b"caf\xe9 closed"


def test_the_last_row_needs_no_newline(tmp_path: Path) -> None:
    """A file cut off by an editor is still whole."""
    path = tmp_path / "made.jsonl"
    path.write_text(row(), encoding="utf-8")
    assert len(load(path)) == 1


def test_only_a_newline_ends_a_row(tmp_path: Path) -> None:
    """Other separators that Unicode knows are data."""
    text = row().replace("crane", "crane\u2028and\u0085pier")
    (read,) = load(fixture(tmp_path, text))
    assert "crane\u2028and\u0085pier" in read.line.text


def test_two_rows_may_have_the_same_clock(tmp_path: Path) -> None:
    """The clock may stand still; it only never runs back."""
    assert len(load(fixture(tmp_path, row(), row(id="b")))) == 2


DEEP = '{"id":' + "[" * 100_000
WRONG = {
    "not json": ('{"id": ', "is not JSON"),
    "two values": (row() + row(), "is not JSON"),
    "no number": (row(note=float("nan")), "NaN is no JSON number"),
    "twice": ('{"id": "a", "id": "b"}', "'id' stands twice"),
    "too deep": (DEEP, "is nested too deep"),
    "not utf-8": (row().encode().replace(b"crane", b"cran\xe9"), "byte 0xe9 that is not UTF-8"),
    "a list": ("[]", "is no row"),
    "no line": (row(line=None), "missing required field `line`"),
    "no id": (row(id=None), "missing required field `id`"),
    "no clock": (row(at=None), "missing required field `at`"),
    "unknown field": (row(lines="x"), "unknown field `lines`"),
    "unknown context": (row(context={"host": "x"}), "unknown field `host`"),
    "unknown answer": (row(expect={"level": "high"}), "unknown field `level`"),
    "unknown severity": (row(expect={"severity": "bad"}), "$.expect.severity"),
    "unknown reason": (row(expect={"reasons_include": ["bad"]}), "$.expect.reasons_include"),
    "line is a number": (row(line=7), "Expected `str`, got `int` - at `$.line`"),
    "blank id": (row(id=" "), "has a blank id"),
    "blank line": (row(line=" \t"), "the line is blank"),
    "lone surrogate": (row(line="a\ud800"), "lone surrogate at character 1"),
    "bad context": (row(context={"timezone": "Mars"}), "'Mars' is no IANA name"),
    "arrival without offset": (row(context={"received_at": "2026-01-02T03:04:05"}), "received_at"),
    "clock in words": (row(at="noon"), "at 'noon' is no moment in UTC"),
    "clock with offset": (row(at="2026-01-02T03:04:05+01:00"), "is no moment in UTC"),
    "clock with wide digits": (row(at="２026-01-02T03:04:05Z"), "is no moment in UTC"),
    "clock on no day": (row(at="2026-02-30T03:04:05Z"), "names no moment"),
    "clock too early": (row(at="1969-12-31T23:59:59Z"), "is before 1970"),
    "base of no row": (row(base="z"), 'base "z" is the id of no row before'),
}


@pytest.mark.parametrize(("text", "wrong"), WRONG.values(), ids=WRONG)
def test_a_wrong_row_is_named_with_its_file_and_mend(
    text: str | bytes, wrong: str, tmp_path: Path
) -> None:
    """The message is one line: which file, which row, what is wrong, what to do."""
    path = fixture(tmp_path, row(id="good", at="2020-01-01T00:00:00Z"), text)
    with pytest.raises(FixtureError) as caught:
        load(path)
    message = str(caught.value)
    assert message.startswith(f"{path}, row 2")
    assert wrong in message
    assert "\n" not in message
    assert message.rpartition(": ")[2]


@pytest.mark.parametrize("blank", ["", "  ", "\r"])
def test_a_blank_row_is_named(blank: str, tmp_path: Path) -> None:
    """A blank row is more often a mistake than meant."""
    with pytest.raises(FixtureError, match="row 2: is blank: delete it"):
        load(fixture(tmp_path, row(), blank, row(id="b")))


def test_two_rows_of_one_name_are_refused(tmp_path: Path) -> None:
    """The message names the first of them."""
    with pytest.raises(FixtureError, match='row 3: id "a" is already that of row 1'):
        load(fixture(tmp_path, row(), row(id="b"), row()))


def test_a_clock_that_runs_back_is_refused(tmp_path: Path) -> None:
    """The ledger would not be in order."""
    with pytest.raises(FixtureError, match="row 2: at is before that of the row above"):
        load(fixture(tmp_path, row(), row(id="b", at="2026-01-02T03:04:04.999999Z")))


@pytest.mark.parametrize("content", [b"", b"\n", b" \n\n"])
def test_an_empty_file_is_refused(content: bytes, tmp_path: Path) -> None:
    """Nothing to replay is no success."""
    path = tmp_path / "made.jsonl"
    path.write_bytes(content)
    with pytest.raises(FixtureError, match="holds no row: add"):
        load(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """So is a folder."""
    with pytest.raises(FixtureError, match=r"none\.jsonl cannot be read"):
        load(tmp_path / "none.jsonl")
    with pytest.raises(FixtureError, match="cannot be read"):
        load(tmp_path)
