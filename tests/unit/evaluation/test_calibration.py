from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from logdocket.confidence import Signals, Table
from logdocket.errors import BadSet
from logdocket.evaluation.calibration import (
    Case,
    by_template,
    fit_cases,
    in_sample,
    labelled_cases,
    left_out,
)

STATED = Signals("level", "logger", "read")
LINE = "2026-01-02T15:04:05Z ERROR payments: card {} refused"
LABELS = {"severity": "high", "first_seen": ["2026-01-02T15:04:05Z"], "service": "payments"}


def row(line: str, **labels: Any) -> dict[str, Any]:
    """A labelled line."""
    return {"line": line, **LABELS, "template": None, **labels}


def kept(path: Path, rows: Iterable[dict[str, Any]]) -> Path:
    """A set."""
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def cases(system: str, right: int, wrong: int = 0, seen: Signals = STATED) -> list[Case]:
    """So many cases of a system, each of a template of its own."""
    return [Case(system, f"T{number}", seen, number < right) for number in range(right + wrong)]


def test_a_case_tells_how_a_labelled_line_is_read(tmp_path: Path) -> None:
    """Under the name of its set."""
    found = labelled_cases([kept(tmp_path / "shop.jsonl", [row(LINE, template="T1")])])
    assert found == [Case("shop", "T1", STATED, True)]


@pytest.mark.parametrize(
    ("label", "right"),
    [
        ({"severity": "low"}, False),
        ({"service": "shop"}, False),
        ({"first_seen": ["2026-01-02T15:04:06Z"]}, False),
        ({"first_seen": ["unknown"]}, False),
        ({"first_seen": ["2026-01-02T15:04:05Z", "unknown"]}, True),
    ],
)
def test_a_ticket_is_right_when_every_field_is(
    label: dict[str, Any], right: bool, tmp_path: Path
) -> None:
    """One wrong field makes it wrong."""
    (found,) = labelled_cases([kept(tmp_path / "shop.jsonl", [row(LINE, **label)])])
    assert found.right is right


@pytest.mark.parametrize("field", ["severity", "first_seen", "service"])
def test_a_line_that_lacks_a_label_is_left_out(field: str, tmp_path: Path) -> None:
    """Whether its ticket is right cannot be told."""
    rows = [row(LINE, **{field: None}), row(LINE)]
    assert len(labelled_cases([kept(tmp_path / "shop.jsonl", rows)])) == 1


@pytest.mark.parametrize(
    ("first_seen", "right"), [("unknown", True), ("2026-01-02T15:04:05", False)]
)
def test_an_unknown_time_is_right_where_the_line_leaves_it_open(
    first_seen: str, right: bool, tmp_path: Path
) -> None:
    """Such a ticket goes to a person for a reason of its own."""
    rows = [row("02/01/2026 15:04:05 ERROR payments: card refused", first_seen=[first_seen])]
    (found,) = labelled_cases([kept(tmp_path / "shop.jsonl", rows)])
    assert (found.seen.timestamp, found.right) == ("ambiguous", right)


@pytest.mark.parametrize(("severity", "right"), [("low", True), ("high", False)])
def test_a_severity_that_is_not_stated_counts_by_what_the_ticket_says(
    severity: str, right: bool, tmp_path: Path
) -> None:
    """A default may be right, and then the ticket is."""
    rows = [row("2026-01-02T15:04:05Z payments: the hat is on", severity=severity)]
    (found,) = labelled_cases([kept(tmp_path / "shop.jsonl", rows)])
    assert (found.seen.severity, found.right) == ("unstated", right)


def test_the_context_of_a_row_is_used(tmp_path: Path) -> None:
    """A year that the arrival gives is part of what can be observed."""
    rows = [
        row(
            "Jan  2 15:04:05 web-1 payments: <3> card refused",
            first_seen=["2026-01-02T15:04:05"],
            context={"received_at": "2026-01-02T15:04:06Z"},
        )
    ]
    (found,) = labelled_cases([kept(tmp_path / "shop.jsonl", rows)])
    assert found.seen.timestamp == "read"


def test_lines_without_a_template_share_that_of_the_rules(tmp_path: Path) -> None:
    """Those that differ only in an id are one."""
    ids = ("5f3b2c1a-9d8e-4f70-a1b2-c3d4e5f60718", "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d")
    rows = [row(LINE.format(each)) for each in ids]
    found = labelled_cases([kept(tmp_path / "shop.jsonl", rows)])
    assert len({case.template for case in found}) == 1


def test_a_bad_set_is_told(tmp_path: Path) -> None:
    """With its name and line."""
    path = tmp_path / "bad.jsonl"
    path.write_text("no JSON\n")
    with pytest.raises(BadSet, match=r"bad\.jsonl:1: "):
        labelled_cases([path])


def test_a_template_counts_once_however_many_its_lines() -> None:
    """A thousand lines that are read alike are right or wrong together."""
    alike = [Case("shop", "T1", STATED, True)] * 1_000
    assert by_template(alike) == [(STATED, True)]
    assert fit_cases(alike).cells["level"] == (1, 1)


def test_a_template_with_one_wrong_line_is_wrong() -> None:
    """The stricter of the two ways to count it."""
    alike = [Case("shop", "T1", STATED, True)] * 9 + [Case("shop", "T1", STATED, False)]
    assert by_template(alike) == [(STATED, False)]


def test_a_template_counts_once_for_each_way_it_is_read() -> None:
    """What was read otherwise is another proof."""
    other = Signals("cue", "logger", "read")
    found = by_template([Case("shop", "T1", STATED, False), Case("shop", "T1", other, True)])
    assert found == [(STATED, False), (other, True)]


def test_templates_of_two_systems_are_two() -> None:
    """Though they may have the same name."""
    assert len(by_template([*cases("shop", 1), *cases("bank", 1)])) == 2


def test_a_system_is_judged_by_the_table_of_all_others() -> None:
    """What it is itself must not help."""
    forecasts = left_out([*cases("shop", 8), *cases("bank", 0, 8)], risk=0.02)
    table = Table({"level/logger/read": (8, 8), "level/logger": (8, 8), "level": (8, 8)})
    assert [each.told for each in forecasts if each.case.system == "bank"] == [
        table.lookup(STATED)
    ] * 8
    assert all(each.told.value < 0.5 for each in forecasts if each.case.system == "shop")


def test_in_sample_every_system_helps() -> None:
    """That is why it looks better than it is."""
    both = [*cases("shop", 8), *cases("bank", 0, 8)]
    assert {each.told.value for each in in_sample(both, 0.02)} == {0.5}


def test_a_ticket_passes_at_the_threshold_unless_something_else_keeps_it() -> None:
    """The confidence is not all."""
    ambiguous = Signals("level", "logger", "ambiguous")
    shop = [*cases("shop", 1), *cases("shop", 1, seen=ambiguous)]
    seen, kept_back = (
        each for each in left_out([*cases("bank", 200), *shop], 0.02) if each.case.system == "shop"
    )
    assert seen.threshold is not None
    assert seen.passes
    assert not kept_back.passes


def test_nothing_passes_where_no_threshold_meets_the_risk() -> None:
    """Fifty right templates do not show two per cent."""
    forecasts = left_out([*cases("bank", 50), *cases("shop", 50)], 0.02)
    assert not any(each.passes for each in forecasts)
