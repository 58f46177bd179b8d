"""Ledgers of many tickets, made before a service looks at them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path

from logdocket.bootstrap import microseconds
from logdocket.confidence import shipped
from logdocket.docket import Extractor, Policy
from logdocket.docket.review import GROUPING
from logdocket.line import NO_CONTEXT, Line
from logdocket.store import SqliteStore

_BATCH = 4096


def seed(db: Path, lines: Iterable[bytes]) -> None:
    """Have each of the lines made a ticket, with its text kept, and the queue follow."""
    store = SqliteStore(db, clock=microseconds)
    try:
        extractor = Extractor(Policy(keep_text=True), shipped(), store, microseconds)
        for batch in _batched(map(Line.from_bytes, lines)):
            extractor.finish(extractor.begin([(line, NO_CONTEXT) for line in batch]))
        while not store.fold(GROUPING).done:
            pass
    finally:
        store.close()


def distinct(count: int) -> Iterator[bytes]:
    """So many lines, no two of one group: their messages differ in a word, which no template
    masks. A quarter of them is of each level, a tenth of each service."""
    words = map(
        "".join, itertools.product("bdfgklmnprst", "aeiou", "bdfgklmnprst", "aeiou", "lnrs")
    )
    levels = ("INFO", "WARN", "ERROR", "FATAL")
    for number, word in enumerate(itertools.islice(words, count)):
        moment = f"2026-01-02T{number // 3600 % 24:02d}:{number // 60 % 60:02d}:{number % 60:02d}Z"
        level, service = levels[number % 4], f"svc-{'abcdefghij'[number // 4 % 10]}"
        yield f"{moment} {level} {service}: the {word} could not be reached by its keeper".encode()


def _batched(lines: Iterator[Line]) -> Iterator[tuple[Line, ...]]:
    while batch := tuple(itertools.islice(lines, _BATCH)):
        yield batch
