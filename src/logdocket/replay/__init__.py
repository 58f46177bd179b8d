"""Recorded lines run through the real pipeline again: the same bytes every time, anywhere.

:func:`replay` runs a fixture, :func:`check` compares with the files beside it, :func:`update`
writes them anew, and :func:`answers` compares with the right answers that people wrote down.
"""

from logdocket.replay.answers import Wrong, answers
from logdocket.replay.files import check, expected_path, ledger_path, update
from logdocket.replay.fixture import Expect, Row, load
from logdocket.replay.pipeline import Replayed, replay

__all__ = [
    "Expect",
    "Replayed",
    "Row",
    "Wrong",
    "answers",
    "check",
    "expected_path",
    "ledger_path",
    "load",
    "replay",
    "update",
]
