"""A line and a model: claim, ask, believe or not, enter; and all who want the same line wait."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import msgspec

from logdocket.calls import CallEnd, CallStatus
from logdocket.docket.books import Block, Books, Caps, unwatched
from logdocket.docket.entering import enter, fresh_record
from logdocket.docket.judge import UNREAD, Judge
from logdocket.docket.judgement import Judged
from logdocket.docket.merge import merge
from logdocket.docket.reuse import Template, lesson
from logdocket.docket.slot import Slot
from logdocket.errors import LedgerUnavailable
from logdocket.grounding import check
from logdocket.line import Answer, Reading, Severity, SeverityBasis
from logdocket.model import Attempts, Bad, Junk, Outcome, Question, as_it_stands, parse, redact
from logdocket.reading import message_span, read_stamp
from logdocket.store import Answered, Held, Lesson, Store, StoredTicket
from logdocket.ticket import ReviewReason

if TYPE_CHECKING:
    from logdocket.model.redaction.rules import Redacted

_log = logging.getLogger("logdocket.docket")

_LEDGER_SHARE: Final = 0.025
_LEDGER_MOST: Final = 0.5
"""The share of the deadline, and the most seconds, kept for entering the ticket."""

_POLLS: Final = (0.005, 0.01, 0.02, 0.05, 0.1)
"""Seconds between looks for the ticket of another process; the last one repeats."""

_WHY: Final = {
    CallStatus.JUNK: ReviewReason.MODEL_JUNK,
    CallStatus.UNREADABLE: ReviewReason.MODEL_JUNK,
    CallStatus.TOO_LARGE: ReviewReason.MODEL_JUNK,
    CallStatus.CUT_SHORT: ReviewReason.MODEL_JUNK,
    CallStatus.REFUSED: ReviewReason.MODEL_REFUSED,
    CallStatus.TIMEOUT: ReviewReason.MODEL_TIMEOUT,
    CallStatus.UNREACHABLE: ReviewReason.MODEL_UNREACHABLE,
    CallStatus.RATE_LIMITED: ReviewReason.MODEL_RATE_LIMITED,
    CallStatus.NOT_NOW: ReviewReason.MODEL_ERROR,
    CallStatus.SERVER_ERROR: ReviewReason.MODEL_ERROR,
    CallStatus.REDIRECTED: ReviewReason.MODEL_REJECTED,
    CallStatus.UNAUTHORIZED: ReviewReason.MODEL_REJECTED,
    CallStatus.NOT_FOUND: ReviewReason.MODEL_REJECTED,
    CallStatus.REJECTED: ReviewReason.MODEL_REJECTED,
    CallStatus.NOT_SUPPORTED: ReviewReason.MODEL_REJECTED,
    CallStatus.CANCELLED: ReviewReason.MODEL_STOPPED,
}
"""Why the rules wrote the ticket, by how the last call ended."""


class Asked(msgspec.Struct, frozen=True):
    """What came of asking: a fresh ticket with its record, or one that another process made.

    ``entered`` is the number of the fresh ticket's entry; None where it could not be entered.
    """

    judged: Judged | None = None
    entered: int | None = None
    found: StoredTicket | None = None


class Believed(msgspec.Struct, frozen=True, gc=False):
    """The ticket of an answer that the line bears out, and what it teaches about its template."""

    judged: Judged
    lesson: Lesson | None = None


class Asking:
    """Asks about lines one by one, each within the deadline, everything in the ledger.

    ``clock`` gives µs since 1970 UTC; ``token`` 16 bytes that nobody else has; ``fresh`` says
    whether a stored ticket may be given again; ``mildest`` the least severity for which the model
    is asked, None for all. ``watch`` is told of every call that ended.
    """

    watch: Callable[[CallEnd], None]

    def __init__(
        self,
        attempts: Attempts,
        caps: Caps,
        judge: Judge,
        store: Store,
        *,
        keep_text: bool,
        clock: Callable[[], int],
        token: Callable[[], bytes],
        fresh: Callable[[StoredTicket], bool],
        mildest: Severity | None = None,
    ) -> None:
        self._attempts = attempts
        self._caps = caps
        self._judge = judge
        self._store = store
        self._keep_text = keep_text
        self._clock = clock
        self._token = token
        self._fresh = fresh
        self._mildest = mildest
        self.watch = unwatched

    def by_rules(self, slot: Slot, why: ReviewReason) -> Judged:
        """The rules' own ticket for ``slot``, and ``why`` no model wrote it."""
        reading = self._judge.read(slot.line, slot.context)
        return self._judge.fall_back(slot.line, reading, why)

    def read(self, slot: Slot) -> Reading:
        """What the rules read in the slot's line."""
        return self._judge.read(slot.line, slot.context)

    def left(self, until: float) -> float:
        """Seconds until the moment ``until``."""
        return until - self._attempts.monotonic()

    def until(self) -> float:
        """The moment until which a line that comes now is asked about: what is left of its deadline
        then is for the ledger."""
        attempts = self._attempts
        kept = min(_LEDGER_MOST, attempts.deadline * _LEDGER_SHARE)
        return attempts.monotonic() + attempts.deadline - kept

    def exempt(self, reading: Reading) -> ReviewReason | None:
        """Why a line that was read so is not asked about; None where it is."""
        if reading.format == UNREAD:
            return ReviewReason.READING_FAILED
        read = reading.severity
        if self._mildest is None or read.basis is SeverityBasis.UNSTATED:
            return None
        return ReviewReason.BELOW_MIN_SEVERITY if read.value.rank < self._mildest.rank else None

    async def without(self, slot: Slot, reading: Reading, why: ReviewReason) -> Asked:
        """The rules' own ticket, durable in the ledger, and ``why`` nothing was asked."""
        return await self._enter(slot, None, Outcome(block=why), reading)

    async def about(
        self, slot: Slot, reading: Reading, until: float, template: Template | None
    ) -> Asked:
        """The ticket for ``slot``, durable in the ledger, whatever the model does until the moment
        ``until``; with a ``template``, its answer may be shared.

        Never raises: being cancelled gives a ticket that says so.
        """
        books = Books(
            self._store,
            self._caps,
            slot,
            model=self._attempts.client.identity,
            holder=self._token(),
            clock=self._clock,
            watch=self.watch,
        )
        try:
            return await self._ask(slot, books, reading, until, template)
        except Exception:  # noqa: BLE001 - logged, and the ticket says so
            # A call that was left open so is entered as interrupted when it has expired.
            _log.exception("asking failed", extra={"line_hash": slot.line_hash.hex()})
            failed: Outcome[Believed, Block] = Outcome(block=ReviewReason.ASKING_FAILED)
            return await self._enter(slot, books, failed, reading)

    async def _ask(
        self,
        slot: Slot,
        books: Books,
        reading: Reading,
        until: float,
        template: Template | None,
    ) -> Asked:
        """Ask until there is an answer, a fallback, or the ticket of another process."""
        redacted = redact(slot.line.text)
        question = _question(slot, redacted)
        believe = self._believer(slot, reading, redacted, template)
        while True:
            outcome: Outcome[Believed, Block]
            outcome = await self._attempts.ask(question, believe, books, until)
            block = outcome.block
            if isinstance(block, Answered):
                if self._fresh(block.ticket):
                    return Asked(found=block.ticket)
                slot.seen = block.ticket.id
            elif isinstance(block, Held):
                found = await self._wait(slot, block, until)
                if isinstance(found, StoredTicket):
                    return Asked(found=found)
                if found is not None:
                    return await self._enter(slot, books, Outcome(block=found), reading)
            else:
                return await self._enter(slot, books, outcome, reading)

    def _believer(
        self, slot: Slot, reading: Reading, redacted: Redacted, template: Template | None
    ) -> Callable[[str], Believed | Bad]:
        """What says of the text of an answer whether it is to be believed."""

        def believe(text: str) -> Believed | Bad:
            parsed = parse(text)
            if isinstance(parsed, Junk):
                wrong = parsed.wrong
                return Bad(tuple(wrong), tuple(word.sentence for word in wrong))
            line, context = slot.line, slot.context
            answer = _restored(parsed, redacted, line.text)
            stamp = read_stamp(answer.first_seen, context)
            ungrounded = check(answer, line, context, reading, message_span(line, context), stamp)
            if ungrounded:
                return Bad(tuple(ungrounded), tuple(word.sentence for word in ungrounded))
            merged = merge(answer, reading, stamp)
            judged = self._judge.accept(line, reading, answer, merged)
            if template is None:
                return Believed(judged)
            return Believed(judged, lesson(template, slot, answer, disputed=merged.disputed))

        return believe

    async def _wait(
        self, slot: Slot, held: Held, until: float
    ) -> StoredTicket | ReviewReason | None:
        """Wait for the ticket of whoever holds the claim: the ticket, why there will be none, or
        None where the claim is to be tried for again."""
        began = self._attempts.monotonic()
        looks = 0
        while self._clock() <= held.until:
            pause = _POLLS[min(looks, len(_POLLS) - 1)]
            left = until - self._attempts.monotonic()
            if left <= pause:
                return ReviewReason.MODEL_BUSY
            try:
                await self._attempts.sleep(pause)
            except asyncio.CancelledError:
                return ReviewReason.MODEL_STOPPED
            looks += 1
            try:
                found = self._store.lookup(slot.key)
            except LedgerUnavailable:
                continue
            if found is not None and found.id > slot.seen and self._fresh(found):
                return found
            if self._attempts.monotonic() - began > 1:
                # It may have been given up without a ticket.
                return None
        return None

    async def _enter(
        self,
        slot: Slot,
        books: Books | None,
        outcome: Outcome[Believed, Block],
        reading: Reading,
    ) -> Asked:
        """Enter the ticket that the outcome leads to, with the end of the last call.

        A second look for which nothing was asked leaves no trace: there is a ticket already.
        """
        if outcome.good is not None:
            judged, taught = outcome.good.judged, outcome.good.lesson
        else:
            judged = self._judge.fall_back(slot.line, reading, _why(outcome))
            taught = None
        claimed = books is not None and books.claimed
        if slot.revises is not None and not (outcome.calls or claimed) and blocked(judged):
            return Asked(judged)
        record = fresh_record(
            slot,
            judged,
            self._keep_text,
            calls=outcome.calls,
            tokens=outcome.tokens,
            holder=books.holder if books is not None and claimed else None,
            lesson=taught,
            revises=slot.revises,
        )
        if outcome.ended is not None:
            self.watch(outcome.ended)
        return Asked(judged, await enter(self._store, record, outcome.ended))


