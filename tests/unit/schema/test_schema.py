"""The ticket's JSON Schema says what the code does."""

from __future__ import annotations

import enum
import json
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from logdocket.schema import ticket_schema, ticket_schema_bytes
from logdocket.ticket import ReviewReason, Severity, Source, Ticket

SCHEMA = ticket_schema()
VALIDATOR = Draft202012Validator(SCHEMA)

TICKET = Ticket(
    service="payments",
    severity=Severity.HIGH,
    first_seen="2026-01-02T15:04:05Z",
    evidence="card refused",
    confidence=0.9,
    needs_human=True,
    source=Source.FALLBACK,
    review_reasons=(ReviewReason.MODEL_NOT_CONFIGURED,),
)


def ticket(**changes: object) -> dict[str, Any]:
    """A good ticket as JSON, with some fields changed."""
    return {**json.loads(TICKET.to_json()), **changes}


def words(field: dict[str, Any]) -> dict[str, str]:
    """Each word that a field may hold, with what is said of it."""
    return {choice["const"]: choice["description"] for choice in field["oneOf"]}


def test_the_schema_is_a_schema() -> None:
    """It obeys the draft that it names."""
    assert SCHEMA["$schema"] == Draft202012Validator.META_SCHEMA["$id"]
    Draft202012Validator.check_schema(SCHEMA)


def test_its_name_is_no_address() -> None:
    """Nothing is fetched to resolve it, so it is named and not located."""
    assert SCHEMA["$id"].startswith("urn:")


def test_the_bytes_are_the_schema() -> None:
    """What is published and what is read are one file."""
    assert json.loads(ticket_schema_bytes()) == SCHEMA


def test_a_caller_may_change_its_copy() -> None:
    """One caller's changes do not reach the next."""
    ticket_schema().clear()
    assert ticket_schema() == SCHEMA


def test_the_properties_are_the_tickets_fields_in_order() -> None:
    """A field added to the ticket, or dropped from it, is so in the schema too."""
    fields = [field.name for field in msgspec.structs.fields(Ticket)]
    assert list(SCHEMA["properties"]) == fields
    assert SCHEMA["required"] == fields[:6]


@pytest.mark.parametrize(
    ("field", "kind"),
    [
        (SCHEMA["properties"]["severity"], Severity),
        (SCHEMA["properties"]["source"], Source),
        (SCHEMA["properties"]["review_reasons"]["items"], ReviewReason),
    ],
    ids=["severity", "source", "review_reasons"],
)
def test_the_words_are_the_codes_words(field: dict[str, Any], kind: type[enum.StrEnum]) -> None:
    """Neither knows a word that the other does not, and they stand in one order."""
    assert list(words(field)) == list(kind)
    assert all(words(field).values())


@pytest.mark.parametrize("reason", ReviewReason)
def test_a_reason_is_told_in_the_same_sentence(reason: ReviewReason) -> None:
    """The sentence that a person reads has one source."""
    assert words(SCHEMA["properties"]["review_reasons"]["items"])[reason] == reason.sentence


@pytest.mark.parametrize("example", SCHEMA["examples"])
def test_the_examples_are_tickets(example: dict[str, Any]) -> None:
    """What the schema shows, it accepts, and so does the code."""
    VALIDATOR.validate(example)
    assert msgspec.convert(example, Ticket)


@pytest.mark.parametrize("field", SCHEMA["properties"])
def test_the_examples_of_a_field_fit_it(field: str) -> None:
    """An example value is a value."""
    for value in SCHEMA["properties"][field].get("examples", ()):
        VALIDATOR.validate(ticket(**{field: value}))


@pytest.mark.parametrize(
    "value",
    [
        "unknown",
        "2026-01-02T15:04",
        "2026-01-02T15:04:05",
        "2026-01-02T15:04:05Z",
        "2026-12-31T23:59:60Z",
        "2026-01-02T15:04:05.123456789+05:30",
        "0001-01-01T00:00:00-00:30",
    ],
)
def test_a_time_in_iso_8601_or_unknown_is_accepted(value: str) -> None:
    """Zone and fraction are there when the line has them."""
    VALIDATOR.validate(ticket(first_seen=value))


@pytest.mark.parametrize("reasons", [[], ["low_confidence"], ["no_such_reason"]])
def test_no_reason_stands_on_a_ticket_that_needs_no_one(reasons: list[str]) -> None:
    """A review reason and ``needs_human: false`` contradict each other."""
    seen = ticket(source="model", needs_human=False, review_reasons=reasons)
    assert VALIDATOR.is_valid(seen) == (reasons == [])


@pytest.mark.parametrize(
    "changes",
    [
        {"service": ""},
        {"service": None},
        {"severity": "HIGH"},
        {"severity": "error"},
        {"first_seen": ""},
        {"first_seen": "2026-13-01T00:00:00Z"},
        {"first_seen": "2026-01-02"},
        {"first_seen": "2026-01-02 15:04:05"},
        {"first_seen": "2026-01-02T24:00:00"},
        {"first_seen": "2026-01-02T15:04:05Z\n"},
        {"first_seen": "since 2026-01-02T15:04:05Z"},
        {"evidence": ""},
        {"evidence": " \t"},
        {"confidence": 1.01},
        {"confidence": -0.01},
        {"confidence": "0.9"},
        {"needs_human": None},
        {"needs_human": False},
        {"source": "person"},
        {"review_reasons": ["low_confidence", "low_confidence"]},
        {"review_reasons": "low_confidence"},
        {"id": 7},
    ],
    ids=str,
)
def test_what_is_no_ticket_is_refused(changes: dict[str, object]) -> None:
    """One field wrong is enough."""
    assert not VALIDATOR.is_valid(ticket(**changes))


@pytest.mark.parametrize("field", SCHEMA["required"])
def test_each_of_the_six_fields_is_needed(field: str) -> None:
    """A ticket without one of them is none."""
    short = ticket()
    del short[field]
    assert not VALIDATOR.is_valid(short)
