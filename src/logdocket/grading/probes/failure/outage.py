"""The model refuses, breaks off, is gone, and comes back."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

import msgspec

from logdocket.grading.bench import Bench
from logdocket.grading.finding import Finding, failed, passed
from logdocket.grading.lines import Line
from logdocket.grading.probes.asked import Asked
from logdocket.grading.probes.failure.case import STARTED, Case, Watched, no_fallback, tally
from logdocket.grading.probes.failure.walk import Trouble, Walk, cases_of
from logdocket.grading.reply import Reply
from logdocket.grading.rubric import Level, Probe
from logdocket.testing import Fault, ModelServer

__all__ = [
    "BROKEN",
    "ERRORS",
    "GONE",
    "LIMITED",
    "PROBES",
    "STORM",
    "Outage",
    "Return",
    "observe_outage",
]

LIMITED: Final = (
    Trouble("status 429", Fault.HTTP_429),
    Trouble("429 with seconds to wait", Fault.HTTP_429_SECONDS),
    Trouble("429 with a date to wait for", Fault.HTTP_429_DATE),
)
"""The model says that it is asked too often."""

ERRORS: Final = (
    Trouble("status 500", Fault.HTTP_500),
    Trouble("status 502 with a page of HTML", Fault.HTTP_502),
    Trouble("status 503", Fault.HTTP_503),
    Trouble("status 503 in another encoding", Fault.FOREIGN_ERROR),
)
"""The model's server fails."""

BROKEN: Final = (
    Trouble("a reset in place of an answer", Fault.RESET),
    Trouble("a reset amid the answer", Fault.RESET_AMID),
    Trouble("the end of the connection", Fault.CLOSE),
    Trouble("something that is not HTTP", Fault.NOT_HTTP),
)
"""The connection breaks."""

GONE: Final = (Trouble("nothing listens at the model's address", Fault.GOOD),)
"""The model's server is not there."""

STORM: Final = tuple(Trouble(f"line {n} of ten under 429", Fault.HTTP_429) for n in range(1, 11))
"""Ten lines at once."""

_POLLS: Final = (0.0, 1.0, 3.0, 6.0, 10.0, 20.0, 35.0, 65.0)
"""Seconds after the model's return at which the line is sent again: few, for each may renew what
a cache holds.
"""
_MOST: Final = _POLLS[-1]
"""Seconds that a failure may be remembered, a minute, and a few more."""
_SLACK: Final = 10.0
"""Seconds beyond what grade.toml tells: a breaker may be open as well."""
_TAKEN: Final = 2.0
"""Seconds for which the model's port may be taken by somebody else."""


class Return(msgspec.Struct, frozen=True):
    """The line about which nothing could be asked while the model was gone, after its return:
    the last reply, and whether the model was asked about it. ``told`` is whether grade.toml says
    how long a failure may be remembered.
    """

    asked: Asked
    called: bool
    told: bool


class Outage(msgspec.Struct, frozen=True):
    """What came while the model failed, what after its return, and of a storm at the end."""

    watched: Watched
    back: Return


def observe_outage(bench: Bench) -> Outage:
    """One session with a model that fails in every way that its server and the net can."""
    with bench.session() as session:
        walk = Walk(bench, session)
        walk.wake()
        walk.meet_among_good((*ERRORS, *BROKEN))
        walk.good()
        line = walk.line()
        session.server.stop()
        try:
            walk.note(GONE[0], line, walk.ask(line))
        finally:
            _listen_again(session.server)
        back = _returned(walk, line, bench.manifest.service.failure_cache_seconds)
        # Retry-After may make a service leave the model alone, so these come after all others.
        walk.wake()
        walk.meet(LIMITED)
        walk.wake()
        walk.meet(STORM)
        return Outage(walk.watched(), back)


def _listen_again(server: ModelServer) -> None:
    """Start the model's server where it was; OSError when its port stays taken."""
    until = time.monotonic() + _TAKEN
    while True:
        try:
            server.start()
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)
        else:
            return


def _returned(walk: Walk, line: Line, told: float | None) -> Return:
    """Send ``line`` again, now and then, until the model's own ticket comes or time is over."""
    limit = _MOST if told is None else min(told + _SLACK, _MOST)
    began = time.monotonic()
    reply: Reply | None = None
    for at in (*(poll for poll in _POLLS if poll < limit), limit):
        time.sleep(max(0.0, began + at - time.monotonic()))
        reply = walk.ask(line)
        if _from_model(back := Return(Asked(line, reply), walk.calls(line) > 0, told is not None)):
            break
    return back


def _from_model(back: Return) -> bool:
    """Whether the model was asked, and the ticket can be what it said."""
    ticket = back.asked.ticket
    return (
        back.called and back.asked.invalid is None and ticket["service"] == back.asked.line.service
    )


def falls_back(cases: Sequence[Case]) -> Finding:
    """Whether a ticket for a person came in each case."""
    right = "A valid ticket for a person came."
    if len(cases) > 1:
        right = f"A valid ticket for a person came in each of {len(cases)} cases."
    return tally(cases, no_fallback, right)


def recovers(back: Return) -> Finding:
    """Whether the line was asked about again."""
    if _from_model(back):
        return passed("The model was asked again about the line, and the ticket is what it said.")
    if back.called:
        return failed(
            "The model was asked again about the line, but the ticket is not what it said: "
            f"{back.asked.said('service')}."
        )
    when = "in the time that grade.toml tells" if back.told else "within 65 s"
    return failed(f"The model was not asked again about the line {when} of its return.")


_EXPECTED: Final = "gives a valid ticket with needs_human true."

PROBES: Final = (
    Probe(
        "failure/status/429",
        Level.MUST,
        3,
        f"Status 429, whatever it says of waiting, {_EXPECTED}",
        "Treat any status but 2xx as a failure, and wait as told only within the deadline.",
        lambda bench: falls_back(cases_of(bench.once(observe_outage).watched, LIMITED)),
        STARTED,
    ),
    Probe(
        "failure/status/5xx",
        Level.MUST,
        3,
        f"Status 5xx, with a body of any kind, {_EXPECTED}",
        "Do not decode the body of an error as if it were an answer.",
        lambda bench: falls_back(cases_of(bench.once(observe_outage).watched, ERRORS)),
        STARTED,
    ),
    Probe(
        "failure/status/reset",
        Level.MUST,
        3,
        f"A connection that breaks before or amid the answer {_EXPECTED}",
        "Reading the body can fail as connecting can: catch both where the fallback is made.",
        lambda bench: falls_back(cases_of(bench.once(observe_outage).watched, BROKEN)),
        STARTED,
    ),
    Probe(
        "failure/status/unreachable",
        Level.MUST,
        3,
        f"A model whose address refuses connections {_EXPECTED}",
        "A refused connection is raised by another class than a bad status in most clients.",
        lambda bench: falls_back(cases_of(bench.once(observe_outage).watched, GONE)),
        STARTED,
    ),
    Probe(
        "failure/recovery/asked-again",
        Level.MUST,
        4,
        "When the model is back, a line that fell back is asked again: within "
        "failure_cache_seconds of grade.toml, a minute at most.",
        "Do not keep a fallback as long as an answer: give it a short life in the cache, or none.",
        lambda bench: recovers(bench.once(observe_outage).back),
        STARTED,
    ),
)
"""The model refuses, breaks off, is gone, and comes back."""
