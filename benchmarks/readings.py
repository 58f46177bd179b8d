"""Readings per second by format, on one core: the rules alone, no ticket and no ledger."""

from __future__ import annotations

import gc
import statistics
import time

from benchmarks.lines import FORMATS, lines
from benchmarks.table import grid
from logdocket.line import Line
from logdocket.reading import read

_LINES = 500
_TURNS = 5


def report() -> str:
    """A row for each format, the slowest first, and the mean over all."""
    batches = {name: [Line(text) for text in lines(_TURNS * _LINES, name)] for name in FORMATS}
    rates = _rates(batches)
    rows = [
        (name, f"{rate:,.0f}", f"{1e6 / rate:.1f}", _length(batches[name]))
        for name, rate in sorted(rates.items(), key=lambda pair: pair[1])
    ]
    mean = statistics.harmonic_mean(rates.values())
    whole = [line for batch in batches.values() for line in batch]
    rows.append(("**all, in equal shares**", f"{mean:,.0f}", f"{1e6 / mean:.1f}", _length(whole)))
    return grid(("format, slowest first", "readings/s", "µs each", "bytes, mean"), rows)


def _rates(batches: dict[str, list[Line]]) -> dict[str, float]:
    """Readings per second of each batch: the median of the turns, each of which has new lines."""
    took: dict[str, list[float]] = {name: [] for name in batches}
    gc.collect()
    gc.freeze()
    for turn in range(_TURNS):
        for name, batch in batches.items():
            new = batch[turn * _LINES : (turn + 1) * _LINES]
            began = time.process_time()
            for line in new:
                read(line)
            took[name].append(time.process_time() - began)
    gc.unfreeze()
    return {name: _LINES / statistics.median(each) for name, each in took.items()}


def _length(batch: list[Line]) -> str:
    return f"{statistics.mean(len(line.raw) for line in batch):.0f}"
