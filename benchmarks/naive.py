"""The baseline: the service that one writes in ten minutes.

A synchronous FastAPI endpoint that opens sqlite3 for each request, looks for the line, and stores
the ticket. It reads the line with one regular expression, and keeps no ledger.
"""

from __future__ import annotations

import os
import re
import sqlite3

from fastapi import FastAPI
from pydantic import BaseModel

app = FastAPI()
_DB = os.environ["NAIVE_DB"]
_SHAPE = re.compile(r"(?P<time>\S+)\s+(?P<level>[A-Z]+)\s+(?P<service>[\w.-]+):\s+(?P<rest>.*)")
_SEVERITY = {"ERROR": "high", "WARN": "medium", "FATAL": "critical"}

with sqlite3.connect(_DB) as _setup:
    _setup.execute("CREATE TABLE IF NOT EXISTS ticket (line TEXT PRIMARY KEY, body TEXT)")


class Request(BaseModel):
    """What is sent."""

    line: str


class Ticket(BaseModel):
    """What is answered."""

    service: str
    severity: str
    first_seen: str
    evidence: str
    confidence: float
    needs_human: bool
    source: str


@app.post("/extract")
def extract(request: Request) -> Ticket:
    """The ticket for a line, from the database when it is there."""
    connection = sqlite3.connect(_DB)
    try:
        found = connection.execute(
            "SELECT body FROM ticket WHERE line = ?", (request.line,)
        ).fetchone()
        if found is not None:
            return Ticket.model_validate_json(found[0]).model_copy(update={"source": "cache"})
        ticket = _read(request.line)
        connection.execute(
            "INSERT OR IGNORE INTO ticket VALUES (?, ?)", (request.line, ticket.model_dump_json())
        )
        connection.commit()
        return ticket
    finally:
        connection.close()


def _read(line: str) -> Ticket:
    found = _SHAPE.match(line)
    return Ticket(
        service=found["service"] if found else "unknown",
        severity=_SEVERITY.get(found["level"], "low") if found else "low",
        first_seen=found["time"] if found else "unknown",
        evidence=found["rest"] if found else line,
        confidence=0.9,
        needs_human=found is None,
        source="fallback",
    )
