"""How far one label holds for the other lines of its template."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from logdocket.confidence import Agreement, Signals
from logdocket.errors import BadSet
from logdocket.evaluation import rows_of, shipped_sets
from logdocket.evaluation.calibration import by_template
from logdocket.evaluation.reviewed import reviewed_cases, reviewed_rows

REVIEWED = Agreement.REVIEWED
STATED = Signals("level", "logger", "read", REVIEWED)


def row(task: int, severity: str = "high", **more: Any) -> dict[str, Any]:
    """A labelled line; all are of one template."""
    stamp = f"2026-01-02T15:04:{task % 60:02}Z"
    return {
        "line": f"{stamp} ERROR pay: task {task} gave up",
        "severity": severity,
        "first_seen": [stamp],
        "service": "pay",
        **more,
    }


def cases(*told: dict[str, Any]) -> list[tuple[Signals, bool]]:
    """How each ticket was read that the label of another line answers, and whether it is right."""
    return [(case.seen, case.right) for case in reviewed_rows("shop", rows_of("here", told))]


def test_each_line_is_answered_by_the_labels_of_the_others():
    """Also where the rules are wrong about all of them: the person is not."""
    assert cases(row(1, "critical"), row(2, "critical"), row(3, "critical")) == [(STATED, True)] * 6


def test_lines_of_a_template_with_other_labels_show_that_one_label_does_not_hold():
    """It counts once for the template, as wrong."""
    found = cases(row(1), row(2), row(3, "low"))
    assert [right for _, right in found] == [True, False, True, False, False, False]
    told = reviewed_rows("shop", rows_of("here", [row(1), row(2), row(3, "low")]))
    assert by_template(told) == [(STATED, False)]


def test_a_line_alone_shows_nothing():
    """Nor does the same one twice."""
    assert cases(row(1), row(1)) == []
    assert cases(row(1), {**row(2), "line": "2026-01-02T15:04:05Z ERROR pay: other"}) == []


def test_a_row_that_lacks_a_label_is_left_out():
    """Nobody can say whether its ticket is right."""
    assert cases(row(1), row(2, service=None)) == []


def test_a_label_that_the_line_does_not_bear_out_is_nobodys_word():
    """The laws bind people too."""
    assert cases(row(1, service="till"), row(2, service="till")) == []
    assert cases(row(1, first_seen=["2027-01-01T00:00:00Z"]), row(2, first_seen=["unknown"])) == [
        (STATED, False)
    ]


def test_a_time_that_the_label_names_elsewhere_in_the_line_is_pointed_at():
    """And read there in the others."""
    rows = []
    for task in (1, 2):
        told = row(task, first_seen=[f"2026-01-01T00:00:0{task}Z"])
        rows.append({**told, "line": f"{told['line']} after 2026-01-01T00:00:0{task}Z"})
    assert cases(*rows) == [(STATED, True)] * 2


def test_many_lines_of_one_template_are_looked_at_in_bounds():
    """What counts is the template."""
    assert 100 < len(cases(*(row(task) for task in range(1_000)))) < 400


def test_the_shipped_sets_have_some():
    """All read as they are answered."""
    found = reviewed_cases(shipped_sets())
    assert found
    assert {case.seen.agreement for case in found} == {REVIEWED}


def test_a_row_that_is_none_is_told_with_its_place():
    """Rows at hand are checked as those of a file."""
    with pytest.raises(BadSet, match=r"^here:2: "):
        list(rows_of("here", [row(1), {"line": ""}]))


def test_bytes_that_are_no_text_stay_what_they_are(tmp_path: Path):
    """Rows come from lines as they were kept."""
    line = "2026-01-02T15:04:05Z ERROR pay: \udcff\udcfe"
    (found,) = rows_of("here", [{"line": line}])
    assert found.line == line
    assert json.dumps(line)
