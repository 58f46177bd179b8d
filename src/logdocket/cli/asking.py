"""Lines through the docket where a model is asked: many at once, given in order."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future
from types import TracebackType
from typing import BinaryIO, NamedTuple

from logdocket.cli.explain import Explainer
from logdocket.cli.pipeline import Tally, error_row, taken
from logdocket.docket import Extractor
from logdocket.errors import InputError
from logdocket.line import Context, Line
from logdocket.ticket import Extraction


class _Asked(NamedTuple):
    """A line on its way, and the ticket that is to come."""

    made: Future[Extraction]
    line: Line
    context: Context


class AskingPipeline:
    """Feeds lines to ``extractor``, at most ``most`` at once, and writes a row for each to ``out``
    in order; with an ``explainer``, the one that it makes. The extractor runs on an event loop in a
    thread of its own while this is entered.
    """

    def __init__(
        self,
        extractor: Extractor,
        most: int,
        longest: int,
        out: BinaryIO,
        explainer: Explainer | None = None,
    ) -> None:
        self.tally = Tally()
        self._extractor = extractor
        self._most = most
        self._longest = longest
        self._out = out
        self._explainer = explainer
        self._flying: deque[_Asked | bytes] = deque()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="logdocket-asking")

    def __enter__(self) -> AskingPipeline:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._extractor.open(), self._loop).result()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        asyncio.run_coroutine_threadsafe(self._extractor.close(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def feed(self, raws: Sequence[bytes | None], context: Context) -> None:
        """Take lines; None stands for one that was too long."""
        for raw in raws:
            self.tally.lines += 1
            try:
                line = taken(raw, self._longest)
            except InputError as error:
                self.tally.refused += 1
                self._flying.append(error_row(error, self.tally.lines))
            else:
                asked = self._extractor.extract(line, context)
                made = asyncio.run_coroutine_threadsafe(asked, self._loop)
                self._flying.append(_Asked(made, line, context))
            self._land(self._most)

    def flush(self) -> None:
        """Answer every line taken so far."""
        self._land(0)
        self._out.flush()

    def _land(self, most: int) -> None:
        """Give rows until at most so many are waited for, and those that are there already."""
        while self._flying:
            first = self._flying[0]
            waits = isinstance(first, _Asked) and not first.made.done()
            if len(self._flying) <= most and waits:
                return
            self._flying.popleft()
            if waits:
                # A model takes its time: what is there is not held back meanwhile.
                self._out.flush()
            self._out.write((self._row(first) if isinstance(first, _Asked) else first) + b"\n")

    def _row(self, asked: _Asked) -> bytes:
        made = asked.made.result()
        self.tally.unledgered += made.id is None and made.unrecorded
        if self._explainer is None:
            return made.json
        return self._explainer.row(asked.line, asked.context, made)
