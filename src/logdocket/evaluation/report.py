"""What was counted, as people read it and as programs do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Final

from logdocket.evaluation.accuracy import Accuracy, Fault, Tally
from logdocket.evaluation.scoring import FIELDS, Field, Outcome
from logdocket.line import Severity, SeverityBasis
from logdocket.ticket import UNKNOWN

_SHOWN: Final = tuple(outcome for outcome in Outcome if outcome is not Outcome.UNLABELLED)
_ALWAYS: Final = frozenset({Outcome.RIGHT, Outcome.UNKNOWN, Outcome.WRONG})
_GIVEN: Final = (*(severity.value for severity in Severity), UNKNOWN)


def to_json(accuracy: Accuracy, most: int) -> dict[str, Any]:
    """The counts, ready for JSON, with the ``most`` worst templates."""
    return {
        "sets": [_tally(tally) for tally in accuracy.sets],
        "all": _tally(accuracy.all),
        "templates": [
            {
                "set": fault.set,
                "template": fault.template,
                "lines": fault.lines,
                "first": fault.first,
                "wrong": dict(fault.wrong),
                "unknown": dict(fault.unknown),
            }
            for fault in accuracy.worst(most)
        ],
    }


def _tally(tally: Tally) -> dict[str, Any]:
    return {
        "set": tally.name,
        "lines": tally.lines,
        "failed": tally.failed,
        "fields": {field: _field(tally, field) for field in FIELDS},
        "severities": {
            label.value: {given: tally.confusion[label.value, given] for given in _GIVEN}
            for label in Severity
        },
        "bases": {
            basis.value: {outcome.value: tally.bases[basis][outcome] for outcome in _SHOWN}
            for basis in SeverityBasis
            if basis in tally.bases
        },
    }


def _field(tally: Tally, field: Field) -> dict[str, Any]:
    shares = {outcome.value: tally.share(field, outcome) for outcome in _SHOWN}
    return {
        "labelled": tally.labelled(field),
        **{outcome.value: tally.outcomes[field][outcome] for outcome in _SHOWN},
        "shares": {
            word: None if share is None else round(share, 6) for word, share in shares.items()
        },
    }


def lines(accuracy: Accuracy, most: int) -> Iterator[str]:
    """The counts as tables, with the ``most`` worst templates."""
    tallies = [*accuracy.sets, accuracy.all] if len(accuracy.sets) > 1 else accuracy.sets
    for field in FIELDS:
        yield from _outcomes(field, tallies)
        yield ""
    yield from _confusion(accuracy.all)
    yield ""
    yield from _bases(accuracy.all)
    faults = accuracy.worst(most)
    if faults:
        yield ""
        yield from _worst(faults)
    if accuracy.all.failed:
        yield ""
        yield f"reading failed in {accuracy.all.failed:,} of {accuracy.all.lines:,} lines"


def _outcomes(field: Field, tallies: list[Tally]) -> Iterator[str]:
    columns = [
        outcome
        for outcome in _SHOWN
        if outcome in _ALWAYS or any(tally.outcomes[field][outcome] for tally in tallies)
    ]
    table = [[field, "labelled", *(word for outcome in columns for word in (outcome.value, ""))]]
    for tally in tallies:
        counts = (
            word
            for outcome in columns
            for word in (
                f"{tally.outcomes[field][outcome]:,}",
                shown_share(tally.share(field, outcome)),
            )
        )
        table.append([tally.name, f"{tally.labelled(field):,}", *counts])
    return aligned(table)


def _confusion(tally: Tally) -> Iterator[str]:
    table = [["severity labelled", *(f"given {given}" for given in _GIVEN)]]
    for label in Severity:
        counts = (f"{tally.confusion[label.value, given]:,}" for given in _GIVEN)
        table.append([label.value, *counts])
    return aligned(table)


def _bases(tally: Tally) -> Iterator[str]:
    columns = (Outcome.RIGHT, Outcome.UNKNOWN, Outcome.WRONG)
    table = [["severity borne out by", *(outcome.value for outcome in columns)]]
    for basis in SeverityBasis:
        if basis in tally.bases:
            table.append([basis.value, *(f"{tally.bases[basis][found]:,}" for found in columns)])
    return aligned(table)


def _worst(faults: list[Fault]) -> Iterator[str]:
    table = [["worst templates", "lines", "first line", "wrong", "unknown"]]
    for fault in faults:
        name = f"{fault.set} {'without a template' if fault.template is None else fault.template}"
        wrong, unknown = _counts(fault.wrong), _counts(fault.unknown)
        table.append([name, f"{fault.lines:,}", f"{fault.first:,}", wrong, unknown])
    return aligned(table, left=(0, 3, 4))


def _counts(counts: Counter[str]) -> str:
    return ", ".join(f"{field} {count:,}" for field, count in counts.items()) or "-"


def shown_share(value: float | None) -> str:
    """A share to four places; what is not all or nothing is not shown as such."""
    if value is None:
        return "-"
    if 0 < value < 1:
        value = min(max(value, 0.0001), 0.9999)
    return f"{value:.4f}"


def aligned(table: Iterable[list[str]], left: tuple[int, ...] = (0,)) -> Iterator[str]:
    """The rows of ``table`` in columns, those in ``left`` to the left."""
    rows = list(table)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            f"{cell:<{width}}" if number in left else f"{cell:>{width}}"
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join(cells).rstrip()
