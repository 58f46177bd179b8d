"""Fit the confidence table on labelled lines.

Run as ``python -m benchmarks.fit_confidence SET... [-o TABLE]``.

A set holds one JSON object a line: ``line``, and the right ``severity``, ``first_seen`` (a list of
acceptable values, compared to the second) and ``service``, null where there is no label. Only lines
whose fields are all labelled count. Prints what was right, unknown and wrong by set.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from logdocket.confidence import Signals, fit, signals
from logdocket.line import Line, Reading
from logdocket.reading import read

_SECONDS = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)[.,]?\d*(.*)")


def main() -> None:
    """Read the sets, print the counts, write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("-o", "--output", type=Path)
    chosen = parser.parse_args()
    labelled: list[tuple[Signals, bool]] = []
    for path in chosen.sets:
        outcomes: dict[str, Counter[str]] = {}
        for row, reading in _rows(path):
            seen = {name: judge(row, reading) for name, judge in _JUDGES.items()}
            for name, outcome in seen.items():
                outcomes.setdefault(name, Counter())[outcome] += 1
            if "unlabelled" not in seen.values():
                right = all(outcome != "wrong" for outcome in seen.values())
                labelled.append((signals(reading), right))
        shown = "; ".join(f"{name} {dict(counts)}" for name, counts in outcomes.items())
        print(f"{path.name}: {shown}", file=sys.stderr)
    table = fit(labelled).to_json()
    if chosen.output is None:
        sys.stdout.buffer.write(table)
    else:
        chosen.output.write_bytes(table)


def _rows(path: Path) -> Iterator[tuple[dict[str, Any], Reading]]:
    with path.open(encoding="utf-8", newline="\n") as file:
        for raw in file:
            row = json.loads(raw)
            yield row, read(Line(row["line"]))


def _severity(row: dict[str, Any], reading: Reading) -> str:
    if row["severity"] is None:
        return "unlabelled"
    return "right" if row["severity"] == reading.severity.value else "wrong"


def _first_seen(row: dict[str, Any], reading: Reading) -> str:
    if reading.timestamp.value is None:
        return "unknown" if "unknown" in row["first_seen"] else "wrong"
    acceptable = {_to_seconds(value) for value in row["first_seen"]}
    return "right" if _to_seconds(reading.timestamp.value) in acceptable else "wrong"


def _service(row: dict[str, Any], reading: Reading) -> str:
    if row["service"] is None:
        return "unlabelled"
    if reading.service.value is None:
        return "unknown"
    return "right" if _same_service(reading.service.value, row["service"]) else "wrong"


def _same_service(read_as: str, named: str) -> bool:
    """Equal, or a whole dotted or ``$`` part at either end of the name, case aside."""
    given, whole = read_as.lower(), named.lower()
    if given == whole:
        return True
    parts = [match.start() for match in re.finditer(r"[.$]", whole)]
    tails = {whole[place + 1 :] for place in parts}
    heads = {whole[:place] for place in parts}
    middles = {whole[a + 1 : b] for a in parts for b in parts if b > a}
    return given in tails | heads | middles


def _to_seconds(value: str) -> str:
    match = _SECONDS.match(value)
    return match[1] + match[2] if match else value


_JUDGES = {"severity": _severity, "first_seen": _first_seen, "service": _service}

if __name__ == "__main__":
    main()
