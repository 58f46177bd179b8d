"""Asks a model about a line, and gives a plain account of how that ended.

Nothing here touches the ledger, and nothing heavy is loaded until a :class:`Client` is made.
"""

from __future__ import annotations

from logdocket.model.address import split_name
from logdocket.model.answer import Junk, Wrong, parse
from logdocket.model.attempts import Attempts, Bad, Outcome
from logdocket.model.breaker import Breaker
from logdocket.model.client import Client, Reply
from logdocket.model.exchange import Exchange, Failure, Permit
from logdocket.model.prompt import PROMPT_VERSION, Question, as_it_stands
from logdocket.model.redaction import redact

__all__ = [
    "PROMPT_VERSION",
    "Attempts",
    "Bad",
    "Breaker",
    "Client",
    "Exchange",
    "Failure",
    "Junk",
    "Outcome",
    "Permit",
    "Question",
    "Reply",
    "Wrong",
    "as_it_stands",
    "parse",
    "redact",
    "split_name",
]
