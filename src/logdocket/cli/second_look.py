"""``logdocket queue second-look``: the model asked again where it failed, and what that costs."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from logdocket.bootstrap import build_extractor, microseconds
from logdocket.cli import foretold
from logdocket.cli.catching_up import catch_up
from logdocket.cli.database import opened
from logdocket.cli.output import compact, counted, one_line
from logdocket.docket import Extractor
from logdocket.docket.review import ReviewDesk
from logdocket.docket.review.looking import Looker
from logdocket.docket.review.second_round import Round, Tally
from logdocket.errors import SettingsError
from logdocket.settings import Settings
from logdocket.store import SqliteStore

if TYPE_CHECKING:
    import rich.progress

_AT_ONCE: Final = 8
"""Lines asked about at once: the model has others to answer."""

_GRACE: Final = 2.0
"""Seconds for calls that are under way when it is to stop."""


def run(db: Path | None, *, dry_run: bool, limit: int | None, as_json: bool) -> int:
    """Ask about what waits, or tell what that would cost; the exit code: 1 where the model failed
    once more, or could not be asked.

    Raises SettingsError where no model is asked, and LedgerUnavailable.
    """
    settings = Settings.load(db=db)
    if not dry_run and (why := foretold.why_none(settings)) is not None:
        raise SettingsError(why)
    with opened(db) as store:
        catch_up(ReviewDesk(store, clock=microseconds, max_line=settings.max_line))
        extractor = build_extractor(settings, store)
        if dry_run:
            found = foretold.foretell(settings, store, extractor, limit)
            asyncio.run(extractor.close())
            _print(found.document, foretold.lines(found), as_json=as_json)
            return 0
        asked = _Asked(store, extractor, settings.model_concurrency, limit)
        asyncio.run(asked.ask())
    _print(_document(asked.tally), _lines(asked.tally), as_json=as_json)
    if asked.signal is not None:
        return 128 + asked.signal
    return 1 if asked.tally.failing or asked.tally.stopped is not None else 0


class _Asked:
    """Asks about all that waits; ``tally`` is what came of it, ``signal`` what ended it early."""

    def __init__(
        self, store: SqliteStore, extractor: Extractor, concurrency: int, limit: int | None
    ) -> None:
        self.tally = Tally()
        self.signal: int | None = None
        self._store = store
        self._extractor = extractor
        self._at_once = min(concurrency, _AT_ONCE)
        self._limit = limit
        self._stop = asyncio.Event()

    async def ask(self) -> None:
        """Until nothing waits, the model cannot be asked, or a signal comes. Calls that are under
        way then have a little time, and are entered as they end."""
        waiting = await asyncio.to_thread(self._store.pending_counts)
        await self._extractor.open()
        with self._heard(), _shown(waiting.askable, self._limit) as progress:
            round = Round(
                Looker(self._store, self._extractor),
                at_once=self._at_once,
                most=self._limit,
                stop=self._stop,
                told=progress,
            )
            self.tally = round.tally
            looking = asyncio.create_task(round.run())
            stopping = asyncio.create_task(self._stop.wait())
            await asyncio.wait({looking, stopping}, return_when=asyncio.FIRST_COMPLETED)
            stopping.cancel()
            await self._extractor.close(_GRACE)
            await looking

    @contextlib.contextmanager
    def _heard(self) -> Iterator[None]:
        """Signals only ask to stop."""
        loop = asyncio.get_running_loop()
        # A job in the background of a script is told to ignore Ctrl-C, and goes on doing so.
        numbers = [
            number
            for number in (signal.SIGINT, signal.SIGTERM)
            if signal.getsignal(number) is not signal.SIG_IGN
        ]
        for number in numbers:
            loop.add_signal_handler(number, self._on, number)
        try:
            yield
        finally:
            for number in numbers:
                loop.remove_signal_handler(number)

    def _on(self, number: int) -> None:
        self.signal = self.signal or number
        self._stop.set()


@contextlib.contextmanager
def _shown(waiting: int, limit: int | None) -> Iterator[_Progress]:
    """A bar on a terminal, and nothing anywhere else."""
    if not sys.stderr.isatty():
        yield _Progress(None)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as bar:
        total = waiting if limit is None else min(waiting, limit)
        bar.add_task("asking", total=total)
        yield _Progress(bar)


class _Progress:
    """Shows how many lines were looked at, and how many were answered."""

    def __init__(self, bar: rich.progress.Progress | None) -> None:
        self._bar = bar

    def __call__(self, tally: Tally) -> None:
        if self._bar is not None:
            told = f"{tally.answered:,} answered, {tally.failing:,} failing"
            self._bar.update(self._bar.task_ids[0], completed=tally.looked_at, description=told)


def _document(tally: Tally) -> dict[str, Any]:
    return {
        "looked_at": tally.looked_at,
        "answered": tally.answered,
        "shared": tally.shared,
        "failing": tally.failing,
        "skipped": tally.skipped,
        "stopped": tally.stopped,
    }


def _lines(tally: Tally) -> Iterator[str]:
    yield (
        f"{counted(tally.looked_at, 'line')}: {tally.answered:,} answered "
        f"({tally.shared:,} without a call), {tally.failing:,} still failing, "
        f"{tally.skipped:,} skipped"
    )
    if tally.stopped is not None:
        yield f"stopped: {tally.stopped.sentence} {tally.stopped.mend}"


def _print(document: dict[str, Any], lines: Iterator[str], *, as_json: bool) -> None:
    if as_json:
        print(compact(document))
        return
    for line in lines:
        print(one_line(line))
