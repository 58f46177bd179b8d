"""Who asks for the same line at the same time shares one call, also across processes."""

from __future__ import annotations

import signal
import time
from collections import Counter
from pathlib import Path

import processes
from model_service import Books, Given, asking, check_requests, check_summary, check_tokens, send
from service import LINE, Service

from logdocket.testing import Act, Fault, ModelServer

AT_ONCE = 50
LATE = Act(Fault.SLOW, seconds=0.3)


def check(service: Service, model: ModelServer, given: list[Given]) -> None:
    """One call in all, one ticket of the model, and hits for all others, with the same fields."""
    books = Books.over(service.http)
    assert Counter(each.source for each in given) == {"model": 1, "cache": len(given) - 1}
    assert len({each.id for each in given}) == 1
    fields = [{**each.ticket, "source": ""} for each in given]
    assert all(each == fields[0] for each in fields)
    assert model.count == len(books.calls) == 1
    check_requests(books, model)
    assert check_tokens(books, model) == model.tokens > 0
    summary = service.http.get("/ledger/summary").json()
    check_summary(summary, books, len(given))
    assert summary["calls_avoided"] == len(given) - 1
    assert service.http.get("/ledger/verify").json()["ok"]


def test_fifty_at_once_make_one_call(tmp_path: Path) -> None:
    """Forty-nine are entered as hits, and so is one that comes later."""
    with ModelServer(LATE) as model, asking(model, tmp_path) as service:
        given = send(service.port, [LINE] * AT_ONCE)
        given += send(service.port, [LINE])
        check(service, model, given)


def test_fifty_at_once_at_two_processes_make_one_call(tmp_path: Path) -> None:
    """They share the ledger, and nothing else."""
    with (
        ModelServer(LATE) as model,
        asking(model, tmp_path / "one") as one,
        asking(model, tmp_path / "two", db=str(one.db)) as two,
    ):
        check(two, model, send([one.port, two.port], [LINE] * AT_ONCE))


def test_a_line_that_was_answered_with_junk_is_shared_too(tmp_path: Path) -> None:
    """Two calls for fifty who want it at once, and the reason for each of them."""
    script = [Act(Fault.INVENTED_EVIDENCE, seconds=0.2), Act(Fault.SURE_NONSENSE, seconds=0.2)]
    with (
        ModelServer(script) as model,
        asking(model, tmp_path / "one", fallback_ttl="60") as one,
        asking(model, tmp_path / "two", fallback_ttl="60", db=str(one.db)) as two,
    ):
        given = send([one.port, two.port], [LINE] * AT_ONCE)
        assert Counter(each.source for each in given) == {"fallback": 1, "cache": AT_ONCE - 1}
        assert all(each.reasons == ["model_junk"] for each in given)
        assert Books.over(one.http).statuses(LINE) == ["junk", "junk"]
        assert model.count == 2


def test_another_takes_over_from_a_process_that_was_killed(tmp_path: Path) -> None:
    """When the claim has expired, within its own deadline; the open call is interrupted."""
    with (
        ModelServer([Fault.HANG, Fault.GOOD]) as model,
        asking(model, tmp_path / "one", deadline="0.5") as one,
        asking(model, tmp_path / "two", deadline="10", db=str(one.db)) as two,
    ):
        with one.connect() as connection:
            body = f'{{"line": "{LINE}"}}'.encode()
            connection.sendall(
                b"POST /extract HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
            )
            assert model.wait(1)
            assert processes.end(one.process, signal.SIGKILL) == -signal.SIGKILL
        one.expected_code = -signal.SIGKILL
        began = time.monotonic()
        (given,) = send(two.port, [LINE])
        assert 1 < time.monotonic() - began < 6
        assert (given.source, given.reasons) == ("model", [])
        books = Books.over(two.http)
        assert books.statuses(LINE) == ["interrupted", "ok"]
        first, second = books.about(LINE)
        assert second.started["attempt"] == 1
        check_requests(books, model)
        summary = two.http.get("/ledger/summary").json()
        check_summary(summary, books, 1)
        reserved = first.started["reserved"]["tokens"]
        assert summary["calls"]["charged"]["tokens"] == reserved + books.tokens
        assert two.http.get("/ledger/verify").json()["ok"]
