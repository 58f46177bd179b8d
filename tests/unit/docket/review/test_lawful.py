"""The laws that bind a person's corrections."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from logdocket.docket import decode_judgement
from logdocket.docket.review.lawful import Corrections, known, lawful, stored_line
from logdocket.errors import BadVerdict, InputError, LedgerUnavailable
from logdocket.line import NO_CONTEXT, Context, Line, Severity
from logdocket.reading import read_stamp
from logdocket.store.review import Fields

MIRROR = (
    "[2026-01-02 15:04:05] mirror: sync of web-1.example at 2026-01-02T14:00:00Z stopped (busy)"
)
"""The rules take the first time and the first name, and no word tells how bad it is."""

ARRIVED = datetime(2026, 3, 1, tzinfo=UTC)


def judged(entered, text=MIRROR, context=NO_CONTEXT, *, keep_text=True, pasted=None, **ticket):
    """What is known of the rules' ticket for a line."""
    stored = entered(text, context, keep_text=keep_text, **ticket)
    return known(stored, decode_judgement(stored.body), pasted, 1 << 16)


def corrected(found, **told) -> Fields:
    """What the ticket says after these corrections."""
    return lawful(Corrections(**told), found)


def test_what_is_not_corrected_stands(entered):
    """As it was entered."""
    found = judged(entered)
    assert corrected(found) == found.before
    assert found.before.service == "mirror"
    assert found.before.first_seen == "2026-01-02T15:04:05"


@pytest.mark.parametrize(
    ("told", "fields"),
    [
        ({"evidence": "stopped (busy)"}, {"evidence": "stopped (busy)"}),
        ({"service": "web-1.example"}, {"service": "web-1.example"}),
        ({"service": "Unknown"}, {"service": "unknown"}),
        ({"severity": "high"}, {"severity": Severity.HIGH}),
        ({"first_seen": "UNKNOWN"}, {"first_seen": "unknown"}),
        ({"first_seen": "2026-01-02T14:00:00Z"}, {"first_seen": "2026-01-02T14:00:00Z"}),
        ({"first_seen": "2026-01-02 15:04:05"}, {"first_seen": "2026-01-02T15:04:05"}),
        ({"first_seen": "[2026-01-02 15:04:05]"}, {"first_seen": "2026-01-02T15:04:05"}),
        ({"first_seen": "2026-01-02T15:04:05"}, {"first_seen": "2026-01-02T15:04:05"}),
        ({"first_seen": "2026-01-02 15:04"}, {"first_seen": "2026-01-02T15:04"}),
    ],
)
def test_what_the_line_bears_out_is_taken(entered, told, fields):
    """A quote, a name in it, any of its times as it is written or in ISO 8601."""
    found = judged(entered)
    after = corrected(found, **told)
    assert after == msgspec.structs.replace(found.before, **fields)


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"evidence": ""}, "evidence is blank: quote"),
        ({"evidence": " \t"}, "evidence is blank: quote"),
        ({"evidence": "Stopped"}, "evidence 'Stopped' is no quote of the line: copy"),
        ({"evidence": "stopped  (busy)"}, "evidence 'stopped  (busy)' is no quote of the line"),
        ({"evidence": "x" * 4097}, "evidence has 4,097 characters and the most is 4,096: quote"),
        ({"evidence": "\ud800"}, "evidence '\\ud800' is no quote of the line"),
        ({"service": ""}, "service is blank or has spaces around it: send"),
        ({"service": " mirror"}, "service is blank or has spaces around it: send"),
        ({"service": "Mirror"}, "service 'Mirror' stands neither in the line nor in its context"),
        ({"service": "web\n1"}, "service 'web\\n1' stands neither in the line"),
        ({"service": "x" * 201}, "service has 201 characters: send a name of at most 200"),
        ({"severity": "severe"}, "severity 'severe' is none: send one of low, medium, high"),
        ({"severity": ""}, "severity '' is none: send one of"),
        ({"first_seen": ""}, "first_seen '' is no time that the line has: copy"),
        ({"first_seen": "yesterday"}, "first_seen 'yesterday' is no time that the line has"),
        ({"first_seen": "2026-01-02T15:04:06"}, "first_seen '2026-01-02T15:04:06' is no time"),
        ({"first_seen": "2026-01-02T15:04:05Z"}, "first_seen '2026-01-02T15:04:05Z' is no time"),
        ({"first_seen": "026-01-02 15:04:05"}, "first_seen '026-01-02 15:04:05' is no time"),
        ({"first_seen": "2026-01-02"}, "first_seen '2026-01-02' is a day without a time: quote"),
        ({"first_seen": "mirror"}, "first_seen 'mirror' is no time that the line has"),
        ({"first_seen": "1" * 129}, "first_seen has 129 characters: quote the time alone"),
    ],
)
def test_what_the_line_does_not_bear_out_is_refused(entered, told, message):
    """In one line that names the field and the mend."""
    with pytest.raises(BadVerdict) as refused:
        corrected(judged(entered), **told)
    assert str(refused.value).startswith(message)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("keep_text", [True, False])
