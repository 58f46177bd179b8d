"""What a person's verdict says of later lines."""

from __future__ import annotations

from hashlib import sha256

import msgspec
import pytest

from logdocket.confidence import Table
from logdocket.docket import Judge, decode_judgement, explanation
from logdocket.docket.judgement import Shared
from logdocket.docket.review.answers import Reviews, taught_by
from logdocket.docket.review.kin import template_key
from logdocket.docket.slot import Slot
from logdocket.errors import LedgerUnavailable
from logdocket.line import NO_CONTEXT, Context, Line, Severity
from logdocket.reading import read
from logdocket.store.review import Fields, Taught, Verdict, VerdictWord
from logdocket.ticket import ReviewReason, Source

NOW = 1_700_000_000_000_000
REVIEWED = ReviewReason.REVIEWED
UNSURE = Table({})
SURE = Table({"reviewed/level/logger/read": (500, 500)})

LINE = "2031-05-06T07:08:09Z WARN gate: task 17 of web-1.example jammed since 2031-05-06T06:00:00Z"
LATER = "2031-06-01T01:02:03Z WARN gate: task 99 of web-1.example jammed since 2031-06-01T00:30:00Z"


def fields(line: str = LINE, context: Context = NO_CONTEXT, **changes: object) -> Fields:
    """What the rules' ticket says of the line, but for ``changes``."""
    ticket = Judge(UNSURE, 0.0)(Line(line), context).ticket
    said = Fields(ticket.service, ticket.severity, ticket.first_seen, ticket.evidence)
    return msgspec.structs.replace(said, **changes)


def verdict(
    after: Fields,
    line: str = LINE,
    context: Context = NO_CONTEXT,
    id: int = 5,
    taught: Taught | None = None,
) -> Verdict:
    """A person's word that the ticket about ``line`` should say ``after``."""
    taken = Line(line)
    if taught is None:
        taught = taught_by(taken, read(taken, context), context, after)
    return Verdict(
        id=id,
        at=NOW,
        group=b"g" * 16,
        verdict=VerdictWord.CORRECTED,
        ticket=1,
        line_hash=sha256(taken.raw).digest(),
        who="rev-a",
        version=0,
        before=fields(line, context),
        after=after,
        taught=taught,
    )


class Told:
    """Verdicts that stand, as a store has them."""

    def __init__(self, *verdicts: Verdict) -> None:
        self.verdicts = list(verdicts)
        self.version = 1
        self.broken = False

    def taught_version(self) -> int:
        """The newest one."""
        if self.broken:
            raise LedgerUnavailable("no disk: find one")
        return self.version

    def taught(self) -> list[Verdict]:
        """All of them."""
        return self.verdicts


def slot(line: str, context: Context = NO_CONTEXT) -> Slot:
    """The line on its way."""
    taken = Line(line)
    return Slot(taken, context, b"k" * 16, sha256(taken.raw).digest())


def share(
    line: str, *verdicts: Verdict, context: Context = NO_CONTEXT, table: Table = SURE
) -> Shared | None:
    """What the verdicts make of the line."""
    reviews = Reviews(Judge(table, 0.05), Told(*verdicts), lambda: NOW)
    assert reviews.refresh() is bool(verdicts)
    return reviews.share(slot(line, context))


def test_the_same_line_gets_what_the_person_said():
    """Every field, with nothing left for a person to look at."""
    said = fields(service="web-1.example", severity=Severity.CRITICAL, evidence="jammed")
    shared = share(LINE, verdict(said))
    assert (shared.at, shared.verdict, shared.original) == (NOW, 5, None)
    ticket = shared.judged.ticket
    assert (ticket.service, ticket.severity) == ("web-1.example", Severity.CRITICAL)
    assert (ticket.first_seen, ticket.evidence) == ("2031-05-06T07:08:09Z", "jammed")
    assert (ticket.source, ticket.needs_human) == (Source.CACHE, False)
    assert ticket.review_reasons == (REVIEWED,)


