"""What entries of calls say, to the byte."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from logdocket.calls import CallEnd, CallStatus, Spend, Usage
from logdocket.store import CallStart
from logdocket.store.sqlite import details

KEY, LINE, HOLDER = bytes(range(16)), bytes(32), bytes([255] * 16)


def _start(**changes: Any) -> CallStart:
    fields: dict[str, Any] = {
        "key": KEY,
        "line_hash": LINE,
        "holder": HOLDER,
        "expires": 9,
        "seen": 0,
        "attempt": 1,
        "model": "small",
        "mode": "schema",
        "prompt": 3,
        "reserve": Spend(20, 10),
    }
    return CallStart(**{**fields, **changes})


@pytest.mark.parametrize(
    ("caps", "shown"),
    [
        ({}, ""),
        ({"cap_tokens": 0}, '"cap":{"tokens":0},'),
        ({"cap_tokens": 7, "cap_nano_usd": 8}, '"cap":{"nano_usd":8,"tokens":7},'),
    ],
)
def test_a_start_is_entered_with_what_bounds_it(caps, shown):
    """Keys in order, no white space, bytes in hex; no cap where there is none."""
    text = details.started(_start(**caps))
    assert text == (
        f'{{"attempt":1,{shown}"expires":9,"holder":"{HOLDER.hex()}","key":"{KEY.hex()}",'
        f'"line":"{LINE.hex()}","mode":"schema","model":"small","prompt":3,'
        '"reserved":{"nano_usd":10,"tokens":20}}'
    )
    read = msgspec.json.decode(text, type=details.StartedDetail)
    assert read.cap == details.cap_of(_start(**caps))
    assert read.reserved.spend == Spend(20, 10)


@pytest.mark.parametrize("late", [True, False])
def test_an_end_is_entered_with_what_was_reported(late):
    """``late`` stands there only where it is so."""
    end = CallEnd(
        call=5, status=CallStatus.JUNK, ms=9, charge=Spend(3, 1), usage=Usage(2, 1), wrong=("é",)
    )
    text = details.finished(end, late=late)
    assert text == (
        '{"call":5,"charge":{"nano_usd":1,"tokens":3},"http":null,'
        + '"late":true,' * late
        + '"ms":9,"nano_usd":null,"status":"junk","tokens_in":2,"tokens_out":1,'
        '"wrong":["\\u00e9"]}'
    )
    assert msgspec.json.decode(text, type=details.FinishedDetail).late is late


def test_an_interruption_is_entered_with_its_charge():
    """There is nothing else to tell."""
    text = details.interrupted(5, Spend(20, 10))
    assert text == '{"call":5,"charge":{"nano_usd":10,"tokens":20}}'
    assert msgspec.json.decode(text, type=details.InterruptedDetail).call == 5


def test_every_status_can_be_read_back():
    """Those that calls end with, whichever are added."""
    for status in CallStatus:
        text = details.finished(CallEnd(call=1, status=status, ms=0), late=False)
        assert msgspec.json.decode(text, type=details.FinishedDetail).status is status
        assert status != details.INTERRUPTED


@pytest.mark.parametrize(
    ("cap", "fits"),
    [
        (details.Cap(), True),
        (details.Cap(tokens=5, nano_usd=6), True),
        (details.Cap(tokens=4), False),
        (details.Cap(nano_usd=5), False),
    ],
)
def test_a_cap_allows_what_reaches_it(cap, fits):
    """And nothing more; each of its two on its own."""
    assert cap.allows(5, 6) is fits