@pytest.mark.parametrize(
    ("stamp", "whole", "why"),
    [
        ("Jan  2 15:04:05", "2026-01-02T15:04:05", "no year: .* send received_at with later lines"),
        ("03/04/2026 10:00:00", "2026-04-03T10:00:00", "more than one way: leave the ticket's"),
    ],
)
def test_a_time_that_names_no_one_moment_is_refused(entered, stamp, whole, why, keep_text):
    """A person guesses no more than the rules do, and is told so at once: as it is written and in
    full alike."""
    found = judged(entered, f"{stamp} cron: job 7 failed", keep_text=keep_text)
    for told in (stamp, whole):
        with pytest.raises(BadVerdict, match=f"^first_seen '{told}' is not .*{why}") as refused:
            corrected(found, first_seen=told)
        assert refused.value.mark == "first_seen"


def test_the_context_settles_a_time_for_a_person_too(entered):
    """A stamp without a year, by when the line arrived; the zone is the caller's."""
    line = "backup said: Jan  2 15:04:05 tape 3 is full"
    found = judged(entered, line, Context(received_at=ARRIVED, timezone="+02:00"))
    after = corrected(found, first_seen="Jan  2 15:04:05")
    assert after.first_seen == "2026-01-02T15:04:05+02:00"
    assert corrected(found, first_seen=after.first_seen) == after


def test_the_callers_service_is_a_name(entered):
    """Though the line does not have it."""
    found = judged(entered, MIRROR, Context(service="mirrors"))
    assert corrected(found, service="mirrors").service == "mirrors"


def test_the_callers_service_is_known_from_the_ticket_where_nothing_else_is_kept(entered):
    """The rules took it from there."""
    found = judged(
        entered, "disk is full", Context(service="store"), keep_text=False, service="unknown"
    )
    assert corrected(found, service="store").service == "store"


@pytest.mark.parametrize(
    ("told", "after"),
    [
        ({"evidence": "2026-01-02T14:00:00Z stopped"}, "2026-01-02T14:00:00Z stopped"),
        ({"service": "web-1.example"}, "web-1.example"),
        ({"service": "mirror"}, "mirror"),
        ({"severity": "critical"}, "critical"),
        ({"first_seen": "2026-01-02T14:00:00Z"}, "2026-01-02T14:00:00Z"),
        ({"first_seen": "2026-01-02T15:04:05"}, "2026-01-02T15:04:05"),
        ({"first_seen": "unknown"}, "unknown"),
    ],
)
def test_without_the_text_the_evidence_bears_out_what_it_can(entered, told, after):
    """It is a quote of the line, whatever else that says."""
    found = judged(entered, keep_text=False)
    assert found.line is None
    (field,) = told
    assert getattr(corrected(found, **told), field) == after


@pytest.mark.parametrize(
    "told",
    [
        {"evidence": "mirror: sync"},
        {"service": "sync of elsewhere"},
        {"first_seen": "2026-01-02 15:04"},
    ],
)
def test_without_the_text_what_else_is_said_needs_the_line(entered, told):
    """The message says how to send it; with it, or where it is no part of it, the laws decide."""
    found = judged(entered, keep_text=False)
    with pytest.raises(BadVerdict, match=r"send .*`line`"):
        corrected(found, **told)


