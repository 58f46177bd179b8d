from __future__ import annotations

import asyncio
import inspect
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import logdocket
from logdocket import (
    Context,
    Docket,
    InputError,
    LogdocketError,
    ReviewReason,
    Settings,
    Severity,
    Source,
    StoreError,
    Ticket,
)
from logdocket.bootstrap import build_store

LINE = "2026-01-02T15:04:05Z ERROR payments: card refused"


async def test_a_line_in_a_ticket_out() -> None:
    """As the documentation shows it."""
    async with Docket(Settings(db=Path("tickets.db"))) as docket:
        ticket = await docket.extract(LINE)
    assert isinstance(ticket, Ticket)
    assert ticket == Ticket(
        service="payments",
        severity=Severity.HIGH,
        first_seen="2026-01-02T15:04:05Z",
        evidence="card refused",
        confidence=ticket.confidence,
        needs_human=True,
        source=Source.FALLBACK,
        review_reasons=(ReviewReason.MODEL_NOT_CONFIGURED,),
    )
    assert os.listdir() == ["tickets.db"]


async def test_the_second_of_two_equal_lines_comes_from_the_cache() -> None:
    """Within one opening and across two, and it still needs a person."""
    first: Ticket | None = None
    for _ in range(2):
        async with Docket() as docket:
            for _ in range(2):
                ticket = await docket.extract(LINE)
                if first is not None:
                    assert ticket == first.cached()
                    assert ticket.needs_human
                first = first or ticket


async def test_many_tasks_share_one_docket() -> None:
    """Each gets the answer to its own line, and each is entered once."""
    async with Docket() as docket:
        lines = [f"{LINE} {number % 300}" for number in range(900)]
        tickets = await asyncio.gather(*map(docket.extract, lines))
    assert [ticket.evidence for ticket in tickets] == [
        line.partition("payments: ")[2] for line in lines
    ]
    store = build_store(Settings())
    try:
        assert store.verify().ok
        assert store.summary().tickets == 900
    finally:
        store.close()


async def test_a_task_that_is_cancelled_harms_no_other() -> None:
    """Nor the ledger."""
    async with Docket() as docket:
        tasks = [asyncio.create_task(docket.extract(f"{LINE} {n}")) for n in range(40)]
        await asyncio.sleep(0)
        for task in tasks[::2]:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(isinstance(ticket, Ticket) for ticket in ended[1::2])
        assert isinstance(await docket.extract(LINE), Ticket)
    store = build_store(Settings())
    assert store.verify().ok
    store.close()


async def test_bytes_that_are_no_utf_8_are_a_line() -> None:
    """The evidence maps back to them, also from the cache."""
    raw = b"2026-01-02T15:04:05Z ERROR pay: caf\xe9 \xff refused"
    for source in (Source.FALLBACK, Source.CACHE):
        async with Docket() as docket:
            ticket = await docket.extract(raw)
        assert ticket.source is source
        assert ticket.evidence.encode("utf-8", "surrogateescape") == b"caf\xe9 \xff refused"


async def test_a_context_fills_what_the_line_leaves_open() -> None:
    """The documented way."""
    context = Context(service="shop", labels={"host": "web-1.example"})
    async with Docket() as docket:
        ticket = await docket.extract("card refused, retry failed", context)
        assert ticket.service == "shop"
        with pytest.raises(InputError, match="no IANA name"):
            await docket.extract(LINE, Context(timezone="Mars/Olympus"))


async def test_a_database_that_cannot_be_written_costs_no_ticket(tmp_path: Path) -> None:
    """It says so, and goes to a person."""
    async with Docket(Settings(db=tmp_path / "missing" / "t.db")) as docket:
        for _ in range(2):
            ticket = await docket.extract(LINE)
            assert ticket.needs_human
            assert ReviewReason.LEDGER_UNAVAILABLE in ticket.review_reasons


@pytest.mark.parametrize("line", ["", " \t\n", "a\ud800", "x" * 65_537])
async def test_what_cannot_become_a_ticket_is_one_kind_of_error(line: str) -> None:
    """Which callers can catch by one name."""
    async with Docket() as docket:
        with pytest.raises(InputError):
            await docket.extract(line)


@pytest.mark.parametrize(
    ("line", "context", "said"),
    [
        (None, Context(), "the line is a NoneType: give str or bytes"),
        (7, Context(), "the line is a int: give str or bytes"),
        (LINE, {"service": "pay"}, r"the context is a dict: give a logdocket\.Context"),
        (LINE, None, r"the context is a NoneType: give a logdocket\.Context"),
    ],
)
async def test_what_is_no_line_or_no_context_is_a_type_error(
    line: Any, context: Any, said: str
) -> None:
    """In a line that says what to give; nothing is entered."""
    async with Docket() as docket:
        with pytest.raises(TypeError, match=said):
            await docket.extract(line, context)


def test_an_error_of_each_kind_can_be_caught() -> None:
    """By the branches that the package exports."""
    assert issubclass(InputError, LogdocketError)
    assert issubclass(StoreError, LogdocketError)


@pytest.mark.parametrize("name", logdocket.__all__)
def test_every_public_name_is_there_and_documented(name: str) -> None:
    """In its own words; a class with each of its public methods."""
    value = getattr(logdocket, name)
    assert name in dir(logdocket)
    if name == "__version__":
        assert isinstance(value, str)
        return
    assert value.__doc__
    assert value.__doc__[0].isupper() or value.__doc__[0] == "`"
    for method, member in vars(value).items():
        if inspect.isfunction(member) and not method.startswith("_"):
            assert member.__doc__, f"{name}.{method}"


def test_a_name_that_is_not_there_is_told_as_usual() -> None:
    """By an AttributeError, so that hasattr and autocompletion work."""
    assert not hasattr(logdocket, "Dockett")
    with pytest.raises(AttributeError, match="no attribute 'Dockett'"):
        logdocket.Dockett  # noqa: B018


def test_importing_the_package_loads_nothing_yet() -> None:
    """Each name is loaded when it is first used; a star takes them all."""
    script = (
        "import sys, logdocket\n"
        "assert not [name for name in sys.modules if name.startswith('logdocket.')]\n"
        "assert {'Docket', 'Ticket', 'Settings'} <= set(dir(logdocket))\n"
        "assert not [name for name in sys.modules if name.startswith('logdocket.')]\n"
        "logdocket.Severity\n"
        "assert 'logdocket.bootstrap' not in sys.modules\n"
        "assert vars(logdocket)['Severity'] is logdocket.Severity\n"
        "from logdocket import *\n"
        "assert Docket.__name__ == 'Docket'\n"
        "assert not {'fastapi', 'uvicorn', 'rich', 'typer'} & set(sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, timeout=20, check=False
    )
    assert done.returncode == 0, done.stderr.decode()


def test_the_package_says_that_it_is_typed() -> None:
    """Or a type checker would not look at its annotations."""
    assert Path(logdocket.__file__).with_name("py.typed").exists()
