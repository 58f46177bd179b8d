"""The answer's ledger: it is there, it knows its kinds, and it agrees with what the model saw."""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction
from typing import Final

import msgspec

from logdocket.grading.bench import Bench, Session
from logdocket.grading.finding import (
    Finding,
    Unanswerable,
    failed,
    partial,
    passed,
    share_of,
)
from logdocket.grading.ledger import Book, Counts, Entered
from logdocket.grading.lines import Line
from logdocket.grading.probes.failure.case import STARTED
from logdocket.grading.rubric import Level, Probe
from logdocket.grading.sentence import sentence
from logdocket.testing import Fault

__all__ = ["PROBES", "Kept", "observe_failing", "observe_healthy", "observe_keyless"]

_PRESENT: Final = (*STARTED, "failure/ledger/present")
_SETTLE: Final = 2.0
"""Seconds that an entry may come after the answer that it is about."""
_STEP: Final = 0.1
_FAILURES: Final = (Fault.HTTP_500, Fault.BAD_JSON, Fault.RESET)
"""Each on a line of its own, with good ones between, so that a breaker stays shut."""


class Kept(msgspec.Struct, frozen=True):
    """A session's entries beside the truth.

    ``calls`` reached the model; ``spared`` of the answers cost none although it was well;
    ``fell`` is how many went to a person because it failed, or had no key. ``entered`` is what the
    ledger has of the session.
    """

    calls: int
    spared: int
    fell: int
    entered: Entered

    @property
    def counts(self) -> Counts:
        """The entries of each kind."""
        return self.entered.counts


def observe_healthy(bench: Bench) -> Kept:
    """A session in which the model answers well, and two of four lines are sent twice."""
    with bench.session() as session:
        lines = [bench.lines.plain() for _ in range(4)]
        return _kept(bench, session, [(line, Fault.GOOD) for line in (*lines, *lines[:2])])


def observe_failing(bench: Bench) -> Kept:
    """A session in which the model fails in three ways, with good answers between."""
    with bench.session() as session:
        asks: list[tuple[Line, Fault]] = []
        for fault in _FAILURES:
            asks.append((bench.lines.plain(level="ERROR"), fault))
            asks.append((bench.lines.plain(level="ERROR"), Fault.GOOD))
        return _kept(bench, session, asks)


def observe_keyless(bench: Bench) -> Kept:
    """A session without a key."""
    with bench.session(key=False) as session:
        asks = [(bench.lines.plain(), Fault.GOOD) for _ in range(2)]
        return _kept(bench, session, asks, key=False)


def _kept(
    bench: Bench, session: Session, asks: list[tuple[Line, Fault]], *, key: bool = True
) -> Kept:
    """Ask about one line after the other, and compare."""
    book = Book(bench, session)
    spared = fell = 0
    for line, fault in asks:
        well = key and fault is Fault.GOOD
        called = len(session.calls())
        session.desk.expect(line, fault)
        ticket = session.ask(line).ticket or {}
        session.server.wait_idle(_SETTLE)
        spared += well and bool(ticket) and len(session.calls()) == called
        fell += not well and ticket.get("needs_human") is True
    calls = len(session.calls())

    def right(counts: Counts) -> bool:
        agree = counts.hits == spared if fell == 0 else bool(counts.fallbacks)
        return counts.tells(calls) and agree

    return Kept(calls, spared, fell, _settled(book, right))


def _settled(book: Book, right: Callable[[Counts], bool]) -> Entered:
    """What was entered, once it is right or the time for that is over."""
    until = time.monotonic() + _SETTLE
    while True:
        over = time.monotonic() > until
        try:
            entered = book.since()
            if over or right(entered.counts):
                return entered
        except Unanswerable:
            # It may be half written just now.
            if over:
                raise
        time.sleep(_STEP)


# Judging.


def present(healthy: Kept) -> Finding:
    """Whether the ledger can be read and grows."""
    origin = healthy.entered.origin
    if not healthy.entered.grew:
        return failed(f"The ledger is read from {origin}; a whole session left nothing there.")
    return passed(f"The ledger is read from {origin}, and it grows.")


