"""Whatever people teach, tickets about later lines keep the laws of tickets."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from hashlib import sha256

from hypothesis import assume, given
from hypothesis import strategies as st

from logdocket.confidence import shipped
from logdocket.docket import Judge, decode_judgement, explanation
from logdocket.docket.judgement import Shared
from logdocket.docket.review.answers import Reviews, taught_by
from logdocket.docket.review.pointing import find_stamp
from logdocket.docket.slot import Slot
from logdocket.line import NO_CONTEXT, Context, Line, Severity, Span
from logdocket.reading import read, read_stamp
from logdocket.store.review import Fields, Taught, Verdict, VerdictWord
from logdocket.ticket import UNKNOWN, ReviewReason, Source, encode

TIMES = [
    "2031-05-06T07:08:09Z",
    "2031-06-01 01:02:03,5",
    "06/May/2031:07:08:09 +0000",
    "May  6 07:08:09",
    "03/04/2031 07:08:09",
    "1935990000",
]
VALUES = {
    "time": TIMES,
    "id": ["17", "99", "4711", "3"],
    "ip": ["192.0.2.7", "192.0.2.250"],
    "hex": ["0a1b2c3d4e5f6071", "ffffffffffff0000"],
    "user": ["ann", "bob"],
}
PARTS = [
    "{time} WARN gate: task {id} of web-1.example jammed since {time}",
    "{time} ERROR session {hex} closed by {ip}",
    '{{"time":"{time}","level":"warn","service":"gate","msg":"task {id} é€ jammed {ip}"}}',
    'level=warn service=gate msg="queue {hex} is full" at={time}',
    "<34>{time} web-1 gate[{id}]: session opened for user {user} from {ip}",
    "tide tables {id} jam\udcff\udcfemed {time}",
    "\x1b[31m{time} task {id}\x1b[0m 😀 gone",
]
CONTEXTS = [
    NO_CONTEXT,
    Context(service="gate"),
    Context(timezone="+02:00"),
    Context(timezone="America/Lima", service="gate"),
]
contexts = st.sampled_from(CONTEXTS)
tables = shipped()


@st.composite
def filled(draw: Callable[..., str], part: str) -> str:
    """The part with values of this line."""
    return part.format_map({name: draw(st.sampled_from(them)) for name, them in VALUES.items()})


@st.composite
def quotes(draw: Callable[..., int], text: str) -> str:
    """Some stretch of the text that is not blank."""
    start = draw(st.integers(0, len(text) - 1))
    quote = text[start : draw(st.integers(start + 1, len(text)))]
    assume(not quote.isspace())
    return quote


@st.composite
def said(draw: Callable[..., object], line: Line, context: Context) -> Fields:
    """Any fields that keep the laws for the line."""
    own = read(line, context).timestamp.value
    stamps = [read_stamp(time, context) for time in TIMES if time in line.text]
    values = [stamp.value for stamp in stamps if stamp is not None and stamp.value is not None]
    times = [UNKNOWN, *values, *([] if own is None else [own])]
    names = [UNKNOWN, *([] if context.service is None else [context.service])]
    return Fields(
        draw(st.sampled_from(names) | quotes(line.text)),
        draw(st.sampled_from(Severity)),
        draw(st.sampled_from(times)),
        draw(quotes(line.text)),
    )


numbers = st.integers(-3, 60)
places = st.none() | st.lists(numbers, min_size=0, max_size=5).map(tuple)
odd = st.builds(
    lambda evidence, first_seen, own_time: (evidence, first_seen, own_time),
    places,
    places,
    st.booleans(),
)


def verdict(line: Line, after: Fields, taught: Taught, id: int = 5) -> Verdict:
    """A person's word about the line."""
    return Verdict(
        id=id,
        at=0,
        group=b"g" * 16,
        verdict=VerdictWord.CORRECTED,
        ticket=1,
        line_hash=sha256(line.raw).digest(),
        who="rev-a",
        version=0,
        before=after,
        after=after,
        taught=taught,
    )


class Told:
    """Verdicts that stand."""

    def __init__(self) -> None:
        self.verdicts: list[Verdict] = []
        self.version = 0

    def taught_version(self) -> int:
        """Grows with each."""
        return self.version

    def taught(self) -> list[Verdict]:
        """All of them."""
        return self.verdicts


def reviews(*verdicts: Verdict) -> Reviews:
    """What answers by these."""
    told = Told()
    told.verdicts, told.version = list(verdicts), 1
    made = Reviews(Judge(tables, 0.05), told, lambda: 0)
    made.refresh()
    return made


def share(made: Reviews, line: Line, context: Context) -> Shared | None:
    """What they say of a line."""
    return made.share(Slot(line, context, b"k" * 16, sha256(line.raw).digest()))