def test_a_later_line_of_the_template_gets_its_own_time_and_quote():
    """What differs between the two is read anew."""
    said = fields(severity=Severity.HIGH, evidence="task 17 of web-1.example jammed")
    ticket = share(LATER, verdict(said)).judged.ticket
    assert (ticket.severity, ticket.first_seen) == (Severity.HIGH, "2031-06-01T01:02:03Z")
    assert ticket.evidence == "task 99 of web-1.example jammed"
    assert REVIEWED in ticket.review_reasons


def test_a_time_that_a_person_points_at_is_read_there_in_later_lines():
    """By the strict grammar, as everywhere."""
    said = fields(first_seen="2031-05-06T06:00:00Z")
    assert share(LINE, verdict(said)).judged.ticket.first_seen == "2031-05-06T06:00:00Z"
    assert share(LATER, verdict(said)).judged.ticket.first_seen == "2031-06-01T00:30:00Z"


def test_a_time_that_a_person_does_not_believe_stays_unknown():
    """And that is why a person is to look at each of them."""
    for line in (LINE, LATER):
        ticket = share(line, verdict(fields(first_seen="unknown"))).judged.ticket
        assert (ticket.first_seen, ticket.needs_human) == ("unknown", True)
        assert ticket.review_reasons == (ReviewReason.TIMESTAMP_ABSENT, REVIEWED)


def test_a_time_that_nobody_can_read_keeps_its_reason():
    """A person who confirms the rest does not give the line a year."""
    line = "May  6 07:08:09 web-1 gate[7]: WARN door jammed"
    ticket = share(line, verdict(fields(line), line)).judged.ticket
    assert ticket.review_reasons == (
        ReviewReason.TIMESTAMP_NO_YEAR,
        ReviewReason.LOW_CONFIDENCE,
        REVIEWED,
    )
    assert ticket.needs_human


def test_a_pointed_time_follows_the_zone_that_the_caller_tells():
    """The same line from elsewhere: the stamp says another moment."""
    line = "2031-05-06 07:08:09 WARN gate: door jammed since 2031-05-06 06:00:00"
    here, there = Context(timezone="+02:00"), Context(timezone="-05:00")
    said = fields(line, here, first_seen="2031-05-06T06:00:00+02:00")
    taught = verdict(said, line, here)
    for context, time in (
        (here, "2031-05-06T06:00:00+02:00"),
        (there, "2031-05-06T06:00:00-05:00"),
    ):
        assert share(line, taught, context=context).judged.ticket.first_seen == time


@pytest.mark.parametrize(
    ("line", "context"),
    [
        (LATER.replace("WARN", "ERROR"), NO_CONTEXT),
        (LATER.replace("gate", "barrier"), NO_CONTEXT),
        (LATER.replace("jammed", "opened"), NO_CONTEXT),
        (LATER, Context(service="barrier")),
        (LATER, Context(labels={"site": "north"})),
    ],
    ids=["level", "service", "word", "context", "labels"],
)
def test_lines_of_other_templates_go_their_normal_way(line: str, context: Context):
    """What could change the meaning is never masked."""
    assert share(line, verdict(fields()), context=context) is None


def test_a_time_of_arrival_changes_no_template():
    """It is of the caller's, and read by the rules alone."""
    line, reading = Line(LINE), read(Line(LINE))
    lent = Context(timezone="+02:00")
    assert template_key(line, reading, lent) == template_key(line, reading, NO_CONTEXT)
    assert template_key(line, reading, Context(service="gate")) != template_key(
        line, reading, NO_CONTEXT
    )


@pytest.mark.parametrize("user", ["bob", "joanne"])
def test_a_service_that_differs_from_line_to_line_is_for_no_other_line(user: str):
    """Though part of another name may read like it."""
    line = "2031-05-06T07:08:09Z WARN session opened for user=ann from 192.0.2.7"
    named = verdict(fields(line, service="ann"), line)
    assert share(line, named).judged.ticket.service == "ann"
    assert share(line.replace("ann", user), named) is None


