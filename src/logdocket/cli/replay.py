"""``logdocket replay``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import logdocket.replay as pipeline
from logdocket.fixtures import NAMES, path


def run(fixtures: Sequence[Path] | None, *, check: bool, update: bool) -> int:
    """Replay each fixture, all that are shipped for None; the exit code: 1 when ``check`` finds a
    difference."""
    different = 0
    for fixture in [path(name) for name in NAMES] if fixtures is None else fixtures:
        if update:
            pipeline.update(fixture)
            print(f"{fixture}: written", file=sys.stderr)
        elif check:
            difference = pipeline.check(fixture)
            different += bool(difference)
            print(f"{fixture}: {'different' if difference else 'identical'}")
            sys.stdout.write(difference)
        else:
            sys.stdout.buffer.write(pipeline.replay(fixture).tickets)
    sys.stdout.flush()
    return 1 if different else 0
