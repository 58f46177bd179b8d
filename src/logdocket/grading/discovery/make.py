"""What the targets of a Makefile tell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from logdocket.grading.discovery.files import Files
from logdocket.grading.discovery.hint import Hint
from logdocket.grading.discovery.recipe import makefile, targets

__all__ = ["told"]

_TARGETS: Final = {
    "service.start": "serve start run server up dev",
    "test.command": "test tests check",
    "replay.command": "replay replay-fixture replay-fixtures",
    "setup.command": "setup install deps bootstrap init venv",
    "ledger.command": "ledger show-ledger ledger-show print-ledger",
}
"""The targets that are looked for, by the key of grade.toml, the likeliest first."""


def told(files: Files) -> Iterator[Hint]:
    """Those of the Makefile that GNU make would read."""
    name, here = makefile(files), targets(files)
    if name is None:
        return
    for key, likely in _TARGETS.items():
        for target in likely.split():
            if target in here:
                yield Hint(key, _command(key, target, files.text(name)), name)


def _command(key: str, target: str, text: str) -> str:
    if key == "service.start":
        return f"make {target} PORT={{port}}"
    if key == "setup.command" and "venv" not in text and re.search(r"\bpip3? install", text):
        # It installs into whatever is active: make that a place of its own.
        return f'python3 -m venv .venv && PATH="$PWD/.venv/bin:$PATH" make {target}'
    return f"make {target}"
