"""The SQL of the store by name, out of ``queries.sql``; and lists of places for values."""

from __future__ import annotations

import functools
import importlib.resources
from typing import Final


def _load() -> dict[str, str]:
    text = importlib.resources.files(__package__).joinpath("queries.sql").read_text("utf-8")
    named = {}
    for part in text.split("-- name: ")[1:]:
        name, _, body = part.partition("\n")
        lines = [line for line in body.split("\n") if line and not line.startswith("--")]
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
