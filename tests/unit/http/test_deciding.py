"""Who may take back whose decision, also while others decide."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from logdocket.bootstrap import build_extractor, build_store, microseconds
from logdocket.docket import Ask, Outcome, ReviewDesk
from logdocket.errors import BadVerdict
from logdocket.http.deciding import Deciding
from logdocket.http.metrics import Metrics
from logdocket.http.roles import Caller, Role
from logdocket.line import NO_CONTEXT, Line
from logdocket.settings import Settings
from logdocket.store.review import Decided, GroupQuery, VerdictWord


class Crowded(ReviewDesk):
    """A desk at which rev-b decides once, just before whoever is next."""

    first: Ask | None = None

    def decide(self, asks: Sequence[Ask], who: str) -> list[Outcome]:
        """What becomes of ``asks``, after those of rev-b."""
        first, self.first = self.first, None
        if first is not None:
            super().decide([first], "rev-b")
        return super().decide(asks, who)


@pytest.mark.parametrize("own", [True, False])
async def test_what_another_decides_meanwhile_is_not_taken_back(tmp_path: Path, own: bool) -> None:
    """Whoever guesses its number had nothing, or their own, to take back when they asked."""
    settings = Settings(db=tmp_path / "t.db")
    store = build_store(settings)
    extractor = build_extractor(settings, store)
    extractor.finish(extractor.begin([(Line("ERROR pay: refused"), NO_CONTEXT)]))
    desk = Crowded(store, clock=microseconds, max_line=1_000)
    (group,) = desk.page(GroupQuery()).groups
    if own:
        right = Ask(group=group.id, version=0, verdict=VerdictWord.RIGHT)
        (done,) = desk.decide([right], "rev-a")
        assert isinstance(done, Decided)
        group = done.group
    desk.first = Ask(group=group.id, version=group.version, verdict=VerdictWord.NOT_A_PROBLEM)
    guess = store.queue_counts().head + 1
    deciding = Deciding(desk, store, extractor, Metrics())
    undo = Ask(group=group.id, version=guess, verdict=VerdictWord.UNDONE)
    (became,) = await deciding.decide([undo], Caller.of("rev-a", [Role.REVIEW]))
    assert isinstance(became, BadVerdict)
    newest = store.group_verdicts(group.id)[0]
    assert (newest.who, newest.undone_by) == ("rev-b", None)
    store.close()
