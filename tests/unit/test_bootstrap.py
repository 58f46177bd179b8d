from __future__ import annotations

import asyncio
import sqlite3
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from logdocket.bootstrap import (
    Docket,
    build_app,
    build_extractor,
    build_store,
    build_table,
    microseconds,
)
from logdocket.confidence import Table, shipped
from logdocket.errors import BadContext, BlankLine, LineTooLong, NotALedger, SettingsError
from logdocket.line import NO_CONTEXT, Context, Line
from logdocket.settings import Settings
from logdocket.store import Query
from logdocket.ticket import ReviewReason, Source

LINE = "Jan  2 15:04:05 web-1 pay[7]: card refused"


def settings(**choices: Any) -> Settings:
    """Settings that read nothing from outside."""
    return Settings.load(**choices)


def test_the_clock_counts_microseconds() -> None:
    """Since 1970, in UTC."""
    assert abs(microseconds() - time.time() * 1_000_000) < 10_000_000


def test_a_store_takes_the_path_and_the_patience_of_the_settings(tmp_path: Path) -> None:
    """A locked file is waited for as long as the operator said, and no longer."""
    store = build_store(settings(db=tmp_path / "t.db", busy_timeout=0.2))
    assert store.path == tmp_path / "t.db"
    store.close()
    with closing(sqlite3.connect(tmp_path / "t.db")) as other:
        other.execute("BEGIN IMMEDIATE")
        store = build_store(settings(db=tmp_path / "t.db", busy_timeout=0.2))
        extractor = build_extractor(settings(), store)
        started = time.monotonic()
        (made,) = extractor.finish(extractor.begin([(Line(LINE), NO_CONTEXT)]))
        waited = time.monotonic() - started
        store.close()
    assert ReviewReason.LEDGER_UNAVAILABLE in made.ticket.review_reasons
    assert 0.15 < waited < 1.5


def test_an_extractor_without_a_store_enters_nothing() -> None:
    """And says nothing of a ledger, since nobody wanted one."""
    extractor = build_extractor(settings(), None)
    (made,) = extractor.finish(extractor.begin([(Line(LINE), NO_CONTEXT)]))
    assert made.id is None
    assert ReviewReason.LEDGER_UNAVAILABLE not in made.ticket.review_reasons
    assert list(Path.cwd().iterdir()) == []


def test_the_shipped_table_is_used_unless_another_is_named(tmp_path: Path) -> None:
    """By the confidence of the tickets."""
    own = tmp_path / "own.json"
    own.write_bytes(Table({"priority": (0, 98)}).to_json())
    assert build_table(settings()) is shipped()
    extractor = build_extractor(settings(confidence_table=own), None)
    (made,) = extractor.finish(extractor.begin([(Line(f"<11>{LINE}"), NO_CONTEXT)]))
    assert made.ticket.confidence == 0.01


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, r"cannot be read \(No such file or directory\)"),
        (b"{", "is no table of confidence"),
        (b'{"cells":{"level":[2,1]}}', "is no table of confidence"),
    ],
)
def test_a_table_that_is_none_is_told(content: bytes | None, why: str, tmp_path: Path) -> None:
    """In one line: the setting, the file, and how to make one."""
    own = tmp_path / "own.json"
    if content is not None:
        own.write_bytes(content)
    with pytest.raises(SettingsError, match=rf"^LOGDOCKET_CONFIDENCE_TABLE=.*own.json: {why}") as e:
        build_extractor(settings(confidence_table=own), None)
    assert "write one by `logdocket calibrate SET... -o FILE`" in str(e.value)
    assert "\n" not in str(e.value)


def test_an_application_needs_right_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Worker processes read them anew, so they refuse wrong ones as well."""
    monkeypatch.setenv("LOGDOCKET_RISK", "7")
    with pytest.raises(SettingsError):
        build_app()


def test_an_application_refuses_a_database_of_another_program(tmp_path: Path) -> None:
    """Rather than serve without a ledger for ever."""
    with closing(sqlite3.connect(tmp_path / "other.db")) as other:
        other.execute("CREATE TABLE recipe (name TEXT)")
    with pytest.raises(NotALedger):
        build_app(settings(db=tmp_path / "other.db"))


def test_a_docket_reads_the_environment_where_no_settings_are_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And says which variable is wrong."""
    monkeypatch.setenv("LOGDOCKET_MAX_LINE", "77")
    assert Docket().settings.max_line == 77
    monkeypatch.setenv("LOGDOCKET_MAX_LINE", "many")
    with pytest.raises(SettingsError, match="LOGDOCKET_MAX_LINE"):
        Docket()


async def test_a_docket_enters_what_it_gives() -> None:
    """The ticket is in the ledger by the time the caller has it."""
    async with Docket(settings()) as docket:
        ticket = await docket.extract(LINE)
        store = build_store(settings())
        (entry,) = store.entries(Query())
        store.close()
    assert (entry.source, entry.reasons) == (ticket.source, ticket.review_reasons)


async def test_a_docket_may_be_entered_again() -> None:
    """After it was left, and not while it is open."""
    docket = Docket(settings())
    for source in (Source.FALLBACK, Source.CACHE):
        async with docket:
            assert (await docket.extract(LINE)).source is source
            with pytest.raises(RuntimeError, match="open already"):
                await docket.__aenter__()
            await docket.extract(LINE)


