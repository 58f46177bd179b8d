"""Recorded lines run through the real pipeline again: the same bytes every time, anywhere.

:func:`replay` runs a fixture, :func:`check` compares with the files beside it, :func:`update`
writes them anew, and :func:`answers` compares with the right answers that people wrote down.
:func:`take` runs lines against a live model; :func:`written` makes a fixture of what came of them,
:func:`verified` sees that it replays to the same, and :func:`keep` writes it.
"""

from logdocket.replay.answers import Wrong, answers
from logdocket.replay.files import (
    check,
    expected_path,
    keep,
    ledger_path,
    see_that_it_is_free,
    update,
)
from logdocket.replay.fixture import Expect, Row, load
from logdocket.replay.model import Model
from logdocket.replay.pipeline import Replayed, replay
from logdocket.replay.recorder import Item, Taken, note, take, verified, written

__all__ = [
    "Expect",
    "Item",
    "Model",
    "Replayed",
    "Row",
    "Taken",
    "Wrong",
    "answers",
    "check",
    "expected_path",
    "keep",
    "ledger_path",
    "load",
    "note",
    "replay",
    "see_that_it_is_free",
    "take",
    "update",
    "verified",
    "written",
]
