"""Every known key in every usual spelling and nesting, and what it holds.

A dotted name counts however the record nests it: ``{"log": {"level": …}}`` is ``{"log.level": …}``.
"""

from __future__ import annotations

import enum
from typing import Final, NamedTuple

from logdocket.line import ServiceBasis
from logdocket.reading.structured import names, tables
from logdocket.reading.structured.tables import Scheme, Unit


class Role(enum.IntEnum):
    """What a key holds."""

    TIME = 0
    LEVEL = 1
    SERVICE = 2
    MESSAGE = 3
    STATUS = 4
    MARK = 5
    """Nothing that is read, but it tells which program's key set this is."""
    NANOS = 6
    """The nanoseconds of a time whose seconds stand under another key, of which it has the rank."""


class Key(NamedTuple):
    """One known key: its role, its place in the order of preference, and what it tells besides."""

    role: Role
    rank: int
    scheme: Scheme = Scheme.ANY
    unit: Unit | None = None
    basis: ServiceBasis = ServiceBasis.KEY


def spellings(key: str) -> frozenset[str]:
    """``key`` in snake, camel, Pascal, kebab, flat and upper spelling; a letter only as it is."""
    if len(key) == 1:
        return frozenset({key})
    parts = [part.split("_") for part in key.replace("__", "\0").split(".")]
    pascal = [[word[:1].upper() + word[1:] for word in part] for part in parts]
    camel = [[part[0], *tall[1:]] for part, tall in zip(parts, pascal, strict=True)]
    joined = [
        *(".".join(glue.join(part) for part in parts) for glue in ("_", "-", "")),
        *(".".join("".join(part) for part in words) for words in (camel, pascal)),
    ]
    forms = {form.replace("\0", "__") for form in joined}
    return frozenset(forms | {form.upper() for form in forms})


def _known() -> dict[str, Key]:
    rows = [
        (name, Key(Role.TIME, rank, scheme, unit))
        for rank, (name, scheme, unit) in enumerate(tables.TIMES)
    ]
    for role, table in (
        (Role.LEVEL, tables.LEVELS),
        (Role.SERVICE, names.SERVICES),
        (Role.MESSAGE, tables.MESSAGES),
        (Role.MARK, tables.MARKS),
    ):
        rows += ((name, Key(role, rank, scheme)) for rank, (name, scheme) in enumerate(table))
    rows += (
        (name, Key(Role.STATUS, rank, Scheme.HTTP)) for rank, name in enumerate(tables.STATUSES)
    )
    ranks = {name: rank for rank, (name, _, _) in enumerate(tables.TIMES)}
    rows += ((name, Key(Role.NANOS, ranks[whole])) for name, whole in tables.NANOS.items())
    after = len(names.SERVICES)
    for rank, (name, scheme) in enumerate(names.LOGGERS, after):
        rows.append((name, Key(Role.SERVICE, rank, scheme, basis=ServiceBasis.LOGGER)))
    after += len(names.LOGGERS)
    rows += ((name, Key(Role.SERVICE, rank)) for rank, name in enumerate(names.UNITS, after))
    known: dict[str, Key] = {}
    for name, key in rows:
        for spelling in sorted(_nested_spellings(name)):
            known.setdefault(spelling, key)
    for name, key in list(known.items()):
        if len(name) > 1 and name[0].isalpha() and "." not in name:
            for mark in _MARKS:
                known.setdefault(mark + name, key)
    return known


_MARKS: Final = ("@", "_")
"""What some loggers put before the keys that are theirs, others before those that are not."""


def _nested_spellings(key: str) -> set[str]:
    """The spellings of ``key``, and those of its last parts after the others in snake case.

    The latter is how a scanner puts it that stands in an object that :data:`NESTS` knows.
    """
    found = set(spellings(key))
    dot = key.find(".")
    while dot > 0:
        found |= {key[: dot + 1] + tail for tail in spellings(key[dot + 1 :])}
        dot = key.find(".", dot + 1)
    return found


def _nests(known: dict[str, Key]) -> dict[str, str]:
    """The names of objects in snake case, under every spelling of theirs."""
    nests: dict[str, str] = {}
    for name in known:
        dot = name.find(".")
        while dot > 0:
            nest = name[:dot]
            if nest.islower() and "-" not in nest:
                nests.update((spelling, nest) for spelling in _nested_spellings(nest))
            dot = name.find(".", dot + 1)
    return nests


KEYS: Final = _known()
"""Every known key in every spelling, nested ones with dots."""

NESTS: Final = _nests(KEYS)
"""The objects that hold known keys: from every spelling, dots between, to the one in snake case."""

TRANSPARENT: Final = frozenset(form for name in tables.CARRIERS for form in spellings(name))
"""The objects whose keys count as the record's own."""
