"""How many calls of a model a stream of lines costs when answers are shared by template.

Run as ``python -m benchmarks.reuse SET...``. A set is labelled lines as ``logdocket eval`` takes
them. The model is an oracle behind a real HTTP server on loopback: it says what the labels say,
and, where a line has no label for its severity, what its true template decides. Lines go one after
another through the real docket, ledger and client. Every shared ticket is held against the one that
a fresh answer would have made.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.table import grid
from logdocket.bootstrap import build_extractor, build_store
from logdocket.docket import Extractor
from logdocket.docket.merge import merge
from logdocket.evaluation import Row, read_set, system
from logdocket.line import NO_CONTEXT, Answer, Line, Severity, SeverityBasis, SeverityRead
from logdocket.model import redact
from logdocket.reading import message_span, read, read_stamp
from logdocket.settings import Settings
from logdocket.testing import ModelServer
from logdocket.testing.answers import line_in
from logdocket.ticket import UNKNOWN, Source

_LONGEST = 200
"""Bytes of a message that the oracle quotes."""


class Counted(NamedTuple):
    """One set: its lines, true templates, calls, shared tickets, and how many of those a fresh
    answer would have made otherwise."""

    name: str
    lines: int
    templates: int
    calls: int
    shared: int
    differing: int
    reasons: dict[str, int]


def oracle(row: Row) -> Answer:
    """What a model that knows the labels says of the line."""
    line = Line(row.line)
    reading = read(line)
    message = message_span(line, row.context or NO_CONTEXT)
    quoted = line.raw[message.start : min(message.end, message.start + _LONGEST)]
    evidence = quoted.decode("utf-8", "ignore").strip() or line.quote(reading.evidence)
    return Answer(
        row.service or UNKNOWN, row.severity or _decided(row, reading.severity), UNKNOWN, evidence
    )


def _decided(row: Row, read_as: SeverityRead) -> Severity:
    """A severity that only the true template decides, as far as the rules do not dispute it."""
    chosen = sha256(str(row.template).encode()).digest()[0] % 2
    if read_as.basis is SeverityBasis.UNSTATED:
        return (Severity.LOW, Severity.MEDIUM)[chosen]
    rank = read_as.value.rank
    return list(Severity)[min(rank + chosen, len(Severity) - 1)]


async def count(path: Path) -> Counted:
    """Send every line of the set at ``path``."""
    rows = list(read_set(path))
    answers = {redact(row.line).text: oracle(row) for row in rows}

    def said(text: str) -> Mapping[str, Any]:
        answer = answers[text]
        return {
            "service": answer.service,
            "severity": answer.severity.value,
            "first_seen": answer.first_seen,
            "evidence": answer.evidence,
        }

    with tempfile.TemporaryDirectory() as folder, ModelServer(answers=_by_line(said)) as server:
        settings = Settings(
            db=Path(folder, "ledger.db"), model_url=server.url, model_key="any-word"
        )
        store = build_store(settings)
        extractor = build_extractor(settings, store)
        try:
            shared, differing, reasons = await _send(extractor, rows)
            await extractor.close()
            found = store.verify()
            assert found.ok, found.problem
            summary = store.summary()
            assert summary.calls.started == server.count
        finally:
            store.close()
        templates = len({row.template for row in rows})
        return Counted(system(path), len(rows), templates, server.count, shared, differing, reasons)


def _by_line(said: Any) -> Any:
    return lambda seen: said(line_in(seen))


async def _send(extractor: Extractor, rows: Sequence[Row]) -> tuple[int, int, dict[str, int]]:
    shared = differing = 0
    reasons: dict[str, int] = {}
    for row in rows:
        given = (await extractor.extract(Line(row.line), row.context or NO_CONTEXT)).ticket
        for reason in given.review_reasons:
            reasons[reason] = reasons.get(reason, 0) + 1
        if given.source is Source.CACHE:
            shared += 1
            fresh = _fresh(row)
            if fresh != (given.service, given.severity, given.first_seen):
                differing += 1
                print(f"differs: {row.line[:160]}\n  {given}\n  {fresh}", file=sys.stderr)
    return shared, differing, reasons


def _fresh(row: Row) -> tuple[str, Severity, str]:
    """What the oracle's own answer about this very line would have made."""
    line = Line(row.line)
    reading = read(line, row.context or NO_CONTEXT)
    answer = oracle(row)
    merged = merge(answer, reading, read_stamp(answer.first_seen, row.context or NO_CONTEXT))
    return merged.service, merged.severity, merged.first_seen


def report(counts: Sequence[Counted]) -> str:
    """A table of ``counts``, and all together."""
    lines, calls = sum(each.lines for each in counts), sum(each.calls for each in counts)
    whole = Counted(
        "**all**",
        lines,
        sum(each.templates for each in counts),
        calls,
        sum(each.shared for each in counts),
        sum(each.differing for each in counts),
        {},
    )
    head = ("set", "lines", "true templates", "calls", "per 1,000", "calls/templates", "differing")
    return grid(
        head,
        [
            (
                each.name,
                f"{each.lines:,}",
                f"{each.templates:,}",
                f"{each.calls:,}",
                f"{1_000 * each.calls / each.lines:.1f}",
                f"{each.calls / each.templates:.2f}",
                str(each.differing),
            )
            for each in [*counts, whole]
        ],
    )


def main() -> None:
    """Count each set that is named."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reuse", description=__doc__)
    parser.add_argument("sets", nargs="+", type=Path)
    counts = []
    for path in parser.parse_args().sets:
        counted = asyncio.run(count(path))
        print(f"{counted.name}: {counted.calls} calls; {counted.reasons}", file=sys.stderr)
        counts.append(counted)
    print(report(counts))


if __name__ == "__main__":
    main()
