"""What the review queue's routes take, as the OpenAPI document describes it."""

from __future__ import annotations

import enum
from typing import Annotated, Final

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError

from logdocket.docket import Ask
from logdocket.http.shapes import moment
from logdocket.line import Severity
from logdocket.store.review import GroupQuery, GroupSort, GroupState, VerdictWord
from logdocket.ticket import ReviewReason, Source

MOST_VERDICTS: Final = 500
"""In one request."""
LARGEST_ID: Final = 2**53 - 1
"""What any reader of JSON takes for the number that it is (RFC 8259, section 6)."""

_LONGEST_TEXT: Final = 1_000
_WHEN: Final = {"type": "string", "format": "date-time"}


def _words(kind: type[enum.StrEnum], *more: str) -> WithJsonSchema:
    """The words of an enumeration, in place: it would stand in the document as a schema that no
    body refers to."""
    return WithJsonSchema({"type": "string", "enum": [*kind, *more]})


def _orders(kind: type[enum.StrEnum], *more: str) -> WithJsonSchema:
    return WithJsonSchema(
        {"type": "array", "items": {"type": "string", "enum": [*kind, *more]}, "uniqueItems": False}
    )


def _text(value: object) -> str:
    """Text as it comes: a byte that is not UTF-8 stands in a line as half a surrogate pair."""
    if not isinstance(value, str):
        raise ValueError("is no text")
    return value


def _whole(value: object) -> object:
    """A whole number in whatever form: JSON knows no other difference."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _state(word: str) -> str:
    """A state, or ``all``; what is neither is told as pydantic tells it of an enumeration."""
    known = (*GroupState, "all")
    if word in known:
        return word
    *first, last = (repr(str(state)) for state in known)
    expected = f"{', '.join(first)} or {last}"
    raise PydanticCustomError("enum", "is none of {expected}", {"expected": expected})


def _maybe_moment(value: object) -> object:
    return None if value is None else moment(value)


Seq = Annotated[
    int,
    Field(strict=True, ge=1, le=LARGEST_ID),
    BeforeValidator(_whole),
    WithJsonSchema({"type": "integer", "minimum": 1, "maximum": LARGEST_ID}),
]
"""The number of an entry, or of a group."""
_Text = Annotated[str, PlainValidator(_text), WithJsonSchema({"type": "string"})]
_State = Annotated[str, AfterValidator(_state)]


class FilterQuery(BaseModel):
    """Which groups. Other names are refused: a filter that is misspelt would filter nothing."""

    model_config = ConfigDict(extra="forbid")

    state: Annotated[list[_State], _orders(GroupState, "all")] = Field(
        [GroupState.OPEN.value],
        description="Only groups in this state, or one of these; `all` for any.",
    )
    severity: Annotated[list[Severity], _orders(Severity)] = Field(
        [], description="Only of this severity, or one of these."
    )
    service: str | None = Field(None, description="Only of this service.")
    reason: Annotated[ReviewReason | None, _words(ReviewReason)] = Field(
        None, description="Only with a ticket that has this review reason."
    )
    source: Annotated[Source | None, _words(Source)] = Field(
        None, description="Only with a ticket from there."
    )
    text: str | None = Field(
        None,
        max_length=_LONGEST_TEXT,
        description="Only with this in service, evidence or template, in whatever case.",
    )
    sort: Annotated[GroupSort, _words(GroupSort)] = Field(
        GroupSort.SEVERITY,
        description="Most severe first, by when the first ticket came, or most frequent first.",
    )

    def query(self, limit: int, cursor: str | None = None) -> GroupQuery:
        """What the desk is asked."""
        anywhere = "all" in self.state
        return GroupQuery(
            states=() if anywhere else tuple(map(GroupState, dict.fromkeys(self.state))),
            severities=tuple(dict.fromkeys(self.severity)),
            service=self.service,
            reason=self.reason,
            source=self.source,
            text=self.text,
            sort=self.sort,
            cursor=cursor,
            limit=limit,
        )


class GroupsQuery(FilterQuery):
    """Which groups, and how many of them."""

    cursor: str | None = Field(None, description="`next` of the page before.")
    limit: int = Field(50, ge=1, le=500, description="At most so many groups.")


class ExportFormat(enum.StrEnum):
    """What an export holds."""

    CSV = "csv"
    JSONL = "jsonl"
    LABELLED = "labelled"
    FIXTURE = "fixture"


class ExportQuery(FilterQuery):
    """What is exported."""

    format: Annotated[ExportFormat, _words(ExportFormat)] = Field(
        ExportFormat.CSV,
        description="Groups as `csv` or `jsonl`; or what people decided, whatever the filters: as "
        "a set of `labelled` lines, or as the rows of a `fixture`.",
    )


class ChangesQuery(BaseModel):
    """From where on."""

    model_config = ConfigDict(extra="forbid")

    after: Annotated[
        int | None, WithJsonSchema({"type": "integer", "minimum": 0, "maximum": LARGEST_ID})
    ] = Field(
        None,
        ge=0,
        le=LARGEST_ID,
        description="`changed` of the last group that is known; unset, from now on. The header "
        "`Last-Event-ID` wins over it.",
    )


class VerdictBody(BaseModel):
    """What a person decides about a group. Other fields are refused."""

    model_config = ConfigDict(extra="forbid")

    verdict: Annotated[VerdictWord, _words(VerdictWord)] = Field(
        description="What to say of the group."
    )
    version: Annotated[
        int,
        Field(strict=True, ge=0, le=LARGEST_ID),
        BeforeValidator(_whole),
        WithJsonSchema({"type": "integer", "minimum": 0, "maximum": LARGEST_ID}),
    ] = Field(
        description="The group's `version` as it was shown: where it has another by now, 409."
    )
    service: _Text | None = Field(None, description="What the ticket should say; null keeps.")
    severity: Annotated[
        Severity | None,
        WithJsonSchema({"anyOf": [{"type": "string", "enum": [*Severity]}, {"type": "null"}]}),
    ] = Field(None, description="What the ticket should say; null keeps.")
    first_seen: _Text | None = Field(
        None, description="The time as the line has it, or as ISO 8601; null keeps."
    )
    evidence: _Text | None = Field(None, description="A quote of the line; null keeps.")
    line: _Text | None = Field(
        None, description="The line itself, where the service does not keep its text."
    )
    until: Annotated[
        int | None,
        BeforeValidator(_maybe_moment),
        WithJsonSchema({"anyOf": [_WHEN, {"type": "null"}]}),
    ] = Field(None, description="For `snoozed`: when it comes back (RFC 3339, with an offset).")
    undoes: Seq | None = Field(
        None, description="For `undone`: the verdict to take back; null is the latest that stands."
    )
    note: _Text | None = Field(None, description="A remark.")
    ticket: Seq | None = Field(
        None, description="The ticket that was judged; null is the group's newest."
    )

    def ask(self, group: int) -> Ask:
        """What the desk is asked."""
        given = {name: getattr(self, name) for name in VerdictBody.model_fields}
        return Ask(group=group, **given)


class GroupVerdictBody(VerdictBody):
    """What a person decides about one of several groups."""

    group: Seq = Field(description="The group's `id`.")


class VerdictsBody(BaseModel):
    """Several decisions: each that holds is entered, all of them in one transaction."""

    model_config = ConfigDict(extra="forbid")

    verdicts: list[GroupVerdictBody] = Field(min_length=1, max_length=MOST_VERDICTS)
