"""The schema's versions: numbered SQL files, run forward only, each in one transaction."""

from __future__ import annotations

import importlib.resources
import re
import sqlite3
from collections.abc import Iterator
from importlib.resources.abc import Traversable
from typing import Final

APPLICATION_ID: Final = 0x4C646B74
"""``Ldkt`` in ASCII, in the database header: says whose file it is."""

_NAME = re.compile(r"(\d{4})_\w+\.sql")


class Migrations:
    """The steps in a folder: ``NNNN_name.sql`` makes schema NNNN out of the one before."""

    def __init__(self, folder: Traversable | None = None) -> None:
        """Read every step of ``folder``, or of those in the package."""
        folder = folder or importlib.resources.files(__package__).joinpath("migrations")
        found = sorted(
            (int(match[1]), file)
            for file in folder.iterdir()
            if (match := _NAME.fullmatch(file.name))
        )
        assert [number for number, _ in found] == list(range(1, len(found) + 1)), found
        self._scripts = [file.read_text("utf-8") for _, file in found]

    @property
    def latest(self) -> int:
        """The schema that this version of Logdocket works with."""
        return len(self._scripts)

    def run(self, connection: sqlite3.Connection, version: int) -> None:
        """Bring schema ``version`` to the latest, inside the caller's transaction."""
        for script in self._scripts[version:]:
            for statement in _statements(script):
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {self.latest}")


def _statements(script: str) -> Iterator[str]:
    """Each statement of ``script``; ``executescript`` would commit the transaction first."""
    statement = ""
    for line in script.split("\n"):
        statement += line + "\n"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    assert not statement.strip() or statement.lstrip().startswith("--"), statement
