"""What the ledger's page says in words and pictures."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from logdocket.bootstrap import build_extractor, build_store
from logdocket.calls import CallStatus, Spend
from logdocket.confidence import shipped
from logdocket.docket import Caps, Extractor, Policy
from logdocket.http.pages import figures
from logdocket.http.pages.sums import Totals, day_name
from logdocket.line import Line
from logdocket.model import Breaker
from logdocket.settings import Settings
from logdocket.store import Budget
from logdocket.store.review import DayTickets
from logdocket.testing import Fault, ModelServer
from logdocket.ticket import ReviewReason

NOTHING = Totals(
    by_source={},
    by_reason={},
    by_status={},
    started=0,
    interrupted=0,
    in_flight=0,
    retries=0,
    tokens_in=0,
    tokens_out=0,
    nano_usd=0,
    unpriced=0,
    calls_avoided=0,
)


@pytest.mark.parametrize(
    ("failures", "passed", "told"),
    [
        (0, 0, "Closed Calls go through to the model."),
        (1, 0, "Closed Calls go through to the model. The last call of it failed."),
        (2, 0, "Closed Calls go through to the model. The last 2 calls failed."),
        (3, 0, "Open The model failed too often. It is left alone until 1970-01-01 00:01:30 UTC"),
        (3, 29.5, "until 1970-01-01 00:01:01 UTC: 1 s more."),
        (3, 31, "Half open One call is let through to see"),
    ],
)
def test_the_breaker_is_told_in_words(failures: int, passed: float, told: str) -> None:
    """Closed, open and until when, half open."""
    seconds = 0.0
    breaker = Breaker(3, 30, lambda: seconds)
    for _ in range(failures):
        leave = breaker.admit()
        assert leave is not None
        leave.failed()
    seconds = passed
    light = figures.breaker_light(breaker, 60_000_000)
    assert told in " ".join((light.word, *light.sentences))


async def test_the_light_is_that_of_the_service_s_own_breaker(tmp_path: Path) -> None:
    """It turns when the model has failed often enough."""
    with ModelServer([Fault.HTTP_503]) as server:
        settings = Settings(
            db=tmp_path / "t.db", model_url=server.url, model_key="any-word", breaker_failures=2
        )
        store = build_store(settings)
        extractor = build_extractor(settings, store)
        before = figures.light(extractor, 0).word
        await extractor.extract(Line("2026-01-02T15:04:05Z ERROR pay: no card"))
        after = figures.light(extractor, 0).word
        await extractor.close()
        store.close()
    assert (before, after) == ("Closed", "Open")


@pytest.mark.parametrize(
    ("why", "told"),
    [
        (ReviewReason.MODEL_NOT_CONFIGURED, "Set MODEL_URL"),
        (ReviewReason.MISSING_KEY, "Set MODEL_KEY"),
        (ReviewReason.EGRESS_OFF, "Set LOGDOCKET_EGRESS"),
        (ReviewReason.LEDGER_OFF, "Leave --no-ledger out"),
    ],
)
def test_without_a_model_the_light_says_why(why: ReviewReason, told: str) -> None:
    """And what to do about it."""
    light = figures.light(Extractor(Policy(), shipped(), None, lambda: 0, why), 0)
    assert light.word == "No model"
    assert told in light.sentences[1]


def test_days_without_tickets_are_drawn_too() -> None:
    """Thirty in a row, the last one today; what was counted says more than what was folded."""
    today = 20_000
    folded = [
        DayTickets(day=day_name(today), by_source={"cache": 1}),
        DayTickets(day=day_name(today - 1), by_source={"model": 5}),
    ]
    days = figures.days(folded, {day_name(today): {"cache": 2, "fallback": 1}}, today)
    assert len(days.rows) == 30
    assert days.rows[-1].label == day_name(today)
    assert [row.parts for row in days.rows[-3:]] == [(0, 0, 0), (5, 0, 0), (0, 2, 1)]
    assert (days.tickets, days.hit_ratio) == (8, 0.25)
    assert figures.days([], {}, today).hit_ratio is None


def test_calls_are_told_by_how_they_ended() -> None:
    """Most frequent first, those that have not ended last; unknown words are shown as they are."""
    month = msgspec.structs.replace(
        NOTHING,
        by_status={"junk": 2, "ok": 7, "of_a_later_version": 2},
        interrupted=1,
        in_flight=9,
    )
    found = figures.statuses(NOTHING, month)
    assert [(of.word, of.today, of.month) for of in found] == [
        ("ok", 0, 7),
        ("junk", 0, 2),
        ("of_a_later_version", 0, 2),
        ("in_flight", 0, 9),
        ("interrupted", 0, 1),
    ]
    assert found[0].sentence == CallStatus.OK.sentence
    assert found[2].sentence == "Not known to this version."
    assert figures.statuses(None, month)[0].today is None


def test_a_budget_is_shown_with_what_is_reserved() -> None:
    """Tokens and money each in their own words."""
    budget = Budget(day="2026-01-02", spent=Spend(500, 10**9), reserved=Spend(250, 0))
    tokens, money = figures.meters(budget, Caps(tokens=1000))
    assert (tokens.spent, tokens.reserved, tokens.cap) == (
        "500 tokens",
        "250 tokens",
        "1,000 tokens",
    )
    assert "50% spent, 25% reserved." in str(tokens.chart)
    assert (money.spent, money.cap, money.chart) == ("1 USD", None, None)


@pytest.mark.parametrize(
    ("unpriced", "told"),
    [
        (0, "0.5 USD"),
        (1, "0.5 USD, and 1 call without a known price"),
        (2000, "0.5 USD, and 2,000 calls without a known price"),
    ],
)
def test_money_is_told_as_far_as_it_is_known(unpriced: int, told: str) -> None:
    """A price that nobody knows is not nothing."""
    assert figures.money(500_000_000, unpriced) == told


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("1970-01-02", 86_400_000_000 + 7),
        ("1970-01-01T00:00:01Z", 1_000_000),
        ("1970-01-01T01:00:00+01:00", 0),
    ],
)
def test_a_day_is_its_start_and_a_moment_itself(text: str, moment: int) -> None:
    """Only a day is moved, so that the last of a period can be within it."""
    assert figures.moment_of(text, 7) == moment


@pytest.mark.parametrize("text", ["", "today", "1970-13-01", "1970-01-01T00:00:00", "1970-1-1"])
def test_what_is_neither_is_refused(text: str) -> None:
    """A period that was meant otherwise would give the wrong entries."""
    with pytest.raises(ValueError, match=r"."):
        figures.moment_of(text, 0)
