"""One line on its way through the docket."""

from __future__ import annotations

import msgspec

from logdocket.docket.judgement import Judged, Shared
from logdocket.docket.memory import Remembered
from logdocket.line import Context, Line, Reading


class Slot(msgspec.Struct, eq=False, gc=False):
    """One line, and where its answer comes from: a hit, a judgement, or a twin before it.

    ``kept`` is what later twins may repeat once this slot's own ticket is in the ledger;
    ``failed`` says that it could not be entered, so a twin must not claim to repeat it.
    ``seen`` is the newest ticket that the store had under the key, too old or not to be believed.
    ``shared`` is the answer about another line of its template, or a person's, that it was judged
    by.
    ``revises`` is the entry of the first ticket for the line, where this is a second look at it.
    ``reading`` is what the rules read in the line, where they were asked before it is judged.
    ``era`` is the memory's when the slot was looked up: what changes meanwhile, it does not know.
    """

    line: Line
    context: Context
    key: bytes
    line_hash: bytes
    hit: Remembered | None = None
    twin: Slot | None = None
    judged: Judged | None = None
    kept: Remembered | None = None
    failed: bool = False
    seen: int = 0
    shared: Shared | None = None
    revises: int | None = None
    reading: Reading | None = None
    era: int = 0

    @property
    def undecided(self) -> bool:
        """Whether nothing answers it yet: it is to be judged."""
        return self.hit is None and self.twin is None and self.judged is None

    @property
    def settled(self) -> bool:
        """Whether it only has to be entered: there is a judgement of it, or of its twin."""
        return self.judged is not None or self.twin is not None

    @property
    def by_person(self) -> bool:
        """Whether a person's verdict answers it."""
        return self.shared is not None and self.shared.verdict is not None
