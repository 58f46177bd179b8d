"""``logdocket replay``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import logdocket.replay as pipeline


def run(fixtures: Sequence[Path], *, check: bool, update: bool) -> int:
    """Replay each fixture; the exit code: 1 when ``check`` finds a difference."""
    different = 0
    for fixture in fixtures:
        if update:
            pipeline.update(fixture)
            print(f"{fixture}: written", file=sys.stderr)
        elif check:
            difference = pipeline.check(fixture)
            different += bool(difference)
            print(f"{fixture}: {'different' if difference else 'identical'}", file=sys.stderr)
            sys.stdout.write(difference)
        else:
            sys.stdout.buffer.write(pipeline.replay(fixture).tickets)
    sys.stdout.flush()
    return 1 if different else 0
