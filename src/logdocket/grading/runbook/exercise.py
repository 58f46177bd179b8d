"""The sentences of the exercise itself: whoever copies them has named nothing of their own."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from logdocket.grading.runbook.page import Block, page

__all__ = ["own"]

_BRIEF: Final = Path(__file__).parent.parent / "kit" / "candidate" / "BRIEF.md"
_END: Final = re.compile(r"(?<=[.!?:;])\s+")


def own(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """The ``blocks`` without those texts that stand word for word in the brief."""
    return tuple(b for b in blocks if b.level or not set(_plain(b.text)) <= _sentences())


@functools.cache
def _sentences() -> frozenset[str]:
    blocks = page(_BRIEF.name, _BRIEF.read_text(encoding="utf-8"))
    return frozenset(one for block in blocks for one in _plain(block.text))


def _plain(text: str) -> Iterator[str]:
    """The sentences of ``text`` as words alone."""
    for sentence in _END.split(text):
        words = " ".join(re.findall(r"\w+", sentence.lower()))
        if words:
            yield words
