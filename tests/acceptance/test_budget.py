"""The day's budget holds, whoever asks at once, and whatever the model says that it used."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from model_service import Books, asking, call_of, check_budget, check_requests, check_summary, send
from service import LINE

from logdocket.testing import Act, Fault, ModelServer

CAP = 40_000
"""Room for less than twenty calls at once, and for about forty that have ended."""
LINES = [f"{LINE} {number}" for number in range(200)]
EXHAUSTED = ["budget_exhausted"]


def test_the_cap_holds_under_two_hundred_at_once_and_after_a_restart(tmp_path: Path) -> None:
    """What does not fit is not asked; two processes have one budget, and so has their heir."""
    settings = {"budget_tokens": str(CAP), "cache_ttl": "0"}
    with ModelServer(Act(Fault.SLOW, seconds=0.2, usage=(900, 100))) as model:
        with (
            asking(model, tmp_path / "one", **settings) as one,
            asking(model, tmp_path / "two", db=str(one.db), **settings) as two,
        ):
            given = send([one.port, two.port], LINES)
        model.script = Fault.GOOD
        with asking(model, tmp_path / "one", **settings) as heir:
            last = list(given)
            while any(each.source == "model" for each in last):
                given += (last := send(heir.port, LINES[:5]))
        with asking(model, tmp_path / "one", **settings) as again:
            given += (last := send(again.port, LINES[:20]))
            assert all(each.reasons == EXHAUSTED for each in last)
            summary = again.http.get("/ledger/summary").json()
            assert again.http.get("/ledger/verify").json()["ok"]
        books = Books.at(again.db)
    assert all(each.reasons == EXHAUSTED for each in given if each.source != "model")
    asked = Counter(each.source for each in given)
    assert asked["model"] == model.count == len(books.calls) > 20
    check_requests(books, model)
    check_summary(summary, books, len(given))
    spent = check_budget(books)
    assert summary["budget"]["spent"]["tokens"] == spent == model.tokens
    least = min(call.started["reserved"]["tokens"] for call in books.calls.values())
    assert CAP - least < spent <= CAP


@pytest.mark.parametrize("fault", [Fault.HANG, Fault.USAGE_MISSING, Fault.RESET])
def test_what_a_call_may_have_cost_stays_charged(tmp_path: Path, fault: Fault) -> None:
    """Where the model does not say, the most that it can have been is taken for it."""
    settings = {"budget_tokens": str(CAP), "deadline": "1"}
    with ModelServer(fault) as model, asking(model, tmp_path, **settings) as service:
        given = send(service.port, LINES[:40])
        books = Books.over(service.http)
        reserved = [books.calls[call_of(seen)].started["reserved"]["tokens"] for seen in model.seen]
        assert check_budget(books) == sum(reserved)
        assert CAP - 2 * max(reserved) < sum(reserved) <= CAP
        assert Counter(map(str, (each.reasons for each in given)))[str(EXHAUSTED)] > 20


def test_a_model_that_says_it_used_more_than_was_asked_for_is_believed(tmp_path: Path) -> None:
    """That cannot be undone; it is charged, and the day is over."""
    settings = {"budget_tokens": str(CAP)}
    script = Act(usage=(5_000_000, 7))
    with ModelServer(script) as model, asking(model, tmp_path, **settings) as service:
        given = [send(service.port, [line])[0] for line in LINES[:2]]
        assert [each.reasons for each in given] == [[], EXHAUSTED]
        summary = service.http.get("/ledger/summary").json()
        assert summary["budget"]["spent"]["tokens"] == 5_000_007
        assert service.http.get("/ledger/verify").json()["ok"]
