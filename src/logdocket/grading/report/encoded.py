"""The report as JSON, in a format that has a version and a schema."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any, Final

import msgspec

from logdocket.errors import GradingError
from logdocket.grading.report.document import FORMAT, Report, Score
from logdocket.grading.report.score import hundredths, summed
from logdocket.grading.report.visible import sound

__all__ = ["decode", "encode", "schema"]

_SCHEMA: Final = "report.schema.json"
_MEND: Final = "give the file that logdocket grade --json wrote"


class _Head(msgspec.Struct):
    format: str


def encode(report: Report) -> bytes:
    """The report as JSON: keys in the order of the schema, two spaces of indent, and a line feed.

    It is ASCII, so that no quote in it can turn a terminal's text around. Lone surrogates, which
    JSON cannot carry between programs, are written as a backslash, an x and the byte.
    """
    plain = _sound(msgspec.to_builtins(report))
    return json.dumps(plain, indent=2, ensure_ascii=True, allow_nan=False).encode() + b"\n"


def decode(data: bytes) -> Report:
    """The report that ``encode`` made bytes of.

    Raises GradingError for other files, reports of other versions, and such as do not add up.
    """
    try:
        head = msgspec.json.decode(data, type=_Head).format
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        raise GradingError(f"this is no report of a grading: {_MEND}") from error
    if head != FORMAT:
        raise GradingError(
            f"the report is of the format {head[:40]!a} and this Logdocket reads {FORMAT!r}: "
            "grade again, or read it with the version that wrote it"
        )
    try:
        report = msgspec.json.decode(data, type=Report)
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        raise GradingError(f"the report is damaged ({ascii(str(error))[1:-1]}): {_MEND}") from error
    _check(report)
    return report


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of what ``encode`` gives."""
    text = resources.files(__package__).joinpath(_SCHEMA).read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def _sound(value: Any) -> Any:
    match value:
        case str():
            return sound(value)
        case dict():
            return {sound(key): _sound(one) for key, one in value.items()}
        case list() | tuple():
            return [_sound(one) for one in value]
    return value


def _check(report: Report) -> None:
    """Refuse what was changed by hand: a person's verdicts belong in a file of their own."""
    scores = [report.score, *(a.score for a in report.areas), *(p.score for p in report.probes)]
    if not all(0 <= score.low <= score.high <= score.of <= 1000 for score in scores):
        raise GradingError(f"the report is damaged (a score is out of its bounds): {_MEND}")
    if len({probe.id for probe in report.probes}) < len(report.probes):
        raise GradingError(f"the report is damaged (a probe stands in it twice): {_MEND}")
    again = summed(report, report.probes)
    told = [report.score, *(area.score for area in report.areas)]
    meant = [again.score, *(area.score for area in again.areas)]
    if [_rounded(score) for score in told] != [_rounded(score) for score in meant]:
        raise GradingError(
            "the report is damaged (its points do not add up): "
            "give a person's verdicts by --human, and leave the report as it was written"
        )


def _rounded(score: Score) -> tuple[int, ...]:
    return hundredths(score.low), hundredths(score.high), hundredths(score.of)
