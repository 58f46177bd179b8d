"""A person's verdict, given as the answer to later lines: the same one, and those of its template.

Nothing is taken over that the line in hand does not bear out: its time is read in it, the evidence
is quoted anew, and where the service is not named there, the line goes its normal way.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

import msgspec

from logdocket.docket.judge import UNREAD, Judge
from logdocket.docket.judgement import Ruling, Shared
from logdocket.docket.review.kin import KEY, look_of, named_in_all, template_of
from logdocket.docket.review.lessons import NOTHING, Lessons, Teaching
from logdocket.docket.review.pointing import find_stamp
from logdocket.docket.slot import Slot
from logdocket.errors import LedgerUnavailable
from logdocket.grounding import violations
from logdocket.line import (
    Context,
    Line,
    Reading,
    ServiceBasis,
    Span,
    TimestampRead,
    TimestampWhy,
)
from logdocket.reading import Cut, Place, cut, read_stamp
from logdocket.store.review import Fields, Taught, Verdict
from logdocket.ticket import UNKNOWN

_log = logging.getLogger("logdocket.docket")

_NO_TIME: Final = TimestampRead(None, None, TimestampWhy.ABSENT)


class Reviews:
    """The verdicts that answer lines, in memory; ``clock`` gives µs since 1970 UTC.

    :meth:`fetch` may run in another thread, all else belongs to one.
    """

    def __init__(self, judge: Judge, store: Teaching, clock: Callable[[], int]) -> None:
        self._judge = judge
        self._store = store
        self._clock = clock
        self._lessons = NOTHING

    def __bool__(self) -> bool:
        """Whether there is any verdict that may answer a line."""
        return bool(self._lessons.lines)

    def fetch(self) -> Lessons | None:
        """What the store has by now; None where there was no verdict since, or it cannot be read.
        Blocks; never raises."""
        try:
            version = self._store.taught_version()
            if version == self._lessons.version:
                return None
            # What is entered between the two is fetched again by the next look.
            return Lessons.of(version, self._store.taught())
        except LedgerUnavailable as error:
            _log.debug("no verdicts were read: %s", error)
        except Exception:  # noqa: BLE001 - logged; the next look may do better
            _log.exception("verdicts could not be read")
        return None

    def take(self, lessons: Lessons | None) -> bool:
        """Answer by ``lessons`` from now on; whether they say anything else than those before."""
        if lessons is None:
            return False
        before, self._lessons = self._lessons, lessons
        return before.known != lessons.known

    def refresh(self) -> bool:
        """Take what the store has by now; whether that says anything else. Blocks."""
        return self.take(self.fetch())

    def share(self, slot: Slot, reading: Reading | None = None) -> Shared | None:
        """The ticket for the slot out of a person's verdict; None where none answers it. Never
        raises.

        ``reading`` is what the rules read in the line; where they have to be asked for it, it is
        kept in the slot.
        """
        lessons = self._lessons
        same = lessons.lines.get(slot.line_hash[:KEY])
        if same is None and not lessons.templates:
            return None
        try:
            if reading is None:
                reading = slot.reading = self._judge.read(slot.line, slot.context)
            return self._share(slot, reading, same)
        except Exception:  # noqa: BLE001 - logged, and the line goes its normal way
            _log.exception("no verdict was given", extra={"line_hash": slot.line_hash.hex()})
            return None

    def _share(self, slot: Slot, reading: Reading, same: Verdict | None) -> Shared | None:
        line, context = slot.line, slot.context
        if same is not None:
            verdict, ruling = same, _about_same(line, reading, context, same)
        else:
            look = look_of(reading, context)
            found = (
                template_of(line, reading, context, look) if look in self._lessons.looks else None
            )
            other = None if found is None else self._lessons.templates.get(found[1])
            if found is None or other is None:
                return None
            verdict, ruling = other, _about_other(line, reading, context, found[0], other)
        if ruling is None:
            return None
        judged = self._judge.review(line, reading, ruling)
        if violations(judged.ticket, line, context):
            return None
        return Shared(judged, self._clock(), verdict=verdict.id)


def taught_by(line: Line, reading: Reading, context: Context, fields: Fields) -> Taught:
    """What it teaches that the ticket about ``line`` should say ``fields``, which keep the laws.

    ``reading`` is what the rules read in the line under ``context``.
    """
    own = fields.first_seen == (reading.timestamp.value or UNKNOWN)
    found = template_of(line, reading, context, look_of(reading, context))
    evidence = _quoted(line, reading, fields.evidence)
    if found is None or evidence is None or not named_in_all(found[0], context, fields.service):
        return Taught(own_time=own)
    pointed = None
    if not own and fields.first_seen != UNKNOWN:
        pointed = find_stamp(line, context, fields.first_seen)
    return Taught(
        template=found[1],
        evidence=_astuple(found[0].place(evidence)),
        first_seen=None if pointed is None else _astuple(found[0].place(pointed)),
        own_time=own,
    )


def _astuple(place: Place) -> tuple[int, ...]:
    return tuple(msgspec.structs.astuple(place))


def _quoted(line: Line, reading: Reading, evidence: str) -> Span | None:
    """Where ``evidence`` stands: where the rules quote it, else where it first does."""
    own = reading.evidence
    return own if line.quote(own) == evidence else line.find(evidence)


def _about_same(line: Line, reading: Reading, context: Context, verdict: Verdict) -> Ruling | None:
    """What the verdict about this very line says of it."""
    after, taught = _said(verdict)
    evidence = _quoted(line, reading, after.evidence)
    if evidence is None or _tells_more(reading, verdict):
        return None
    if taught.own_time:
        time = reading.timestamp
    elif after.first_seen == UNKNOWN:
        time = _NO_TIME
    else:
        time = _pointed(line, reading, context, after.first_seen, taught.first_seen)
    return _ruling(verdict, line, evidence, time)


def _tells_more(reading: Reading, verdict: Verdict) -> bool:
    """Whether this caller names the service of a line of which a person, not knowing that, could
    but say that nobody knows."""
    after, _ = _said(verdict)
    named = reading.service
    return (
        after.service == UNKNOWN
        and named.basis is ServiceBasis.CONTEXT
        and named.value != verdict.before.service
    )


def _pointed(
    line: Line, reading: Reading, context: Context, value: str, place: tuple[int, ...] | None
) -> TimestampRead:
    """The time that a person named in this very line; what stands there may have another value
    under the time zone that this caller tells."""
    there = None
    if place is not None and reading.format != UNREAD:
        there = _read(line, context, _at(place, cut(line, reading, context)))
        if there.value == value:
            return there
    found = find_stamp(line, context, value)
    return _read(line, context, found) if found is not None else there or _NO_TIME


def _about_other(
    line: Line, reading: Reading, context: Context, found: Cut, verdict: Verdict
) -> Ruling | None:
    """What the verdict about another line of the template says of this one."""
    _, taught = _said(verdict)
    evidence = _at(taught.evidence, found)
    if evidence is None:
        return None
    time = reading.timestamp
    if not taught.own_time:
        time = _read(line, context, _at(taught.first_seen, found))
    return _ruling(verdict, line, evidence, time)


def _said(verdict: Verdict) -> tuple[Fields, Taught]:
    assert verdict.after is not None, "a lesson says what the ticket should say"
    assert verdict.taught is not None, "a lesson says what it teaches"
    return verdict.after, verdict.taught


def _ruling(verdict: Verdict, line: Line, evidence: Span, time: TimestampRead) -> Ruling:
    after, _ = _said(verdict)
    named = None if after.service == UNKNOWN else line.find(after.service)
    return Ruling(verdict.id, after.service, after.severity, time, evidence, named)


def _at(place: tuple[int, ...] | None, found: Cut) -> Span | None:
    """The span of the line at ``place``; None where there is no such place."""
    if place is None:
        return None
    try:
        return found.span(Place(*place))
    except (TypeError, ValueError, IndexError):
        return None


def _read(line: Line, context: Context, pointed: Span | None) -> TimestampRead:
    """The time that the strict grammar reads where a person pointed."""
    if pointed is None:
        return _NO_TIME
    stamp = read_stamp(line.quote(pointed), context)
    return _NO_TIME if stamp is None else TimestampRead(stamp.value, pointed, stamp.why)
