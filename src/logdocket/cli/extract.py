"""``logdocket extract``: lines in, tickets out, in order, as they come."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from logdocket.bootstrap import build_extractor, build_store
from logdocket.cli.asking import AskingPipeline
from logdocket.cli.explain import Explainer
from logdocket.cli.output import counted, one_line
from logdocket.cli.pipeline import Pipeline, Tally
from logdocket.cli.pool import GARBAGE, Pool
from logdocket.cli.progress import Progress
from logdocket.cli.source import Source, contexts
from logdocket.cli.stop import Stop
from logdocket.docket import Extractor
from logdocket.errors import LedgerUnavailable
from logdocket.settings import Settings, strangers
from logdocket.splitter import Splitter
from logdocket.store import SqliteStore

_WINDOW: Final = 2
"""Lines in flight for each call that may be made at once: answers from the cache need no call."""


def run(
    file: str,
    *,
    received_at: str | None,
    service: str | None,
    timezone: str | None,
    db: Path | None,
    no_ledger: bool,
    jobs: int,
    explain: bool = False,
) -> int:
    """Answer every line of ``file``; the exit code: 1 when some line got no ticket or no entry."""
    settings = Settings.load(db=db)
    for name in strangers():
        print(f"logdocket: {one_line(name)} is no setting and has no effect", file=sys.stderr)
    context = contexts(received_at, service, timezone)
    context()  # A malformed option is told before anything is read.
    with ExitStack() as open_things:
        source = Source(file, "extract")
        open_things.callback(source.close)
        store = None
        if not no_ledger:
            store = build_store(settings)
            open_things.callback(store.close)
        extractor = build_extractor(settings, store)
        explainer = Explainer(extractor.judge, store) if explain else None
        progress = open_things.enter_context(Progress(source.size))
        stop = open_things.enter_context(Stop())
        open_things.enter_context(_seldom_collecting())
        pipeline = open_things.enter_context(_pipeline(extractor, settings, jobs, explainer))
        splitter = Splitter(settings.max_line)
        for piece in source.pieces(stop, pipeline.flush):
            pipeline.feed(splitter.feed(piece), context())
            progress.advance(len(piece), pipeline.tally.lines)
        if stop.asked is None:
            pipeline.feed(splitter.finish(), context())
        pipeline.flush()
        why = _why(store) if pipeline.tally.unledgered else None
    lost = 0 if store is None else store.unentered
    code = _report(pipeline.tally, source.name, why, lost)
    return code if stop.asked is None else 128 + stop.asked


@contextmanager
def _seldom_collecting() -> Iterator[None]:
    """Spare what is loaded by now, and look for cyclic garbage seldom."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(GARBAGE, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


@contextmanager
def _pipeline(
    extractor: Extractor, settings: Settings, jobs: int, explainer: Explainer | None
) -> Iterator[Pipeline | AskingPipeline]:
    """What the lines go through: the rules, in ``jobs`` processes, or a model that is asked."""
    out = sys.stdout.buffer
    if extractor.asks:
        most = _WINDOW * settings.model_concurrency
        with AskingPipeline(extractor, most, settings.max_line, out, explainer) as asking:
            yield asking
    elif jobs > 1:
        with Pool(jobs, extractor.judge.table, settings.risk, extractor.judge.why_alone) as pool:
            yield Pipeline(extractor, pool, settings.max_line, out, explainer)
    else:
        yield Pipeline(extractor, None, settings.max_line, out, explainer)


def _why(store: SqliteStore | None) -> str:
    """Why lines were not entered, as far as it can still be seen."""
    if store is not None:
        try:
            store.check()
        except LedgerUnavailable as error:
            return str(error)
    return "the ledger can be written again: send these lines once more"


def _report(tally: Tally, name: str, why: str | None, lost: int) -> int:
    """Tell on standard error what went wrong; the exit code."""
    gap = f"; no gap in it tells of {lost:,} of them" if lost else ""
    for count, what in (
        (tally.refused, "got an error row instead of a ticket"),
        (tally.unledgered, f"got a ticket that is not in the ledger: {why}{gap}"),
    ):
        if count:
            told = f"logdocket: {name}: {count:,} of {counted(tally.lines, 'line')} {what}"
            print(one_line(told), file=sys.stderr)
    return 1 if tally.refused or tally.unledgered else 0
