"""What is known is not asked again, and is not told of another line."""

from __future__ import annotations

import concurrent.futures
from collections.abc import Callable
from typing import Final

import msgspec

from logdocket.grading.bench import Bench
from logdocket.grading.finding import Finding, Unanswerable, failed, partial, passed
from logdocket.grading.lines import Line, honest
from logdocket.grading.probes.asked import Asked
from logdocket.grading.probes.failure.case import STARTED, Case, Watched, no_fallback, tally
from logdocket.grading.probes.failure.walk import Trouble, Walk
from logdocket.grading.rubric import Level, Probe
from logdocket.testing import Act, Fault, Seen

__all__ = ["PROBES", "Cached", "Contexts", "Variant", "observe_cache"]

_AT_ONCE: Final = 5
_SLOWLY: Final = Act(Fault.SLOW, seconds=0.5)
"""Long enough for all that come at once to meet."""
_SERVICES: Final = ("ctx-alpha", "ctx-beta")
"""Services that contexts name, and no line does."""


class Variant(msgspec.Struct, frozen=True):
    """A line that differs from ``first`` in one word, and so in ``field`` of its ticket; ``calls``
    are those about it alone.
    """

    field: str
    first: Asked
    asked: Asked
    calls: int


class Contexts(msgspec.Struct, frozen=True):
    """What came about one line that names no service, under one context after the other."""

    first: Asked
    second: Asked


class Cached(msgspec.Struct, frozen=True):
    """Calls about a line when it was sent ``once`` and ``twice``, and about another that was sent
    several times ``together``; ``variants`` of a line; what came when one that fell back was sent
    again (the last of ``watched.cases``); and ``contexts``.
    """

    watched: Watched
    once: int
    twice: int
    together: int
    variants: tuple[Variant, ...]
    contexts: Contexts


def observe_cache(bench: Bench) -> Cached:
    """One session with a good model, which fails about one line alone."""
    with bench.session() as session:
        walk = Walk(bench, session)
        walk.wake()
        line = walk.line()
        once, twice = (_calls_after(walk, line) for _ in range(2))
        together = _calls_together(walk)
        variants = _variants(walk)
        again = Trouble("the line that fell back, sent again", Fault.HTTP_503)
        fell = walk.line()
        walk.ask(fell, again.act)
        walk.note(again, fell, walk.ask(fell))
        contexts = _contexts(walk)
        return Cached(walk.watched(), once, twice, together, variants, contexts)


def _calls_after(walk: Walk, line: Line) -> int:
    walk.ask(line)
    walk.settled()
    return walk.calls(line)


def _calls_together(walk: Walk) -> int:
    line = walk.line()
    walk.session.desk.expect(line, _SLOWLY)
    with concurrent.futures.ThreadPoolExecutor(_AT_ONCE) as pool:
        list(pool.map(lambda one: walk.ask(one, at_once=_AT_ONCE), [line] * _AT_ONCE))
    walk.settled()
    return walk.calls(line)


def _variants(walk: Walk) -> tuple[Variant, ...]:
    """A line, then the same of another service, then at another level."""
    first = _marked_whole(walk.lines.plain(level="ERROR", service="billing"))
    elsewhere = _with_word(first, "billing", "mailer", service="mailer")
    calmer = _with_word(first, "ERROR", "INFO", severity="low")
    told = Asked(first, walk.ask(first))

    def variant(field: str, line: Line) -> Variant:
        return Variant(field, told, Asked(line, walk.ask(line)), walk.calls(line))

    return variant("service", elsewhere), variant("severity", calmer)


def _marked_whole(line: Line) -> Line:
    """The line with all but its time as its marker: variants can be told apart by it."""
    return msgspec.structs.replace(line, marker=line.text.partition(" ")[2])


def _with_word(line: Line, was: str, word: str, **changes: str) -> Line:
    return _marked_whole(
        msgspec.structs.replace(line, text=line.text.replace(was, word), **changes)
    )


def _contexts(walk: Walk) -> Contexts:
    """The model says the service that stands in its prompt, so only a context brings it there."""
    line = _nameless(walk)
    session, usual = walk.session, walk.session.desk.act

    def script(seen: Seen) -> Fault | Act:
        if line.marker not in seen.text:
            return usual(seen)
        named = [service for service in _SERVICES if service in seen.text]
        return Act(answer=honest(line, service=named[-1] if named else "unknown"))

    session.server.script = script
    try:
        first, second = (
            Asked(line, walk.ask(line, context={"service": service})) for service in _SERVICES
        )
    finally:
        session.server.script = usual
    return Contexts(first, second)


