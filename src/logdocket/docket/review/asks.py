"""What a person asks to have decided, and the record that is entered of it."""

from __future__ import annotations

import logging
import re
from typing import Final

import msgspec

from logdocket.docket.judgement import Judgement
from logdocket.docket.review.answers import taught_by
from logdocket.docket.review.lawful import Corrections, Known, known, lawful
from logdocket.errors import BadVerdict
from logdocket.store import StoredTicket, rfc3339
from logdocket.store.review import (
    Fields,
    Group,
    GroupState,
    Taught,
    Verdict,
    VerdictRecord,
    VerdictWord,
)
from logdocket.ticket import UNKNOWN

_log = logging.getLogger("logdocket.docket")
LONGEST_NOTE: Final = 1000
"""Characters that a note may have."""

LONGEST_NAME: Final = 200
"""Characters that the name of whoever decides may have."""

LONGEST_SNOOZE: Final = 366 * 86_400 * 1_000_000
"""How far off the end of a snooze may be, in µs: about a year."""

_FIELDS: Final = Corrections.__struct_fields__
_UNPRINTABLE: Final = re.compile(
    "[\\x00-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufeff"
    "\\ud800-\\udfff]"
)
"""Control characters, those that turn the direction of text, and halves of characters."""


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """What a person wants decided about a group.

    ``version``: the group's, as the person saw it. ``service``, ``severity``, ``first_seen``,
    ``evidence``: what the ticket should say, None keeps what the correction that stands about the
    ticket says, or else the ticket; ``first_seen`` may be the time as the line has it, or as ISO
    8601. ``line``: the person's copy of the line, where its text
    is not kept. ``until``: of SNOOZED, µs since 1970 UTC. ``undoes``: of UNDONE, the verdict to
    take back; None is the latest that stands. ``note``: a remark. ``ticket``: the entry of the
    ticket that was judged; None is the group's newest.
    """

    group: int
    version: int
    verdict: VerdictWord
    service: str | None = None
    severity: str | None = None
    first_seen: str | None = None
    evidence: str | None = None
    line: str | None = None
    until: int | None = None
    undoes: int | None = None
    note: str | None = None
    ticket: int | None = None


class About(msgspec.Struct, frozen=True):
    """What an ask is about: the group, the latest verdict that can be undone, the judged ticket,
    and what that should say by the correction that stands, if one does."""

    group: Group
    standing: Verdict | None
    stored: StoredTicket
    judgement: Judgement
    corrected: Fields | None = None


def checked_name(who: str) -> str:
    """The name of whoever decides; raises BadVerdict where it is blank, long or unprintable."""
    if not who.strip():
        raise BadVerdict("who", "is blank", "say who decides")
    if len(who) > LONGEST_NAME:
        raise BadVerdict(
            "who", f"has {len(who):,} characters", f"send a name of at most {LONGEST_NAME}"
        )
    bad = _UNPRINTABLE.search(who)
    if bad is not None:
        raise _unprintable("who", bad)
    return who


def record_of(ask: Ask, who: str, about: About, now: int, longest: int) -> VerdictRecord:
    """The record to be entered of ``ask``.

    ``now`` is µs since 1970 UTC; ``longest`` the most bytes of a pasted line. Raises BadVerdict
    where the ask breaks a law, or contradicts itself or the group's state.
    """
    note = _note(ask.note)
    _check_moment(ask, now)
    undoes = _undoes(ask, about.standing)
    if ask.verdict is VerdictWord.REOPENED and about.group.state is GroupState.OPEN:
        raise BadVerdict(
            "verdict", "reopened", "the group is open already, so there is nothing to do"
        )
    found = known(about.stored, about.judgement, ask.line, longest)
    after = _after(ask, found, about.corrected)
    return VerdictRecord(
        group=ask.group,
        version=ask.version,
        verdict=ask.verdict,
        ticket=about.stored.id,
        line_hash=about.stored.line_hash,
        who=who,
        before=found.before,
        after=after,
        taught=None if after is None else _taught(found, after),
        until=ask.until,
        undoes=undoes,
        note=note,
    )


def _after(ask: Ask, found: Known, corrected: Fields | None) -> Fields | None:
    """What the ticket should say; None where the verdict says nothing of that."""
    told = Corrections(**{name: getattr(ask, name) for name in _FIELDS})
    if ask.verdict is VerdictWord.CORRECTED:
        after = lawful(told, found, corrected)
        if after == found.before:
            raise BadVerdict("verdict", "corrected", "nothing is changed, so say right")
        return after
    for name in _FIELDS:
        value = getattr(told, name)
        if value is not None and value != getattr(found.before, name):
            raise BadVerdict(
                name, f"is changed by a verdict that is {ask.verdict}", "say corrected"
            )
    return lawful(Corrections(), found) if ask.verdict is VerdictWord.RIGHT else None


def _taught(found: Known, after: Fields) -> Taught:
    """What the verdict teaches; where the line is not known, of that very line alone.

    By the reading that the ticket was made of: the context that it was made under may not be kept.
    """
    if found.line is not None:
        try:
            return taught_by(found.line, found.reading, found.context, after)
        except Exception:  # noqa: BLE001 - logged, and the same line is answered
            _log.exception("a verdict teaches nothing of its template")
    return Taught(own_time=after.first_seen == (found.reading.timestamp.value or UNKNOWN))


def _check_moment(ask: Ask, now: int) -> None:
    if ask.verdict is not VerdictWord.SNOOZED:
        if ask.until is not None:
            raise BadVerdict("until", "belongs to snoozed alone", f"leave it out of {ask.verdict}")
        return
    if ask.until is None:
        raise BadVerdict("until", "is missing", "say until when the group is to wait")
    if ask.until <= now:
        raise BadVerdict("until", f"{rfc3339(ask.until)} is past", "send a moment to come")
    if ask.until - now > LONGEST_SNOOZE:
        raise BadVerdict(
            "until", f"{rfc3339(ask.until)} is more than a year off", "send an earlier moment"
        )


def _undoes(ask: Ask, latest: Verdict | None) -> int | None:
    if ask.verdict is not VerdictWord.UNDONE:
        if ask.undoes is not None:
            raise BadVerdict("undoes", "belongs to undone alone", f"leave it out of {ask.verdict}")
        return None
    if latest is None:
        raise BadVerdict(
            "verdict", "undone", "no verdict about the group stands, so there is nothing to undo"
        )
    if ask.undoes not in (None, latest.id):
        raise BadVerdict(
            "undoes", f"{ask.undoes} is not the latest verdict that stands", f"undo {latest.id}"
        )
    return latest.id


def _note(told: str | None) -> str | None:
    """The remark without what is blank around it; None where nothing is left."""
    if told is None or not (note := told.replace("\r\n", "\n").strip()):
        return None
    if len(note) > LONGEST_NOTE:
        raise BadVerdict(
            "note", f"has {len(note):,} characters and the most is {LONGEST_NOTE:,}", "shorten it"
        )
    bad = _UNPRINTABLE.search(note.replace("\n", " ").replace("\t", " "))
    if bad is not None:
        raise _unprintable("note", bad)
    return note


def _unprintable(field: str, bad: re.Match[str]) -> BadVerdict:
    problem = f"holds U+{ord(bad[0]):04X} at character {bad.start()}"
    return BadVerdict(field, problem, "send printable text")
