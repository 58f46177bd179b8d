"""What a walk over the chain stops at."""

from __future__ import annotations


class Bad(Exception):
    """The first bad entry, and what is wrong with it; no entry where it is none in particular."""

    def __init__(self, seq: int | None, problem: str) -> None:
        super().__init__(problem)
        self.seq = seq
        self.problem = problem
