"""How a command ended."""

from __future__ import annotations

import enum

import msgspec

__all__ = ["End", "Ended"]


class End(enum.StrEnum):
    """Why a command is no longer running, as a sentence goes on after "the command"."""

    EXITED = "ended by itself"
    STOPPED = "was stopped"
    LATE = "took too long and was ended"
    MEMORY = "took too much memory and was ended"
    PROCESSES = "started too many processes and was ended"
    OUTPUT = "wrote too much and was ended"
    DISK = "filled the disk and was ended"


class Ended(msgspec.Struct, frozen=True):
    """``code`` is the exit code, negative for a signal; ``out`` and ``err`` what it wrote, of
    which the middle is left out where ``cut``. ``seconds`` is how long it ran.
    """

    end: End
    code: int
    out: bytes
    err: bytes
    cut: bool
    seconds: float

    @property
    def ok(self) -> bool:
        """Whether it ended by itself with exit code 0."""
        return self.end is End.EXITED and self.code == 0

    @property
    def said(self) -> str:
        """How it ended, in a few words: ``exit code 1``, or why it was ended."""
        return f"exit code {self.code}" if self.end is End.EXITED else str(self.end)
