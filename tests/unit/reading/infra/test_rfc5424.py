"""Syslog of RFC 5424, with what its senders leave out."""

from __future__ import annotations

import pytest

from logdocket.reading.infra import parse_syslog_5424

AT = "2026-01-02T15:04:05.003Z"


@pytest.mark.parametrize(
    ("line", "name", "message"),
    [
        (f"<165>1 {AT} web-1 shop 12 ID47 - checkout slow", "shop", "checkout slow"),
        (f'<165>1 {AT} web-1 shop - ID47 [a@1 k="v"] slow', "shop", "slow"),
        (f'<165>1 {AT} web-1 shop - - [a@1 k="]"][b@1 k="\\]\\""] slow', "shop", "slow"),
        (f'<165>1 {AT} web-1 shop - - [a k="v"]  \ufeffmarked', "shop", "marked"),
        (f"<165>1 {AT} web-1 shop web.3 - State changed", "shop", "State changed"),
        (f"<165>1 {AT} web-1 shop - - [error] no data", "shop", "[error] no data"),
        (f'<165>1 {AT} web-1 shop - - [a@1 k="v] unclosed', "shop", '[a@1 k="v] unclosed'),
        (f"<165>1 {AT} web-1 shop[12] 12 - - both", "shop", "both"),
        (f"<165>1 {AT} web-1 /usr/bin/shop 12 - - a path", "shop", "a path"),
        (f"<165>1 {AT} - - - - - nobody", None, "nobody"),
        (f"<165>1 {AT} 2001:db8::1 shop - - - v6", "shop", "v6"),
        (f"83 <165>1 {AT} web-1 shop - - - counted", "shop", "counted"),
        (f"<165>1  {AT}  web-1  shop  -  -  -  wide", "shop", "wide"),
    ],
)
def test_the_message_follows_the_structured_data(
    find, line: str, name: str | None, message: str
) -> None:
    """Valid data is passed over; what only looks like data is the message."""
    found = find(parse_syslog_5424, line)
    assert found[:5] == ("syslog-5424", AT, "165", "low", "priority")
    assert (found.name, found.message, found.inner) == (name, message, message)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (f'<11>1 {AT} web-1 shop - - [a@1 k="v"]', '[a@1 k="v"]'),
        (f"<11>1 {AT} web-1 shop - - -", "-"),
        (f"<11>1 {AT} web-1 shop - done", f"<11>1 {AT} web-1 shop - done"),
    ],
)
def test_without_a_message_something_still_stands_for_the_record(
    find, line: str, message: str
) -> None:
    """The structured data, or else the record whole."""
    found = find(parse_syslog_5424, line)
    assert (found.message, found.inner, found.severity) == (message, None, "high")


def test_a_nil_stamp_is_no_time(find) -> None:
    """A dash in its place says that the sender has no clock."""
    assert find(parse_syslog_5424, "<11>1 - web-1 shop - - - x").time is None


def test_a_stored_record_may_lack_its_priority(find) -> None:
    """Then it states no severity."""
    found = find(parse_syslog_5424, f"1 {AT} web-1 shop 12 ID47 - x")
    assert (found.level, found.name, found.message) == (None, "shop", "x")


def test_a_priority_out_of_range_states_nothing(find) -> None:
    """The rest of the record is sound."""
    found = find(parse_syslog_5424, f"<999>1 {AT} web-1 shop - - - x")
    assert (found.level, found.name) == (None, "shop")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "<",
        "<13>",
        "<13>1 ",
        f"<13>1 {AT}",
        f"<13>1 {AT} web-1 shop: msg in the old way",
        f"<13>0 {AT} web-1 shop - - - version naught",
        "<13>1 yesterday web-1 shop - - - x",
        f"1 {AT} web-1 shop 12 ID47 no data and no priority",
        "1 - web-1 shop 12 ID47 - x",
        "<13>Jun 14 15:16:01 web-1 shop: x",
        "12 monkeys - - - - - x",
    ],
)
def test_what_is_no_record_of_the_standard_is_left_alone(find, line: str) -> None:
    """Older syslog, broken headers and plain text are for other parsers."""
    assert find(parse_syslog_5424, line) is None
