"""Lines through the docket in groups, several groups in flight where other processes read them."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import BinaryIO, Final

import msgspec

from logdocket.cli.pool import Pool, Worker
from logdocket.docket import Extractor, Item, Slot
from logdocket.errors import URN, InputError, LineTooLong
from logdocket.line import Context, Line

# Rows of one transaction.
_GROUP: Final = 1024


class Tally:
    """How many lines came, got an error row, or a ticket that is not in the ledger."""

    __slots__ = ("lines", "refused", "unledgered")

    def __init__(self) -> None:
        self.lines = 0
        self.refused = 0
        self.unledgered = 0


class Pipeline:
    """Feeds lines to ``extractor`` and writes a row for each to ``out``, in order."""

    def __init__(
        self, extractor: Extractor, pool: Pool | None, longest: int, out: BinaryIO
    ) -> None:
        self.tally = Tally()
        self._extractor = extractor
        self._pool = pool
        self._longest = longest
        self._out = out
        self._flying: deque[_Flight] = deque()
        self._most = 1 if pool is None else 2 * pool.jobs

    def feed(self, raws: Sequence[bytes | None], context: Context) -> None:
        """Take lines; None stands for one that was too long."""
        for start in range(0, len(raws), _GROUP):
            self._launch(raws[start : start + _GROUP], context)
            while len(self._flying) > self._most:
                self._land()
        if self._pool is None:
            self.flush()

    def flush(self) -> None:
        """Answer every line taken so far."""
        while self._flying:
            self._land()
        self._out.flush()

    def _launch(self, raws: Sequence[bytes | None], context: Context) -> None:
        first = self.tally.lines
        items: list[Item] = []
        errors: dict[int, bytes] = {}
        for place, raw in enumerate(raws):
            try:
                items.append((taken(raw, self._longest), context))
            except InputError as error:
                errors[place] = error_row(error, first + place + 1)
        self.tally.lines += len(raws)
        self.tally.refused += len(errors)
        slots = self._extractor.begin(items)
        judging = None if self._pool is None else self._pool.submit(slots, context)
        self._flying.append(_Flight(slots, errors, judging))

    def _land(self) -> None:
        flight = self._flying.popleft()
        if self._pool is not None and flight.judging is not None:
            self._pool.settle(flight.slots, flight.judging)
        extractions = self._extractor.finish(flight.slots)
        self.tally.unledgered += sum(made.id is None and made.unrecorded for made in extractions)
        rows = [made.json for made in extractions]
        # In ascending order, each error finds its place in the whole.
        for place, row in flight.errors.items():
            rows.insert(place, row)
        if rows:
            self._out.write(b"\n".join(rows) + b"\n")


class _Flight:
    """One group on its way."""

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
