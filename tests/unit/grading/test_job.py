from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import msgspec
import pytest

from logdocket.grading.finding import Answered, partial
from logdocket.grading.job import Began, Done, Event, Job, Said, decoded, encoded
from logdocket.grading.manifest import Manifest, Service
from logdocket.grading.report.document import Log
from logdocket.grading.sandbox import Isolation, Limits

JOB = Job(
    Manifest(service=Service(start="run {port}", env={"LEVEL": "low"})),
    7,
    60.0,
    Isolation.none(),
    Limits(processes=9),
    root=Path("/nowhere/at all"),
    only="failure/",
)
FOUND = partial(Fraction(1, 3), "One of three is right.", "a quote", "…")


def test_a_job_arrives_as_it_was_given() -> None:
    """On one line, whatever it holds."""
    line = encoded(JOB)
    assert line.count(b"\n") == 1
    assert decoded(line, Job) == JOB


@pytest.mark.parametrize(
    "event",
    [
        Began("failure/cache/repeat"),
        Done(Answered("failure/cache/repeat", FOUND, None, 0.25)),
        Done(Answered("failure/cache/repeat", FOUND, "failure/cache/other", 0.0, "Trace\n  of it")),
        Said((Log("run", "make test", "exit code 0", "line\nline", "\x1b[31m"),)),
    ],
    ids=lambda event: type(event).__name__,
)
def test_an_event_arrives_as_it_was_told(event: Event) -> None:
    """Thirds of points exactly."""
    assert decoded(encoded(event), Event) == event


def test_what_is_no_event_is_refused() -> None:
    """So that nothing else that stands on the pipe is taken for one."""
    with pytest.raises(msgspec.DecodeError):
        decoded(b'{"type": "Began"}\n', Event)