def blocked(judged: Judged) -> ReviewReason | None:
    """What kept a model from writing the ticket, where it may write it another time."""
    for reason in judged.reasons:
        if reason.is_models_fault or reason is ReviewReason.LEDGER_UNAVAILABLE:
            return reason
    return None


def _why(outcome: Outcome[Believed, Block]) -> ReviewReason:
    """Why no model wrote the ticket."""
    if isinstance(outcome.block, ReviewReason):
        return outcome.block
    assert outcome.status is not None, "an outcome has an answer, a block or a status"
    return _WHY[outcome.status]


def question_about(slot: Slot) -> Question:
    """What is asked about the slot's line."""
    return _question(slot, redact(slot.line.text))


def _question(slot: Slot, redacted: Redacted) -> Question:
    return Question.about(redacted.text, _hint(slot))


def _hint(slot: Slot) -> str | None:
    """The caller's name for the service, as far as it may leave."""
    service = slot.context.service
    return None if service is None else redact(service).text


def _restored(answer: Answer, redacted: Redacted, text: str) -> Answer:
    """The answer with its quotes as they stand in ``text``, the line's."""

    def restored(quote: str) -> str:
        return as_it_stands(redacted.restore(quote), text)

    return msgspec.structs.replace(
        answer,
        service=restored(answer.service),
        first_seen=restored(answer.first_seen),
        evidence=restored(answer.evidence),
    )
