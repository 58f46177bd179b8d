"""Tickets that say by themselves how they are grouped, for tests of the review queue."""

from __future__ import annotations

import json
import sqlite3
from hashlib import sha256
from pathlib import Path
from typing import Any

from logdocket.line import Severity
from logdocket.store import (
    Described,
    Fields,
    Group,
    Grouping,
    SqliteStore,
    StoredTicket,
    TicketRecord,
    VerdictRecord,
    VerdictWord,
)
from logdocket.ticket import ReviewReason, Source

TABLES = ("queue_group", "queue_search", "queue_ticket", "queue_verdict", "queue_day")


def line_hash(line: int) -> bytes:
    """What stands for a line."""
    return sha256(b"line %d" % line).digest()


def group_key(group: int) -> bytes:
    """What stands for a group."""
    return sha256(b"group %d" % group).digest()[:16]


def fields(line: int, severity: Severity = Severity.HIGH, **changes: Any) -> Fields:
    """What the ticket for a line says."""
    said = {
        "service": "pay",
        "severity": severity,
        "first_seen": "unknown",
        "evidence": f"failed on {line} \udcff",
    }
    return Fields(**{**said, **changes})


def describe(ticket: StoredTicket) -> Described | None:
    """How such a ticket is grouped: by the number in its body, if there is one."""
    said = json.loads(ticket.body)
    if said["group"] is None:
        return None
    moment = said.get("moment")
    seen = "unknown" if moment is None else f"moment {moment}"
    return Described(
        group=group_key(said["group"]),
        template=f"failed on <num> in {said['group']}",
        fields=fields(said["line"], Severity(said.get("severity", "high")), first_seen=seen),
        moment=moment,
    )


GROUPING = Grouping(describe, 1)


def fresh(line: int, group: int | None = 0, /, **changes: Any) -> TicketRecord:
    """The record of a fallback about a line, of a group; a model timed out."""
    said = {
        "line": line,
        "group": group,
        **{name: changes.pop(name) for name in ("severity", "moment") if name in changes},
    }
    record: dict[str, Any] = {
        "key": line_hash(line)[:16],
        "line_hash": line_hash(line),
        "source": Source.FALLBACK,
        "reasons": (ReviewReason.MODEL_TIMEOUT,),
        "body": json.dumps(said).encode(),
    }
    return TicketRecord(**{**record, **changes})


def hit(line: int, original: int, **changes: Any) -> TicketRecord:
    """The record of a cache hit on the ticket of entry ``original``."""
    return fresh(line, source=Source.CACHE, body=None, original=original, **changes)


def reviewed(line: int, verdict: int, group: int | None = 0, /, **changes: Any) -> TicketRecord:
    """The record of a ticket that says what a verdict does."""
    said = {"source": Source.CACHE, "reasons": (ReviewReason.REVIEWED,), "verdict": verdict}
    return fresh(line, group, **{**said, **changes})


def ruling(
    group: Group, word: VerdictWord, line: int, /, version: int | None = None, **changes: Any
) -> VerdictRecord:
    """A verdict about the newest ticket of a group, which is about ``line``."""
    before = fields(line)
    after = {
        VerdictWord.RIGHT: before,
        VerdictWord.CORRECTED: fields(line, Severity.CRITICAL),
    }.get(word)
    said: dict[str, Any] = {
        "group": group.id,
        "version": group.version if version is None else version,
        "verdict": word,
        "ticket": group.ticket,
        "line_hash": line_hash(line),
        "who": "rev-a",
        "before": before,
        "after": after,
    }
    return VerdictRecord(**{**said, **changes})


def fold(store: SqliteStore, grouping: Grouping = GROUPING, most: int = 4096) -> None:
    """Bring the whole ledger into the queue, ``most`` entries at a time."""
    while not store.fold(grouping, most).done:
        pass


def rows(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """All that the queue's tables hold."""
    connection = sqlite3.connect(path)
    try:
        return {
            table: connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall()
            for table in TABLES
        }
    finally:
        connection.close()