@pytest.mark.parametrize("name", ["session", "<door", "opened for"])
def test_a_service_that_stands_in_every_line_of_the_template_is_for_all(name: str):
    """The words of masks are none of the line's."""
    line = "2031-05-06T07:08:09Z WARN <door session opened for user=ann from 192.0.2.7"
    later = line.replace("ann", "bob").replace("09Z", "10Z")
    named = verdict(fields(line, service=name), line)
    assert share(later, named).judged.ticket.service == name


def test_the_word_of_a_mask_is_no_name_in_the_line():
    """It stands for what was there."""
    line = "2031-05-06T07:08:09Z WARN session opened by ip"
    later = "2031-05-06T07:08:09Z WARN session opened by 192.0.2.8"
    assert share(later, verdict(fields(line, service="ip"), line)) is None
    masked = "2031-05-06T07:08:09Z WARN session opened by 192.0.2.7"
    assert (
        taught_by(
            Line(masked), read(Line(masked)), NO_CONTEXT, fields(masked, service="ip")
        ).template
        is None
    )


def test_a_service_out_of_the_context_needs_the_same_context():
    """The very same line of another caller too."""
    line, here = "2031-05-06T07:08:09Z WARN door jammed", Context(service="gate")
    named = verdict(fields(line, here), line, here)
    assert share(line, named, context=here).judged.ticket.service == "gate"
    assert share(line, named, context=NO_CONTEXT) is None


def test_an_unknown_service_answers_nobody_who_names_it():
    """Whoever decided did not know what this caller tells beside the line; but a name that a person
    did see and refuse is not taken for it again."""
    line, here = "2031-05-06T07:08:09Z WARN door jammed", Context(service="gate")
    unnamed = verdict(fields(line), line)
    assert share(line, unnamed).judged.ticket.service == "unknown"
    assert share(line, unnamed, context=here) is None
    refused = verdict(fields(line, here, service="unknown"), line, here)
    assert share(line, refused, context=here).judged.ticket.service == "unknown"


def test_without_a_template_only_the_same_line_is_answered():
    """Its text was not known to the person's desk."""
    told = verdict(fields(severity=Severity.HIGH), taught=Taught(own_time=True))
    assert share(LINE, told).judged.ticket.severity is Severity.HIGH
    assert share(LATER, told) is None


def test_the_newest_verdict_about_a_template_counts_and_the_one_about_a_line_before_it():
    """What is said of a line itself is nearer than what is said of another."""
    old = verdict(fields(severity=Severity.CRITICAL), id=5)
    new = verdict(fields(LATER, severity=Severity.LOW), LATER, id=9)
    third = LATER.replace("99", "3")
    for order in ((old, new), (new, old)):
        assert share(third, *order).verdict == 9
        assert share(LINE, *order).verdict == 5


def test_a_place_that_the_line_does_not_have_answers_nothing():
    """Such as a lesson of a later version might name."""
    taught = taught_by(Line(LINE), read(Line(LINE)), NO_CONTEXT, fields())
    for evidence in ((9, 0, 9, 1), (0, 0, 0), (0, -1, 0, 5), (0, 0, 0, 0), None):
        odd = msgspec.structs.replace(taught, evidence=evidence)
        assert share(LATER, verdict(fields(), taught=odd)) is None
        assert share(LINE, verdict(fields(), taught=odd)) is not None


def test_what_is_not_known_to_be_right_still_goes_to_a_person():
    """The confidence is measured, and without counts there is none to speak of."""
    ticket = share(LINE, verdict(fields()), table=UNSURE).judged.ticket
    assert (ticket.confidence, ticket.needs_human) == (0.5, True)
    assert ticket.review_reasons == (ReviewReason.LOW_CONFIDENCE, REVIEWED)


