"""Runs the benchmarks and prints their tables; ``--write`` keeps them in ``results.md``.

Run as ``make bench``, or ``python -m benchmarks [NAME...] [--write]``.
With ``--lines FILE...`` the readings of these lines are measured too, beside Drain3 and lnav.
"""

from __future__ import annotations

import argparse
import os
import platform
import shlex
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from benchmarks import extract, http, model, queue, readings
from benchmarks.table import markdown

_RESULTS = Path(__file__).with_name("results.md")


def _http() -> str:
    return markdown(http.rows())


BENCHMARKS: dict[str, tuple[str, Callable[[], str]]] = {
    "http": ("POST /extract", _http),
    "extract": ("logdocket extract", extract.report),
    "readings": ("Reading a line", readings.report),
    "queue": ("The review queue", queue.report),
    # Last: it needs memory, and the size of this process is held against that of others.
    "model": ("POST /extract with a model", model.report),
}


def main(arguments: list[str]) -> None:
    """Run the named benchmarks, or all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help=", ".join(BENCHMARKS))
    parser.add_argument("--write", action="store_true", help=f"write {_RESULTS.name} anew")
    parser.add_argument(
        "--lines",
        nargs="+",
        type=Path,
        default=[],
        metavar="FILE",
        help="measure readings of these lines too: JSON objects, a row each, with a key line",
    )
    parser.add_argument(
        "--drain3",
        metavar="PYTHON",
        help="an interpreter that can import Drain3, if this one cannot",
    )
    chosen = parser.parse_args(arguments)
    unknown = set(chosen.names) - set(BENCHMARKS)
    if unknown:
        parser.error(
            f"no benchmark {', '.join(sorted(unknown))}: there are {', '.join(BENCHMARKS)}"
        )
    parts = [_head(arguments)]
    for name in chosen.names or BENCHMARKS:
        title, run = BENCHMARKS[name]
        if name == "readings":
            run = partial(readings.report, chosen.lines, chosen.drain3)
        print(f"{title} …", file=sys.stderr)
        parts.append(f"## {title}\n\n{run()}")
    text = "\n\n".join(parts) + "\n"
    print(text)
    if chosen.write:
        _RESULTS.write_text(text)


def _head(arguments: list[str]) -> str:
    command = shlex.join(["python", "-m", "benchmarks", *arguments])
    return (
        "# Benchmarks\n\n"
        f"`{command}` on {datetime.now(UTC):%Y-%m-%d}, {platform.python_implementation()} "
        f"{platform.python_version()}, {platform.system()}, {os.cpu_count()} cores, load average "
        f"{os.getloadavg()[0]:.1f} before it began. Both sides of each ratio were measured in this "
        "one run."
    )


if __name__ == "__main__":
    main(sys.argv[1:])
