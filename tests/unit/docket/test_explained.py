"""Why a ticket says what it says."""

from __future__ import annotations

import json

import pytest

from logdocket.confidence import Table
from logdocket.docket import Judge, decode_judgement, explanation, ticket_document
from logdocket.docket.merge import merge
from logdocket.errors import LedgerUnavailable
from logdocket.line import NO_CONTEXT, Answer, Context, Line, Severity
from logdocket.reading import read
from logdocket.store import StoredTicket
from logdocket.ticket import Source, encode

TABLE = Table({"level/logger/read": (97, 98), "level/logger": (97, 98), "level": (97, 98)})


def explained(line: Line, context: Context = NO_CONTEXT, answer: Answer | None = None) -> dict:
    """What is told of the ticket for ``line``, as JSON has it."""
    judge = Judge(TABLE, 0.1)
    if answer is None:
        judged = judge(line, context)
    else:
        reading = read(line, context)
        judged = judge.accept(line, reading, answer, merge(answer, reading, None))
    return json.loads(encode(explanation(decode_judgement(judged.body))))


def quoted(line: Line, field: dict) -> str | None:
    """What stands at the field's span."""
    return None if field["span"] is None else line.raw[slice(*field["span"])].decode()


def test_each_field_tells_where_it_stands_in_the_line():
    """In bytes, also where a character has several."""
    line = Line("2026-01-02T15:04:05Z ERROR größe: card refused")
    fields = explained(line)["fields"]
    assert {name: (field["by"], quoted(line, field)) for name, field in fields.items()} == {
        "service": ("rules", "größe"),
        "severity": ("rules", "ERROR"),
        "first_seen": ("rules", "2026-01-02T15:04:05Z"),
        "evidence": ("rules", "card refused"),
    }
    assert (fields["service"]["basis"], fields["severity"]["basis"]) == ("logger", "level")


def test_what_nobody_read_is_nobodys():
    """And the time tells why it is unknown."""
    fields = explained(Line("15:04:05 tide tables"))["fields"]
    assert (fields["service"]["by"], fields["service"]["value"]) == ("nobody", "unknown")
    assert (fields["severity"]["by"], fields["severity"]["basis"]) == ("nobody", "unstated")
    assert (fields["first_seen"]["by"], fields["first_seen"]["why_unknown"]) == (
        "nobody",
        "no_date",
    )
    assert fields["first_seen"]["span"] == [0, 8]


def test_a_service_from_the_context_stands_nowhere_in_the_line():
    """It is the caller's word."""
    field = explained(Line("tide tables"), Context(service="harbour"))["fields"]["service"]
    assert (field["by"], field["value"], field["span"]) == ("context", "harbour", None)


def test_what_a_model_gave_is_told_with_the_place_that_it_quoted():
    """Where the rules had read nothing of the kind."""
    line = Line("2026-01-02T15:04:05Z the quay is shut")
    answer = Answer("quay", Severity.MEDIUM, "unknown", "quay is shut")
    fields = explained(line, answer=answer)["fields"]
    assert {name: (field["by"], quoted(line, field)) for name, field in fields.items()} == {
        "service": ("model", "quay"),
        "severity": ("model", "quay is shut"),
        "first_seen": ("rules", "2026-01-02T15:04:05Z"),
        "evidence": ("model", "quay is shut"),
    }


def test_a_name_that_neither_gave_is_nobodys():
    """Though the model says unknown in so many words."""
    line = Line("2026-01-02T15:04:05Z the quay is shut")
    answer = Answer("unknown", Severity.MEDIUM, "unknown", "quay is shut")
    field = explained(line, answer=answer)["fields"]["service"]
    assert (field["by"], field["span"]) == ("nobody", None)


def test_what_the_line_states_stays_the_rules_own():
    """Though a model says the same."""
    line = Line("2026-01-02T15:04:05Z ERROR pay: card refused")
    fields = explained(line, answer=Answer("pay", Severity.HIGH, "unknown", "refused"))["fields"]
    assert [field["by"] for field in fields.values()] == ["rules", "rules", "rules", "model"]


def test_the_confidence_tells_its_signals_and_counts():
    """Of the cell that was asked, and of the one that answered."""
    told = explained(Line("2026-01-02T15:04:05Z ERROR pay: card refused"))["confidence"]
    assert told["signals"] == {
        "severity": "level",
        "service": "logger",
        "timestamp": "read",
        "agreement": "alone",
    }
    assert (told["cell"], told["answered_by"]) == ("level/logger/read",) * 2
    assert (told["right"], told["total"], told["backed_off"]) == (97, 98, False)
    told = explained(Line("ERROR pay: card refused"))["confidence"]
    assert (told["cell"], told["answered_by"]) == ("level/logger/absent", "level/logger")
    assert told["backed_off"] is True


def stored(body: bytes) -> StoredTicket:
    """A ticket as the store holds it."""
    return StoredTicket(
        id=7,
        at=1_767_366_245_000_000,
        key=bytes(16),
        line_hash=bytes(32),
        source=Source.FALLBACK,
        reasons=(),
        body=body,
        text=b"tide \xff tables",
    )


def test_the_document_has_ticket_reading_and_explanation():
    """The line's bytes that are not UTF-8 as escapes."""
    line = Line.from_bytes(b"tide \xff tables")
    document = json.loads(ticket_document(stored(Judge(TABLE, 0.1)(line, NO_CONTEXT).body)))
    assert document["id"] == 7
    assert document["line"] == "tide \udcff tables"
    assert document["ticket"]["evidence"] == "tide \udcff tables"
    assert document["reading"]["severity"]["basis"] == "unstated"
    assert document["explanation"]["fields"]["evidence"]["span"] == [0, 13]


def test_a_ticket_from_before_confidence_was_told_has_none():
    """All else is told."""
    line = Line("ERROR pay: card refused")
    judgement = decode_judgement(Judge(TABLE, 0.1)(line, NO_CONTEXT).body)
    old = encode({"ticket": judgement.ticket, "reading": judgement.reading})
    document = json.loads(ticket_document(stored(old)))
    assert document["explanation"]["confidence"] is None
    assert document["explanation"]["fields"]["severity"]["span"] == [0, 5]


@pytest.mark.parametrize("body", [b"no JSON", b"{}", b'{"ticket":{}}'])
def test_a_body_that_is_no_judgement_is_refused(body):
    """It is not as it was entered."""
    with pytest.raises(LedgerUnavailable, match="ticket 7"):
        ticket_document(stored(body))
