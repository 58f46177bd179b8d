"""Readings per second on one core: the rules alone, no ticket and no ledger.

By format on lines made up here; and on given lines, beside what others take for the same lines.
"""

from __future__ import annotations

import gc
import itertools
import json
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks import peers
from benchmarks.lines import FORMATS, lines
from benchmarks.table import grid
from logdocket.line import Line
from logdocket.reading import read

_LINES = 500
_TURNS = 5


def report(files: Sequence[Path] = (), drain: str | None = None) -> str:
    """A row for each format, the slowest first, and the mean over all; then the lines of ``files``.

    ``files`` hold one JSON object a row, with the line under ``line``. ``drain``: an interpreter
    that can import Drain3, if this one cannot.
    """
    parts = [_by_format()]
    if files:
        parts.append(_given([_read(path) for path in files], drain))
    return "\n\n".join(parts)


def _by_format() -> str:
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


def _given(files: Sequence[Sequence[str]], drain: str | None) -> str:
    """A row for the given lines, taken from the files by turns, and one for each peer."""
    rounds = itertools.zip_longest(*files)
    mixed = [text for each in rounds for text in each if text is not None]
    made = [Line(text) for text in mixed]
    alone, whole = [], []
    # By turns, so that whatever else the machine does falls on all alike.
    for _ in range(peers.TURNS):
        began = time.process_time()
        for line in made:
            read(line)
        between = time.process_time()
        for text in mixed:
            read(Line(text))
        alone.append(between - began)
        whole.append(time.process_time() - between)
    ours = statistics.median(whole)
    rows = [
        ("reading.read", *_speed(statistics.median(alone), len(mixed)), ""),
        ("the line checked, and read", *_speed(ours, len(mixed)), ""),
    ]
    for peer in (*peers.drain(mixed, drain), peers.lnav(files)):
        if peer.seconds is None:
            rows.append((peer.name, "skipped", "", peer.why))
        else:
            speed = _speed(peer.seconds, len(mixed))
            rows.append((peer.name, *speed, f"{peer.seconds / ours:.2f}"))
    head = f"{len(mixed):,} lines of {len(files)} files by turns"
    return grid((head, "lines/s", "µs each", "ours over theirs"), rows)


def _speed(seconds: float, count: int) -> tuple[str, str]:
    return f"{count / seconds:,.0f}", f"{1e6 * seconds / count:.1f}"


def _read(path: Path) -> list[str]:
    """The lines of a file of JSON objects; one that is blank is left out."""
    with path.open(encoding="utf-8") as rows:
        texts = [json.loads(row)["line"] for row in rows if not row.isspace()]
    return [text for text in texts if text and not text.isspace()]


def _length(batch: list[Line]) -> str:
    return f"{statistics.mean(len(line.raw) for line in batch):.0f}"
