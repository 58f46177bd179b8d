"""What a person may say of a ticket: the laws that bind the rules and a model bind people too.

Evidence is a quote of the line, the service is named in the line or beside it, the time is what the
strict grammar reads in a part of the line. What a person does not change stands as it was entered.
"""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from typing import Final

import msgspec

from logdocket.docket.judgement import Judgement
from logdocket.docket.review.describing import fields_of
from logdocket.docket.review.pointing import find_stamp
from logdocket.errors import BadVerdict, InputError, LedgerUnavailable
from logdocket.grounding import LONGEST_EVIDENCE
from logdocket.line import (
    NO_CONTEXT,
    Context,
    Line,
    Reading,
    ServiceBasis,
    Severity,
    TimestampRead,
    TimestampWhy,
)
from logdocket.reading import read_stamp
from logdocket.store import StoredTicket
from logdocket.store.review import Fields
from logdocket.ticket import UNKNOWN

_LONGEST_NAME: Final = 200
"""Characters that a service may have, as in a context."""

_LONGEST_TIME: Final = 128
_LEAVE: Final = "leave the ticket's time unknown"
_DOUBTS: Final = {
    TimestampWhy.AMBIGUOUS: (
        "whose date can be read in more than one way",
        f"{_LEAVE}, and make the source write ISO 8601",
    ),
    TimestampWhy.NO_YEAR: (
        "whose date has no year",
        f"{_LEAVE}, and send received_at with later lines",
    ),
    TimestampWhy.NO_DATE: (
        "whose time has no date",
        f"{_LEAVE}, and make the source write the date",
    ),
    TimestampWhy.IMPOSSIBLE: ("whose date names no moment", _LEAVE),
}
"""By why a time names no one moment: what is wrong with it, and what can be done."""

_SHOWN: Final = 60
"""Characters of a value that a message shows."""


class Corrections(msgspec.Struct, frozen=True, kw_only=True):
    """What a ticket should say; None keeps what it says."""

    service: str | None = None
    severity: str | None = None
    first_seen: str | None = None
    evidence: str | None = None


class Known(msgspec.Struct, frozen=True):
    """What is known of a judged ticket's line.

    ``line`` is None where its text is not known; ``context`` what the caller knew beside it, as far
    as that was kept.
    """

    line: Line | None
    context: Context
    reading: Reading
    before: Fields


def known(stored: StoredTicket, judgement: Judgement, pasted: str | None, longest: int) -> Known:
    """What is known of the ticket's line, from the store or from a person's copy of it.

    Raises BadVerdict where ``pasted`` is another line, and LedgerUnavailable where the stored text
    is.
    """
    line = None
    if pasted is not None:
        line = _pasted(pasted, stored, longest)
    elif stored.text is not None:
        line = stored_line(stored)
    context = judgement.context
    if context is None:
        read = judgement.reading.service
        named = read.basis is ServiceBasis.CONTEXT and read.value is not None
        context = Context(service=read.value) if named else NO_CONTEXT
    return Known(line, context, judgement.reading, fields_of(judgement.ticket))


def stored_line(stored: StoredTicket) -> Line | None:
    """The ticket's line, None where its text is not kept; raises LedgerUnavailable where that is
    not the line that was entered."""
    if stored.text is None:
        return None
    if sha256(stored.text).digest() != stored.line_hash:
        raise LedgerUnavailable(
            f"the line of ticket {stored.id} is not as it was entered: verify the ledger"
        )
    return Line.from_bytes(stored.text)


def _pasted(text: str, stored: StoredTicket, longest: int) -> Line:
    """A person's copy of the line; editors and terminals add a line's end."""
    for copy in (text, text.removesuffix("\n"), text.removesuffix("\n").removesuffix("\r")):
        try:
            line = Line.of(copy, longest)
        except InputError as error:
            raise BadVerdict("line", f"cannot be taken: {error}") from None
        if sha256(line.raw).digest() == stored.line_hash:
            return line
    raise BadVerdict(
        "line",
        "is not the line of the judged ticket, byte for byte",
        "copy all of it as it was sent",
    )


def lawful(told: Corrections, known: Known, corrected: Fields | None = None) -> Fields:
    """What the ticket should say by ``told``; what that leaves out is kept as it was ``corrected``
    before, or else as the ticket has it.

    Raises BadVerdict for the first field that breaks a law; the message names field and mend.
    """
    kept = known.before if corrected is None else corrected
    return Fields(
        kept.service if told.service in (None, kept.service) else _service(told.service, known),
        _severity(told.severity, kept.severity),
        kept.first_seen
        if told.first_seen in (None, kept.first_seen)
        else _first_seen(told.first_seen, known),
        _evidence(kept.evidence if told.evidence is None else told.evidence, known, kept),
    )