def _nameless(walk: Walk) -> Line:
    """A line that names no service."""
    line = walk.line()
    text = line.text.replace(f" {line.service}:", "")
    return msgspec.structs.replace(line, text=text, service=None)


def repeats(cached: Cached) -> Finding:
    """Whether a line that is known costs nothing; Unanswerable where it never cost anything."""
    if cached.once == 0:
        raise Unanswerable("the model was not asked about a line at all")
    if cached.twice > cached.once:
        return failed("The same line, sent twice, was paid for twice.")
    return passed("The same line, sent twice, was paid for once.")


def shares(cached: Cached) -> Finding:
    """Whether the same line at once costs one call."""
    what = f"The same new line, sent {_AT_ONCE} times at once,"
    if cached.together == 0:
        raise Unanswerable("the model was not asked about a line that was sent several times")
    if cached.together == 1:
        return passed(f"{what} cost one call.")
    # How many of them meet is a matter of time: the number would not be the same on every run.
    return (
        partial(0.5, f"{what} cost two calls.")
        if cached.together == 2
        else failed(f"{what} cost more than two calls.")
    )


def tells_apart(cached: Cached) -> Finding:
    """Whether a line that differs in one word has a ticket of its own."""
    cases = [Case(f"another {v.field}", v.asked) for v in cached.variants]
    wrong = {f"another {v.field}": _confused(v) for v in cached.variants}
    right = "A line of another service, and one of another level, got tickets of their own."
    return tally(cases, lambda case: wrong[case.what], right)


def _confused(variant: Variant) -> str | None:
    """What of the first line's ticket was told of the other without asking, if it was."""
    said = variant.asked.ticket.get(variant.field)
    if variant.asked.invalid is not None:
        return variant.asked.invalid
    borrowed = said == variant.first.ticket.get(variant.field) and said != "unknown"
    expected = getattr(variant.asked.line, variant.field)
    if variant.calls or not borrowed or said == expected:
        return None
    return f"{variant.asked.said(variant.field)} as for the first line, without a call"


def stays_marked(cached: Cached) -> Finding:
    """Whether a fallback is one when it comes from the cache."""
    right = "A line that fell back was sent again, and was for a person again."
    return tally(cached.watched.cases, no_fallback, right)


def knows_context(contexts: Contexts) -> Finding:
    """Whether another context is another question, where contexts are taken."""
    if contexts.first.ticket.get("service") != _SERVICES[0]:
        return passed("No context is taken: the service that it names is not in the ticket.")
    if contexts.second.ticket.get("service") == _SERVICES[0]:
        return failed(
            f"Under a context that names {_SERVICES[1]}, the ticket says {_SERVICES[0]}, which the "
            "context before named."
        )
    return passed("The same line under another context got a ticket of its own.")


def _probe(
    what: str, level: Level, weight: int, judge: Callable[[Cached], Finding], *sentences: str
) -> Probe:
    """A probe of the cache; ``sentences`` are what is expected, and a hint."""

    def run(bench: Bench) -> Finding:
        return judge(bench.once(observe_cache))

    expected, hint = sentences
    return Probe(f"failure/cache/{what}", level, weight, expected, hint, run, STARTED)


PROBES: Final = (
    _probe(
        "repeat",
        Level.MUST,
        5,
        repeats,
        "The same line, sent twice, costs one call.",
        "Keep each answer under a key made of all that went into it: the line, the context, the "
        "prompt, the model.",
    ),
    _probe(
        "concurrent",
        Level.SHOULD,
        2,
        shares,
        "The same new line, sent five times at once, costs one call.",
        "Note that a call is under way before it is made, and let the others wait for it.",
    ),
    _probe(
        "other-line",
        Level.MUST,
        2,
        tells_apart,
        "A line that differs in its service or its level alone is not given the other's ticket.",
        "What the cache's key leaves out must not be able to change the ticket.",
    ),
    _probe(
        "fallback-stays-marked",
        Level.MUST,
        2,
        stays_marked,
        "A line that fell back, sent again while the model still fails, is for a person again.",
        "Keep needs_human with the ticket in the cache, or do not keep fallbacks.",
    ),
    _probe(
        "context",
        Level.SHOULD,
        1,
        lambda cached: knows_context(cached.contexts),
        "Where a context is taken, the same line under another one is not given the first one's "
        "ticket.",
        "The context belongs into the cache's key.",
    ),
)
"""The cache."""
