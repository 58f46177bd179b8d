"""Lines through the docket in groups, several under way where other processes read them."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import BinaryIO, Final

import msgspec

from logdocket.cli.explain import Explainer
from logdocket.cli.pool import Pool, Worker
from logdocket.docket import Extractor, Item, Slot
from logdocket.errors import URN, InputError, LineTooLong
from logdocket.line import Context, Line

_BATCH: Final = 512
"""Lines that take each step together: so few that what one step leaves is at hand for the next."""

_SHARED_BATCH: Final = 1024
"""The same where another process takes them: to hand them over costs more than to find them."""

_GROUP: Final = 4096
"""Lines of one transaction at least: keys fall anywhere in their index, so the more come together,
the fewer pages are written for each."""


class Tally:
    """How many lines came, got an error row, or a ticket that is not in the ledger."""

    __slots__ = ("lines", "refused", "unledgered")

    def __init__(self) -> None:
        self.lines = 0
        self.refused = 0
        self.unledgered = 0


class Pipeline:
    """Feeds lines to ``extractor`` and writes a row for each to ``out``, in order; with an
    ``explainer``, the one that it makes."""

    def __init__(
        self,
        extractor: Extractor,
        pool: Pool | None,
        longest: int,
        out: BinaryIO,
        explainer: Explainer | None = None,
    ) -> None:
        self.tally = Tally()
        self._extractor = extractor
        self._pool = pool
        self._longest = longest
        self._out = out
        self._explainer = explainer
        self._flying: deque[_Flight] = deque()
        self._landed: list[_Flight] = []
        self._waiting = 0
        self._most = 0 if pool is None else 2 * pool.jobs
        self._batch = _BATCH if pool is None else _SHARED_BATCH

    def feed(self, raws: Sequence[bytes | None], context: Context) -> None:
        """Take lines; None stands for one that was too long. They are answered when a group is
        full, or by :meth:`flush`."""
        for start in range(0, len(raws), self._batch):
            self._launch(raws[start : start + self._batch], context)
            while len(self._flying) > self._most:
                self._land()

    def flush(self) -> None:
        """Answer every line taken so far."""
        while self._flying:
            self._land()
        self._commit()
        self._out.flush()

    def _launch(self, raws: Sequence[bytes | None], context: Context) -> None:
        first = self.tally.lines
        items: list[Item] = []
        errors: dict[int, bytes] = {}
        from_bytes, longest = Line.from_bytes, self._longest
        for place, raw in enumerate(raws):
            try:
                items.append((taken(None, longest) if raw is None else from_bytes(raw), context))
            except InputError as error:
                errors[place] = error_row(error, first + place + 1)
        self.tally.lines += len(raws)
        self.tally.refused += len(errors)
        slots = self._extractor.begin(items)
        judging = None
        if self._pool is not None and self._pool.ready():
            judging = self._pool.submit(slots, context)
        self._flying.append(_Flight(slots, errors, judging))

    def _land(self) -> None:
        """See that the oldest batch is judged; with a group full of such, answer them all."""
        flight = self._flying.popleft()
        if self._pool is not None and flight.judging is not None:
            self._pool.settle(flight.slots, flight.judging)
        self._extractor.settle(flight.slots)
        self._landed.append(flight)
        self._waiting += len(flight.slots) + len(flight.errors)
        if self._waiting >= _GROUP:
            self._commit()

    def _commit(self) -> None:
        flights, self._landed, self._waiting = self._landed, [], 0
        slots = [slot for flight in flights for slot in flight.slots]
        made = self._extractor.finish(slots)
        self.tally.unledgered += sum(each.id is None and each.unrecorded for each in made)
        if self._explainer is None:
            rows = [each.json for each in made]
        else:
            explained = self._explainer.row
            rows = [
                explained(slot.line, slot.context, each)
                for slot, each in zip(slots, made, strict=True)
            ]
        begun = 0
        for flight in flights:
            # In ascending order, each error finds its place in the whole.
            for place, row in flight.errors.items():
                rows.insert(begun + place, row)
            begun += len(flight.slots) + len(flight.errors)
        if rows:
            self._out.write(b"\n".join(rows) + b"\n")


class _Flight:
    """One batch on its way."""

    __slots__ = ("errors", "judging", "slots")

    def __init__(self, slots: list[Slot], errors: dict[int, bytes], judging: Worker | None) -> None:
        self.slots = slots
        self.errors = errors
        self.judging = judging


def taken(raw: bytes | None, longest: int) -> Line:
    """A line as the splitter gave it, None where it had more than ``longest`` bytes; raises
    LineTooLong or BlankLine.
    """
    if raw is None:
        raise LineTooLong(f"the line has more than {longest:,} bytes: raise LOGDOCKET_MAX_LINE")
    return Line.from_bytes(raw)


def error_row(error: InputError, row: int) -> bytes:
    """What stands in place of a ticket for line ``row``, counted from 1."""
    told = {"type": URN + error.word, "detail": str(error), "row": row}
    return msgspec.json.encode({"error": told})
