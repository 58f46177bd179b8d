"""What the ledger's routes take and give, as the OpenAPI document describes it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Final

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from logdocket.errors import BadContext
from logdocket.reading import check_context
from logdocket.store import Entry, EntryKind, rfc3339
from logdocket.ticket import ReviewReason, Source

LARGEST_SEQ: Final = 2**63 - 1
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def moment(text: object) -> int:
    """The moment as µs since 1970 UTC; raises ValueError."""
    try:
        found = check_context(received_at=str(text)).received_at
    except BadContext as error:
        raise ValueError(str(error).removeprefix("received_at ")) from None
    assert found is not None
    return (found - _EPOCH) // timedelta(microseconds=1)


_When = Annotated[
    int | None,
    BeforeValidator(moment),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]


def _known_kind(text: object) -> str:
    """A kind that entries have; raises ValueError."""
    if text not in [*EntryKind]:
        raise ValueError(f"must be one of: {', '.join(EntryKind)}")
    return str(text)


# Not the enumeration itself: it would stand in the document as a schema that no body refers to.
_Kind = Annotated[
    str | None,
    BeforeValidator(_known_kind),
    WithJsonSchema({"type": "string", "enum": [*EntryKind]}),
]


class PeriodQuery(BaseModel):
    """A period. Other names are refused: a filter that is misspelt would filter nothing."""

    model_config = ConfigDict(extra="forbid")

    since: _When = Field(None, description="From this moment on (RFC 3339, with an offset).")
    until: _When = Field(None, description="Before this moment (RFC 3339, with an offset).")


class EntriesQuery(PeriodQuery):
    """Which entries, and how many of them."""

    source: Annotated[Source | None, WithJsonSchema({"type": "string", "enum": [*Source]})] = Field(
        None, description="Only tickets from there."
    )
    reason: Annotated[
        ReviewReason | None, WithJsonSchema({"type": "string", "enum": [*ReviewReason]})
    ] = Field(None, description="Only tickets with this review reason.")
    kind: _Kind = Field(None, description="Only entries of this kind.")
    cursor: Annotated[
        int | None,
        WithJsonSchema({"type": "integer", "minimum": 1, "maximum": LARGEST_SEQ}),
    ] = Field(None, ge=1, le=LARGEST_SEQ, description="`next` of the page before.")
    limit: int = Field(100, ge=1, le=1000, description="At most so many entries.")


class VerifyQuery(BaseModel):
    """What the chain must hold."""

    model_config = ConfigDict(extra="forbid")

    head: Annotated[str | None, WithJsonSchema({"type": "string", "pattern": "^[0-9a-f]{64}$"})] = (
        Field(
            None,
            pattern="^[0-9a-f]{64}$",
            description="The hash of some earlier day's last entry.",
        )
    )


class EntryBody(BaseModel):
    """One entry of the ledger."""

    seq: int = Field(description="Place in the chain, from 1, without gaps.")
    at: str = Field(description="When it was entered: RFC 3339, UTC, to the microsecond.")
    kind: str
    source: Source | None
    reasons: list[ReviewReason]
    detail: dict[str, Any]
    hash: str = Field(description="SHA-256 over the entry before and this one, in hex.")

    @classmethod
    def of(cls, entry: Entry) -> EntryBody:
        """The entry as it is shown."""
        return cls(
            seq=entry.seq,
            at=rfc3339(entry.at),
            kind=entry.kind,
            source=entry.source,
            reasons=list(entry.reasons),
            detail=entry.detail,
            hash=entry.hash,
        )


class EntriesBody(BaseModel):
    """A page of entries, newest first."""

    entries: list[EntryBody]
    next: int | None = Field(description="The cursor of the next page; null on the last.")


class SpendBody(BaseModel):
    """An amount."""

    tokens: int
    nano_usd: int = Field(description="In billionths of a US dollar.")


class CallsBody(BaseModel):
    """Calls of models; ``started`` is the sum of ``finished``, ``interrupted``, ``in_flight``."""

    started: int
    finished: int
    interrupted: int = Field(description="Left open by a process that died.")
    in_flight: int
    by_status: dict[str, int] = Field(description="How the finished ones ended.")
    retries: int = Field(description="Those that were a second attempt.")
    tokens_in: int = Field(description="As reported by the provider.")
    tokens_out: int = Field(description="As reported by the provider.")
    nano_usd: int = Field(description="Price of what was reported, in billionths of a US dollar.")
    unreported: int = Field(description="Ended calls that no usage was reported for.")
    unpriced: int = Field(description="Calls whose usage has no known price, and counts as 0.")
    charged: SpendBody = Field(description="What the budget was charged.")


class DayCallsBody(BaseModel):
    """The calls of one day and one model."""

    day: str = Field(description="In UTC.")
    model: str
    calls: CallsBody


class BudgetBody(BaseModel):
    """What the current day (UTC) was charged so far, and what its open calls have reserved."""

    day: str
    spent: SpendBody
    reserved: SpendBody


class SummaryBody(BaseModel):
    """Sums over a period; ``tickets`` is the sum of ``by_source``."""

    tickets: int
    by_source: dict[str, int]
    by_reason: dict[str, int]
    unledgered: int = Field(description="Tickets given while the ledger could not be written.")
    hit_ratio: float | None = Field(description="Cache hits per ticket; null without tickets.")
    calls_avoided: int = Field(
        description="Cache hits on tickets for which a model had been called."
    )
    shared: int = Field(
        description="Those of them that share the answer about another line of the template."
    )
    calls: CallsBody = Field(description="Calls of models, by when they were started.")
    by_day: list[DayCallsBody]
    budget: BudgetBody = Field(description="Of the current day, whatever the period.")


class VerificationBody(BaseModel):
    """What a walk over the whole chain found."""

    ok: bool
    entries: int
    head: str | None = Field(description="Hash of the last entry: keep it to notice a lost tail.")
    bad_seq: int | None = Field(description="The first bad entry.")
    problem: str | None


class StoredTicketBody(BaseModel):
    """A ticket as the ledger holds it, with the spans it was read from."""

    id: int
    at: str
    line_hash: str = Field(description="SHA-256 of the line's bytes, in hex.")
    line: str | None = Field(description="The line, where keeping text is on.")
    ticket: dict[str, Any]
    reading: dict[str, Any] = Field(description="Format, and byte spans for each field.")
    answer: dict[str, Any] | None = Field(
        description="What the model answered, its quotes as they stand in the line; null without."
    )
    explanation: dict[str, Any] = Field(
        description="By whom each field is, how it was found and its byte span; the signals and "
        "the counts behind the confidence."
    )
