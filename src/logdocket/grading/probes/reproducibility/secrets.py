"""Was a secret committed?"""

from __future__ import annotations

from typing import Final

from logdocket.grading.bench import Bench
from logdocket.grading.checkout import git
from logdocket.grading.finding import Finding, failed, passed
from logdocket.grading.rubric import Level, Probe
from logdocket.grading.secrets import Searched, searched
from logdocket.grading.sentence import listed

__all__ = ["PROBES"]

_NAMED: Final = 5


def _look(bench: Bench) -> Finding:
    return judged(searched(bench.checkout, git))


def judged(found: Searched) -> Finding:
    """The finding, which names places and never a secret."""
    aside = "" if found.history else " There is no repository: only the files were searched."
    aside += "".join(f" {bound}" for bound in found.bounds)
    if not found.leaks:
        where = "the files and their history" if found.history else "the files"
        return passed(f"None was found in {where}.{aside}")
    places = listed([leak.said for leak in found.leaks], _NAMED)
    return failed(f"Found: {places}.{aside}")


PROBES: Final[tuple[Probe, ...]] = (
    Probe(
        "reproducibility/secrets/none-committed",
        Level.MUST,
        4,
        "No key, password or token stands in the repository, nor in its history.",
        "Revoke it first. Then read it from the environment, and take it out of the history: "
        "removing the file leaves it there.",
        _look,
    ),
)
