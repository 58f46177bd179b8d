from __future__ import annotations

from fractions import Fraction

import pytest

from logdocket.grading.finding import Verdict
from logdocket.grading.pins import Pins
from logdocket.grading.probes.reproducibility import dependencies, replay, secrets, suite
from logdocket.grading.probes.reproducibility.replay import Replayed
from logdocket.grading.probes.reproducibility.suite import Suite
from logdocket.grading.sandbox.ended import End, Ended
from logdocket.grading.secrets import Leak, Searched


def ended(code: int = 0, out: str = "", err: str = "", end: End = End.EXITED) -> Ended:
    """How a command ended."""
    return Ended(end, code, out.encode(), err.encode(), cut=False, seconds=0.1)


RAN = "3 passed in 0.01s\n"


@pytest.mark.parametrize(
    ("alone", "helped", "verdict", "seen"),
    [
        (ended(out=RAN), None, Verdict.PASS, "It runs 3 tests."),
        (ended(err="Ran 1 test in 0.1s"), None, Verdict.PASS, "It runs 1 test."),
        (ended(1, "KeyError: 'MODEL_KEY'"), ended(out=RAN), Verdict.PASS, "It runs 3 tests."),
        (ended(5, "no tests ran in 0.01s"), ended(5), Verdict.FAIL, "It runs no test."),
        (ended(127, err="sh: x: not found"), ended(127), Verdict.FAIL, "exit code 127"),
        (ended(out="fine\n"), None, Verdict.NEEDS_HUMAN, "does not say how many"),
        (ended(), None, Verdict.NEEDS_HUMAN, "does not say how many"),
    ],
)
def test_tests_are_known_where_some_run(
    alone: Ended, helped: Ended | None, verdict: Verdict, seen: str
) -> None:
    """With a key if need be; what cannot be told is for a person, with the end of what was said."""
    finding = suite.known(Suite(alone, helped, closed=True))
    assert finding.verdict is verdict
    assert seen in finding.seen


@pytest.mark.parametrize(
    ("alone", "helped", "verdict", "seen"),
    [
        (ended(out=RAN), None, Verdict.PASS, "Exit code 0 without network and key."),
        (
            ended(1),
            ended(),
            Verdict.FAIL,
            "Without a key: exit code 1; with a key and a model they",
        ),
        (ended(1), ended(2), Verdict.FAIL, "with one they fail too"),
        (ended(-9, end=End.LATE), ended(-9, end=End.LATE), Verdict.FAIL, "took too long"),
    ],
)
def test_tests_pass_alone(alone: Ended, helped: Ended | None, verdict: Verdict, seen: str) -> None:
    """And if they do not, it is told whether a key mends that."""
    finding = suite.offline(Suite(alone, helped, closed=True))
    assert finding.verdict is verdict
    assert seen in finding.seen


def test_a_network_that_was_not_closed_for_sure_is_told() -> None:
    """Whoever reads the report may doubt such a pass."""
    assert "proxies" in suite.offline(Suite(ended(), None, closed=False)).seen


def pins(*declared: str, loose: str = "", more: str = "", language: str = "Python") -> Pins:
    """Dependencies by their names."""
    by = () if len(loose.split()) == len(declared) else ("a.lock",)
    return Pins(language, declared, tuple(loose.split()), by, tuple(more.split()))


@pytest.mark.parametrize(
    ("found", "share", "seen"),
    [
        ([], 1, "No dependencies are declared: there is nothing to pin."),
        ([pins("a", "b")], 1, "Python: all of it is pinned, in a.lock."),
        ([pins("a", "b", loose="a b")], 0, "Python: 2 dependencies declared, none of them pinned."),
        ([pins("a", loose="a")], 0, "Python: 1 dependency declared, none of them pinned."),
        ([pins(*"abcd", loose="b")], Fraction(3, 4), "Python: 1 of 4 are not pinned: b."),
        (
            [pins("a", more="b c d e f g")],
            Fraction(3, 4),
            "Python: what is declared is pinned; installed, and pinned by nothing: "
            "b, c, d, e, f and 1 more.",
        ),
        (
            [pins("a"), pins("b", "c", loose="c", language="Node")],
            Fraction(1, 2),
            "Node: 1 of 2 are not pinned: c.",
        ),
    ],
)
def test_pins_are_judged_by_the_worst(found: list[Pins], share: Fraction | int, seen: str) -> None:
    """One language that is not pinned is enough to get another build tomorrow."""
    finding = dependencies.judged(found)
    assert (finding.share, finding.seen) == (share, seen)


def test_secrets_are_named_by_their_places() -> None:
    """At most five; what was not searched is told too."""
    leaks = tuple(Leak("a.py", line, "Token", past=line > 1) for line in range(1, 8))
    finding = secrets.judged(Searched(leaks, history=True, bounds=("One was too large.",)))
    assert finding.verdict is Verdict.FAIL
    assert finding.seen.startswith("Found: a.py:1 (Token), a.py:2 (Token, in the history alone), ")
    assert finding.seen.endswith(" and 2 more. One was too large.")


def test_without_a_repository_there_is_no_history() -> None:
    """Which a pass has to say."""
    assert "no repository" in secrets.judged(Searched((), history=False)).seen
    assert secrets.judged(Searched((), history=True)).verdict is Verdict.PASS


def replayed(output: bytes | None = b"a\n", code: int = 0, err: str = "") -> Replayed:
    """A replay that gave ``output``."""
    return Replayed(ended(code, err=err), output)


@pytest.mark.parametrize(
    ("run", "verdict", "seen"),
    [
        (replayed(), Verdict.PASS, "Exit code 0, and there is output."),
        (replayed(b" \n"), Verdict.FAIL, "Nothing was printed."),
        (replayed(None), Verdict.FAIL, "The file was not written."),
        (replayed(b"a\n", 2, "no fixture"), Verdict.FAIL, "Exit code 2."),
    ],
)
def test_a_replay_runs_if_it_gives_something(run: Replayed, verdict: Verdict, seen: str) -> None:
    """An empty output is the same each time, and worth nothing."""
    finding = replay.runs(run)
    assert (finding.verdict, finding.seen) == (verdict, seen)


def test_replays_are_compared() -> None:
    """Byte for byte."""
    assert replay.identical(replayed(), [replayed(), replayed()]).verdict is Verdict.PASS
    one, other = replayed(b'{"id": 1}'), replayed(b'{"id": 2}')
    finding = replay.identical(one, [one, other])
    assert finding.seen == "Two replays are not the same: they differ in `id`."
    assert replay.identical(replayed(), [replayed(code=1)]).verdict is Verdict.FAIL


def test_places_are_compared_with_the_first_replay() -> None:
    """The share of those that give the same is earned."""
    good, bad = replayed(), replayed(b"b\n")
    assert replay.elsewhere(good, {"x": good, "y": good}).verdict is Verdict.PASS
    finding = replay.elsewhere(good, {"x": good, "y": bad, "z": replayed(code=3), "w": good})
    assert finding.share == Fraction(1, 2)
    assert finding.seen.startswith("Under y it gives other bytes: they differ where … stands: `")
    assert finding.seen.endswith(" Under z as well.")
