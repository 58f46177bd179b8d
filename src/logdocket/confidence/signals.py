"""What can be observed about a ticket without knowing whether it is right."""

from __future__ import annotations

import enum
from typing import Final

import msgspec

from logdocket.line import Reading, ServiceBasis, SeverityBasis

READ: Final = "read"
"""The signal of a time that was read; where none was, the signal is why."""


class Agreement(enum.StrEnum):
    """What an answer, a model's or a person's, says beside the rules' reading."""

    ALONE = "alone"
    """There is no answer: the rules alone wrote the ticket."""
    AGREES = "agrees"
    """It says what the rules read."""
    FILLS = "fills"
    """It gives what the rules could not read."""
    DIFFERS = "differs"
    """The two claim different things."""
    REVIEWED = "reviewed"
    """A person has said what tickets about the line, or its template, should say."""


_ANSWERED: Final = frozenset(set(Agreement) - {Agreement.ALONE})
_FILLED: Final = frozenset({Agreement.FILLS, Agreement.REVIEWED})


class Signals(msgspec.Struct, frozen=True, gc=False):
    """How the severity, the service and the time were found (``timestamp`` is ``read`` or why it is
    unknown), and whether an answer bears the reading out.
    """

    severity: str
    service: str
    timestamp: str
    agreement: str = Agreement.ALONE

    def cells(self) -> tuple[str, ...]:
        """The cell's name, then those that are asked where it has no labels, nearest first.

        What an answer only confirms is at least as good as the rules alone, so it falls back on
        their cells. Where the answer filled a field or differs, or is a person's, the rules' own
        record says nothing of the ticket, and their cells are not asked.
        """
        if self.agreement == Agreement.AGREES:
            return (self.counted()[0], *self._alone())
        return self.counted()

    def counted(self) -> tuple[str, ...]:
        """The cells that a label of such a ticket counts in: its own, then that one's parents.

        None is a cell of the rules alone where there was an answer: what two readers agree on would
        make one of them look better than it is.
        """
        if self.agreement == Agreement.ALONE:
            return self._alone()
        family = str(self.agreement)
        return (*(f"{family}/{cell}" for cell in self._alone()), family)

    def _alone(self) -> tuple[str, ...]:
        family = f"{self.severity}/{self.service}"
        return (f"{family}/{self.timestamp}", family, self.severity)

    @classmethod
    def of_cell(cls, cell: str) -> Signals | None:
        """The signals whose own cell this is; None where it is only a parent of such."""
        words = cell.split("/")
        agreement = words.pop(0) if words[0] in _ANSWERED else str(Agreement.ALONE)
        if len(words) != 3:
            return None
        severity, service, timestamp = words
        return cls(severity, service, timestamp, agreement)

    @property
    def reviewed(self) -> bool:
        """Whether such a ticket repeats a person's word."""
        return self.agreement == Agreement.REVIEWED

    @property
    def may_go_unseen(self) -> bool:
        """Whether nothing in them sends the ticket to a person, whatever its confidence.

        What the rules could not read, an answer may have filled.
        """
        if self.timestamp != READ or self.agreement == Agreement.DIFFERS:
            return False
        read = self.service != ServiceBasis.UNKNOWN and self.severity != SeverityBasis.UNSTATED
        return read or self.agreement in _FILLED


def signals(reading: Reading, agreement: Agreement = Agreement.ALONE) -> Signals:
    """What can be observed about ``reading`` beside an answer that agrees so."""
    stamp = reading.timestamp
    return Signals(
        reading.severity.basis,
        reading.service.basis,
        READ if stamp.why is None else stamp.why,
        agreement,
    )
