"""klog, glog and logcat."""

from __future__ import annotations

import pytest

from logdocket.reading.infra import parse_klog, parse_logcat


@pytest.mark.parametrize(
    ("line", "severity", "message"),
    [
        ("I0614 15:16:01.123456 1234 file.go:12] up", "low", "up"),
        ("W0614 15:16:01.123456       1 pkg/a/reflector.go:12] slow", "medium", "slow"),
        ('E0614 15:16:01.123456 1 c.go:1] "Failed" err="x"', "high", '"Failed" err="x"'),
        ("F20260614 15:16:01.123456 1234 server.cc:9] down", "critical", "down"),
        ("I0614 15:16:01.123456 1234 noext:12] up", "low", "up"),
    ],
)
def test_klog_s_first_letter_is_the_level(find, line: str, severity: str, message: str) -> None:
    """Month and day stand without a dash; the source file is no service."""
    found = find(parse_klog, line)
    assert found[:2] == ("klog", "2026-06-14T15:16:01.123456")
    assert (found.level, found.severity, found.basis) == (line[0], severity, "level")
    assert (found.name, found.message) == (None, message)


def test_cockroachs_year_of_two_digits_is_not_resolved(find) -> None:
    """The rest is as klog's, but for the bracket."""
    line = "W260614 15:16:01.123456 812 1@server/node.go:12 ⋮ [n1] 5 late"
    found = find(parse_klog, line)
    assert found[:4] == ("klog", "ambiguous", "W", "medium")
    assert (found.name, found.message) == (None, "[n1] 5 late")


def test_an_empty_klog_message_is_quoted_with_its_prefix(find) -> None:
    """Something has to stand for the record."""
    found = find(parse_klog, "I0614 15:16:01.123456 1234 file.go:12]")
    assert found.message == "I0614 15:16:01.123456 1234 file.go:12]"


@pytest.mark.parametrize(
    "line",
    [
        "",
        "I",
        "I0614",
        "I0614 was late",
        "X0614 15:16:01.1 1 f.go:1] x",
        "I0614 15:16:01.1 1 f.go x",
    ],
)
def test_other_letters_are_no_klog(find, line: str) -> None:
    """Date, time, file and bracket all have to stand."""
    assert find(parse_klog, line) is None


MOMENT = "2026-06-14T15:16:01.123"


@pytest.mark.parametrize(
    ("line", "time", "severity", "name"),
    [
        ("06-14 15:16:01.123  1234  5678 I Shop: x", MOMENT, "low", "Shop"),
        ("06-14 15:16:01.123  1234  5678 W Shop Cart : x", MOMENT, "medium", "Shop Cart"),
        ("06-14 15:16:01.123 root  1234  5678 E Shop: x", MOMENT, "high", "Shop"),
        ("06-14 15:16:01.123  1234  5678 F : x", MOMENT, "critical", None),
        ("2026-06-14 15:16:01.123  1234  5678 I Shop: x", MOMENT, "low", "Shop"),
        ("2026-06-14 15:16:01.123 +0100  1234  5678 I Shop: x", f"{MOMENT}+01:00", "low", "Shop"),
        ("06-14 15:16:01.123 E/Shop Cart( 1234): x", MOMENT, "high", "Shop Cart"),
        ("E/Shop    ( 1234): x", None, "high", "Shop"),
        ("W/Shop: x", None, "medium", "Shop"),
        ("06-14 15:16:01.123 W/Shop: x", MOMENT, "medium", "Shop"),
        ("W (12345) wifi: x", None, "medium", "wifi"),
        ("2026-06-14 15:16:01.123  1234-5678  Shop    com.shop.app    I  x", MOMENT, "low", "Shop"),
        ("2026-06-14 15:16:01.123 1234-5678/com.shop.app W/Shop: x", MOMENT, "medium", "Shop"),
    ],
)
def test_logcat_names_its_tag(
    find, line: str, time: str | None, severity: str, name: str | None
) -> None:
    """In each of its forms the tag is the logger and one letter the level."""
    found = find(parse_logcat, line)
    assert (found.format, found.time, found.severity) == ("logcat", time, severity)
    assert (found.name, found.message) == (name, "x")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "I",
        "I/O error on disk",
        "E/S: no tag",
        "06-14 15:16:01.123 x",
        "06-14 15:16:01.123  1234  5678 Q Shop: x",
        "2026-06-14 15:16:01.123 INFO x",
    ],
)
def test_other_letters_and_dashes_are_no_logcat(find, line: str) -> None:
    """A level letter and a process id have to stand in their places."""
    assert find(parse_logcat, line) is None
