"""What comes back while the model says what stands in the lines."""

from __future__ import annotations

import msgspec

from logdocket.grading.bench import Bench
from logdocket.grading.lines import DELIMITERS, Family
from logdocket.grading.probes.asked import Asked
from logdocket.grading.probes.correctness.asker import Asker
from logdocket.testing import Fault

__all__ = ["AskedFamily", "Sober", "ask_family", "observe_sober"]


class AskedFamily(msgspec.Struct, frozen=True):
    """A family of lines, asked about: see Family."""

    quiet: Asked
    loud: Asked
    alarming: Asked
    elsewhere: Asked
    later: Asked


class Sober(msgspec.Struct, frozen=True):
    """``varied`` about one line of each of the forty shapes, ``long`` about one of 32 KiB and
    ``longest`` about one of 1 MiB, ``families`` about lines that differ in one word, and
    ``delimiters`` about lines that would break a prompt. ``asks`` is whether the model was asked
    about any of the forty.
    """

    varied: tuple[Asked, ...]
    long: Asked
    longest: Asked
    families: tuple[AskedFamily, ...]
    delimiters: tuple[Asked, ...]
    asks: bool


def observe_sober(bench: Bench) -> Sober:
    """One session with an honest model."""
    lines = bench.lines
    varied, families = lines.each(), lines.families()
    long, longest, delimiters = lines.long(32), lines.long(1024), lines.each(DELIMITERS)
    with bench.session() as session:
        asker = Asker(session, bench.manifest.service.answer_seconds)
        # One alone first: where even that is late, the rest need not wait for one another.
        first = asker.one(varied[0])
        return Sober(
            varied=(first, *asker.each(varied[1:])),
            families=tuple(ask_family(asker, family, Fault.GOOD) for family in families),
            delimiters=tuple(asker.each(delimiters)),
            long=asker.one(long),
            longest=asker.one(longest),
            # Last: the fields are made in this order.
            asks=any(session.calls(line) for line in varied),
        )


def ask_family(asker: Asker, family: Family, act: Fault) -> AskedFamily:
    """What comes about each of the family, one after the other, when the model does ``act``."""
    return AskedFamily(
        quiet=asker.one(family.quiet, act),
        loud=asker.one(family.loud, act),
        alarming=asker.one(family.alarming, act),
        elsewhere=asker.one(family.elsewhere, act),
        later=asker.one(family.later, act),
    )
