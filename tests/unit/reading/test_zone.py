"""Time zones, and the check of what a caller says beside a line."""

from datetime import UTC, datetime, timedelta

import pytest

from logdocket.errors import BadContext
from logdocket.line import NO_CONTEXT, Context
from logdocket.reading.zone import check_context, written, zone, zone_names


def test_an_iana_name_gives_its_rules() -> None:
    """Summer and winter differ."""
    paris = zone("Europe/Paris")
    assert datetime(2026, 1, 1, tzinfo=paris).utcoffset() == timedelta(hours=1)
    assert datetime(2026, 7, 1, tzinfo=paris).utcoffset() == timedelta(hours=2)


def test_every_name_of_the_list_loads() -> None:
    """The list and the files of the package agree."""
    assert len(zone_names()) > 400
    for name in zone_names():
        assert datetime(2026, 1, 1, tzinfo=zone(name)).utcoffset() is not None


def test_zones_come_from_the_package_whatever_the_environment_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Neither TZ nor the machine's own database changes an offset."""
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    monkeypatch.setenv("PYTHONTZPATH", "/nowhere")
    zone.cache_clear()
    assert datetime(2026, 7, 1, tzinfo=zone("Europe/Paris")).utcoffset() == timedelta(hours=2)


@pytest.mark.parametrize(
    ("name", "minutes"), [("+02:00", 120), ("-03:30", -210), ("+00:00", 0), ("-23:59", -1439)]
)
def test_an_offset_is_a_zone(name: str, minutes: int) -> None:
    """As ±HH:MM."""
    assert datetime(2026, 1, 1, tzinfo=zone(name)).utcoffset() == timedelta(minutes=minutes)


BAD_ZONES = [
    "",
    " ",
    "Paris",
    "europe/paris",
    "Europe/Paris\n",
    "../../../etc/passwd",
    "Europe/../UTC",
    "/Europe/Paris",
    "Europe",
    "zones",
    "CEST",
    "+24:00",
    "+2:00",
    "+02:60",
    "+0200",
    "+02:00\n",
    "\x00",
    "\udcff",
    "x" * 100_000,
]


@pytest.mark.parametrize("name", BAD_ZONES)
def test_any_other_zone_is_refused_on_one_short_line(name: str) -> None:
    """The message is fit for a terminal, whatever was sent."""
    with pytest.raises(BadContext) as refusal:
        check_context(timezone=name)
    message = str(refusal.value)
    assert message.isascii()
    assert message.isprintable()
    assert len(message) < 200


@pytest.mark.parametrize(
    ("offset", "text"),
    [
        (timedelta(0), "Z"),
        (timedelta(hours=2), "+02:00"),
        (timedelta(hours=-3, minutes=-30), "-03:30"),
        (timedelta(minutes=-30), "-00:30"),
        (timedelta(minutes=9, seconds=21), None),
        (None, None),
    ],
)
def test_offsets_are_written_as_iso_8601(offset: timedelta | None, text: str | None) -> None:
    """Those with seconds have no form."""
    assert written(offset) == text


ARRIVALS = [
    ("2026-06-14T15:16:01Z", "2026-06-14T15:16:01+00:00"),
    ("2026-06-14t15:16:01z", "2026-06-14T15:16:01+00:00"),
    ("2026-06-14 15:16:01.5+02:00", "2026-06-14T15:16:01.500000+02:00"),
    ("2026-06-14T15:16:01.123456789-07:00", "2026-06-14T15:16:01.123456-07:00"),
    ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00+00:00"),
]


@pytest.mark.parametrize(("text", "moment"), ARRIVALS)
def test_an_arrival_is_rfc_3339_with_an_offset(text: str, moment: str) -> None:
    """Its own offset is kept."""
    arrived = check_context(received_at=text).received_at
    assert arrived is not None
    assert arrived.isoformat() == moment


@pytest.mark.parametrize(
    "text",
    ["", "now", "2026-06-14", "2026-06-14T15:16:01", "2026-06-14T15:16Z", "2026-02-30T15:16:01Z",
     "2026-06-14T25:16:01Z", "2026-06-14T15:16:61Z", "2026-06-14T15:16:01+0200", "1781450161",
     "2026-06-14T15:16:01Z\n", "9999-12-31T23:59:60Z", "2026-06-14T15:16:01+24:00", "\ud800"],
)  # fmt: skip
def test_any_other_arrival_is_refused(text: str) -> None:
    """The message names the value and says what to send."""
    with pytest.raises(BadContext, match=r"^received_at '"):
        check_context(received_at=text)


def test_a_full_context_is_kept_as_it_was_sent() -> None:
    """Nothing is trimmed or folded."""
    context = check_context("2026-06-14T15:16:01Z", "Zahlung ü", "UTC", {"team": ""})
    assert context == Context(
        received_at=datetime(2026, 6, 14, 15, 16, 1, tzinfo=UTC),
        service="Zahlung ü",
        timezone="UTC",
        labels={"team": ""},
    )


def test_nothing_said_is_the_empty_context() -> None:
    """An empty set of labels is nothing said."""
    assert check_context() is NO_CONTEXT
    assert check_context(labels={}) is NO_CONTEXT


@pytest.mark.parametrize(
    "service", ["", "  ", "\t", "a\nb", "a\x00", "a\x9b", "\udc80", "\u2028", "x" * 201]
)
def test_a_service_is_a_short_printable_word(service: str) -> None:
    """Blank, long or unprintable ones are refused."""
    with pytest.raises(BadContext, match=r"^service "):
        check_context(service=service)


def test_a_service_of_the_longest_length_is_accepted() -> None:
    """The bound is 200 characters."""
    assert check_context(service="x" * 200).service == "x" * 200


@pytest.mark.parametrize(
    "labels",
    [{"": "x"}, {" ": "x"}, {"k\n": "x"}, {"k": "\x1b[0m"}, {"k" * 201: "x"}, {"k": "x" * 201},
     {f"k{number}": "x" for number in range(33)}],
)  # fmt: skip
def test_labels_are_few_short_printable_words(labels: dict[str, str]) -> None:
    """At most 32 of them."""
    with pytest.raises(BadContext, match="label"):
        check_context(labels=labels)


@pytest.mark.parametrize(
    "values",
    [{"received_at": 1781450161}, {"service": 7}, {"timezone": []}, {"labels": {"k": None}},
     {"labels": {7: "x"}}],
)  # fmt: skip
def test_values_that_are_no_text_are_refused(values: dict[str, object]) -> None:
    """As they may come out of JSON."""
    with pytest.raises(BadContext, match="send text"):
        check_context(**values)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["unknown", "UNKNOWN"])
def test_a_service_said_to_be_unknown_is_none(name: str) -> None:
    """Else the ticket would carry the word and not the reason."""
    assert check_context(service=name).service is None
