"""The command line."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
    """Run a command; see :func:`logdocket.cli.app.main`."""
    try:
        from logdocket.cli.app import main as run
    except KeyboardInterrupt:
        # Ctrl-C in the blink before the commands are there.
        sys.exit(130)
    run()
