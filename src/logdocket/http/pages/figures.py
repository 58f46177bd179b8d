"""What the ledger's page shows: charts, tables and sentences, made of sums."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Final

import msgspec
from markupsafe import Markup

from logdocket.calls import CallStatus
from logdocket.docket import Caps, Extractor
from logdocket.docket.review.second_look import SecondLook
from logdocket.http import shapes
from logdocket.http.pages import charts
from logdocket.http.pages.shown import moment
from logdocket.http.pages.shown import percent as share
from logdocket.http.pages.sums import DAY, DAYS, Totals, day_name
from logdocket.model import Breaker
from logdocket.store import Budget
from logdocket.store.review import DayTickets
from logdocket.store.shown import usd
from logdocket.ticket import ReviewReason, Source

SOURCES: Final = (
    charts.Kind(Source.MODEL.value, "from the model"),
    charts.Kind(Source.CACHE.value, "from the cache"),
    charts.Kind(Source.FALLBACK.value, "by the rules alone"),
)
"""The parts of a day's bar, the lowest first."""

_OPEN: Final = {
    "in_flight": "Not ended yet.",
    "interrupted": "Left open by a process that died.",
}
_NO_MODEL: Final = {
    ReviewReason.MODEL_NOT_CONFIGURED: (
        "No model is set up, so the rules alone write every ticket.",
        "Set MODEL_URL, MODEL_KEY and MODEL_NAME to have one asked.",
    ),
    ReviewReason.MISSING_KEY: (
        "A model is set up without a key, so it is not called.",
        "Set MODEL_KEY; for a model that wants none, any word will do.",
    ),
    ReviewReason.EGRESS_OFF: (
        "Nothing may leave this machine, so no model is called.",
        "Set LOGDOCKET_EGRESS=redacted to have lines sent with their secrets taken out.",
    ),
}
"""Why no model is asked about any line, and what to do about it."""
_SECOND: Final = 1_000_000
_EPOCH: Final = date(1970, 1, 1)
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class Days(msgspec.Struct, frozen=True):
    """Tickets of the last 30 days by source: ``rows`` for a table, and the same as a chart."""

    rows: list[charts.Column]
    chart: Markup

    @property
    def by_source(self) -> dict[str, int]:
        """All of them by source."""
        return {
            kind.word: sum(row.parts[place] for row in self.rows)
            for place, kind in enumerate(SOURCES)
        }

    @property
    def tickets(self) -> int:
        """All of them."""
        return sum(row.total for row in self.rows)

    @property
    def hit_ratio(self) -> float | None:
        """Cache hits per ticket; None without tickets."""
        return self.by_source[Source.CACHE] / self.tickets if self.tickets else None


class Status(msgspec.Struct, frozen=True):
    """How calls ended: the word, what it means, how often today (None: not counted yet) and in 30
    days."""

    word: str
    sentence: str
    today: int | None
    month: int


class Meter(msgspec.Struct, frozen=True):
    """The day's budget of one thing; ``chart`` and ``cap`` are None where there is no bound."""

    name: str
    spent: str
    reserved: str
    cap: str | None
    setting: str
    chart: Markup | None


class Light(msgspec.Struct, frozen=True):
    """How it stands with the model: ``kind`` (good, warn, bad or plain), a word, and sentences."""

    kind: str
    word: str
    sentences: tuple[str, ...]


def days(
    folded: Iterable[DayTickets], counted: Mapping[str, Mapping[str, int]], today: int
) -> Days:
    """The last 30 days up to day ``today`` (since 1970 UTC), those without tickets among them; what
    was counted says more than what was folded."""
    by_day: dict[str, Mapping[str, int]] = {of.day: of.by_source for of in folded}
    by_day.update(counted)
    names = [day_name(today - back) for back in range(DAYS - 1, -1, -1)]
    rows = [
        charts.Column(name, tuple(by_day.get(name, {}).get(kind.word, 0) for kind in SOURCES))
        for name in names
    ]
    return Days(rows, charts.columns("days", "Tickets by day and source", SOURCES, rows))


def sources(by_source: Mapping[str, int]) -> Markup:
    """Tickets of the current day by source."""
    given = [charts.Bar(kind.label, by_source.get(kind.word, 0), kind.word) for kind in SOURCES]
    return charts.bars("today", "Tickets of today by source", given)


