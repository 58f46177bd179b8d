"""One ticket's fields out of two readers of a line: the rules, and a model that quotes it.

The rules' word stands where the line states a thing; the model's fills what they could not read.
Where both claim something and differ, a person decides.
"""

from __future__ import annotations

from typing import Final

import msgspec

from logdocket.grounding import bare_name
from logdocket.line import (
    Answer,
    Reading,
    ServiceBasis,
    Severity,
    SeverityBasis,
    SeverityRead,
    TimestampRead,
)
from logdocket.ticket import UNKNOWN

_FAR: Final = 2
"""Ranks of severity between two readers that make a dispute."""

_STATED: Final = frozenset({SeverityBasis.LEVEL, SeverityBasis.PRIORITY, SeverityBasis.STATUS})
_WEAK: Final = frozenset({ServiceBasis.UNKNOWN, ServiceBasis.FIRST_TOKEN})


class Merged(msgspec.Struct, frozen=True, gc=False):
    """The fields of a ticket, and who gave those that either could.

    ``first_seen`` is always the rules' own. ``disputed``: the two claim different things.
    ``needs_human``: the model itself asks for a person.
    """

    service: str
    severity: Severity
    first_seen: str
    evidence: str
    disputed: bool
    service_from_answer: bool
    severity_from_answer: bool
    needs_human: bool


def merge(answer: Answer, reading: Reading, stamp: TimestampRead | None) -> Merged:
    """The fields that ``answer``, already grounded, and ``reading`` make together.

    ``stamp`` is what the strict grammar reads in ``answer.first_seen``; None when it is no time.
    """
    severity, severity_from_answer, far = _severity(answer.severity, reading.severity)
    service, service_from_answer, other = _service(answer.service, reading)
    return Merged(
        service=service,
        severity=severity,
        first_seen=reading.timestamp.value or UNKNOWN,
        evidence=answer.evidence,
        disputed=far or other or _other_time(answer.first_seen, reading.timestamp.value, stamp),
        service_from_answer=service_from_answer,
        severity_from_answer=severity_from_answer,
        needs_human=answer.needs_human,
    )


def _severity(claimed: Severity, read: SeverityRead) -> tuple[Severity, bool, bool]:
    """The severity, whether it is the answer's, and whether the two are far apart."""
    far = abs(claimed.rank - read.value.rank) >= _FAR
    if claimed is read.value and read.basis is not SeverityBasis.UNSTATED:
        return read.value, False, False
    if read.basis in _STATED or (far and read.basis is not SeverityBasis.UNSTATED):
        return read.value, False, far
    return claimed, True, far


def _service(claimed: str, reading: Reading) -> tuple[str, bool, bool]:
    """The service, whether it is the answer's, and whether the two name different ones."""
    read = reading.service
    if claimed.lower() == UNKNOWN or claimed == read.value:
        return read.value or UNKNOWN, False, False
    name = bare_name(claimed)
    if read.value is None or read.basis in _WEAK:
        return name, name != read.value, False
    ours, theirs = read.value.lower(), name.lower()
    return read.value, False, ours not in theirs and theirs not in ours


def _other_time(quoted: str, value: str | None, stamp: TimestampRead | None) -> bool:
    """Whether the answer claims a moment that the rules did not read.

    The same moment told less exactly, such as its date alone, is no other.
    """
    if quoted == value or stamp is None or stamp.value is None:
        return False
    return value is None or not _told(stamp.value, value)


def _told(claimed: str, value: str) -> bool:
    if claimed.endswith("Z") and value.endswith("Z"):
        claimed = claimed[:-1]
    return value.startswith(claimed)