@pytest.mark.parametrize("left", [False, True])
async def test_a_closed_docket_says_how_to_open_it(left: bool) -> None:
    """Before it was entered and after it was left."""
    docket = Docket(settings())
    if left:
        async with docket:
            pass
    with pytest.raises(RuntimeError, match="async with Docket"):
        await docket.extract(LINE)


async def test_a_docket_that_cannot_open_stays_closed(tmp_path: Path) -> None:
    """A refusal leaves nothing half open."""
    with closing(sqlite3.connect(tmp_path / "other.db")) as other:
        other.execute("CREATE TABLE recipe (name TEXT)")
    docket = Docket(settings(db=tmp_path / "other.db"))
    with pytest.raises(NotALedger):
        await docket.__aenter__()
    with pytest.raises(RuntimeError, match="closed"):
        await docket.extract(LINE)


async def test_leaving_a_docket_does_not_hold_up_other_tasks(tmp_path: Path) -> None:
    """The last commit may wait for a lock; the loop goes on meanwhile."""
    path = tmp_path / "t.db"
    docket = await Docket(settings(db=path, busy_timeout=0.5)).__aenter__()
    await docket.extract(LINE)
    with closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert ReviewReason.LEDGER_UNAVAILABLE in (await docket.extract("x error")).review_reasons
        leaving = asyncio.create_task(docket.__aexit__(None, None, None))
        longest = 0.0
        while not leaving.done():
            before = time.monotonic()
            await asyncio.sleep(0.01)
            longest = max(longest, time.monotonic() - before)
        await leaving
    assert longest < 0.4


@pytest.mark.parametrize(
    ("context", "told"),
    [
        (Context(timezone="Mars/Olympus"), "timezone 'Mars/Olympus' is no IANA name"),
        (Context(timezone="../../etc/passwd"), "timezone .* is no IANA name"),
        (Context(timezone=""), "timezone '' is no IANA name"),
        (Context(timezone=ZoneInfo("Europe/Zurich")), "timezone is a ZoneInfo: send text"),  # type: ignore[arg-type]
        (Context(received_at=datetime(2026, 1, 2)), "received_at has no offset"),
        (Context(received_at="2026-01-02"), "received_at is a str: give a datetime"),  # type: ignore[arg-type]
        (Context(service=" "), "service is blank"),
        (Context(service="a\nb"), "service holds U\\+000A"),
        (Context(service="x" * 201), "service has 201 characters"),
        (Context(service=7), "service is a int"),  # type: ignore[arg-type]
        (Context(labels=["a"]), "labels is a list: give a mapping"),  # type: ignore[arg-type]
        (Context(labels={"a": 1}), "a label is a int"),  # type: ignore[dict-item]
        (Context(labels={"a": "\udcff"}), "a label holds U\\+DCFF"),
        (Context(labels={str(n): "" for n in range(33)}), "there are 33 labels"),
    ],
)
async def test_a_malformed_context_is_refused(context: Context, told: str) -> None:
    """Whoever built it: no crash, no silent fallback, and nothing is entered."""
    async with Docket(settings()) as docket:
        with pytest.raises(BadContext, match=told):
            await docket.extract(LINE, context)
        store = build_store(settings())
        assert store.entries(Query()) == []
        store.close()


@pytest.mark.parametrize(
    "received_at",
    [
        datetime(2026, 1, 3, 4, 5, 6, 789, tzinfo=UTC),
        datetime(2026, 1, 3, tzinfo=ZoneInfo("Asia/Kathmandu")),
        datetime(2026, 1, 3, tzinfo=timezone(-timedelta(hours=9, minutes=30))),
    ],
)
async def test_an_arrival_in_any_zone_gives_the_year(received_at: datetime) -> None:
    """A datetime with an offset is taken as it is."""
    async with Docket(settings()) as docket:
        ticket = await docket.extract(LINE, Context(received_at=received_at, timezone="+01:00"))
    assert ticket.first_seen == "2026-01-02T15:04:05+01:00"


async def test_a_context_may_name_the_service() -> None:
    """Where the line does not."""
    async with Docket(settings()) as docket:
        ticket = await docket.extract("card refused, retry failed", Context(service="päyments"))
    assert ticket.service == "päyments"


async def test_lines_are_bounded_by_the_settings() -> None:
    """In bytes, and blank ones are refused too."""
    async with Docket(settings(max_line=10)) as docket:
        assert (await docket.extract(b"0123456789")).evidence == "0123456789"
        with pytest.raises(LineTooLong):
            await docket.extract("0123456789é")
        with pytest.raises(BlankLine):
            await docket.extract(b" \t")


async def test_one_bad_line_of_several_keeps_all_out() -> None:
    """They are one transaction: nothing is entered, and the caller can send them again."""
    async with Docket(settings()) as docket:
        with pytest.raises(BlankLine):
            await docket.extract_many([(LINE, NO_CONTEXT), ("", NO_CONTEXT)])
        store = build_store(settings())
        assert store.entries(Query()) == []
        store.close()


async def test_several_lines_keep_their_order() -> None:
    """Repeated ones too, each answered in its place."""
    lines = [f"n{number % 7} error" for number in range(50)]
    async with Docket(settings()) as docket:
        tickets = await docket.extract_many([(line, NO_CONTEXT) for line in lines])
        assert await docket.extract_many([]) == []
    assert [ticket.evidence for ticket in tickets] == lines
    assert [ticket.source for ticket in tickets] == [Source.FALLBACK] * 7 + [Source.CACHE] * 43