def statuses(today: Totals | None, month: Totals) -> list[Status]:
    """How calls ended, most frequent first, then those that have not."""
    found = month.calls
    return [
        Status(word, _sentence(word), None if today is None else today.calls.get(word, 0), count)
        for word, count in sorted(
            found.items(), key=lambda pair: (pair[0] in _OPEN, -pair[1], pair[0])
        )
    ]


def calls(found: Sequence[Status]) -> Markup:
    """The same as a chart, over 30 days."""
    given = [
        charts.Bar(of.word, of.month, "good" if of.word == CallStatus.OK else "failed")
        for of in found
    ]
    return charts.bars("calls", "Calls of the model in 30 days, by how they ended", given)


def meters(budget: Budget, caps: Caps) -> list[Meter]:
    """Tokens and money of the day against what it may cost."""
    spent, reserved = budget.spent, budget.reserved
    return [
        _meter("tokens", spent.tokens, reserved.tokens, caps.tokens, "LOGDOCKET_BUDGET_TOKENS"),
        _meter("money", spent.nano_usd, reserved.nano_usd, caps.nano_usd, "LOGDOCKET_BUDGET_USD"),
    ]


def light(extractor: Extractor, now: int) -> Light:
    """Whether the model is asked now, as this process knows it; ``now`` in µs since 1970 UTC."""
    if extractor.attempts is None:
        why = extractor.judge.why_alone
        return Light("plain", "No model", _NO_MODEL.get(why, (why.sentence, why.mend)))
    return breaker_light(extractor.attempts.breaker, now)


def breaker_light(breaker: Breaker, now: int) -> Light:
    """What a breaker lets through, and until when."""
    if breaker.state == "closed":
        failed = breaker.failed_in_a_row
        if not failed:
            return Light("good", "Closed", ("Calls go through to the model.",))
        last = "The last call of it failed." if failed == 1 else f"The last {failed} calls failed."
        return Light("warn", "Closed", ("Calls go through to the model.", last))
    if breaker.state == "open":
        seconds = math.ceil(breaker.remaining)
        until = moment(now + seconds * _SECOND)
        return Light(
            "bad",
            "Open",
            (
                f"The model failed too often. It is left alone until {until}: {seconds} s more.",
                "Then one call is let through to see. The rules write the tickets meanwhile.",
            ),
        )
    return Light(
        "warn",
        "Half open",
        (
            "One call is let through to see whether the model works again; what it finds decides.",
            "The rules write the other tickets meanwhile.",
        ),
    )


def outlook(second_look: SecondLook | None) -> str:
    """When this process looks at what waits."""
    found = None if second_look is None else second_look.outlook()
    if found is None:
        return "This service begins none by itself."
    return f"{found.sentence} So this process knows it; each process has its own turns."


def money(nano_usd: int, unpriced: int) -> str:
    """A price as far as it is known."""
    if not unpriced:
        return usd(nano_usd)
    calls = "1 call" if unpriced == 1 else f"{unpriced:,} calls"
    return f"{usd(nano_usd)}, and {calls} without a known price"


def percent(ratio: float | None) -> str:
    """``0.398`` as ``39.8%``; a dash where there is none."""
    return "–" if ratio is None else share(ratio)


def moment_of(text: str, after: int) -> int:
    """What ``text`` says, in µs since 1970 UTC: a day (YYYY-MM-DD) begins at midnight UTC, and
    ``after`` µs are added to that; else a moment (RFC 3339). Raises ValueError."""
    if _DAY.fullmatch(text):
        return (date.fromisoformat(text) - _EPOCH).days * DAY + after
    return shapes.moment(text)


def _sentence(word: str) -> str:
    """What a status means; a later Logdocket may have entered one that is not known here."""
    if word in [*CallStatus]:
        return CallStatus(word).sentence
    return _OPEN.get(word, "Not known to this version.")


def _meter(name: str, spent: int, reserved: int, cap: int | None, setting: str) -> Meter:
    def said(amount: int) -> str:
        return usd(amount) if name == "money" else f"{amount:,} tokens"

    chart = None
    if cap is not None:
        title = f"Today's {name} against the budget"
        chart = charts.meter(f"budget-{name}", title, spent, reserved, cap)
    return Meter(
        name, said(spent), said(reserved), None if cap is None else said(cap), setting, chart
    )
