"""The report drawn: reliability on the left, coverage against risk on the right."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from logdocket.errors import OutputError
from logdocket.evaluation.calibration_report import Report
from logdocket.evaluation.calibration_scores import Bin

if TYPE_CHECKING:
    from collections.abc import Sequence

KINDS: Final = ("svg", "png")
"""What a plot can be written as, by the end of the file's name."""
_SIZE: Final = (10.0, 4.5)
_STEADY: Final = {"svg.hashsalt": "logdocket", "svg.fonttype": "path", "path.simplify": False}
"""Settings under which the same report gives the same bytes of SVG."""


def plot(found: Report, path: Path) -> None:
    """Draw ``found`` into ``path``, an SVG or PNG file by its name: the same report, the same SVG.

    Raises:
        OutputError: the name ends in neither, the file cannot be written, or the extra ``plot`` is
            not installed.
    """
    kind = path.suffix.lower().removeprefix(".")
    if kind not in KINDS:
        raise OutputError(f"{path} is neither SVG nor PNG: give a name ending in .svg or .png")
    matplotlib = _matplotlib()
    with matplotlib.rc_context(_STEADY):
        # A figure by itself: no window system is looked for, and nothing is kept between calls.
        figure = importlib.import_module("matplotlib.figure").Figure(
            figsize=_SIZE, layout="constrained"
        )
        left, right = figure.subplots(1, 2)
        _draw_reliability(left, found)
        _draw_curve(right, found)
        metadata = {"Date": None} if kind == "svg" else None
        try:
            figure.savefig(path, format=kind, metadata=metadata)
        except OSError as error:
            raise OutputError(
                f"{path} cannot be written ({error.strerror}): choose another place"
            ) from error


def _matplotlib() -> Any:
    try:
        return importlib.import_module("matplotlib")
    except ImportError:
        raise OutputError(
            "a plot needs matplotlib, which is not installed: "
            "pip install 'logdocket[plot]', or leave --plot out"
        ) from None


def _draw_reliability(axes: Any, found: Report) -> None:
    axes.plot([0, 1], [0, 1], color="grey", linewidth=1, linestyle="dotted")
    for bins, label, marker in (
        (found.reliability, "each ticket alike", "o"),
        (found.reliability_by_template, "each template alike", "s"),
    ):
        axes.plot(_told(bins), [each.right for each in bins], marker=marker, label=label)
    axes.set(
        title=f"Reliability, systems left out (ECE {found.left_out.ece:.3f})",
        xlabel="confidence told",
        ylabel="share of right tickets",
        xlim=(0, 1.02),
        ylim=(0, 1.02),
    )
    axes.legend(loc="upper left")


def _told(bins: Sequence[Bin]) -> list[float]:
    return [each.told for each in bins]


def _draw_curve(axes: Any, found: Report) -> None:
    coverage = [each.coverage for each in found.curve]
    axes.plot(coverage, [each.risk for each in found.curve], drawstyle="steps-post", label="wrong")
    axes.plot(
        coverage,
        [each.at_most for each in found.curve],
        drawstyle="steps-post",
        linestyle="dashed",
        label="at most, 19 times in 20",
    )
    axes.axhline(found.risk, color="grey", linewidth=1, linestyle="dotted")
    axes.set(
        title=f"Coverage and risk (target {found.risk:g})",
        xlabel="share of all tickets that go unseen",
        ylabel="share of those that is wrong",
        xlim=(0, 1.02),
        ylim=(0, max(0.1, 3 * found.risk)),
    )
    axes.legend(loc="upper left")
