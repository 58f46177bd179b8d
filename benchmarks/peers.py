"""What others take for the same lines: Drain3, which finds their templates, and lnav, a viewer.

Each is optional: where it is not installed, the reason stands in place of a number.
"""

from __future__ import annotations

import json
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

TURNS = 3
_PATIENCE = 300.0
"""Seconds after which a peer is given up."""

_DRAIN = """
import json, sys, time
from drain3 import TemplateMiner
from drain3.drain import Drain
from drain3.template_miner_config import TemplateMinerConfig

with open(sys.argv[1], encoding="utf-8") as file:
    lines = json.load(file)

def took(miner):
    began = time.process_time()
    for line in lines:
        miner.add_log_message(line)
    return time.process_time() - began

made = {"TemplateMiner": lambda: TemplateMiner(config=TemplateMinerConfig()), "Drain": Drain}
turns = range(int(sys.argv[2]))
print(json.dumps({name: [took(make()) for _ in turns] for name, make in made.items()}))
"""
_COUNT = ";SELECT count(*) FROM all_logs"


class Peer(NamedTuple):
    """A peer by name: the seconds of CPU that it took, or why there are none."""

    name: str
    seconds: float | None
    why: str = ""


def drain(lines: Sequence[str], python: str | None) -> list[Peer]:
    """Drain3's ``add_log_message`` on ``lines`` in order, with its defaults, new each turn.

    Its whole miner, and the parse tree alone. ``python`` is an interpreter that can import it; this
    one if none is given.
    """
    names = {kind: f"Drain3's {kind}.add_log_message" for kind in ("TemplateMiner", "Drain")}
    with tempfile.TemporaryDirectory() as folder:
        given = Path(folder, "lines.json")
        given.write_text(json.dumps(lines))
        command = [python or sys.executable, "-c", _DRAIN, str(given), str(TURNS)]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=_PATIENCE, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return [Peer(name, None, str(error)) for name in names.values()]
    if done.returncode:
        why = done.stderr.strip().rpartition("\n")[2]
        return [Peer(name, None, why) for name in names.values()]
    took = json.loads(done.stdout)
    return [Peer(name, statistics.median(took[kind])) for kind, name in names.items()]


def lnav(files: Sequence[Sequence[str]]) -> Peer:
    """What a headless lnav takes to load ``files``, lists of lines each, and count its records.

    The same with one line of each is taken off, so that its start does not count.
    """
    name = "lnav -n, loading"
    program = shutil.which("lnav")
    if program is None:
        return Peer(name, None, "no lnav on PATH")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        try:
            whole = _median(program, home / "whole", files)
            start = _median(program, home / "start", [lines[:1] for lines in files])
        except (OSError, subprocess.SubprocessError) as error:
            return Peer(name, None, str(error))
    if whole <= start:
        return Peer(name, None, "too few lines to tell its load from its start")
    return Peer(name, whole - start)


def _median(program: str, home: Path, files: Sequence[Sequence[str]]) -> float:
    """Seconds of CPU of one headless run over ``files``, written to ``home``."""
    home.mkdir()
    paths = [home / f"{number}.log" for number in range(len(files))]
    for path, lines in zip(paths, files, strict=True):
        path.write_text("".join(f"{line}\n" for line in lines), "utf-8", "surrogateescape")
    return statistics.median(_run(program, home, paths) for _ in range(TURNS))


def _run(program: str, home: Path, paths: Sequence[Path]) -> float:
    before = _children()
    subprocess.run(
        [program, "-n", "-c", _COUNT, *map(str, paths)],
        env={"HOME": str(home), "TERM": "dumb"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=_PATIENCE,
        check=True,
    )
    return _children() - before


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
