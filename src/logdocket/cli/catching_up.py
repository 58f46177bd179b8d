"""The queue brought up to date with the ledger, while people see how far it is."""

from __future__ import annotations

import sys

from logdocket.docket.review import ReviewDesk


def catch_up(desk: ReviewDesk) -> None:
    """Bring into the queue all that the ledger holds now; raises LedgerUnavailable.

    On a terminal a line tells how far it is, and goes away. What comes meanwhile may stay out: a
    service that is under load always has more.
    """
    folded = desk.catch_up()
    goal = folded.head
    if folded.upto >= goal:
        return
    watched = sys.stderr.isatty()
    try:
        while folded.upto < goal:
            if watched:
                _show(
                    f"sorting the ledger into groups: {folded.upto:,} of {goal:,} entries "
                    f"({folded.upto / goal:.0%})"
                )
            before, folded = folded.upto, desk.catch_up()
            if folded.upto == before:
                # Another process is at it, and has the same to do.
                return
    finally:
        if watched:
            _show("")


def _show(line: str) -> None:
    """Put ``line`` in the place of the one before."""
    sys.stderr.write(f"\r{line}\x1b[K")
    sys.stderr.flush()