def test_the_rules_own_record_says_nothing_of_a_persons_word():
    """Its cells are a family of their own."""
    table = Table({"level/logger/read": (500, 500), "level/logger": (500, 500)})
    assert share(LINE, verdict(fields()), table=table).judged.ticket.confidence == 0.5


def test_what_is_stored_of_it_can_be_explained():
    """What differs from the rules is the reviewer's, with its place in the line."""
    said = fields(
        severity=Severity.HIGH, service="web-1.example", first_seen="2031-05-06T06:00:00Z"
    )
    judged = share(LINE, verdict(said)).judged
    judgement = decode_judgement(judged.body)
    assert judgement.ticket == judged.ticket
    told = explanation(judgement)["fields"]
    assert {name: field["by"] for name, field in told.items()} == {
        "service": "reviewer",
        "severity": "reviewer",
        "first_seen": "reviewer",
        "evidence": "rules",
    }
    line = Line(LINE)
    assert line.quote(told["service"]["span"]) == "web-1.example"
    assert line.quote(told["first_seen"]["span"]) == "2031-05-06T06:00:00Z"


def test_what_a_person_only_confirms_stays_the_rules():
    """They read it first."""
    told = explanation(decode_judgement(share(LINE, verdict(fields())).judged.body))["fields"]
    assert {field["by"] for field in told.values()} == {"rules"}


def test_a_severity_that_the_line_does_not_state_is_the_reviewers_even_where_it_is_the_default():
    """Somebody has looked; before, nobody had."""
    line = "2031-05-06T07:08:09Z gate: tide tables"
    judged = share(line, verdict(fields(line), line)).judged
    assert ReviewReason.SEVERITY_UNSTATED not in judged.reasons
    assert explanation(decode_judgement(judged.body))["fields"]["severity"]["by"] == "reviewer"


def test_what_is_unchanged_is_no_news():
    """Only a verdict that answers lines, or one that no longer does, empties the memory."""
    store = Told(verdict(fields()))
    reviews = Reviews(Judge(UNSURE, 0.0), store, lambda: NOW)
    assert (reviews.refresh(), reviews.refresh()) == (True, False)
    store.version = 7
    assert reviews.refresh() is False
    (told,) = store.verdicts
    store.version, store.verdicts = 8, [msgspec.structs.replace(told, taught=Taught())]
    assert reviews.refresh() is True
    assert reviews.share(slot(LATER)) is None
    store.version, store.verdicts = 9, []
    assert reviews.refresh() is True
    assert reviews.share(slot(LINE)) is None


def test_a_store_that_cannot_be_read_leaves_what_is_known():
    """The next look may do better."""
    store = Told(verdict(fields()))
    reviews = Reviews(Judge(UNSURE, 0.0), store, lambda: NOW)
    reviews.refresh()
    store.broken, store.version, store.verdicts = True, 8, []
    assert reviews.refresh() is False
    assert reviews.share(slot(LINE)) is not None
    store.broken = False
    assert reviews.refresh() is True


def test_bytes_that_are_no_text_are_quoted_as_they_are():
    """In the line that was judged and in a later one."""
    raw = LINE.encode().replace(b"jammed", b"jam\xff\xfemed")
    line = raw.decode("utf-8", "surrogateescape")
    later = LATER.encode().replace(b"jammed", b"jam\xff\xfemed").decode("utf-8", "surrogateescape")
    told = verdict(fields(line, evidence="jam\udcff\udcfemed"), line)
    for each in (line, later):
        ticket = share(each, told).judged.ticket
        assert ticket.evidence == "jam\udcff\udcfemed"


def test_a_reading_is_kept_for_who_judges_the_line_after_all():
    """It costs as much as the rest."""
    reviews = Reviews(Judge(UNSURE, 0.0), Told(verdict(fields())), lambda: NOW)
    reviews.refresh()
    other = slot("2031-05-06T07:08:09Z INFO lamp: on")
    assert reviews.share(other) is None
    assert other.reading == read(other.line)
