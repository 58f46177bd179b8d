"""Asks a model about a line, and gives a plain account of how that ended.

Nothing here touches the ledger, and nothing heavy is loaded until a :class:`Client` is made.
"""

from __future__ import annotations

from logdocket.model.address import split_name
from logdocket.model.answer import Junk, Wrong, parse
from logdocket.model.client import Client, Reply
from logdocket.model.exchange import Exchange, Failure, Permit
from logdocket.model.prompt import PROMPT_VERSION, Question

__all__ = [
    "PROMPT_VERSION",
    "Client",
    "Exchange",
    "Failure",
    "Junk",
    "Permit",
    "Question",
    "Reply",
    "Wrong",
    "parse",
    "split_name",
]
