"""Are the dependencies pinned?"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from logdocket.grading.bench import Bench
from logdocket.grading.checkout import git
from logdocket.grading.finding import Finding, failed, partial, passed
from logdocket.grading.pins import Pins, pins
from logdocket.grading.rubric import Level, Probe
from logdocket.grading.sentence import listed
from logdocket.grading.tree import Tree

__all__ = ["PROBES"]

_NAMED: Final = 5
_SHALLOW: Final = Fraction(3, 4)
"""What is earned where all that is declared is pinned, and what that needs in turn is not."""


def _look(bench: Bench) -> Finding:
    setup = bench.manifest.setup.command
    return judged(pins(Tree.of(bench.checkout, git), (setup,) if setup else ()))


def judged(found: Sequence[Pins]) -> Finding:
    """The finding about the language that is pinned worst."""
    if not found:
        return passed("No dependencies are declared: there is nothing to pin.")
    share, worst = min(((_share(one), one) for one in found), key=lambda pair: pair[0])
    if share == 1:
        files = sorted({path for one in found for path in one.by})
        return passed(f"{_languages(found)}: all of it is pinned, in {listed(files, _NAMED)}.")
    count = len(worst.declared)
    if not share:
        return failed(f"{worst.language}: {_of(count)} declared, none of them pinned.")
    if worst.loose:
        named = listed(worst.loose, _NAMED)
        seen = f"{worst.language}: {len(worst.loose)} of {count} are not pinned: {named}."
        return partial(share, seen)
    return partial(
        share,
        f"{worst.language}: what is declared is pinned; installed, and pinned by nothing: "
        f"{listed(worst.more, _NAMED)}.",
    )


def _share(one: Pins) -> Fraction:
    if one.loose:
        return Fraction(len(one.declared) - len(one.loose), len(one.declared))
    return _SHALLOW if one.more else Fraction(1)


def _languages(found: Sequence[Pins]) -> str:
    return ", ".join(dict.fromkeys(one.language for one in found))


def _of(count: int) -> str:
    return f"{count} dependenc{'ies' if count > 1 else 'y'}"


PROBES: Final[tuple[Probe, ...]] = (
    Probe(
        "reproducibility/dependencies/pinned",
        Level.MUST,
        5,
        "Each dependency is pinned to one version by a file that is committed, or there is none.",
        "Commit the lock file of your package manager, or requirements with == for each package, "
        "those that others bring with them included.",
        _look,
    ),
)
