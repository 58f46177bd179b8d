"""Small charts as SVG: drawn here, without a script, in the colours of the style sheet.

Widths are in percent and heights in pixels, so that a chart is as wide as its place and its words
stay as large as they are. Each has a title and a description for who does not see it; the numbers
themselves stand in a table beside it, which is the page's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec
from markupsafe import Markup

_TOP: Final = 12
_PLOT: Final = 132
"""Pixels from the top of the plot to its ground."""
_HEIGHT: Final = 168
_ROW: Final = 40
_GAP: Final = 0.28
"""What part of a day's place stays empty."""
_SHORT: Final = ((10**9, "G"), (10**6, "M"), (10**3, "k"))


class Kind(msgspec.Struct, frozen=True):
    """One of the parts of a bar: ``word`` names its colour, ``label`` is what people read."""

    word: str
    label: str


class Column(msgspec.Struct, frozen=True):
    """A bar of stacked parts, in the order of the chart's kinds."""

    label: str
    parts: tuple[int, ...]

    @property
    def total(self) -> int:
        """All of it."""
        return sum(self.parts)


class Bar(msgspec.Struct, frozen=True):
    """A horizontal bar; ``word`` names its colour."""

    label: str
    count: int
    word: str = "plain"


def columns(id: str, title: str, kinds: Sequence[Kind], given: Sequence[Column]) -> Markup:
    """One stacked bar for each column, left to right. ``id`` is the chart's own in the page."""
    top = ceiling(max((column.total for column in given), default=0))
    place = 100 / max(len(given), 1)
    drawn = [_gridlines(top)]
    for number, column in enumerate(given):
        drawn.append(_column(kinds, column, number * place, place, top))
    drawn += _days(given, place)
    plot = _svg(id, title, _told(kinds, given), "chart-plot", _HEIGHT, drawn)
    return Markup('<div class="chart">{}{}</div>').format(_scale(top), plot)


def bars(id: str, title: str, given: Sequence[Bar]) -> Markup:
    """One horizontal bar below the other, its label and its count above it."""
    most = max((bar.count for bar in given), default=0)
    drawn: list[Markup] = []
    for number, bar in enumerate(given):
        above = number * _ROW
        share = 100 * bar.count / most if most else 0
        drawn += (
            _text(0, above + 14, bar.label),
            _text(100, above + 14, f"{bar.count:,}", "chart-number chart-end"),
            _rect(0, above + 21, 100, 8, "chart-track"),
            _rect(0, above + 21, share, 8, f"chart-{bar.word}"),
        )
    said = "; ".join(f"{bar.label}: {bar.count:,}" for bar in given) or "Nothing."
    return _svg(id, title, said, "chart-bars", max(len(given), 1) * _ROW, drawn)


def meter(id: str, title: str, spent: int, reserved: int, cap: int) -> Markup:
    """How much of ``cap`` is spent, and reserved by what is under way; more than all is all."""
    shares = _share(spent, cap), _share(reserved, cap)
    first = min(shares[0], 100)
    second = min(shares[1], 100 - first)
    drawn = [
        _rect(0, 0, 100, 14, "chart-track"),
        _rect(0, 0, first, 14, "chart-full" if sum(shares) >= 90 else "chart-spent"),
        _rect(first, 0, second, 14, "chart-reserved"),
    ]
    said = f"{shares[0]:.0f}% spent, {shares[1]:.0f}% reserved."
    return _svg(id, title, said, "chart-meter", 14, drawn)


def ceiling(most: int) -> int:
    """The least of 1, 2, 4, 5 and 10 times a power of ten that is not below ``most``."""
    power = 1
    while True:
        for step in (1, 2, 4, 5):
            if most <= step * power:
                return step * power
        power *= 10


def short(count: int) -> str:
    """A round number as the scale of a chart has room for it: ``2.5k``."""
    for size, letter in _SHORT:
        if count >= size:
            return f"{count / size:.1f}".removesuffix(".0") + letter
    return str(count)


def _share(part: int, whole: int) -> float:
    return 100 * part / whole if whole > 0 else 100.0


