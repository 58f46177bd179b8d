from __future__ import annotations

import msgspec
import pytest

from logdocket.grading.finding import Verdict
from logdocket.grading.report.document import Score
from logdocket.grading.report.score import summed
from logdocket.grading.report.sections import counted, lost, open_, sections

from .reports import PLAIN, judged


def test_every_probe_has_its_section() -> None:
    """By what a reader does about it, in the report's order."""
    found = sections(PLAIN)
    assert [p.id for p in found.lost] == ["correctness/evidence/quoted", "failure/service/starts"]
    assert [p.id for p in found.for_a_person] == ["communication/runbook/argued"]
    assert [p.verdict for p in found.passed] == [Verdict.PASS, Verdict.PASS]
    placed = len(found.lost + found.for_a_person + found.passed)
    assert placed + sum(len(group.probes) for group in found.skipped) == len(PLAIN.probes)


def test_skipped_probes_are_grouped_by_what_failed() -> None:
    """At the end of the chain of causes, where the mend is."""
    unasked, fallen = sections(PLAIN).skipped
    assert (unasked.because, unasked.reason) == (None, "web-1.example said no.")
    assert fallen.because == "failure/service/starts"
    assert [p.id for p in fallen.probes] == ["failure/cache/recovers-soon", "failure/cache/kept"]
    assert fallen.score == Score(0, 0, 10)


def test_causes_that_run_in_a_circle_end() -> None:
    """Such a report was made by no grader, and is shown all the same."""
    nothing = Score(0.0, 0.0, 1.0)
    a = judged("failure/a", Verdict.SKIPPED, nothing, because="failure/b")
    b = judged("failure/b", Verdict.SKIPPED, nothing, because="failure/a")
    found = sections(summed(PLAIN, (a, b)))
    assert sum(len(group.probes) for group in found.skipped) == 2


def test_a_cause_outside_the_report_is_named() -> None:
    """Nothing more is known of it."""
    one = judged("failure/a", Verdict.SKIPPED, Score(0.0, 0.0, 1.0), because="failure/gone")
    (group,) = sections(summed(PLAIN, (one,))).skipped
    assert group.reason == "failure/gone did not hold."


def test_what_a_person_judged_is_listed() -> None:
    """Whatever the verdict."""
    first = msgspec.structs.replace(PLAIN.probes[0], judge="person")
    found = sections(summed(PLAIN, (first, *PLAIN.probes[1:])))
    assert found.by_a_person == (first,)


def test_guesses_are_told_from_what_was_told() -> None:
    """The former can be mended."""
    found = sections(PLAIN)
    assert [fact.key for fact in found.guessed] == ["service.start"]
    assert [fact.key for fact in found.told] == ["test.command"]


@pytest.mark.parametrize(
    ("score", "words"),
    [
        (Score(1, 1, 2.5), "1.5 lost"),
        (Score(0, 0.1, 0.3), "0.2 lost, 0.1 open"),
        (Score(0, 2, 2), "2 open"),
        (Score(2, 2, 2), "none lost"),
    ],
)
def test_lost_and_open_points_are_counted_in_words(score: Score, words: str) -> None:
    """To two decimals, without the dust of binary fractions."""
    assert counted(score) == words
    assert round(score.low + open_(score) + lost(score), 2) == score.of
