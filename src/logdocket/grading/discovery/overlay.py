"""Lays what the command line tells over what grade.toml tells."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from logdocket.errors import BadManifest
from logdocket.grading.manifest import LEDGERS, Manifest, checked, fields

__all__ = ["FLAGS", "flag", "overlay"]

FLAGS: Final[Mapping[str, str]] = {
    "setup.command": "--setup",
    "service.start": "--start",
    "test.command": "--test",
    "replay.command": "--replay",
}
"""The keys that have an option of their own."""


def flag(key: str) -> str:
    """The option by which ``key`` is told on the command line."""
    return FLAGS.get(key, "--set")


def overlay(manifest: Manifest, flags: Mapping[str, str]) -> Manifest:
    """``manifest`` with the values of ``flags``, whose keys are as ``service.start``.

    ``service.env.NAME`` sets one variable; ``runbook.files`` takes names set apart by commas; a
    ledger's url, file or command takes the place of the others. Raises BadManifest.
    """
    tables: dict[str, dict[str, Any]] = {
        name: {
            key: value for key, value in msgspec.structs.asdict(table).items() if value is not None
        }
        for name, table in msgspec.structs.asdict(manifest).items()
    }
    for dotted, text in flags.items():
        table, _, key = dotted.partition(".")
        if not key:
            raise BadManifest(f"{flag(dotted)} {dotted}: name a key as service.start is named")
        name, _, variable = key.partition(".")
        value = _value(dotted, table, name, text)
        if variable and (table, name) == ("service", "env"):
            told = {"env": {variable: text}}
            value = {**tables["service"].get("env", {}), variable: text}
        else:
            name, told = key, {key: value}
        checked({table: told}, flag(dotted))
        if table == "ledger" and name in LEDGERS:
            for other in LEDGERS:
                tables["ledger"].pop(other, None)
        tables[table][name] = value
    return checked(tables, "the options")


def _value(dotted: str, table: str, key: str, text: str) -> Any:
    """``text`` as the type of its key."""
    kind = str(fields().get(table, {}).get(key, ""))
    if "float" in kind:
        try:
            return float(text)
        except ValueError as error:
            raise BadManifest(
                f"{flag(dotted)} {dotted}={text}: give a number of seconds"
            ) from error
    if "tuple" in kind:
        return [part.strip() for part in text.split(",") if part.strip()]
    if "dict" in kind and text.startswith("{"):
        try:
            return json.loads(text)
        except ValueError as error:
            raise BadManifest(f"{flag(dotted)} {dotted}: {error}") from error
    return text
