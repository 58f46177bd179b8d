"""Charts are SVG that any browser draws, and says what it draws."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from markupsafe import Markup

from logdocket.http.pages.charts import Bar, Column, Kind, bars, ceiling, columns, meter, short

KINDS = (Kind("model", "from the model"), Kind("cache", "from the cache"))
HOSTILE = '</title><script>alert("1")</script>'


def parsed(drawn: Markup) -> ElementTree.Element:
    """The chart as XML."""
    return ElementTree.fromstring(str(drawn))


def rects(drawn: Markup, kind: str) -> list[ElementTree.Element]:
    """Its rectangles of a class."""
    return [found for found in parsed(drawn).iter("rect") if found.get("class") == kind]


def percent(value: str | None) -> float:
    """The number of a width in percent."""
    assert value is not None
    return float(value.removesuffix("%"))


def test_a_chart_says_what_it_shows() -> None:
    """A title and a description, which its picture names as its own."""
    drawn = columns("days", "Tickets", KINDS, [Column("Mon", (3, 1)), Column("Tue", (5, 0))])
    picture = next(svg for svg in parsed(drawn).iter("svg") if svg.get("role") == "img")
    named = {found.get("id"): found.text for found in picture}
    assert [named[id] for id in (picture.get("aria-labelledby") or "").split()] == [
        "Tickets",
        "9 from Mon to Tue: 8 from the model, 1 from the cache. Most on Tue: 5.",
    ]


def test_parts_of_a_bar_stand_on_one_another() -> None:
    """The first on the ground, each as high as its count, none beside the place of its day."""
    drawn = columns("days", "Tickets", KINDS, [Column("Mon", (3, 1)), Column("Tue", (4, 4))])
    model, cache = rects(drawn, "chart-model")[1], rects(drawn, "chart-cache")[1]
    assert model.get("height") == cache.get("height")
    above = float(cache.get("y") or 0) + float(cache.get("height") or 0)
    assert above == pytest.approx(float(model.get("y") or 0), abs=0.02)
    assert 50 < percent(model.get("x")) < 100
    assert percent(model.get("x")) + percent(model.get("width")) <= 100


def test_little_is_seen_beside_much() -> None:
    """One of a million is a pixel high; none is nothing."""
    drawn = columns(
        "days", "Tickets", KINDS, [Column("Mon", (1, 1_000_000)), Column("Tue", (0, 9))]
    )
    assert [found.get("height") for found in rects(drawn, "chart-model")] == ["1"]


def test_a_time_without_anything_is_drawn() -> None:
    """With a sentence that says so."""
    drawn = columns("days", "Tickets", KINDS, [Column("Mon", (0, 0))])
    assert "Nothing in this time." in str(drawn)
    assert "Nothing in this time." in str(columns("days", "Tickets", KINDS, []))


def test_bars_are_as_long_as_they_count() -> None:
    """The longest as wide as the chart; label and count stand beside."""
    drawn = bars("calls", "Calls", [Bar("ok", 8, "good"), Bar("junk", 2, "failed")])
    assert [percent(found.get("width")) for found in rects(drawn, "chart-good")] == [100]
    assert [percent(found.get("width")) for found in rects(drawn, "chart-failed")] == [25]
    assert "ok: 8; junk: 2" in str(drawn)
    assert "Nothing." in str(bars("calls", "Calls", []))


@pytest.mark.parametrize(
    ("spent", "reserved", "shares"),
    [(25, 25, (25, 25)), (90, 30, (90, 10)), (300, 10, (100, 0)), (0, 0, (0, 0))],
)
def test_a_meter_never_leaves_its_track(spent: int, reserved: int, shares: tuple[int, int]) -> None:
    """Whatever was spent beyond the cap."""
    drawn = meter("budget", "Budget", spent, reserved, 100)
    first = rects(drawn, "chart-full") or rects(drawn, "chart-spent")
    second = rects(drawn, "chart-reserved")
    assert (percent(first[0].get("width")), percent(second[0].get("width"))) == shares


def test_a_budget_of_nothing_is_used_up() -> None:
    """A cap of 0 lets no call through."""
    assert rects(meter("budget", "Budget", 0, 0, 0), "chart-full")


def test_labels_are_text_whatever_they_say() -> None:
    """No label ends its element."""
    drawn = (
        columns(HOSTILE, HOSTILE, (Kind(HOSTILE, HOSTILE),), [Column(HOSTILE, (1,))]),
        bars(HOSTILE, HOSTILE, [Bar(HOSTILE, 1, HOSTILE)]),
    )
    for chart in drawn:
        assert "<script" not in chart
        assert all(found.tag != "script" for found in parsed(chart).iter())


@pytest.mark.parametrize(
    ("most", "top"), [(0, 1), (1, 1), (3, 4), (5, 5), (6, 10), (41, 50), (36_500, 40_000)]
)
def test_scales_end_on_round_numbers(most: int, top: int) -> None:
    """Not below what they have to hold."""
    assert ceiling(most) == top


@pytest.mark.parametrize(
    ("count", "told"), [(0, "0"), (999, "999"), (2500, "2.5k"), (40_000, "40k"), (10**6, "1M")]
)
def test_numbers_of_a_scale_are_short(count: int, told: str) -> None:
    """There is little room beside it."""
    assert short(count) == told
