"""An answer about one line, shared by the lines of its template.

Nothing is taken over that the new line does not bear out itself: its time is read by the rules, the
evidence is quoted anew from the same place, and all of it passes the same checks as an answer.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from hashlib import sha256
from typing import Final

import msgspec

from logdocket.docket.judge import UNREAD, Judge
from logdocket.docket.judgement import Judged, Shared, decode_judgement
from logdocket.docket.merge import merge
from logdocket.docket.slot import Slot
from logdocket.errors import LedgerUnavailable
from logdocket.grounding import check
from logdocket.line import Answer, Context, Line, Reading
from logdocket.reading import Cut, Place, cut, message_span, read_stamp
from logdocket.store import Known, Lesson, Store, StoredTicket
from logdocket.ticket import UNKNOWN, Source

_log = logging.getLogger("logdocket.docket")
_CACHE: Final = Source.CACHE
_SHORT: Final = re.compile(r"[-+\d.,]{1,24}\Z|<num>\Z").match
"""A number, and what stands for a long one."""


class Template(msgspec.Struct, frozen=True):
    """A line's template and the keys that stand for it under one configuration and context: of its
    wide form, and of itself. ``numbers`` are the values of the wide form's slots, as the store may
    keep them: of what is no number, only a hash.
    """

    cut: Cut
    numbers: tuple[str, ...]
    wide: bytes
    narrow: bytes


class Reuse:
    """Shares answers among lines of one template.

    ``identity`` stands for the configuration; ``fresh`` says whether a stored ticket may be given
    again.
    """

    def __init__(
        self, judge: Judge, store: Store, identity: bytes, fresh: Callable[[StoredTicket], bool]
    ) -> None:
        self._judge = judge
        self._store = store
        self._identity = identity
        self._fresh = fresh

    def template(self, slot: Slot, reading: Reading) -> Template | None:
        """The template of the slot's line; None where it has none."""
        if reading.format == UNREAD:
            return None
        try:
            found = cut(slot.line, reading, slot.context)
        except Exception:  # noqa: BLE001 - logged, and the line is asked about for itself
            _log.exception("no template was found", extra={"line_hash": slot.line_hash.hex()})
            return None
        # What the caller says of the time changes nothing that is shared.
        known = msgspec.structs.replace(slot.context, received_at=None, timezone=None)
        begin = b"%b%b\0%b\0" % (self._identity, known.canonical(), reading.format.encode())
        numbers = tuple(number if _SHORT(number) else _hashed(number) for number in found.numbers)
        wide, narrow = _key(begin, b"wide", found.wide), _key(begin, b"", found.text)
        return Template(found, numbers, wide, narrow)

    def find(self, slot: Slot, reading: Reading, template: Template) -> Shared | None:
        """The ticket for the slot out of an answer about another line; None where there is none
        that holds for this one. Never raises.
        """
        try:
            return self._find(slot, reading, template)
        except LedgerUnavailable:
            return None
        except Exception:  # noqa: BLE001 - logged, and the line is asked about for itself
            _log.exception("nothing was shared", extra={"line_hash": slot.line_hash.hex()})
            return None

    def share(self, slot: Slot, reading: Reading) -> Shared | None:
        """The same, in one step."""
        template = self.template(slot, reading)
        return None if template is None else self.find(slot, reading, template)

    def _find(self, slot: Slot, reading: Reading, template: Template) -> Shared | None:
        found = self._store.known(template.wide, template.narrow)
        if found is None:
            return None
        known, stored = found
        if not self._fresh(stored) or not _holds(known, template):
            return None
        answer = _answer(stored)
        quoted = None if answer is None else _quoted(known, template, slot.line)
        if answer is None or quoted is None:
            return None
        judged = self._judged(slot, reading, answer, quoted)
        if judged is None:
            return None
        return Shared(judged, stored.at, stored.id, template.wide + template.narrow)

    def _judged(self, slot: Slot, reading: Reading, answer: Answer, quoted: str) -> Judged | None:
        """The ticket of ``answer`` for the slot's line, where that line bears it out too and the
        rules do not read it otherwise.
        """
        line, context = slot.line, slot.context
        stamp = reading.timestamp
        own = UNKNOWN
        if stamp.value is not None and stamp.span is not None:
            own = line.quote(stamp.span)
        answer = msgspec.structs.replace(answer, first_seen=own, evidence=quoted)
        read = read_stamp(own, context)
        if check(answer, line, context, reading, message_span(line, context), read):
            return None
        merged = merge(answer, reading, read)
        if merged.disputed:
            return None
        return self._judge.accept(line, reading, answer, merged, source=_CACHE)


def lesson(template: Template, slot: Slot, answer: Answer, *, disputed: bool) -> Lesson:
    """What a model's grounded ``answer`` teaches about the template of its line.

    A disputed one, or one that names what differs from line to line, is for nobody else.
    """
    says = None
    if not disputed and _named(template.cut, slot.context, answer.service):
        said = f"{answer.severity}\0{answer.needs_human}\0{answer.service}"
        says = sha256(said.encode("utf-8", "surrogateescape")).digest()[:16]
    evidence = slot.line.find(answer.evidence)
    assert evidence is not None, "a grounded answer quotes its line"
    return Lesson(
        wide=template.wide,
        narrow=template.narrow,
        numbers=template.numbers,
        says=says,
        place=tuple(msgspec.structs.astuple(template.cut.place(evidence))),
    )


def _hashed(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:16] + "#"


def _key(begin: bytes, form: bytes, text: str) -> bytes:
    return sha256(begin + form + b"\0" + text.encode("utf-8", "surrogateescape")).digest()[:16]


def _holds(known: Known, template: Template) -> bool:
    """Whether the answer holds whatever the line's numbers are, or for these."""
    return known.key == template.narrow or known.covers(template.numbers)


def _answer(stored: StoredTicket) -> Answer | None:
    try:
        return decode_judgement(stored.body).answer
    except msgspec.MsgspecError:
        return None


def _quoted(known: Known, template: Template, line: Line) -> str | None:
    """What stands in ``line`` where the evidence stood; None where there is no such place."""
    try:
        place = Place(*known.place)
        return line.quote(template.cut.span(place))
    except (TypeError, ValueError, IndexError):
        return None


def _named(cut: Cut, context: Context, service: str) -> bool:
    """Whether the name stands in every line of the wide form, or beside it."""
    return service.lower() == UNKNOWN or service == context.service or service in cut.wide
