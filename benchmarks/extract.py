"""Lines per second of ``logdocket extract`` with the ledger on, its memory, and ``--jobs``.

The baseline is what any Python program pays for a line: read it, write it as JSON, keep nothing.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks.lines import lines
from benchmarks.table import Row, grid, markdown

LINES = 160_000
_TURNS = 2
_KILOBYTES = 1e6 if sys.platform == "darwin" else 1e3
"""Units of ``ru_maxrss`` in a MB."""
_COPY = """
import json, sys
for line in open(sys.argv[1]):
    sys.stdout.write(json.dumps({"evidence": line.rstrip("\\n")}) + "\\n")
"""


class Run(NamedTuple):
    """What a command used: seconds of wall clock, seconds of CPU, and at most so many MB."""

    wall: float
    cpu: float
    memory: float


def report() -> str:
    """Two tables: what was used, and how it compares."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        whole, tenth = _file(home, LINES), _file(home, LINES // 10)
        _extract(home, _file(home, 1), 1)  # so that what is compiled once is
        one, two, copy = [], [], []
        # By turns, so that whatever else the machine does falls on all alike.
        for _ in range(_TURNS):
            one.append(_extract(home, whole, 1))
            two.append(_extract(home, whole, 2))
            copy.append(_run([sys.executable, "-c", _COPY, str(whole)], home / "copy.jsonl"))
        short = _extract(home, tenth, 1)
        _verify(home)
    runs = {
        f"extract, {LINES:,} lines": _median(one),
        f"extract --jobs 2, {LINES:,} lines": _median(two),
        f"extract, {LINES // 10:,} lines": short,
        f"JSON copy without ledger, {LINES:,} lines": _median(copy),
    }
    rows = [
        (name, f"{run.wall:.2f}", f"{run.cpu:.2f}", f"{run.memory:.0f}")
        for name, run in runs.items()
    ]
    used = grid(("command", "s wall", "s CPU", "MB at most"), rows)
    return f"{used}\n\n{markdown(_ratios(*runs.values()))}"


def _ratios(one: Run, two: Run, short: Run, copy: Run) -> list[Row]:
    return [
        Row("lines per second of CPU, over the goal", LINES / one.cpu, 35_000, "lines/s", 1),
        Row(
            "lines per second, --jobs 2 over 1", LINES / two.wall, LINES / one.wall, "lines/s", 1.7
        ),
        Row("memory, a tenth of the lines over all", short.memory, one.memory, "MB", 0.9),
        Row("lines per second of CPU, over the copy", LINES / one.cpu, LINES / copy.cpu, "lines/s"),
    ]


def _file(home: Path, count: int) -> Path:
    path = home / f"{count}.log"
    with path.open("w") as file:
        file.writelines(f"{line}\n" for line in lines(count))
    return path


def _extract(home: Path, source: Path, jobs: int) -> Run:
    """A run on a new ledger, every answer counted."""
    for old in home.glob("ledger.db*"):
        old.unlink()
    out = home / "out.jsonl"
    command = [sys.executable, "-m", "logdocket", "extract", str(source)]
    run = _run([*command, "--db", str(home / "ledger.db"), "--jobs", str(jobs)], out)
    asked, given = _count(source), _count(out)
    assert given == asked, f"{given:,} answers to {asked:,} lines"
    # A child is born with what its parent had, so less than that could not be told.
    assert run.memory * _KILOBYTES > resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"  {asked:,} lines, --jobs {jobs}: {run.wall:.2f} s", file=sys.stderr)
    return run


def _run(command: list[str], out: Path) -> Run:
    """Run ``command`` to its end; its children count where it waited for them."""
    # An installed package has its bytecode beside it; here a folder of its own stands for that.
    compiled = {**os.environ, "PYTHONPYCACHEPREFIX": str(out.parent / "bytecode")}
    compiled.pop("PYTHONDONTWRITEBYTECODE", None)
    with out.open("wb") as sink:
        began = time.perf_counter()
        process = subprocess.Popen(command, stdout=sink, env=compiled)
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, command
    return Run(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / _KILOBYTES)


def _count(path: Path) -> int:
    """Lines of a file, without holding them: what this process needs, its children seem to."""
    with path.open("rb") as file:
        return sum(1 for _ in file)


def _verify(home: Path) -> None:
    command = [sys.executable, "-m", "logdocket", "ledger", "verify", "--db"]
    subprocess.run([*command, str(home / "ledger.db")], check=True, stdout=subprocess.DEVNULL)


def _median(runs: list[Run]) -> Run:
    return Run(*(statistics.median(each) for each in zip(*runs, strict=True)))