def kinds(healthy: Kept, failing: Kept) -> Finding:
    """Whether each kind of event that took place left an entry of its kind."""
    took_place = (
        ("a call of the model", healthy.calls, healthy.counts.calls),
        ("a cache hit", healthy.spared, healthy.counts.hits),
        ("a fallback", failing.fell, failing.counts.fallbacks),
    )
    wanted = [(name, bool(entered)) for name, happened, entered in took_place if happened]
    missing = [name for name, entered in wanted if not entered]
    if not wanted:
        return failed("There was neither a call, nor a cache hit, nor a fallback to enter.")
    if not missing:
        return passed(f"There is an entry for {_listed([name for name, _ in wanted])}.")
    seen = f"There is no entry that can be told as {_listed(missing)}."
    return share_of(len(wanted) - len(missing), len(wanted), seen)


def agrees(healthy: Kept) -> Finding:
    """Whether calls and hits are those that were seen."""
    calls = _calls(healthy)
    hits = _compared("cache hits", healthy.counts.hits, healthy.spared)
    wrong = [said for said in (calls, hits) if said is not None]
    if not wrong:
        return passed("It has as many calls as the model saw, and as many hits as cost none.")
    if calls is None:
        return partial(Fraction(1, 2), sentence(wrong[0]))
    return failed(sentence("; ".join(wrong)))


def failures(failing: Kept) -> Finding:
    """Whether calls that failed are entered like others."""
    wrong = _calls(failing)
    if wrong is not None:
        return failed(f"With calls that fail among them: {wrong}.")
    return passed("Calls that failed are entered like others.")


def without_key(keyless: Kept) -> Finding:
    """Whether tickets without a key are fallbacks that cost no call."""
    if keyless.counts.calls:
        return failed("Without a key, the ledger tells of calls.")
    if not keyless.counts.fallbacks:
        return failed("Without a key, the ledger tells of no fallback.")
    return passed("Without a key, the ledger tells of fallbacks and of no call.")


def _calls(kept: Kept) -> str | None:
    if kept.counts.tells(kept.calls):
        return None
    return _compared("calls of the model", kept.counts.calls, kept.calls)


def _compared(what: str, entered: int | None, seen: int) -> str | None:
    if entered == seen:
        return None
    told = "does not count" if entered is None else f"has {entered}"
    return f"the ledger {told} {what}, where there were {seen}"


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


PROBES: Final = (
    Probe(
        "failure/ledger/present",
        Level.MUST,
        5,
        "There is a ledger that can be read by an address, a file or a command, and it grows.",
        "Write one entry for each call, cache hit and fallback, and say in grade.toml where.",
        lambda bench: present(bench.once(observe_healthy)),
        STARTED,
    ),
    Probe(
        "failure/ledger/kinds",
        Level.MUST,
        6,
        "A call of the model, a cache hit and a fallback each leave an entry of their kind.",
        "Name the kind in each entry (model_call, cache_hit, fallback), or say by ledger.call, "
        "ledger.hit and ledger.fallback in grade.toml how they are told apart.",
        lambda bench: kinds(bench.once(observe_healthy), bench.once(observe_failing)),
        _PRESENT,
    ),
    Probe(
        "failure/ledger/agrees",
        Level.MUST,
        8,
        "The ledger has as many calls as the model saw, and as many hits as answers cost none.",
        "Enter a call where the request is made, once for each request, retries too, and nothing "
        "where none is made.",
        lambda bench: agrees(bench.once(observe_healthy)),
        _PRESENT,
    ),
    Probe(
        "failure/ledger/failures",
        Level.MUST,
        7,
        "Calls that fail are in the ledger as well, each of them.",
        "Enter the call before its answer is looked at, or in a finally: what raises must not go "
        "past the entry.",
        lambda bench: failures(bench.once(observe_failing)),
        _PRESENT,
    ),
    Probe(
        "failure/ledger/no-key",
        Level.SHOULD,
        3,
        "Without a key, the ledger tells of fallbacks, and of no call.",
        "A call that was not made must not be entered; the fallback must.",
        lambda bench: without_key(bench.once(observe_keyless)),
        _PRESENT,
    ),
)
"""The ledger."""
