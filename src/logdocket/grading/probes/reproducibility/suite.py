"""Do the tests run, and do they pass where there is no network and no key?"""

from __future__ import annotations

from typing import Final

import msgspec

from logdocket.grading.bench import Bench, model_env
from logdocket.grading.finding import (
    Finding,
    failed,
    for_a_person,
    passed,
)
from logdocket.grading.probes.reproducibility.counted import counted
from logdocket.grading.probes.reproducibility.tail import tail
from logdocket.grading.rubric import Level, Probe
from logdocket.grading.sandbox.ended import Ended
from logdocket.testing import Fault, ModelServer

__all__ = ["PROBES"]


class Suite(msgspec.Struct, frozen=True):
    """How the tests ended with nothing, and, where they failed, how with a model and a key."""

    alone: Ended
    helped: Ended | None
    closed: bool
    """Whether there was no network at all, and not only proxies that refuse."""


def _observe(bench: Bench) -> Suite:
    test = bench.manifest.test
    command = bench.command(test.command, "runs the tests")
    closed = bench.sandbox.isolation.network == "namespace"
    alone = bench.run(command, seconds=test.seconds)
    if alone.ok:
        return Suite(alone, None, closed)
    with ModelServer(Fault.GOOD) as server:
        env = model_env(bench.manifest, server, key=True)
        return Suite(alone, bench.run(command, seconds=test.seconds, env=env), closed)


def known(suite: Suite) -> Finding:
    """Whether the command of the tests runs any."""
    runs = [run for run in (suite.alone, suite.helped) if run is not None]
    counts = [count for run in runs if (count := counted(_said(run))) is not None]
    most = max(counts, default=None)
    if most:
        return passed(f"It runs {most} test{'s' if most > 1 else ''}.")
    last = runs[-1]
    if most == 0:
        return failed("It runs no test.")
    if not last.ok:
        return failed(f"No test was seen to run: {last.said}.", *tail(_said(last)))
    return for_a_person(
        "It ended with exit code 0, and does not say how many tests it ran.", *tail(_said(last))
    )


def offline(suite: Suite) -> Finding:
    """Whether the tests pass with no network and no key, and if not, whether a key mends that."""
    proxies = "" if suite.closed else " The network was closed by proxies that refuse, no more."
    if suite.alone.ok:
        return passed(f"Exit code 0 without network and key.{proxies}")
    quotes = tail(_said(suite.alone))
    if suite.helped is not None and suite.helped.ok:
        return failed(
            f"Without a key: {suite.alone.said}; with a key and a model they pass.", *quotes
        )
    return failed(f"Without a key: {suite.alone.said}; with one they fail too.", *quotes)


def _said(run: Ended) -> str:
    return b"\n".join((run.out, run.err)).decode("utf-8", "replace")


PROBES: Final[tuple[Probe, ...]] = (
    Probe(
        "reproducibility/tests/known",
        Level.MUST,
        1,
        "One command runs the tests, and there are some.",
        "Name it in the runbook, or as command under [test] of grade.toml. What it needs, the test "
        "runner too, is for the set-up to install.",
        lambda bench: known(bench.once(_observe)),
    ),
    Probe(
        "reproducibility/tests/offline-no-key",
        Level.MUST,
        6,
        "The tests pass with no network and no key.",
        "Give the tests a model of their own on loopback, and let none of them need MODEL_KEY.",
        lambda bench: offline(bench.once(_observe)),
        needs=("reproducibility/tests/known",),
    ),
)
