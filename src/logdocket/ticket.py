"""The ticket, and every typed word that travels with it.

The six fields are a public contract and never change shape. The sentence that a person reads about
a review reason stands here beside the word: the API, the command line and the runbook all take it
from here.
"""

from __future__ import annotations

import enum
import json
from collections.abc import Iterable
from typing import Final, TypeVar

import msgspec

from logdocket.line import Severity

__all__ = [
    "UNKNOWN",
    "Extraction",
    "ReviewReason",
    "Severity",
    "Source",
    "Ticket",
    "decode",
    "encode",
    "needs_person",
]

UNKNOWN: Final = "unknown"
_Value = TypeVar("_Value")


class Source(enum.StrEnum):
    """Where a ticket's fields came from."""

    MODEL = "model"
    CACHE = "cache"
    FALLBACK = "fallback"


class ReviewReason(enum.StrEnum):
    """Why a person must look. Any reason standing makes ``needs_human`` true, but for REVIEWED,
    which says that a person has looked."""

    MODEL_NOT_CONFIGURED = "model_not_configured"
    MISSING_KEY = "missing_key"
    EGRESS_OFF = "egress_off"
    CIRCUIT_OPEN = "circuit_open"
    BUDGET_EXHAUSTED = "budget_exhausted"
    BELOW_MIN_SEVERITY = "below_min_severity"
    MODEL_BUSY = "model_busy"
    MODEL_TIMEOUT = "model_timeout"
    MODEL_UNREACHABLE = "model_unreachable"
    MODEL_RATE_LIMITED = "model_rate_limited"
    MODEL_ERROR = "model_error"
    MODEL_REJECTED = "model_rejected"
    MODEL_REFUSED = "model_refused"
    MODEL_JUNK = "model_junk"
    MODEL_STOPPED = "model_stopped"
    MODEL_UNSURE = "model_unsure"
    ASKING_FAILED = "asking_failed"
    DISPUTED = "disputed"
    LEDGER_OFF = "ledger_off"
    LEDGER_UNAVAILABLE = "ledger_unavailable"
    TIMESTAMP_ABSENT = "timestamp_absent"
    TIMESTAMP_AMBIGUOUS = "timestamp_ambiguous"
    TIMESTAMP_NO_YEAR = "timestamp_no_year"
    TIMESTAMP_NO_DATE = "timestamp_no_date"
    TIMESTAMP_IMPOSSIBLE = "timestamp_impossible"
    SERVICE_UNKNOWN = "service_unknown"
    SEVERITY_UNSTATED = "severity_unstated"
    LOW_CONFIDENCE = "low_confidence"
    READING_FAILED = "reading_failed"
    REVIEWED = "reviewed"

    @property
    def wants_person(self) -> bool:
        """Whether it sends the ticket to a person."""
        return self is not ReviewReason.REVIEWED

    @property
    def is_models_fault(self) -> bool:
        """Whether the rules wrote the ticket because of a model that may do better when it is asked
        again."""
        return self in _MODELS_FAULTS

    @property
    def sentence(self) -> str:
        """What happened, for a person."""
        return _WORDS[self][0]

    @property
    def mend(self) -> str:
        """What a person can do about it."""
        return _WORDS[self][1]


_MODELS_FAULTS: Final = frozenset(
    {
        ReviewReason.CIRCUIT_OPEN,
        ReviewReason.BUDGET_EXHAUSTED,
        ReviewReason.MODEL_BUSY,
        ReviewReason.MODEL_TIMEOUT,
        ReviewReason.MODEL_UNREACHABLE,
        ReviewReason.MODEL_RATE_LIMITED,
        ReviewReason.MODEL_ERROR,
        ReviewReason.MODEL_REJECTED,
        ReviewReason.MODEL_JUNK,
        ReviewReason.MODEL_STOPPED,
    }
)


def needs_person(reasons: Iterable[ReviewReason]) -> bool:
    """Whether any of ``reasons`` sends a ticket to a person."""
    return any(reason.wants_person for reason in reasons)


