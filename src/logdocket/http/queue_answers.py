"""What the review queue's routes give, as the OpenAPI document describes it."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from logdocket.http.shapes import StoredTicketBody
from logdocket.line import Severity
from logdocket.store.review import GroupState, VerdictWord
from logdocket.ticket import ReviewReason


class GroupBody(BaseModel):
    """Tickets that one decision is about."""

    id: int
    key: str = Field(description="Stands for service, severity family and template, in hex.")
    state: GroupState
    service: str
    severity: Severity
    template: str
    evidence: str
    ticket: int = Field(description="The newest ticket that needs a person.")
    reasons: list[ReviewReason] = Field(description="Of that ticket.")
    all_reasons: list[ReviewReason] = Field(description="Of any of its tickets.")
    count: int = Field(description="How often such tickets were given.")
    since: int = Field(description="How many of them after the last decision.")
    by_source: dict[str, int]
    first_at: str = Field(description="When the first was entered; RFC 3339, UTC.")
    last_at: str
    first_seen: str = Field(description="The earliest of the lines' own times.")
    last_seen: str
    version: int = Field(description="What a verdict stands on.")
    verdict: VerdictWord | None
    decided_by: str | None
    decided_at: str | None
    reopened: bool
    until: str | None
    waiting: int
    changed: int = Field(description="The entry that last changed it.")


class CountsBody(BaseModel):
    """Groups by state."""

    by_state: dict[str, int]
    upto: int = Field(description="The last entry of the ledger that the queue tells of.")
    head: int = Field(description="The last entry there is.")
    changed: int


class GroupsBody(BaseModel):
    """A page of groups."""

    groups: list[GroupBody]
    next: str | None = Field(description="The cursor of the next page; null on the last.")
    counts: CountsBody = Field(description="Over all groups, whatever the filters.")


class FieldsBody(BaseModel):
    """What a person judges of a ticket."""

    service: str
    severity: Severity
    first_seen: str
    evidence: str


class PastVerdictBody(BaseModel):
    """A decision."""

    id: int
    at: str
    group: str
    verdict: VerdictWord
    who: str
    ticket: int
    line_hash: str
    version: int
    before: FieldsBody
    after: FieldsBody | None
    answers: str | None = Field(
        description="Which later lines it answers: of the `template`, the same `line`, or none."
    )
    until: str | None
    undoes: int | None
    undone_by: int | None
    withdrawn_by: int | None = Field(
        description="The verdict by which its group was to be decided again."
    )
    note: str | None


class SampleBody(BaseModel):
    """One of a group's tickets."""

    id: int
    at: str
    ticket: dict[str, Any]
    line_hash: str
    line: str | None


class GroupDetailBody(BaseModel):
    """A group and all that one may want to see before deciding."""

    group: GroupBody
    ticket: StoredTicketBody
    tickets: list[SampleBody] = Field(description="The newest, newest first.")
    verdicts: list[PastVerdictBody] = Field(description="Newest first.")
    calls: list[dict[str, Any]] = Field(description="Of the model, for `ticket`, oldest first.")


class DecidedBody(BaseModel):
    """A verdict that was entered."""

    verdict: int = Field(description="The number of its entry.")
    group: GroupBody = Field(description="As it now stands.")


class EnteredBody(DecidedBody):
    """One of several verdicts, which was entered."""

    id: int = Field(description="The number of the group that it was sent about.")


class RefusedBody(BaseModel):
    """One of several verdicts, which was not entered."""

    id: int = Field(description="The number of the group that it was sent about.")
    problem: dict[str, Any] = Field(description="Why, as a problem document.")
    group: GroupBody | None = Field(description="As it now stands; null where there is none.")


class ResultsBody(BaseModel):
    """What became of each verdict, in order."""

    results: list[EnteredBody | RefusedBody]
