from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import jsonschema
import msgspec
import pytest

from logdocket.errors import GradingError
from logdocket.grading.report.document import (
    FORMAT,
    AreaScore,
    Fact,
    Judged,
    Log,
    Report,
    Score,
    Times,
)
from logdocket.grading.report.encoded import decode, encode, schema

from .reports import EVIL, PLAIN, without_times

REPORTS = {"plain": PLAIN, "evil": EVIL, "bare": without_times(PLAIN)}
DEFINED = {
    "area": AreaScore,
    "fact": Fact,
    "log": Log,
    "probe": Judged,
    "score": Score,
    "times": Times,
}


@pytest.mark.parametrize("report", REPORTS.values(), ids=REPORTS)
def test_the_schema_takes_real_reports(report: Report) -> None:
    """And is itself a schema."""
    jsonschema.Draft202012Validator.check_schema(schema())
    jsonschema.Draft202012Validator(schema()).validate(json.loads(encode(report)))


@pytest.mark.parametrize(("name", "struct"), DEFINED.items())
def test_the_schema_knows_every_field(name: str, struct: type[msgspec.Struct]) -> None:
    """In the order in which they are written, and none is left out of what is required."""
    defined = schema()["$defs"][name]
    assert tuple(defined["properties"]) == struct.__struct_fields__
    assert tuple(defined["required"]) == struct.__struct_fields__


def test_the_schema_knows_every_field_of_the_whole() -> None:
    """With the version of the format."""
    assert tuple(schema()["properties"]) == Report.__struct_fields__
    assert schema()["properties"]["format"] == {"const": FORMAT}


@pytest.mark.parametrize(
    "change",
    [
        lambda report: report.pop("seed"),
        lambda report: report.update(format="logdocket-grade/2"),
        lambda report: report["score"].update(low=-1),
        lambda report: report["probes"][0].update(verdict="passed"),
        lambda report: report["probes"][0].update(id="nowhere/at/all"),
        lambda report: report["times"].pop("began"),
    ],
)
def test_the_schema_refuses_other_shapes(change: Callable[[dict[str, Any]], object]) -> None:
    """Each of these is no report."""
    document = json.loads(encode(PLAIN))
    change(document)
    assert not jsonschema.Draft202012Validator(schema()).is_valid(document)


def test_a_report_comes_back() -> None:
    """As it was."""
    assert decode(encode(PLAIN)) == PLAIN


@pytest.mark.parametrize("report", REPORTS.values(), ids=REPORTS)
def test_what_comes_back_gives_the_same_bytes(report: Report) -> None:
    """However hostile its text."""
    data = encode(report)
    assert encode(decode(data)) == data


def test_the_bytes_are_plain_lines() -> None:
    """ASCII without control characters, indented by two, and ended by a line feed."""
    text = encode(EVIL).decode("ascii")
    assert text.endswith("}\n")
    assert all(line.isprintable() for line in text.split("\n"))
    assert text.split("\n")[1] == f'  "format": "{FORMAT}",'


def test_lone_surrogates_are_written_as_text() -> None:
    """No other program could read them."""
    assert decode(encode(EVIL)).candidate.count("\\x80\\xff \\ud800") == 1


DATA = encode(PLAIN)


@pytest.mark.parametrize(
    ("data", "mend"),
    [
        (b"", "no report of a grading: give the file that logdocket grade --json wrote"),
        (b"\xff\xfe", "no report of a grading"),
        (b"[]", "no report of a grading"),
        (b'{"seed": 1}', "no report of a grading"),
        (b'{"x": ' + b"[" * 100_000, "no report of a grading"),
        (b'{"format": "logdocket-grade/2"}', "'logdocket-grade/2' and this Logdocket reads"),
        (b'{"format": "\\u001b[2J"}', "'\\x1b[2J'"),
        (b'{"format": "logdocket-grade/1"}', "damaged (Object missing required field"),
        (DATA.replace(b'"pass"', b'"fine"', 1), "damaged (Invalid enum value"),
        (DATA.replace(b'"low": 41.5', b'"low": 51.5'), "its points do not add up"),
        (DATA.replace(b'"low": 30.0', b'"low": 31.0', 1), "a score is out of its bounds"),
        (DATA.replace(b'"of": 30.0', b'"of": 1e300', 1), "a score is out of its bounds"),
        (DATA.replace(b"schema/valid", b"evidence/quoted"), "a probe stands in it twice"),
    ],
    ids=range(13),
)
def test_other_files_are_refused_with_the_mend(data: bytes, mend: str) -> None:
    """In one line that is safe to print."""
    with pytest.raises(GradingError) as refused:
        decode(data)
    assert mend in str(refused.value)
    assert str(refused.value).isprintable()