def _evidence(quote: str, known: Known, kept: Fields) -> str:
    refuse = partial(BadVerdict, "evidence")
    if not quote or quote.isspace():
        raise refuse("is blank", "quote the words of the line that tell what happened")
    if len(quote) > LONGEST_EVIDENCE:
        raise refuse(
            f"has {len(quote):,} characters and the most is {LONGEST_EVIDENCE:,}",
            "quote only what tells what happened",
        )
    if known.line is not None:
        if quote not in known.line.text:
            raise refuse(
                f"{_shown(quote)} is no quote of the line",
                "copy a part of it, character for character",
            )
    elif quote != kept.evidence and quote not in known.before.evidence:
        raise refuse(
            f"{_shown(quote)} is no part of the ticket's evidence, and the line's text is not kept",
            "quote that",
            wants_line=True,
        )
    return quote


def _service(told: str, known: Known) -> str:
    if told == known.before.service:
        return told
    if told.lower() == UNKNOWN:
        return UNKNOWN
    refuse = partial(BadVerdict, "service")
    if not told or told != told.strip():
        raise refuse("is blank or has spaces around it", "send the bare name, or unknown")
    if len(told) > _LONGEST_NAME:
        raise refuse(f"has {len(told):,} characters", f"send a name of at most {_LONGEST_NAME}")
    if told in (known.context.service, known.reading.service.value):
        return told
    if known.line is not None:
        if told not in known.line.text:
            raise refuse(
                f"{_shown(told)} stands neither in the line nor in its context",
                "copy the name as it is written there, or send unknown",
            )
    elif told not in known.before.evidence:
        raise refuse(
            f"{_shown(told)} does not stand in the ticket's evidence, and the line's text is not "
            "kept",
            "unknown",
            wants_line=True,
        )
    return told


def _severity(told: str | None, kept: Severity) -> Severity:
    if told is None:
        return kept
    try:
        return Severity(told)
    except ValueError:
        words = ", ".join(Severity)
        raise BadVerdict("severity", f"{_shown(told)} is none", f"send one of {words}") from None


def _first_seen(told: str, known: Known) -> str:
    """``unknown``, or the ISO 8601 value of the time that ``told`` is or quotes."""
    if told in (known.before.first_seen, known.reading.timestamp.value):
        return told
    if told.lower() == UNKNOWN:
        return UNKNOWN
    refuse = partial(BadVerdict, "first_seen")
    if len(told) > _LONGEST_TIME:
        raise refuse(f"has {len(told):,} characters", "quote the time alone, or send unknown")
    line = known.line or Line(known.before.evidence)
    if _stands_whole(told, line.text):
        stamp = read_stamp(told, known.context)
        if stamp is not None:
            return _moment(told, stamp)
    if find_stamp(line, known.context, told) is not None:
        return told
    if (why := known.reading.timestamp.why) in _DOUBTS:
        raise _doubtful(told, why)
    if known.line is None:
        raise refuse(
            f"{_shown(told)} is no time in the ticket's evidence, and the line's text is not kept",
            "unknown",
            wants_line=True,
        )
    raise refuse(
        f"{_shown(told)} is no time that the line has",
        "copy the time as it is written there, or send unknown",
    )


def _moment(told: str, stamp: TimestampRead) -> str:
    if stamp.value is None:
        raise _doubtful(told, stamp.why or TimestampWhy.IMPOSSIBLE)
    if "T" not in stamp.value:
        raise BadVerdict(
            "first_seen", f"{_shown(told)} is a day without a time", "quote both, or send unknown"
        )
    return stamp.value


def _doubtful(told: str, why: TimestampWhy) -> BadVerdict:
    """Why a time that is no one moment in the line is refused, as it is written there and in full
    alike: one message, so that the first does not lead to the second."""
    problem, mend = _DOUBTS[why]
    return BadVerdict("first_seen", f"{_shown(told)} is not borne out by the line, {problem}", mend)


def _stands_whole(quote: str, text: str) -> bool:
    """Whether ``quote`` stands somewhere in ``text`` where it cuts no number."""
    at = text.find(quote) if quote else -1
    while at >= 0:
        end = at + len(quote)
        if not (_cuts_number(text, at) or _cuts_number(text, end)):
            return True
        at = text.find(quote, end)
    return False


def _cuts_number(text: str, place: int) -> bool:
    return 0 < place < len(text) and text[place - 1].isdecimal() and text[place].isdecimal()


def _shown(value: str) -> str:
    """``value`` for a message: one line, ASCII, short."""
    return ascii(value if len(value) <= _SHOWN else value[:_SHOWN] + "...")
