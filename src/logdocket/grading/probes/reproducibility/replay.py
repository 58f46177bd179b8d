"""Does replaying a fixture give the same bytes, here and elsewhere?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from logdocket.grading.bench import Bench
from logdocket.grading.finding import Finding, failed, passed, share_of
from logdocket.grading.plain import beginning
from logdocket.grading.probes.reproducibility.difference import difference
from logdocket.grading.probes.reproducibility.tail import tail
from logdocket.grading.rubric import Level, Probe
from logdocket.grading.sandbox.ended import Ended
from logdocket.grading.sentence import sentence

__all__ = ["PROBES"]

_SEEDS: Final = ("1", "2", "3")
"""The hash seed of each replay here. Python draws one by chance; told ones make what depends on
them differ in every grading, or in none.
"""
_MOST: Final = 64 * 1024 * 1024
"""Bytes of a written output that are compared."""


class Replayed(msgspec.Struct, frozen=True):
    """How a replay ended, and what it gave: None where it did not write the file it should."""

    ended: Ended
    output: bytes | None

    @property
    def ok(self) -> bool:
        """Whether it ended well and gave anything."""
        return self.ended.ok and bool((self.output or b"").strip())

    @property
    def said(self) -> str:
        """How it went, where it did not go well."""
        if not self.ended.ok:
            return self.ended.said
        return "the file was not written" if self.output is None else "nothing was printed"


class Place(msgspec.Struct, frozen=True):
    """Another machine, as far as variables and a umask make one."""

    name: str
    env: Mapping[str, str]
    umask: str = "022"


PLACES: Final[tuple[Place, ...]] = (
    Place("another time zone", {"TZ": "Pacific/Kiritimati"}),
    Place("a Turkish locale", {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8", "LANGUAGE": "tr"}),
    Place("the C locale", {"LC_ALL": "C", "LANG": "C", "LANGUAGE": ""}),
    Place("another hash seed", {"PYTHONHASHSEED": "4711"}),
    Place("another umask", {}, umask="077"),
)


TOGETHER: Final[tuple[tuple[Place, ...], ...]] = ((*PLACES[:2], *PLACES[3:]), (PLACES[2],))
"""Places that can be tried at once: only where that gives other bytes is each tried by itself."""


def _run(bench: Bench, *places: Place, seed: str = _SEEDS[0]) -> Replayed:
    replay = bench.manifest.replay
    told = bench.command(replay.command, "replays a fixture")
    env = {"PYTHONHASHSEED": seed}
    env |= {name: value for place in places for name, value in place.env.items()}
    umask = max((place.umask for place in places), default="")
    command = f"umask {umask}\n{told}" if umask else told
    if replay.output is None:
        ended = bench.run(command, seconds=replay.seconds, env=env)
        return Replayed(ended, ended.out)
    path = bench.checkout / replay.output
    before = _stamp(path)
    ended = bench.run(command, seconds=replay.seconds, env=env)
    written = _stamp(path) not in (None, before)
    output = beginning(bench.checkout, replay.output, _MOST) if written else None
    return Replayed(ended, output)


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ino


def _first(bench: Bench) -> Replayed:
    return _run(bench)


def _again(bench: Bench) -> tuple[Replayed, ...]:
    return tuple(_run(bench, seed=seed) for seed in _SEEDS[1:])


def runs(first: Replayed) -> Finding:
    """Whether a replay ends well and gives something."""
    if first.ok:
        return passed("Exit code 0, and there is output.")
    return failed(sentence(first.said), *tail(first.ended.err.decode("utf-8", "replace")))


def identical(first: Replayed, again: Sequence[Replayed]) -> Finding:
    """Whether each further replay gave the same bytes."""
    for run in again:
        if not run.ok:
            return failed(f"Replayed again: {run.said}.")
        differs = _difference(first, run)
        if differs:
            return failed(f"Two replays are not the same: they {differs}.")
    return passed("The same bytes each time.")


def _difference(first: Replayed, other: Replayed) -> str:
    return difference(first.output or b"", other.output or b"")


def elsewhere(first: Replayed, there: Mapping[str, Replayed]) -> Finding:
    """Whether the places, by name, gave the same bytes as the first."""
    wrong = [name for name, run in there.items() if _wrong(first, run)]
    if not wrong:
        return passed(f"The same bytes under {', '.join(there)}.")
    others = f" Under {', '.join(wrong[1:])} as well." if len(wrong) > 1 else ""
    said = f"Under {wrong[0]} {_wrong(first, there[wrong[0]])}.{others}"
    return share_of(len(there) - len(wrong), len(there), said)


def _wrong(first: Replayed, run: Replayed) -> str:
    """What is wrong with a replay elsewhere, "" where nothing is."""
    if not run.ok:
        return f"it does not run: {run.said}"
    differs = _difference(first, run)
    return f"it gives other bytes: they {differs}" if differs else ""


def _elsewhere(bench: Bench) -> Finding:
    """Tries the places together, and by themselves if that shows anything."""
    first = bench.once(_first)
    at_once = {", ".join(p.name for p in some): _run(bench, *some) for some in TOGETHER}
    if not any(_wrong(first, run) for run in at_once.values()):
        return elsewhere(first, at_once)
    apart = {place.name: _run(bench, place) for place in PLACES}
    alone = any(_wrong(first, run) for run in apart.values())
    return elsewhere(first, apart if alone else at_once)


PROBES: Final[tuple[Probe, ...]] = (
    Probe(
        "reproducibility/replay/runs",
        Level.MUST,
        3,
        "One command replays a fixture, with no network, no key and no model.",
        "Name it in the runbook, or as command under [replay] of grade.toml.",
        lambda bench: runs(bench.once(_first)),
    ),
    Probe(
        "reproducibility/replay/identical",
        Level.MUST,
        4,
        "Replaying the same fixture twice gives the same bytes.",
        "Leave out of the output what the clock, chance or the run before decide: times, random "
        "ids, durations, whether the cache was warm.",
        lambda bench: identical(bench.once(_first), bench.once(_again)),
        needs=("reproducibility/replay/runs",),
    ),
    Probe(
        "reproducibility/replay/elsewhere",
        Level.MUST,
        2,
        "The bytes are the same under another time zone, locale, hash seed and umask.",
        "Name zone and encoding wherever time and text are read or written, and sort what has no "
        "order of its own.",
        _elsewhere,
        needs=("reproducibility/replay/identical",),
    ),
)
