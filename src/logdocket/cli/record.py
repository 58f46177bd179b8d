"""``logdocket record``: lines asked about, and what came back kept as a fixture."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from contextlib import closing
from pathlib import Path
from typing import Final

from logdocket import replay
from logdocket.bootstrap import build_model, build_store, microseconds, why_no_model
from logdocket.cli.output import counted, one_line
from logdocket.cli.pipeline import taken as line_of
from logdocket.cli.source import Source, contexts
from logdocket.cli.stop import Stop
from logdocket.confidence import shipped
from logdocket.docket import CacheScope, Extractor, Policy
from logdocket.errors import InputError, SettingsError
from logdocket.line import Context
from logdocket.model import Attempts
from logdocket.replay import Item, Model, Taken
from logdocket.settings import Settings, strangers
from logdocket.splitter import Splitter
from logdocket.ticket import ReviewReason

_TERMINATED: Final = 128 + signal.SIGTERM

_MENDS: Final = {
    ReviewReason.MODEL_NOT_CONFIGURED: "no model is set up, and a recording is of one: "
    "set MODEL_URL, or MODEL_NAME=provider:model",
    ReviewReason.EGRESS_OFF: "LOGDOCKET_EGRESS=off lets no line leave: unset it to record",
    ReviewReason.MISSING_KEY: "the model is set up without a key: set MODEL_KEY",
}


def run(
    file: str,
    fixture: Path,
    *,
    received_at: str | None,
    service: str | None,
    timezone: str | None,
    db: Path | None,
    concurrency: int,
    force: bool,
) -> int:
    """Record every line of ``file``; the exit code: 1 when some line can have no ticket."""
    settings = Settings.load(db=db)
    for name in strangers():
        print(f"logdocket: {one_line(name)} is no setting and has no effect", file=sys.stderr)
    why = why_no_model(settings)
    if why is not None:
        raise SettingsError(_MENDS[why])
    replay.see_that_it_is_free(fixture, force=force)
    lines = _Lines(settings.max_line)
    stopped = lines.read(file, received_at, service, timezone)
    if stopped is not None:
        return 128 + stopped
    if not lines.items:
        raise SettingsError(f"{lines.name} holds no line: name a file of log lines, or -")
    attempts = build_model(settings, replay.note)
    assert isinstance(attempts, Attempts), "there was no reason against it"
    try:
        taken = asyncio.run(_take(settings, attempts, lines.items, concurrency))
    except asyncio.CancelledError:
        return _TERMINATED
    assert settings.model_key is not None, "without a key there is a reason"
    model = Model.of(settings, attempts.client)
    content = replay.written(model, taken, settings.model_key.get_secret_value())
    replay.keep(fixture, content, replay.verified(str(fixture), content, taken))
    return _report(fixture, taken, lines)


class _Lines:
    """The lines of a file, redacted, each with its context; ``refused`` counts those without."""

    def __init__(self, longest: int) -> None:
        self.name = ""
        self.items: list[Item] = []
        self.refused = 0
        self._longest = longest
        self._number = 0

    def read(
        self, file: str, received_at: str | None, service: str | None, timezone: str | None
    ) -> int | None:
        """Read all of ``file``; the number of the signal that ended it, None for none."""
        context = contexts(received_at, service, timezone)
        context()  # A malformed option is told before anything is read.
        with closing(Source(file, "record")) as source, Stop() as stop:
            self.name = source.name
            splitter = Splitter(self._longest)
            for piece in source.pieces(stop, lambda: None):
                for raw in splitter.feed(piece):
                    self._add(raw, context())
            for raw in splitter.finish():
                self._add(raw, context())
            return stop.asked

    def _add(self, raw: bytes | None, context: Context) -> None:
        self._number += 1
        try:
            line = line_of(raw, self._longest)
        except InputError as error:
            self.refused += 1
            print(f"logdocket: line-{self._number}: left out: {error}", file=sys.stderr)
        else:
            self.items.append(Item.redacted(f"line-{self._number}", line, context))


async def _take(
    settings: Settings, attempts: Attempts, items: list[Item], concurrency: int
) -> list[Taken]:
    """What came of asking about ``items``; nothing that the store knows is given again."""
    asked = asyncio.current_task()
    assert asked is not None
    with contextlib.suppress(NotImplementedError):
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, asked.cancel)
    # As a replay will have it, whatever the operator has set.
    policy = Policy(
        cache_ttl=0,
        caps=settings.policy().caps,
        keep_text=settings.keep_text,
        cache_scope=CacheScope.LINE,
    )
    with closing(build_store(settings)) as store:
        extractor = Extractor(policy, shipped(), store, microseconds, attempts)
        await extractor.open()
        try:
            return await replay.take(
                extractor,
                items,
                clock=microseconds,
                concurrency=min(concurrency, settings.model_concurrency),
                told=_Told(len(items)),
            )
        finally:
            await extractor.close()


class _Told:
    """Tells of each line as it is done."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._done = 0

    def __call__(self, taken: Taken) -> None:
        self._done += 1
        if taken.extraction is None:
            what = "as before"
        else:
            ticket = taken.extraction.ticket
            what = ", ".join((ticket.source, *ticket.review_reasons))
        where = f"{self._done:,} of {self._count:,}"
        print(f"logdocket: {taken.item.id}: {what} ({where})", file=sys.stderr)


def _report(fixture: Path, taken: list[Taken], lines: _Lines) -> int:
    calls = sum(len(each.exchanges) for each in taken)
    told = f"{counted(len(taken), 'row')}, {counted(calls, 'call')}"
    print(one_line(f"logdocket: {fixture}: {told}"), file=sys.stderr)
    return 1 if lines.refused else 0