_WORDS: Final[dict[ReviewReason, tuple[str, str]]] = {
    ReviewReason.MODEL_NOT_CONFIGURED: (
        "No model is set up, so the rules alone wrote this ticket.",
        "Confirm the fields against the line.",
    ),
    ReviewReason.MISSING_KEY: (
        "A model is set up without a key, so it was not called.",
        "Set MODEL_KEY; for a model that wants none, any word will do.",
    ),
    ReviewReason.EGRESS_OFF: (
        "Nothing may leave this machine, so no model was called.",
        "Confirm the fields against the line, or set LOGDOCKET_EGRESS=redacted.",
    ),
    ReviewReason.CIRCUIT_OPEN: (
        "The model has failed too often of late, so it was not called.",
        "See `logdocket ledger summary` for how its calls end; it is tried again by itself.",
    ),
    ReviewReason.BUDGET_EXHAUSTED: (
        "The day's budget for the model has no room for this call, so it was not made.",
        "Raise LOGDOCKET_BUDGET_TOKENS or LOGDOCKET_BUDGET_USD, or wait for midnight UTC.",
    ),
    ReviewReason.BELOW_MIN_SEVERITY: (
        "The line states less than the severity from which a model is asked, so none was.",
        "Confirm the fields against the line, or lower LOGDOCKET_MODEL_MIN_SEVERITY.",
    ),
    ReviewReason.MODEL_BUSY: (
        "The model was taken up by other lines until there was no time left to ask it.",
        "Raise LOGDOCKET_MODEL_CONCURRENCY or LOGDOCKET_DEADLINE, or send fewer lines at once.",
    ),
    ReviewReason.MODEL_TIMEOUT: (
        "The model did not answer in time.",
        "Look at the model's load, or raise LOGDOCKET_DEADLINE.",
    ),
    ReviewReason.MODEL_UNREACHABLE: (
        "There was no connection to the model, or it broke.",
        "See that MODEL_URL is right and that the model runs.",
    ),
    ReviewReason.MODEL_RATE_LIMITED: (
        "The model's API takes no more requests for now (429).",
        "Wait, or raise the quota there.",
    ),
    ReviewReason.MODEL_ERROR: (
        "The model's API failed.",
        "Look at the model's own log or status page.",
    ),
    ReviewReason.MODEL_REJECTED: (
        "The model's API does not take the request.",
        "See that MODEL_URL, MODEL_KEY and MODEL_NAME belong together.",
    ),
    ReviewReason.MODEL_REFUSED: (
        "The model, or a filter before it, refused to answer.",
        "Write the ticket by hand.",
    ),
    ReviewReason.MODEL_JUNK: (
        "The model's answers could not be used: no valid JSON, or nothing that the line bears out.",
        "Confirm the fields against the line; where it happens often, use a better model.",
    ),
    ReviewReason.MODEL_STOPPED: (
        "The service was stopped while the model was asked.",
        "Send the line again.",
    ),
    ReviewReason.MODEL_UNSURE: (
        "The model itself asks for a person.",
        "Confirm the fields against the line.",
    ),
    ReviewReason.ASKING_FAILED: (
        "Logdocket has a fault that asking the model about this line found.",
        "Confirm the fields against the line, and report the trace from the service's log.",
    ),
    ReviewReason.DISPUTED: (
        "The model and the rules read this line differently.",
        "Decide which of them is right.",
    ),
    ReviewReason.LEDGER_OFF: (
        "Nothing is entered in a ledger, by choice, so no model was called.",
        "Leave --no-ledger out to have the model asked.",
    ),
    ReviewReason.LEDGER_UNAVAILABLE: (
        "The ledger could not be written, so this ticket is not recorded.",
        "Check disk space, permissions and locks on the database, then send the line again.",
    ),
    ReviewReason.TIMESTAMP_ABSENT: (
        "The line carries no time of its own.",
        "Take the time from where the line was collected.",
    ),
    ReviewReason.TIMESTAMP_AMBIGUOUS: (
        "The line's date can be read in more than one order.",
        "Find out which order the source writes, or make it write ISO 8601.",
    ),
    ReviewReason.TIMESTAMP_NO_YEAR: (
        "The line's date has no year.",
        "Send context.received_at with the line, and the year follows from it.",
    ),
    ReviewReason.TIMESTAMP_NO_DATE: (
        "The line has a time of day, or a count since boot, but no date.",
        "Take the date from where the line was collected.",
    ),
    ReviewReason.TIMESTAMP_IMPOSSIBLE: (
        "The line's date names no moment in the calendar.",
        "Check the clock or the formatter of the source.",
    ),
    ReviewReason.SERVICE_UNKNOWN: (
        "The line names no service.",
        "Send context.service with the line, or name it on the ticket.",
    ),
    ReviewReason.SEVERITY_UNSTATED: (
        "The line states no level, and no word in it tells how bad it is.",
        "Read the line and set the severity.",
    ),
    ReviewReason.LOW_CONFIDENCE: (
        "Too few tickets read this way are known to be right for this one to go unseen.",
        "Confirm the fields against the line.",
    ),
    ReviewReason.READING_FAILED: (
        "The rules have a fault that this line found, so nothing was read from it.",
        "Write the ticket by hand, and report the fault with the trace from the service's log.",
    ),
    ReviewReason.REVIEWED: (
        "A person has decided about this line, or one of its template, and the ticket says what.",
        "Nothing, unless another reason stands beside it.",
    ),
}