def test_a_pasted_line_bears_out_all_of_it(entered):
    """Also with the line's end that a terminal adds."""
    for end in ("", "\n", "\r\n"):
        found = judged(entered, keep_text=False, pasted=MIRROR + end)
        assert corrected(found, evidence="mirror: sync").evidence == "mirror: sync"


@pytest.mark.parametrize(
    ("pasted", "message"),
    [
        (MIRROR + " ", "line is not the line of the judged ticket, byte for byte"),
        (MIRROR + "\n\n", "line is not the line of the judged ticket, byte for byte"),
        ("", "line cannot be taken: the line is blank"),
        ("\ud800", "line cannot be taken: the line holds a lone surrogate"),
        ("x" * 70_000, "line cannot be taken: the line has 70,000 bytes"),
    ],
)
def test_another_line_is_refused(entered, pasted, message):
    """Whether or not the text is kept."""
    for keep_text in (True, False):
        with pytest.raises(BadVerdict) as refused:
            judged(entered, keep_text=keep_text, pasted=pasted)
        assert str(refused.value).startswith(message)


def test_a_quote_of_bytes_that_are_not_utf_8_is_a_quote(entered):
    """They are what the line has; a character that looks like them is not."""
    found = judged(entered, b"ERROR shelf: caf\xe9 is closed")
    assert corrected(found, evidence="caf\udce9").evidence == "caf\udce9"
    with pytest.raises(BadVerdict, match="no quote"):
        corrected(found, evidence="café")


def test_halves_of_a_character_are_no_quote_of_it(entered):
    """Though their bytes stand in the line one after the other."""
    with pytest.raises(BadVerdict, match="no quote"):
        corrected(judged(entered, "ERROR shelf: é is closed"), evidence="\udcc3\udca9")


def test_what_stands_must_be_a_quote_too(entered):
    """A ticket that its line does not bear out is not right."""
    with pytest.raises(BadVerdict, match="evidence 'made up' is no quote"):
        corrected(judged(entered, evidence="made up"))


def test_a_stored_text_that_is_another_line_is_no_line(entered):
    """Nobody judges by it."""
    stored = msgspec.structs.replace(entered(MIRROR), text=b"another line")
    with pytest.raises(LedgerUnavailable, match="not as it was entered: verify the ledger"):
        stored_line(stored)


PIECES = st.sampled_from(
    [
        "2026-01-02T15:04:05Z",
        "2026-01-02 15:04:05",
        "Jan  2 15:04:05",
        "ERROR",
        "payments",
        "größe",
        "\udce9",
        "\udcc3",
        " ",
        ":",
        "7",
        "unknown",
        "é",
    ]
)
TEXTS = st.lists(PIECES | st.text(max_size=3), min_size=1, max_size=8).map("".join)


@given(text=TEXTS, told=st.lists(TEXTS, min_size=3, max_size=3), cut=st.data())
def test_whatever_a_person_says_the_laws_hold(entered, text, told, cut):
    """Of any line: the corrections are refused, or the line bears them out."""
    try:
        line = Line(text)
    except InputError:
        assume(False)
    ends = st.integers(0, len(line.text))
    said = []
    for other in told:
        start, end = sorted((cut.draw(ends), cut.draw(ends)))
        said.append(cut.draw(st.sampled_from([other, line.text[start:end], None])))
    service, first_seen, evidence = said
    found = judged(entered, line.text)
    try:
        after = corrected(found, service=service, first_seen=first_seen, evidence=evidence)
    except BadVerdict:
        return
    assert after.evidence.strip()
    assert after.evidence.encode("utf-8", "surrogateescape") in line.raw
    assert after.service == "unknown" or after.service in line.text
    assert after.first_seen == "unknown" or any(
        stamp is not None and stamp.value == after.first_seen
        for start in range(len(text))
        for end in range(start + 1, len(text) + 1)
        for stamp in [read_stamp(text[start:end], NO_CONTEXT)]
    )
