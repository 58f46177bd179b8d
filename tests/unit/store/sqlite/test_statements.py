"""The SQL file, by name."""

from __future__ import annotations

import re
import sqlite3

import pytest

from logdocket.store.sqlite.migrate import Migrations
from logdocket.store.sqlite.statements import SQL, filled, rows

FILLED = {
    "newest_by_key": lambda: filled("newest_by_key", "(?),(?)"),
    "page": lambda: filled("page", "seq > 0"),
    "page_of_period": lambda: filled("page_of_period", "at > 0"),
    "calls": lambda: filled("calls", "?,?"),
    "claims": lambda: filled("claims", "?,?"),
    "spend": lambda: filled("spend", "?,?"),
    "drop_claims": lambda: filled("drop_claims", "?,?"),
    "templates": lambda: filled("templates", "?,?"),
    "put_template": lambda: rows("put_template", 6, 2),
    "queue_groups": lambda: filled("queue_groups", "id > 0"),
    "queue_groups_by_key": lambda: filled("queue_groups_by_key", "?,?"),
    "queue_groups_by_id": lambda: filled("queue_groups_by_id", "?,?"),
    "put_queue_group": lambda: rows("put_queue_group", 32, 2),
    "queue_ticket_rows": lambda: filled("queue_ticket_rows", "?,?"),
    "scan_groups": lambda: filled("scan_groups", "id > 0"),
    "scan_text": lambda: filled("scan_text", "instr(s.text, ?) > 0"),
    "any_after": lambda: filled("any_after", "id > 0"),
    "put_queue_search": lambda: rows("put_queue_search", 2, 2),
    "put_queue_ticket": lambda: rows("put_queue_ticket", 6, 2),
    "queue_verdict_rows": lambda: filled("queue_verdict_rows", "?,?"),
    "put_queue_verdict": lambda: rows("put_queue_verdict", 9, 2),
    "sources": lambda: filled("sources", "?,?"),
    "verdicts_of_groups": lambda: filled("verdicts_of_groups", "?,?"),
    "details": lambda: filled("details", "?,?"),
    "put_call": lambda: rows("put_call", 14, 2),
    "put_claim": lambda: rows("put_claim", 3, 2),
    "put_spend": lambda: rows("put_spend", 5, 2),
    "counts_of_period": lambda: filled("counts_of_period", "at > 0"),
    "gaps": lambda: filled("gaps", "at > 0"),
    "calls_of_period": lambda: filled("calls_of_period", "at > 0"),
    "hits_on_calls": lambda: filled("hits_on_calls", "at > 0"),
    "hits_on_calls_of_period": lambda: filled("hits_on_calls_of_period", "at > 0"),
    "insert_entry": lambda: rows("insert_entry", 7, 2),
    "insert_ticket": lambda: rows("insert_ticket", 3, 2),
    "insert_ticket_and_text": lambda: rows("insert_ticket_and_text", 4, 2),
}


@pytest.mark.parametrize("name", SQL)
def test_every_statement_fits_the_schema(name):
    """SQLite itself understands each of them."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    Migrations().run(connection, 0)
    statement = FILLED.get(name, lambda: SQL[name])()
    numbered = set(re.findall(r"\?\d+", statement))
    places = len(numbered) or statement.count("?")
    connection.execute(f"EXPLAIN {statement}", [None] * places)
    connection.close()


def test_comments_stay_in_the_file():
    """What is sent to SQLite is SQL alone."""
    assert all("--" not in statement for statement in SQL.values())


def test_rows_have_a_place_for_each_value():
    """Two rows of three."""
    assert rows("insert_ticket", 3, 2).endswith("VALUES (?,?,?),(?,?,?)")
