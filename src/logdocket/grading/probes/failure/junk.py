"""The model answers with junk: a ticket comes nevertheless, and is marked for a person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from logdocket.grading.bench import Bench
from logdocket.grading.finding import Finding
from logdocket.grading.probes.asked import evidence_wrong
from logdocket.grading.probes.failure.case import STARTED, Case, Watched, no_fallback, tally
from logdocket.grading.probes.failure.walk import Trouble, Walk, cases_of
from logdocket.grading.rubric import Level, Probe
from logdocket.testing import Act, Fault

__all__ = ["EMPTY", "NOT_JSON", "PROBES", "UNGROUNDED", "WRONG_SHAPE", "observe_junk"]

_PAGE: Final = "<html><body><h1>Bad gateway</h1></body></html>"

NOT_JSON: Final = (
    Trouble("prose around the JSON", Fault.PROSE, marked=False),
    Trouble("JSON in a code fence", Fault.FENCED, marked=False),
    Trouble("a stream of events", Fault.EVENT_STREAM, marked=False),
    Trouble("a page of HTML", Act(answer=_PAGE)),
    Trouble("JSON that breaks off", Fault.BAD_JSON),
    Trouble("an answer cut by its length", Fault.LENGTH),
    Trouble("a body that is no JSON", Fault.INVALID_JSON),
    Trouble("half of a body", Fault.TRUNCATED),
    Trouble("text in another encoding", Fault.FOREIGN_TEXT),
    Trouble("JSON nested 100,000 deep", Fault.DEEP_JSON),
)
"""What is no JSON; a tolerant reader may make a good ticket of some."""

WRONG_SHAPE: Final = (
    Trouble("wrong types", Fault.WRONG_TYPES),
    Trouble("a severity that is none", Fault.WRONG_ENUM),
    Trouble("no evidence", Fault.MISSING_FIELD),
    Trouble("a list", Fault.LIST_JSON, marked=False),
    Trouble("two objects", Fault.TWO_OBJECTS, marked=False),
    Trouble("confidence NaN", Fault.NAN, marked=False),
    Trouble("huge numbers", Fault.HUGE_NUMBERS, marked=False),
    Trouble("fields that nobody asked for", Fault.EXTRA_FIELDS, marked=False),
)
"""JSON of another shape than was asked for."""

EMPTY: Final = (
    Trouble("an empty body", Fault.EMPTY),
    Trouble("a body without an answer", Fault.NO_CHOICES),
    Trouble("an answer without content", Fault.NO_CONTENT),
    Trouble("an error under status 200", Fault.ERROR_IN_200),
    Trouble("a refusal", Fault.REFUSAL),
    Trouble("a refusal in words", Fault.REFUSAL_TEXT),
    Trouble("a filtered answer", Fault.CONTENT_FILTER),
)
"""Good HTTP that says nothing."""

UNGROUNDED: Final = (
    Trouble("evidence that the line does not hold", Fault.INVENTED_EVIDENCE),
    Trouble("blank evidence", Fault.EVIDENCE_BLANK),
    Trouble("nonsense in every field", Fault.SURE_NONSENSE),
)
"""The right shape, and nothing in the line that bears it out."""


def observe_junk(bench: Bench) -> Watched:
    """One session with a model that answers with junk of every kind, and well in between."""
    # What is likeliest to end a service comes last.
    troubles = (*EMPTY, *WRONG_SHAPE, *UNGROUNDED, *NOT_JSON)
    with bench.session() as session:
        walk = Walk(bench, session)
        walk.wake()
        walk.meet_among_good(troubles)
        return walk.watched()


def falls_back(cases: Sequence[Case]) -> Finding:
    """Whether a ticket came in each case, for a person where the answer cannot be used."""
    return tally(
        cases, no_fallback, f"All {len(cases)} gave a valid ticket, marked where it must be."
    )


def stays_grounded(cases: Sequence[Case]) -> Finding:
    """The same, and whether the evidence is the line's own."""
    right = f"All {len(cases)} gave a ticket for a person, with a quote of the line."
    return tally(cases, _ungrounded, right)


def _ungrounded(case: Case) -> str | None:
    return no_fallback(case) or evidence_wrong(case.asked)


PROBES: Final = (
    Probe(
        "failure/junk/not-json",
        Level.MUST,
        4,
        "What the model says is no JSON, or breaks off: a valid ticket with needs_human true. "
        "Prose or a code fence around good JSON may be read or refused.",
        "Everything between the response and the ticket can fail: decode it in one place, catch "
        "all that this raises (too deep a nesting as well), and fall back there.",
        lambda bench: falls_back(cases_of(bench.once(observe_junk), NOT_JSON)),
        STARTED,
    ),
    Probe(
        "failure/junk/wrong-shape",
        Level.MUST,
        4,
        "JSON of another shape (wrong types, a severity that is none, a field that is missing) "
        "gives a valid ticket with needs_human true.",
        "Check the answer against a schema before any of its fields is used, and numbers for "
        "being finite and within 0 to 1.",
        lambda bench: falls_back(cases_of(bench.once(observe_junk), WRONG_SHAPE)),
        STARTED,
    ),
    Probe(
        "failure/junk/empty",
        Level.MUST,
        4,
        "An empty body, an answer without content, a refusal or an error under status 200 gives a "
        "valid ticket with needs_human true.",
        "Status 200 promises nothing: the way down to the content can end at each step.",
        lambda bench: falls_back(cases_of(bench.once(observe_junk), EMPTY)),
        STARTED,
    ),
    Probe(
        "failure/junk/ungrounded",
        Level.MUST,
        4,
        "Evidence that does not stand in the line makes the answer junk: a valid ticket with "
        "needs_human true, whose evidence is a quote of the line.",
        "Look for the evidence in the line, character for character, and fall back without it.",
        lambda bench: stays_grounded(cases_of(bench.once(observe_junk), UNGROUNDED)),
        STARTED,
    ),
)
"""The model answers with junk."""
