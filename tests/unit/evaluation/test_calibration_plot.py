from __future__ import annotations

import sys
from pathlib import Path

import pytest

from logdocket.confidence import Signals
from logdocket.errors import OutputError
from logdocket.evaluation.calibration import Case
from logdocket.evaluation.calibration_plot import plot
from logdocket.evaluation.calibration_report import report

STATED = Signals("level", "logger", "read")
FOUND = report(
    [
        Case(system, f"T{number}", STATED, number > 0)
        for system in ("bank", "shop")
        for number in range(40)
    ],
    risk=0.02,
)


def test_the_same_report_gives_the_same_svg(tmp_path: Path) -> None:
    """So that a difference is one of numbers; no date is in it."""
    plot(FOUND, tmp_path / "one.svg")
    plot(FOUND, tmp_path / "other.SVG")
    one = (tmp_path / "one.svg").read_bytes()
    assert one == (tmp_path / "other.SVG").read_bytes()
    assert one.startswith(b"<?xml")
    assert b"dc:date" not in one


def test_a_plot_may_be_a_png(tmp_path: Path) -> None:
    """By the name of the file."""
    plot(FOUND, tmp_path / "plot.png")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG\r\n")


@pytest.mark.parametrize("name", ["plot", "plot.pdf", "svg"])
def test_another_kind_of_file_is_refused(name: str, tmp_path: Path) -> None:
    """Before anything is drawn."""
    with pytest.raises(OutputError, match=r"give a name ending in \.svg or \.png"):
        plot(FOUND, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """In one line that names it."""
    with pytest.raises(OutputError, match=r"plot\.svg cannot be written \(No such file"):
        plot(FOUND, tmp_path / "none" / "plot.svg")


def test_without_the_library_the_mend_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is an extra, which most do without."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(OutputError, match=r"pip install 'logdocket\[plot\]', or leave --plot out"):
        plot(FOUND, tmp_path / "plot.svg")