class Ticket(msgspec.Struct, frozen=True, gc=False):
    """One honest support ticket: six fields that never change shape, and where they came from.

    ``service``: named in the line or in the caller's context, else ``"unknown"``.
    ``severity``: low, medium, high or critical.
    ``first_seen``: the line's own time as ISO 8601, else ``"unknown"``.
    ``evidence``: a byte-exact, non-blank quote of the line.
    ``confidence``: a measured probability, 0 to 1, that the ticket is right.
    ``needs_human``: true whenever a review reason stands that wants a person.
    ``source``: who wrote it: a model, an earlier answer, or the rules alone.
    ``review_reasons``: why a person must look, in the order of :class:`ReviewReason`.
    """

    service: str
    severity: Severity
    first_seen: str
    evidence: str
    confidence: float
    needs_human: bool
    source: Source
    review_reasons: tuple[ReviewReason, ...]

    def to_json(self) -> bytes:
        """The public form, flat, on one line: the same bytes on any machine.

        Undecodable bytes of the line appear as ``\\udcXX`` escapes.
        """
        return encode(self)

    def cached(self) -> Ticket:
        """The same ticket, given again: a cache hit keeps every reason of the first answer."""
        return msgspec.structs.replace(self, source=Source.CACHE)

    def unledgered(self) -> Ticket:
        """The same ticket, sent to a person because the ledger could not take it."""
        standing = {*self.review_reasons, ReviewReason.LEDGER_UNAVAILABLE}
        return msgspec.structs.replace(
            self,
            needs_human=True,
            review_reasons=tuple(reason for reason in ReviewReason if reason in standing),
        )


class Extraction(msgspec.Struct, eq=False, gc=False):
    """A ticket as it is given, with its number in the ledger.

    ``json`` is the ticket's public form. ``id`` is the ledger entry that made the ticket; for a
    cache hit, the entry that first did. It is None when nothing was entered: the ledger was
    unavailable, or switched off.
    """

    json: bytes
    id: int | None
    decoded: Ticket | None = None

    @classmethod
    def of(cls, ticket: Ticket, id: int | None) -> Extraction:
        """``ticket`` to be given under ``id``."""
        return cls(encode(ticket), id, ticket)

    @property
    def ticket(self) -> Ticket:
        """The ticket itself; decoded when first asked for, where only its JSON is at hand."""
        if self.decoded is None:
            self.decoded = decode(self.json, _decoder)
        return self.decoded

    @property
    def unrecorded(self) -> bool:
        """Whether it should stand in the ledger and does not."""
        return self.id is None and ReviewReason.LEDGER_UNAVAILABLE in self.ticket.review_reasons

    def cached(self) -> Extraction:
        """The same, given again as a cache hit."""
        return Extraction.of(self.ticket.cached(), self.id)

    def unledgered(self) -> Extraction:
        """The same, when the ledger could not take it."""
        return Extraction.of(self.ticket.unledgered(), None)


_decoder = msgspec.json.Decoder(Ticket)
_encoder = msgspec.json.Encoder()


def encode(value: object) -> bytes:
    """``value`` as compact JSON, with undecodable bytes of a line as ``\\udcXX`` escapes."""
    try:
        return _encoder.encode(value)
    except UnicodeEncodeError:
        text = json.dumps(msgspec.to_builtins(value), ensure_ascii=False, separators=(",", ":"))
        return text.encode("utf-8", "backslashreplace")


def decode(raw: bytes, decoder: msgspec.json.Decoder[_Value]) -> _Value:
    """What :func:`encode` made ``raw`` of; raises msgspec.MsgspecError when it is no such thing."""
    try:
        return decoder.decode(raw)
    except msgspec.DecodeError:
        # A byte that is not UTF-8 stands as half a surrogate pair, which msgspec refuses to read.
        try:
            value: _Value = msgspec.convert(json.loads(raw), decoder.type)
            return value
        except (ValueError, RecursionError) as error:
            raise msgspec.DecodeError(ascii(str(error))) from None