def check(shared: Shared, line: Line, context: Context) -> None:
    """Laws 1 to 4, of the ticket as it is given and as it is stored."""
    judgement = decode_judgement(shared.judged.body)
    ticket = shared.judged.ticket
    assert judgement.ticket == ticket
    assert encode(explanation(judgement))
    quoted = ticket.evidence.encode("utf-8", "surrogateescape")
    assert quoted in line.raw
    assert not ticket.evidence.isspace()
    assert line.raw[slice(*_places(judgement.ruling.evidence))] == quoted
    own = read(line, context).timestamp
    if ticket.first_seen not in (UNKNOWN, own.value):
        pointed = judgement.ruling.time.span
        assert read_stamp(line.quote(pointed), context).value == ticket.first_seen
    assert ticket.service == UNKNOWN or (
        ticket.service in line.text or ticket.service == context.service
    )
    reasons = set(ticket.review_reasons)
    assert ReviewReason.REVIEWED in reasons
    assert ticket.source is Source.CACHE
    assert ticket.needs_human is bool(reasons - {ReviewReason.REVIEWED})
    assert (ReviewReason.SERVICE_UNKNOWN in reasons) is (ticket.service == UNKNOWN)
    timeless = any(reason.startswith("timestamp_") for reason in reasons)
    assert timeless is (ticket.first_seen == UNKNOWN)


def _places(span: Span) -> tuple[int, int]:
    return span.start, span.end


@given(st.data(), st.sampled_from(PARTS), contexts, contexts)
def test_what_a_person_may_say_holds_for_the_line_and_never_breaks_a_law_on_a_later_one(
    data: st.DataObject, part: str, here: Context, there: Context
) -> None:
    """The same line gets every field that was said; a later one what it bears out itself."""
    line, later = (Line(data.draw(filled(part))) for _ in range(2))
    after = data.draw(said(line, here))
    made = reviews(verdict(line, after, taught_by(line, read(line, here), here, after)))
    shared = share(made, line, here)
    assert shared is not None
    check(shared, line, here)
    ticket = shared.judged.ticket
    assert (ticket.service, ticket.severity) == (after.service, after.severity)
    assert (ticket.first_seen, ticket.evidence) == (after.first_seen, after.evidence)
    for context in (here, there):
        shared = share(made, later, context)
        if shared is not None:
            check(shared, later, context)
            assert shared.judged.ticket.severity is after.severity
            assert shared.judged.ticket.service == after.service


@given(st.data(), st.sampled_from(PARTS), contexts, st.text(max_size=9), st.text(max_size=9), odd)
def test_lessons_that_make_no_sense_break_no_law_either(
    data: st.DataObject,
    part: str,
    context: Context,
    name: str,
    quote: str,
    taught: tuple[tuple[int, ...] | None, tuple[int, ...] | None, bool],
) -> None:
    """Such as those of a version to come, or of a database that somebody wrote to by hand."""
    line, later = (Line(data.draw(filled(part))) for _ in range(2))
    evidence, first_seen, own_time = taught
    after = Fields(name, Severity.LOW, "2031-05-06T07:08:09Z", quote)
    template = taught_by(
        line, read(line, context), context, data.draw(said(line, context))
    ).template
    lesson = Taught(template=template, evidence=evidence, first_seen=first_seen, own_time=own_time)
    with contextlib.suppress(UnicodeEncodeError):
        (name + quote).encode("utf-8", "surrogateescape")
        made = reviews(verdict(line, after, lesson))
        for each in (line, later):
            shared = share(made, each, context)
            if shared is not None:
                check(shared, each, context)


@given(st.lists(st.tuples(st.integers(0, 3), st.booleans()), max_size=12))
def test_what_answers_is_what_stands_and_of_that_the_newest(
    steps: list[tuple[int, bool]],
) -> None:
    """Verdicts come and are taken back in any order; none that does not stand answers a line."""
    told = Told()
    made = Reviews(Judge(tables, 0.05), told, lambda: 0)
    lines = [Line(PARTS[0].format(id=number, time=TIMES[0])) for number in range(5)]
    for version, (which, comes) in enumerate(steps, 1):
        line = lines[which]
        if comes:
            ticket = Judge(tables, 0.05)(line, NO_CONTEXT).ticket
            after = Fields(ticket.service, ticket.severity, ticket.first_seen, ticket.evidence)
            taught = taught_by(line, read(line), NO_CONTEXT, after)
            told.verdicts.append(verdict(line, after, taught, version))
        elif told.verdicts:
            told.verdicts.pop(which % len(told.verdicts))
        told.version = version
        made.refresh()
        newest = max((each.id for each in told.verdicts), default=None)
        for each in lines:
            mine = [v.id for v in told.verdicts if v.line_hash == sha256(each.raw).digest()]
            shared = share(made, each, NO_CONTEXT)
            assert (shared and shared.verdict) == (max(mine) if mine else newest)


@given(st.data(), st.sampled_from(PARTS), contexts)
def test_a_time_that_stands_in_a_line_is_found_in_it(
    data: st.DataObject, part: str, context: Context
) -> None:
    """By its value alone, where a person names that."""
    line = Line(data.draw(filled(part)))
    for time in TIMES:
        stamp = read_stamp(time, context)
        if time in line.text and stamp is not None and stamp.value is not None:
            found = find_stamp(line, context, stamp.value)
            assert found is not None
            assert read_stamp(line.quote(found), context).value == stamp.value
