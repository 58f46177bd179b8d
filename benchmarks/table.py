"""How results are shown and kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Row(NamedTuple):
    """``ours`` over ``baseline``, both in ``unit``, and the ``goal`` for the ratio, if any."""

    name: str
    ours: float
    baseline: float
    unit: str
    goal: float | None = None

    @property
    def ratio(self) -> float:
        """Ours over the baseline."""
        return self.ours / self.baseline


def markdown(rows: list[Row]) -> str:
    """A Markdown table of ``rows``."""
    lines = ["| what | ours | baseline | ratio | goal |", "|---|---:|---:|---:|---:|"]
    for row in rows:
        goal = "" if row.goal is None else f"≥ {row.goal:g}"
        lines.append(
            f"| {row.name} | {row.ours:,.0f} {row.unit} | {row.baseline:,.0f} {row.unit} "
            f"| {row.ratio:.2f} | {goal} |"
        )
    return "\n".join(lines)


def grid(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table of texts, the first column to the left and the others to the right."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
