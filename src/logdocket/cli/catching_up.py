"""The queue brought up to date with the ledger, while people see how far it is."""

from __future__ import annotations

import sys

from logdocket.docket.review import ReviewDesk
from logdocket.store.review import Folded


def catch_up(desk: ReviewDesk) -> None:
    """Bring into the queue all that the ledger holds now; raises LedgerUnavailable.

    On a terminal a line tells how far it is, and goes away. What comes meanwhile may stay out: a
    service that is under load always has more.
    """
    folded = desk.catch_up()
    goal, told = folded.head, False
    try:
        while folded.upto < goal:
            told = _tell(folded, goal) or told
            before, folded = folded.upto, desk.catch_up()
            if folded.upto == before:
                # Another process is at it, and has the same to do.
                return
    finally:
        if told:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def _tell(folded: Folded, goal: int) -> bool:
    """Whether there is a terminal to tell it on."""
    if not sys.stderr.isatty():
        return False
    share = f"{folded.upto / goal:.0%}"
    line = f"sorting the ledger into groups: {folded.upto:,} of {goal:,} entries ({share})"
    sys.stderr.write(f"\r{line}\x1b[K")
    sys.stderr.flush()
    return True