def _column(kinds: Sequence[Kind], column: Column, left: float, place: float, top: int) -> Markup:
    """The bar of one day; the whole height of its place tells its numbers."""
    told = ", ".join(
        f"{count:,} {kind.label}" for kind, count in zip(kinds, column.parts, strict=True)
    )
    drawn = [_rect(left, 0, place, _TOP + _PLOT, "chart-place")]
    ground = float(_TOP + _PLOT)
    for kind, count in zip(kinds, column.parts, strict=True):
        height = _PLOT * count / top
        if count:
            # What is there is seen, however little it is beside the rest.
            height = max(height, 1.0)
            ground -= height
            drawn.append(
                _rect(
                    left + place * _GAP / 2,
                    ground,
                    place * (1 - _GAP),
                    height,
                    f"chart-{kind.word}",
                )
            )
    told = f"{column.label}: {told}"
    return Markup("<g><title>{}</title>{}</g>").format(told, Markup("").join(drawn))


def _gridlines(top: int) -> Markup:
    return Markup("").join(
        Markup('<line class="chart-line" x1="0" x2="100%" y1="{0}" y2="{0}"/>').format(_figure(at))
        for at, _ in _marks(top)
    )


def _scale(top: int) -> Markup:
    """The numbers beside the gridlines: a picture of its own, which keeps its width."""
    words = [
        Markup('<text class="chart-end" x="38" y="{}">{}</text>').format(_figure(at + 4), short(n))
        for at, n in _marks(top)
    ]
    return Markup(
        '<svg class="chart-scale" width="44" height="{}" aria-hidden="true">{}</svg>'
    ).format(_HEIGHT, Markup("").join(words))


def _marks(top: int) -> list[tuple[float, int]]:
    """Where gridlines are, and what they stand for."""
    counts = [0, top] if top % 2 else [0, top // 2, top]
    return [(_TOP + _PLOT * (1 - count / top), count) for count in counts]


def _days(given: Sequence[Column], place: float) -> Iterable[Markup]:
    """The names of the first, the middle and the last bar; more would not fit a small screen."""
    if not given:
        return
    last = len(given) - 1
    chosen = {0: "chart-start", last: "chart-end"}
    if last >= 4:
        chosen[last // 2] = "chart-middle"
    edges = {"chart-start": 0.0, "chart-end": 1.0, "chart-middle": 0.5}
    for number, anchor in chosen.items():
        x = (number + edges[anchor]) * place
        yield _text(x, _HEIGHT - 6, given[number].label, anchor)


def _told(kinds: Sequence[Kind], given: Sequence[Column]) -> str:
    """What a chart of stacked bars says, in a sentence."""
    if not any(column.total for column in given):
        return "Nothing in this time."
    sums = [sum(column.parts[place] for column in given) for place in range(len(kinds))]
    parts = ", ".join(f"{count:,} {kind.label}" for kind, count in zip(kinds, sums, strict=True))
    most = max(given, key=lambda column: column.total)
    return (
        f"{sum(sums):,} from {given[0].label} to {given[-1].label}: {parts}. "
        f"Most on {most.label}: {most.total:,}."
    )


def _svg(id: str, title: str, said: str, kind: str, height: int, drawn: Iterable[Markup]) -> Markup:
    return Markup(
        '<svg class="{kind}" width="100%" height="{height}" role="img" '
        'aria-labelledby="{id}-title {id}-desc"><title id="{id}-title">{title}</title>'
        '<desc id="{id}-desc">{said}</desc>{drawn}</svg>'
    ).format(kind=kind, height=height, id=id, title=title, said=said, drawn=Markup("").join(drawn))


def _rect(x: float, y: float, width: float, height: float, kind: str) -> Markup:
    return Markup('<rect class="{}" x="{}%" y="{}" width="{}%" height="{}"/>').format(
        kind, _figure(x), _figure(y), _figure(width), _figure(height)
    )


def _text(x: float, y: float, said: str, kind: str = "chart-start") -> Markup:
    return Markup('<text class="{}" x="{}%" y="{}">{}</text>').format(
        kind, _figure(x), _figure(y), said
    )


def _figure(value: float) -> str:
    """At most two decimals: nobody sees more."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
