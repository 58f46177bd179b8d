from __future__ import annotations

import json

import jsonschema
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from logdocket.schema import ticket_schema
from logdocket.ticket import Extraction, ReviewReason, Severity, Source, Ticket, decode, encode

REASONS = list(ReviewReason)


def ticket(evidence: str = "card refused", *reasons: ReviewReason) -> Ticket:
    """A fallback's ticket."""
    return Ticket(
        service="payments",
        severity=Severity.HIGH,
        first_seen="2026-01-02T15:04:05Z",
        evidence=evidence,
        confidence=0.97,
        needs_human=bool(reasons),
        source=Source.FALLBACK,
        review_reasons=reasons,
    )


def test_the_public_form_is_flat_and_fixed() -> None:
    """Six fields, then where they came from, on one line."""
    assert ticket("card refused", ReviewReason.MODEL_NOT_CONFIGURED).to_json() == (
        b'{"service":"payments","severity":"high","first_seen":"2026-01-02T15:04:05Z",'
        b'"evidence":"card refused","confidence":0.97,"needs_human":true,"source":"fallback",'
        b'"review_reasons":["model_not_configured"]}'
    )


@given(st.binary(min_size=1))
def test_every_quote_survives_the_public_form(raw: bytes) -> None:
    """Whatever bytes it has, JSON gives them back, on one line of UTF-8."""
    quote = raw.decode("utf-8", "surrogateescape")
    made = ticket(quote).to_json()
    assert b"\n" not in made
    made.decode("utf-8")
    evidence = json.loads(made)["evidence"]
    assert evidence == quote
    assert evidence.encode("utf-8", "surrogateescape") == raw


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_both_writers_of_json_agree(text: str) -> None:
    """Text that needs no escape of a byte looks the same whichever writes it."""
    bare = json.loads(encode({"a": text, "b": 1.5}))
    escaped = json.loads(encode({"a": text + "\udcff", "b": 1.5}))
    assert bare == {"a": text, "b": 1.5}
    assert escaped == {"a": text + "\udcff", "b": 1.5}


def test_a_byte_that_is_no_utf_8_is_an_escape() -> None:
    """And what stands beside it is not escaped."""
    assert b'"evidence":"caf\xc3\xa9 \\udcff!"' in ticket("café \udcff!").to_json()


@pytest.mark.parametrize(("source", "reasons"), [(Source.FALLBACK, REASONS), (Source.MODEL, [])])
def test_the_public_form_keeps_its_schema(source: Source, reasons: list[ReviewReason]) -> None:
    """With every reason and with none."""
    made = msgspec.structs.replace(ticket("x", *reasons), source=source)
    jsonschema.validate(json.loads(made.to_json()), ticket_schema())


def test_a_cached_ticket_differs_in_its_source_alone() -> None:
    """Every reason of the first answer stands."""
    first = ticket("x", ReviewReason.SERVICE_UNKNOWN)
    again = json.loads(first.cached().to_json())
    assert again == json.loads(first.to_json()) | {"source": "cache"}


def test_an_unrecorded_ticket_goes_to_a_person() -> None:
    """The reason is added in its place among the others."""
    made = ticket("x", ReviewReason.MODEL_NOT_CONFIGURED, ReviewReason.LOW_CONFIDENCE).unledgered()
    assert made.needs_human
    assert made.review_reasons == (
        ReviewReason.MODEL_NOT_CONFIGURED,
        ReviewReason.LEDGER_UNAVAILABLE,
        ReviewReason.LOW_CONFIDENCE,
    )
    assert made.unledgered() == made


def test_a_ticket_that_needs_nobody_needs_one_when_unrecorded() -> None:
    """A ticket that only the caller has is never left unseen."""
    made = ticket("x").unledgered()
    assert made.needs_human
    assert made.review_reasons == (ReviewReason.LEDGER_UNAVAILABLE,)


@pytest.mark.parametrize(
    ("id", "reasons", "unrecorded"),
    [
        (7, [], False),
        (None, [], False),
        (None, [ReviewReason.LEDGER_UNAVAILABLE], True),
        (7, [ReviewReason.LEDGER_UNAVAILABLE], False),
    ],
)
def test_unrecorded_is_what_should_be_in_the_ledger_and_is_not(
    id: int | None, reasons: list[ReviewReason], unrecorded: bool
) -> None:
    """A ledger that is switched off misses nothing."""
    assert Extraction.of(ticket("x", *reasons), id).unrecorded is unrecorded


@given(st.binary(min_size=1))
def test_a_ticket_can_be_read_out_of_its_public_form(raw: bytes) -> None:
    """Another process sends only the JSON; bytes that are not UTF-8 come through."""
    made = ticket(raw.decode("utf-8", "surrogateescape"), ReviewReason.SERVICE_UNKNOWN)
    assert Extraction(made.to_json(), 7).ticket == made
    again = Extraction(made.to_json(), 7).cached()
    assert (again.ticket, again.json, again.id) == (made.cached(), made.cached().to_json(), 7)


def test_an_unrecorded_extraction_has_no_number() -> None:
    """What could not be entered cannot be pointed at."""
    made = Extraction.of(ticket("x"), 7).unledgered()
    assert made.id is None
    assert made.unrecorded
    assert json.loads(made.json)["review_reasons"] == ["ledger_unavailable"]


@pytest.mark.parametrize(
    "raw",
    [b"", b"{", b"[]", b"{}", b"\xff", b'"\\udcff"', b'{"service":"\\udcff"}', b"[\\udcff"],
)
def test_what_is_no_ticket_is_told_in_one_way(raw: bytes) -> None:
    """A stored body that was damaged is no answer, whatever the damage."""
    with pytest.raises(msgspec.MsgspecError):
        decode(raw, msgspec.json.Decoder(Ticket))


@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_says_what_happened_and_what_to_do(reason: ReviewReason) -> None:
    """Two sentences that a person can read."""
    assert reason.value == reason.name.lower()
    for text in (reason.sentence, reason.mend):
        assert text[0].isupper()
        assert text.endswith(".")
        assert reason.value not in text


def test_no_two_reasons_say_the_same() -> None:
    """Who reads the sentence knows the reason."""
    assert len({reason.sentence for reason in REASONS}) == len(REASONS)
