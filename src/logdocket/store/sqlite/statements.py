"""The SQL of the store by name, out of ``queries.sql`` and ``queue.sql``; and lists of places for
values."""

from __future__ import annotations

import functools
import importlib.resources
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any, Final

_FILES: Final = ("queries.sql", "queue.sql")

_STEPS: Final = (256, 64, 16, 4, 1)
"""Rows per INSERT: each statement lets go of the interpreter lock once, so a group needs few."""

_SIZES: Final = (512, 64, 8, 1)
"""Values per list: few sizes, so that each statement is prepared once."""


def _load() -> dict[str, str]:
    named: dict[str, str] = {}
    for file in _FILES:
        text = importlib.resources.files(__package__).joinpath(file).read_text("utf-8")
        for part in text.split("-- name: ")[1:]:
            name, _, body = part.partition("\n")
            lines = [line for line in body.split("\n") if line and not line.startswith("--")]
            assert name.strip() not in named, name
            named[name.strip()] = "\n".join(lines)
    return named


SQL: Final = _load()


@functools.cache
def rows(name: str, width: int, count: int) -> str:
    """Statement ``name`` with ``count`` rows of ``width`` places behind it."""
    row = f"({','.join('?' * width)})"
    return f"{SQL[name]} {','.join([row] * count)}"


def filled(name: str, text: str) -> str:
    """Statement ``name`` with ``text`` in place of its stars."""
    return SQL[name].replace("***", text)


def put(connection: sqlite3.Connection, name: str, width: int, flat: Sequence[object]) -> None:
    """Run ``name`` with ``flat``, ``width`` values to a row, in as few statements as there are
    steps."""
    start, end = 0, len(flat)
    for step in _STEPS:
        size = step * width
        while end - start >= size:
            connection.execute(rows(name, width, step), flat[start : start + size])
            start += size


def among(
    connection: sqlite3.Connection, name: str, values: Sequence[object], place: str = "?"
) -> Iterator[tuple[Any, ...]]:
    """What ``name`` finds for ``values``, which stand in place of its stars, each in a ``place``:
    ``?`` in a list, ``(?)`` in rows."""
    start = 0
    for size in _SIZES:
        while len(values) - start >= size:
            statement = filled(name, ",".join([place] * size))
            yield from connection.execute(statement, values[start : start + size]).fetchall()
            start += size
