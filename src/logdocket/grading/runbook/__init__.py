"""What an answer's runbook says: the commands it shows, and the passages that name a topic."""

from logdocket.grading.runbook.commands import PURPOSES, shown
from logdocket.grading.runbook.exercise import own
from logdocket.grading.runbook.page import Block, page
from logdocket.grading.runbook.topic import LIMITS, NEXT, TRADE_OFFS, Passage, Topic, passages

__all__ = [
    "LIMITS",
    "NEXT",
    "PURPOSES",
    "TRADE_OFFS",
    "Block",
    "Passage",
    "Topic",
    "own",
    "page",
    "passages",
    "shown",
]
